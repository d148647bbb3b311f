import { characterEnd } from '../../../core/text.ts';

/** Where people would stop reading, best first, and how much of the room has to be used for it. A match ends at the stop. */
const STOPS: [RegExp, least: number][] = [
  [/\n\s*\n/g, 0.75],
  [/\n/g, 0.75],
  [/[.!?…。！？]["”’)]?\s/g, 0.5],
  [/\s/g, 0.5],
];
/** An entity that the cut would split. */
const OPEN_ENTITY = /&(?:#?\w{0,31})$/;

/**
 * Where to cut a text that is longer than `at`: after a paragraph, a line, a sentence or a word, the first of these that
 * wastes little room. Otherwise at `at`, but never within a character or an entity.
 */
export function sensibleEnd(text: string, at: number): number {
  if (text.length <= at) return text.length;
  const head = text.slice(0, at);
  for (const [stop, least] of STOPS) {
    const found = lastEnd(head, stop);
    if (found > at * least) return found;
  }
  const entity = OPEN_ENTITY.exec(head);
  return characterEnd(text, entity && entity.index > 0 ? entity.index : at);
}

function lastEnd(head: string, pattern: RegExp): number {
  let last = 0;
  for (const match of head.matchAll(pattern)) last = match.index + match[0].length;
  return last;
}
