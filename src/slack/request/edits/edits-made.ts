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

/** A place that needs more words around it is proved only by the whole text. */
const LONGEST_CONTEXT = 600;

/** What stands at a place, with so many words around it that the old text doesn't have it; at least one on each side. */
function proof(text: string, { start, end }: Span, old: string): string | null {
  let [from, to] = [start, end];
  while ((from > 0 || to < text.length) && to - from <= LONGEST_CONTEXT + end - start) {
    [from, to] = [wordStartBefore(text, from), wordEndAfter(text, to)];
    const words = comparable(text, { start: from, end: to });
    if (words.trim() !== '' && !old.includes(words)) return words;
  }
  return null;
}

/** Marks the beginning and the end of a text, so that they can be compared, too. */
const EDGE = '\u0000';

/** A part of a text, with all space alike. */
function comparable(text: string, { start, end }: Span = { start: 0, end: text.length }): string {
  const words = text.slice(start, end).replace(/\s+/g, ' ');
  const opened = start === 0 ? `${EDGE}${words.trimStart()}` : words;
  return end === text.length ? `${opened.trimEnd()}${EDGE}` : opened;
}
