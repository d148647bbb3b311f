import { diffArrays } from 'diff';
import { commonEnds, type Match } from './match.ts';

/** The time grows with its square: this many lines that both texts have, but at other places, take about 70 ms. */
const MOST_EDITS = 1_000;
/** For a machine on which even that takes long. */
const TIMEOUT_MS = 150;

/**
 * Which lines of the older text are the same in the newer one, as many as possible in their order; null if that takes too long.
 * Empty lines are matched only at both ends: one is easily taken for another.
 */
export function equalLines(before: readonly string[], after: readonly string[]): Match[] | null {
  const { start, end } = commonEnds(before, after);
  const inner = innerMatches(before.slice(start, before.length - end), after.slice(start, after.length - end));
  if (!inner) return null;
  const first = Array.from({ length: start }, (_, i): Match => [i, i]);
  const last = Array.from({ length: end }, (_, i): Match => [before.length - end + i, after.length - end + i]);
  return [...first, ...inner.map(([b, a]): Match => [b + start, a + start]), ...last];
}

/** Lines that only one text has can't match, and needn't be looked at. */
function innerMatches(before: readonly string[], after: readonly string[]): Match[] | null {
  const left = sharedPlaces(before, new Set(after));
  const right = sharedPlaces(after, new Set(before));
  const changes = diffArrays(linesAt(before, left), linesAt(after, right), {
    maxEditLength: MOST_EDITS,
    timeout: TIMEOUT_MS,
  });
  if (!changes) return null;
  const matches: Match[] = [];
  let l = 0;
  let r = 0;
  for (const { added, removed, count } of changes) {
    if (!added && !removed) for (let i = 0; i < count; i++) matches.push([left[l + i] ?? 0, right[r + i] ?? 0]);
    if (!added) l += count;
    if (!removed) r += count;
  }
  return matches;
}

function sharedPlaces(lines: readonly string[], others: ReadonlySet<string>): number[] {
  return lines.flatMap((line, i) => (line !== '' && others.has(line) ? [i] : []));
}

function linesAt(lines: readonly string[], places: readonly number[]): string[] {
  return places.map((place) => lines[place] ?? '');
}
