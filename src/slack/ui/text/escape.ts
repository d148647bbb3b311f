import { characterEnd } from '../../../core/text.ts';
import { cutLine } from './cut.ts';

/**
 * Foreign text in mrkdwn and in the top-level `text`: nothing in it is a mention, a link or a date.
 * https://docs.slack.dev/messaging/formatting-message-text#escaping
 */
export function escapeMrkdwn(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');
}

/** Foreign text on one line, cut and then escaped, for use in mrkdwn. */
export function escapedLine(text: string, most: number): string {
  return escapeMrkdwn(cutLine(text, most));
}

/**
 * Foreign text in a markdown block, where `<!channel>` and `<@U…>` are live, too. `&` stays, since `&amp;` breaks links;
 * so does a `>` that begins a quote, which is harmless where no `<` is left.
 */
export function escapeMarkdown(text: string): string {
  return text
    .replace(/</g, '&lt;')
    .replace(/(^[ >]+)|>/gm, (found, lineStart: string | undefined) => (lineStart === undefined ? '&gt;' : found));
}

/** Cuts text that is already mrkdwn to at most `most` characters, never within an entity or a `<…>`. */
export function cutMrkdwn(text: string, most: number): string {
  if (text.length <= most) return text;
  const kept = text.slice(0, characterEnd(text, most - 1));
  return `${kept
    .replace(/&[#\w]*$/, '')
    .replace(/<[^>]*$/, '')
    .trimEnd()}…`;
}
