import { cutEnd, shortened } from '../../../core/values/cut.ts';
import { cleanText, isRightToLeft, oneLine } from '../../../core/values/text.ts';
import type { Millis } from '../../../core/values/time.ts';
import type { Say } from '../../language/say.ts';
import { withDate } from './moment.ts';

/**
 * Escapes foreign text for mrkdwn and for the top-level `text`: nothing in it is a mention, a link or a date.
 * https://docs.slack.dev/messaging/formatting-message-text#escaping
 */
export function escapeMrkdwn(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');
}

/** Returns foreign text for mrkdwn, on one line, cut and then escaped. */
export function escapedLine(text: string, most: number): string {
  return escapeMrkdwn(cutLine(text, most));
}

/** Replaces angle brackets by look-alikes, for places where Slack doesn't say whether it parses mentions and links. */
export function withoutBrackets(text: string): string {
  return text.replace(/</g, '‹').replace(/>/g, '›');
}

/** Turns escaped text back into readable text for such places, with look-alikes of angle brackets. */
export function unescaped(text: string): string {
  return text.replace(/&lt;/g, '‹').replace(/&gt;/g, '›').replace(/&amp;/g, '&');
}

/**
 * Escapes foreign text for a markdown block, in which `<!channel>` and `<@U…>` are live, too. `&` stays, since `&amp;` breaks links. So
 * does a `>` that begins a quote: it is harmless where no `<` is left.
 */
export function escapeMarkdown(text: string): string {
  const escaped = text.replace(/</g, '&lt;');
  return escaped.replace(/(^[ >]+)|>/gm, (match, lineStart?: string) => (lineStart === undefined ? '&gt;' : match));
}

/** Cuts mrkdwn to at most `most` characters, never within an entity or a `<…>`. */
export function cutMrkdwn(text: string, most: number): string {
  if (text.length <= most) return text;
  const head = text.slice(0, cutEnd(text, most - 1)).replace(/(?:&[#\w]*|<[^>]*)$/, '');
  return `${head.trimEnd()}…`;
}

/** Cleans text and cuts it to at most `most` UTF-16 units, with an ellipsis for what is left out. */
export function cut(text: string, most: number): string {
  const near = beginning(text, most);
  const cleaned = cleanText(near);
  const isWhole = near.length === text.length && cleaned.length <= most;
  return isWhole ? cleaned : shortened(cleaned, Math.max(0, most - 1));
}

/** Cleans text, puts it on one line, and cuts it to at most `most` UTF-16 units, with an ellipsis for what is left out. */
export function cutLine(text: string, most: number): string {
  const near = beginning(text, most);
  const line = oneLine(near);
  const whole = isolated(line);
  const isWhole = near.length === text.length && whole.length <= most;
  return isWhole ? whole : isolated(shortened(line, Math.max(0, most - 3)));
}

/** Returns more of a text than one line needs, since cleaning shortens it. Cleaning megabytes for one line would take too long. */
function beginning(text: string, most: number): string {
  return text.slice(0, most * 4 + 64);
}

/** Keeps a right-to-left line from reordering the words around it. https://www.unicode.org/reports/tr9/#Explicit_Directional_Isolates */
function isolated(line: string): string {
  return isRightToLeft(line) ? `\u2068${line}\u2069` : line;
}

const SHA256 = /^[0-9a-f]{64}$/;

/** Returns mrkdwn that names the hash of a text that is no longer stored. The ledger has the same hash. */
export function textProof({ hash, goneAt }: { hash: string; goneAt: Millis | null }, say: Say): string {
  const proof = SHA256.test(hash) ? say('text.proof', { hash }) : '';
  const said =
    goneAt === null
      ? say('text.gone', { proof })
      : withDate(goneAt, say, (at) => say('text.kept-until', { proof, at }));
  return said.trim();
}
