// Edits, and the functions that find them in a text. People edit a text, crews get the edits as feedback, and cards tick them off.

/** One change to a text. It names what it replaces by words that the text has only once. */
export interface Edit {
  /** The words to be replaced, or with `through` only their beginning. */
  find: string;
  /** The end of words that are too long to quote: the first such words after `find`. Otherwise null. */
  through: string | null;
  replace: string;
}

/** True if the next text has what a point of the feedback asks for. Null if nobody can tell without judging. */
export type Tick = boolean | null;

/** The text that feedback is about, and the next one. */
export interface Versions {
  oldText: string;
  nextText: string;
}

export interface Span {
  start: number;
  end: number;
}

/** A part of a text, and the text that replaces it. */
export interface Change extends Span {
  replace: string;
}

/** Finds the place of an edit in a text. Null if the text doesn't have the words, or has them twice. */
export function locate(text: string, { find, through, replace }: Edit): Change | null {
  const start = text.indexOf(find);
  if (find === '' || start === -1 || text.indexOf(find, start + 1) !== -1) return null;
  const after = start + find.length;
  if (through === null) return { start, end: after, replace };
  const last = text.indexOf(through, after);
  return last === -1 ? null : { start, end: last + through.length, replace };
}

/** Finds the edits that a text allows, in the order of the text. Keeps the first of two that overlap. */
export function locateAll(text: string, edits: readonly Edit[]): (Change & { edit: Edit })[] {
  const changes = edits.flatMap((edit) => {
    const change = locate(text, edit);
    return change ? [{ ...change, edit }] : [];
  });
  changes.sort((a, b) => a.start - b.start);
  const apart: typeof changes = [];
  for (const change of changes) if (change.start >= (apart.at(-1)?.end ?? 0)) apart.push(change);
  return apart;
}

/** Makes changes that don't overlap. Returns the new text and their places in it. */
export function withChanges(text: string, changes: readonly Change[]): { text: string; places: Span[] } {
  let result = '';
  let from = 0;
  const places: Span[] = [];
  for (const { start, end, replace } of changes) {
    result += text.slice(from, start);
    places.push({ start: result.length, end: result.length + replace.length });
    result += replace;
    from = end;
  }
  return { text: result + text.slice(from), places };
}

const words = new Intl.Segmenter('en', { granularity: 'word' });

/** A longer word counts as several. */
const LONGEST_WORD = 64;

/** Splits a text, because the segmenter's time grows with the square of its length. */
const UNSPACED = /\S{1,1000}\s{0,1000}|\s{1,1000}/gu;

/** Splits a text into words, spaces and marks. */
export function wordsOf(text: string): string[] {
  const parts = text.match(UNSPACED) ?? [];
  return parts.flatMap((part) => Array.from(words.segment(part), ({ segment }) => segment));
}

/** Returns the beginning of the word, space or mark that ends at `at`. */
export function wordStart(text: string, at: number): number {
  const from = Math.max(0, at - LONGEST_WORD);
  const near = text.slice(from, at);
  return near === '' ? at : from + (words.segment(near).containing(near.length - 1)?.index ?? 0);
}

/** Returns the end of the word, space or mark that begins at `at`. */
export function wordEnd(text: string, at: number): number {
  const near = text.slice(at, at + LONGEST_WORD);
  return near === '' ? at : at + (words.segment(near).containing(0)?.segment.length ?? near.length);
}

/** Returns the beginning of the word before `at`, and skips space between them. */
export function wordStartBefore(text: string, at: number): number {
  const start = wordStart(text, at);
  return text.slice(start, at).trim() === '' ? wordStart(text, start) : start;
}

/** Returns the end of the word after `at`, and skips space between them. */
export function wordEndAfter(text: string, at: number): number {
  const end = wordEnd(text, at);
  return text.slice(at, end).trim() === '' ? wordEnd(text, end) : end;
}
