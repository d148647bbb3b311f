import { characterEnd } from '../../../core/text.ts';

/**
 * Text from outside in mrkdwn and in the top-level `text`: nothing in it is a mention, a link or a date.
 * https://docs.slack.dev/messaging/formatting-message-text#escaping
 */
export function escapeMrkdwn(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');
}

/**
 * Text from outside in a markdown block. `<!channel>` and `<@U…>` are live there too; `&` stays, since an escaped one
 * breaks links, and so does a `>` that begins a quote, which is harmless where no `<` is left.
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
