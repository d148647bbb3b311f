const WIDE = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{Extended_Pictographic}\uFF00-\uFF60]/gu;

/** How wide a text is, in letters. */
export function columnsOf(text: string): number {
  return text.length + (text.match(WIDE)?.length ?? 0);
}
