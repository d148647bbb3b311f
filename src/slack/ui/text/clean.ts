/** Everything that orders text by hand: a stray override would show our own words in another order than they stand. */
const BIDI_CONTROLS = /[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu;
/** Line breaks and tabs are text; other control characters are not. */
const CONTROLS = /[^\P{Cc}\n\t]/gu;
const LONE_SURROGATES = /\p{Surrogate}/gu;
const RIGHT_TO_LEFT = /\p{Script=Arabic}|\p{Script=Hebrew}|\p{Script=Syriac}|\p{Script=Thaana}|\p{Script=Nko}/u;

/** Text from outside as something that every surface of Slack takes and shows in the order in which it was written. */
export function clean(text: string): string {
  return text
    .replace(/\r\n?|\u2028|\u2029/g, '\n')
    .replace(CONTROLS, '')
    .replace(BIDI_CONTROLS, '')
    .replace(LONE_SURROGATES, '\uFFFD');
}

/** Text from outside on one line, so that it can't begin a line of its own between ours. */
export function oneLine(text: string): string {
  return isolated(clean(text).replace(/\s+/g, ' ').trim());
}

/**
 * Text that is written from right to left stays within itself and leaves the words around it where they are.
 * https://www.unicode.org/reports/tr9/#Explicit_Directional_Isolates
 */
function isolated(line: string): string {
  return RIGHT_TO_LEFT.test(line) ? `\u2068${line}\u2069` : line;
}
