// Whether a crew has followed the points of a feedback, as far as its next text tells.
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
import { isWishMet, wishesIn } from './wishes.ts';

/** Whether each point of a feedback was followed. */
export function ticksOf(points: readonly string[], versions: Versions): Tick[] {
  const edits = points.map(editIn);
  const made = editsMade(
    edits.filter((edit) => edit !== null),
    versions,
  );
  return points.map((point, i) => {
    const edit = edits[i] ?? null;
    return edit ? (made.get(edit) ?? null) : all(wishesIn(point).map((wish) => isWishMet(wish, versions)));
  });
}

/** The edit that a point asks for; null where it asks for anything else, too. */
function editIn(point: string): Edit | null {
  const [edit = null] = parseEdits(point);
  return edit && LANGUAGES.some((language) => editPoint(edit, language) === point.trimEnd()) ? edit : null;
}

function all(ticks: readonly Tick[]): Tick {
  if (ticks.includes(false)) return false;
  return ticks.length === 0 || ticks.includes(null) ? null : true;
}

/**
 * Which edits of the old text the next one has. An edit counts as made if the next text has the words around its place as they
 * should be, whatever else has changed. Edits that the old text doesn't allow are left out.
 */
export function editsMade(edits: readonly Edit[], { oldText, nextText }: Versions): Map<Edit, boolean> {
  const changes = locateAll(oldText, edits);
  const wanted = withChanges(oldText, changes);
  const [old, next] = [comparable(oldText), comparable(nextText)];
  const isWanted = nextText.trim() === wanted.text.trim();
  const isMade = (place: Span) => {
    const words = proof(wanted.text, place, old);
    return isWanted || (words !== null && next.includes(words));
  };
  return new Map(wanted.places.flatMap((place, i) => (changes[i] ? [[changes[i].edit, isMade(place)]] : [])));
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
