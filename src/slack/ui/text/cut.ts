import { cleanText, oneLine, shortened } from '../../../core/text.ts';

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

const RIGHT_TO_LEFT = /\p{Script=Arabic}|\p{Script=Hebrew}|\p{Script=Syriac}|\p{Script=Thaana}|\p{Script=Nko}/u;

/**
 * Keeps a right-to-left line from reordering our words around it.
 * https://www.unicode.org/reports/tr9/#Explicit_Directional_Isolates
 */
function isolated(line: string): string {
  return RIGHT_TO_LEFT.test(line) ? `\u2068${line}\u2069` : line;
}
