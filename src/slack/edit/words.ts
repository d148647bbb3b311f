const words = new Intl.Segmenter('en', { granularity: 'word' });

/** Longer ones are taken in parts. */
const LONGEST_WORD = 64;

/** A text as words, spaces and marks, which joined are the text. */
export function wordsOf(text: string): string[] {
  return Array.from(words.segment(text), ({ segment }) => segment);
}

/** Where the word, space or mark begins that ends at `at`. */
export function wordStart(text: string, at: number): number {
  const from = Math.max(0, at - LONGEST_WORD);
  const near = text.slice(from, at);
  return near === '' ? at : from + (words.segment(near).containing(near.length - 1)?.index ?? 0);
}

/** Where the word, space or mark ends that begins at `at`. */
export function wordEnd(text: string, at: number): number {
  const near = text.slice(at, at + LONGEST_WORD);
  return near === '' ? at : at + (words.segment(near).containing(0)?.segment.length ?? near.length);
}

/** Where the word begins that comes before `at`, space between them passed over. */
export function wordStartBefore(text: string, at: number): number {
  const start = wordStart(text, at);
  return text.slice(start, at).trim() === '' ? wordStart(text, start) : start;
}

/** Where the word ends that comes after `at`, space between them passed over. */
export function wordEndAfter(text: string, at: number): number {
  const end = wordEnd(text, at);
  return text.slice(at, end).trim() === '' ? wordEnd(text, end) : end;
}
