// An edit, the places in a text that it is about, and the words around them.
/** One change to a text: what it replaces is named by words that the text has only once. */
export interface Edit {
  /** What is replaced; with `through`, only how it begins. */
  find: string;
  /** How what is replaced ends, where it is too long to be quoted; the first such words after `find`. Otherwise null. */
  through: string | null;
  replace: string;
}

/** Whether the next text has what a point of the feedback asks for; null where nobody can tell without judging. */
export type Tick = boolean | null;

/** The text that feedback is about, and the next one. */
export interface Versions {
  oldText: string;
  nextText: string;
}

/** A part of a text. */
export interface Span {
  start: number;
  end: number;
}

/** A part of a text, and what takes its place. */
export interface Change extends Span {
  replace: string;
}

/** What an edit changes in a text; null where the text doesn't have the words, or has them twice. */
export function locate(text: string, { find, through, replace }: Edit): Change | null {
  const start = text.indexOf(find);
  if (find === '' || start === -1 || text.indexOf(find, start + 1) !== -1) return null;
  const after = start + find.length;
  if (through === null) return { start, end: after, replace };
  const last = text.indexOf(through, after);
  return last === -1 ? null : { start, end: last + through.length, replace };
}

/** The edits that a text allows, in the order of the text; of two that overlap, the first. */
export function locateAll(text: string, edits: readonly Edit[]): (Change & { edit: Edit })[] {
  const found = edits.flatMap((edit) => {
    const change = locate(text, edit);
    return change ? [{ ...change, edit }] : [];
  });
  found.sort((a, b) => a.start - b.start);
  const kept: typeof found = [];
  for (const change of found) if (change.start >= (kept.at(-1)?.end ?? 0)) kept.push(change);
  return kept;
}

/** The text with changes made that don't overlap, and where they are in it. */
export function withChanges(text: string, changes: readonly Change[]): { text: string; places: Span[] } {
  let made = '';
  let from = 0;
  const places: Span[] = [];
  for (const { start, end, replace } of changes) {
    made += text.slice(from, start);
    places.push({ start: made.length, end: made.length + replace.length });
    made += replace;
    from = end;
  }
  return { text: made + text.slice(from), places };
}

const words = new Intl.Segmenter('en', { granularity: 'word' });

/** Longer ones are taken in parts. */
const LONGEST_WORD = 64;

/** Words or spaces, in parts: the segmenter's time grows with the square of what it is given. */
const UNSPACED = /\S{1,1000}\s{0,1000}|\s{1,1000}/gu;

/** A text as words, spaces and marks, which joined are the text. */
export function wordsOf(text: string): string[] {
  const parts = text.match(UNSPACED) ?? [];
  return parts.flatMap((part) => Array.from(words.segment(part), ({ segment }) => segment));
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
