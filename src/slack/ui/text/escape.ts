import { cutEnd, shortened } from '../../../core/values/cut.ts';
import { cleanText, isRightToLeft, oneLine } from '../../../core/values/text.ts';
import type { Millis } from '../../../core/values/time.ts';
import type { Say } from '../../language/say.ts';
import { slackDate } from './moment.ts';

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

/** Text in which nothing can be a mention or a link, for places of which Slack doesn't say whether it parses them. */
export function withoutBrackets(text: string): string {
  return text.replace(/</g, '‹').replace(/>/g, '›');
}

/** Escaped text as it is read, for the same places. */
export function unescaped(text: string): string {
  return text.replace(/&lt;/g, '‹').replace(/&gt;/g, '›').replace(/&amp;/g, '&');
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
  const kept = text.slice(0, cutEnd(text, most - 1));
  return `${kept
    .replace(/&[#\w]*$/, '')
    .replace(/<[^>]*$/, '')
    .trimEnd()}…`;
}

/** Clean text of at most `most` UTF-16 units, with an ellipsis where something was left out. */
export function cut(text: string, most: number): string {
  const near = beginning(text, most);
  const cleaned = cleanText(near);
  const isWhole = near.length === text.length && cleaned.length <= most;
  return isWhole ? cleaned : shortened(cleaned, Math.max(0, most - 1));
}

/** One line of clean text of at most `most` UTF-16 units, with an ellipsis where something was left out. */
export function cutLine(text: string, most: number): string {
  const near = beginning(text, most);
  const line = oneLine(near);
  const whole = isolated(line);
  const isWhole = near.length === text.length && whole.length <= most;
  return isWhole ? whole : isolated(shortened(line, Math.max(0, most - 3)));
}

/** What cleaning makes shorter may come from further on, but cleaning megabytes for a line takes too long. */
function beginning(text: string, most: number): string {
  return text.slice(0, most * 4 + 64);
}

/**
 * Keeps a right-to-left line from reordering our words around it.
 * https://www.unicode.org/reports/tr9/#Explicit_Directional_Isolates
 */
function isolated(line: string): string {
  return isRightToLeft(line) ? `\u2068${line}\u2069` : line;
}

const SHA256 = /^[0-9a-f]{64}$/;

/** What proves which text was asked about once it is no longer stored: the ledger has the same hash. mrkdwn. */
export function textProof({ hash, goneAt }: { hash: string; goneAt: Millis | null }, say: Say): string {
  const proof = SHA256.test(hash) ? say('text.proof', { hash }) : '';
  const said =
    goneAt === null ? say('text.gone', { proof }) : say('text.kept-until', { proof, at: slackDate(goneAt, say) });
  return said.trim();
}
