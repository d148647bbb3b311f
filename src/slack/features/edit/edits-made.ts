// Whether a crew has made the edits that it was asked for.
import { locateAll, type Span, withChanges, wordEndAfter, wordStartBefore } from './edit.ts';
import { parseEdits } from './edit-list.ts';

/** How many of the edits in a feedback are found, word for word, in the next text. */
export interface EditsMade {
  made: number;
  of: number;
}

/**
 * How many of the edits in a feedback about the old text the next one has. An edit counts as made if the next text has the words
 * around its place as they should be, whatever else has changed. Null if the feedback has no edits of the old text.
 */
export function editsMade(
  feedback: string,
  { oldText, nextText }: { oldText: string; nextText: string },
): EditsMade | null {
  const changes = locateAll(oldText, parseEdits(feedback));
  if (changes.length === 0) return null;
  const wanted = withChanges(oldText, changes);
  const [old, next] = [comparable(oldText), comparable(nextText)];
  const isWanted = nextText.trim() === wanted.text.trim();
  const made = wanted.places.filter((place) => {
    const words = proof(wanted.text, place, old);
    return isWanted || (words !== null && next.includes(words));
  });
  return { made: made.length, of: changes.length };
}

/** With more around it than this, only the whole text proves it. */
const LONGEST_CONTEXT = 600;

/** What stands at a place, with words around it, as many as the old text doesn't have; at least one on each side. */
function proof(text: string, { start, end }: Span, old: string): string | null {
  let [from, to] = [start, end];
  while ((from > 0 || to < text.length) && to - from <= LONGEST_CONTEXT + end - start) {
    [from, to] = [wordStartBefore(text, from), wordEndAfter(text, to)];
    const words = comparable(text, { start: from, end: to });
    if (words.trim() !== '' && !old.includes(words)) return words;
  }
  return null;
}

/** Where a text begins and ends, which are places, too. */
const EDGE = '\u0000';

/** A part of a text, in which all space is the same. */
function comparable(text: string, { start, end }: Span = { start: 0, end: text.length }): string {
  const words = text.slice(start, end).replace(/\s+/g, ' ');
  const opened = start === 0 ? `${EDGE}${words.trimStart()}` : words;
  return end === text.length ? `${opened.trimEnd()}${EDGE}` : opened;
}
