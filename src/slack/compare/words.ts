const UNSPACED = ['Han', 'Hiragana', 'Katakana', 'Thai', 'Lao', 'Khmer', 'Myanmar']
  .map((script) => `\\p{Script=${script}}`)
  .join('');
const PICTURE = '\\p{Extended_Pictographic}[\\p{EMod}\\uFE0F\\u20E3]*';

/** `Intl.Segmenter` knows more about words, and takes a hundred times as long. */
const WORDS = new RegExp(
  [
    '\\p{RI}\\p{RI}', // a flag
    `${PICTURE}(?:\\u200D${PICTURE})*`, // an emoji, such as a family
    `[${UNSPACED}]\\p{M}*`, // a character of a script that puts no spaces between words
    `(?:(?![${UNSPACED}])[\\p{L}\\p{M}\\p{N}_])+`,
    '\\s+',
    '[^]\\p{M}*',
  ].join('|'),
  'gu',
);

const LETTER_OR_DIGIT = /[\p{L}\p{N}]/u;

/** The words of a line and what stands between them; joined they are the line. */
export function wordsOf(line: string): string[] {
  return line.match(WORDS) ?? [];
}

/** Whether a text has letters or digits, not only spaces and punctuation. */
export function saysSomething(text: string): boolean {
  return LETTER_OR_DIGIT.test(text);
}
