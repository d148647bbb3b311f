// Finds out whether a crew's next text follows the points of the feedback. Cards tick these points.
import { LANGUAGES } from '../../../core/policy/crew.ts';
import {
  type Edit,
  locateAll,
  type Span,
  type Tick,
  type Versions,
  withChanges,
  wordEndAfter,
  wordStartBefore,
} from './edit.ts';
import { editPoint, parseEdits } from './edit-list.ts';
import { tickOfWish, wishesIn } from './wishes.ts';

/** Returns for each point of a feedback whether the next text follows it. */
export function ticksOf(points: readonly string[], versions: Versions): Tick[] {
  const edits = points.map(editIn);
  const tickByEdit = findFollowedEdits(
    edits.filter((edit) => edit !== null),
    versions,
  );
  return points.map((point, i) => {
    const edit = edits[i] ?? null;
    return edit ? (tickByEdit.get(edit) ?? null) : all(wishesIn(point).map((wish) => tickOfWish(wish, versions)));
  });
}

/** Returns the edit that a point asks for. Null if the point asks for anything else, too. */
function editIn(point: string): Edit | null {
  const [edit = null] = parseEdits(point);
  return edit && LANGUAGES.some((language) => editPoint(edit, language) === point.trimEnd()) ? edit : null;
}

function all(ticks: readonly Tick[]): Tick {
  if (ticks.includes(false)) return false;
  return ticks.length === 0 || ticks.includes(null) ? null : true;
}

/**
 * Returns for each edit that the old text allows whether the next text has it: the words around its place must be as they should,
 * whatever else has changed.
 */
export function findFollowedEdits(edits: readonly Edit[], { oldText, nextText }: Versions): Map<Edit, boolean> {
  const changes = locateAll(oldText, edits);
  const target = withChanges(oldText, changes);
  const [old, next] = [comparable(oldText), comparable(nextText)];
  const isExact = nextText.trim() === target.text.trim();
  const isMade = (place: Span) => {
    const words = proof(target.text, place, old);
    return isExact || (words !== null && next.includes(words));
  };
  return new Map(target.places.flatMap((place, i) => (changes[i] ? [[changes[i].edit, isMade(place)]] : [])));
}

/** If a place needs more words around it, only the whole text proves the edit. */
const LONGEST_CONTEXT = 600;

/** Returns a place with so many words around it that the old text doesn't have them, at least one on each side. */
function proof(text: string, { start, end }: Span, old: string): string | null {
  let [from, to] = [start, end];
  while ((from > 0 || to < text.length) && to - from <= LONGEST_CONTEXT + end - start) {
    [from, to] = [wordStartBefore(text, from), wordEndAfter(text, to)];
    const words = comparable(text, { start: from, end: to });
    if (words.trim() !== '' && !old.includes(words)) return words;
  }
  return null;
}

/** Marks the beginning and the end of a text, so that we can compare them, too. */
const EDGE = '\u0000';

/** Returns a part of a text with all space alike. */
function comparable(text: string, { start, end }: Span = { start: 0, end: text.length }): string {
  const words = text.slice(start, end).replace(/\s+/g, ' ');
  const opened = start === 0 ? `${EDGE}${words.trimStart()}` : words;
  return end === text.length ? `${opened.trimEnd()}${EDGE}` : opened;
}
