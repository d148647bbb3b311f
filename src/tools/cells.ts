import { oneLine } from '../core/values/text.ts';

// Cells of tables, for a terminal and as comma-separated values.

/** Cleans foreign text, and cuts it to one line of at most `most` UTF-16 units. */
export type Foreign = (text: string, most: number) => string;

/** Cuts a text to at most `most` cells of a terminal. */
export function fitted(text: string, most: number, foreign: Foreign): string {
  let line = foreign(text, most);
  for (let units = most - 1; units > 0 && widthOf(line) > most; units--) line = foreign(text, units);
  return line;
}

const WIDE =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Emoji_Presentation}\uFF01-\uFF60]/u;
const NO_WIDTH = /[\p{Mn}\p{Me}\p{Cf}]/u;

/** Returns the number of terminal cells of a text: https://www.unicode.org/reports/tr11/ */
export function widthOf(text: string): number {
  return Array.from(text).reduce((sum, each) => sum + (NO_WIDTH.test(each) ? 0 : WIDE.test(each) ? 2 : 1), 0);
}

/** Returns lines of comma-separated values, given finished cells: https://www.rfc-editor.org/rfc/rfc4180 */
export function csvLines(lines: readonly (readonly string[])[]): string {
  return lines.map((line) => `${line.join(',')}\r\n`).join('');
}

/**
 * The beginning of text that a spreadsheet would take for a formula, also behind a `;`, which separates cells where the comma is
 * a decimal sign: https://owasp.org/www-community/attacks/CSV_Injection
 */
const FORMULA = /(^|;)(\s*)(?=[=+\-@＝＋－＠])/g;

/** Returns foreign text as a cell of comma-separated values; an empty one for null. */
export function textCell(text: string | null): string {
  if (text === null) return '';
  const safe = oneLine(text).replace(FORMULA, "$1$2'");
  return /[",]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
