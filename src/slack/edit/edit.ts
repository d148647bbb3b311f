/** One change to a text: what it replaces is named by words that the text has only once. */
export interface Edit {
  /** What is replaced; with `through`, only how it begins. */
  find: string;
  /** How what is replaced ends, where it is too long to be quoted; the first such words after `find`. Otherwise null. */
  through: string | null;
  replace: string;
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
export function locateAll(text: string, edits: readonly Edit[]): Change[] {
  const found = edits.flatMap((edit) => locate(text, edit) ?? []).sort((a, b) => a.start - b.start);
  const kept: Change[] = [];
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
