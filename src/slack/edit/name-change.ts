import type { Change } from './edit.ts';
import { wordEndAfter, wordStartBefore } from './words.ts';

/** With more around it, a change is no longer worth a point of its own. */
const LONGEST_CONTEXT = 600;

/** Changes in the order of the text: those that are named already, and those that aren't yet. */
interface Neighbours {
  done: Change[];
  waiting: Change[];
}

/**
 * The change with as many words around it as the text has only once. It takes in the neighbours that it meets. Null if that
 * takes too many words, or if the text has none.
 */
export function named(text: string, wanted: Change, { done, waiting }: Neighbours): Change | null {
  let change = wanted;
  let grownBy = 0;
  for (let steps = 0; !isNamed(text, change); steps++) {
    const side = nextSide(text, change, steps);
    if (side === null || grownBy > LONGEST_CONTEXT) return null;
    const neighbour = side === 'before' ? done.at(-1) : waiting[0];
    const next = grown(text, change, { side, neighbour });
    grownBy += change.start - next.start + next.end - change.end;
    change = next;
    if (!neighbour || (side === 'before' ? change.start > neighbour.end : change.end < neighbour.start)) continue;
    change = side === 'before' ? joined(text, neighbour, change) : joined(text, change, neighbour);
    if (side === 'before') done.pop();
    else waiting.shift();
  }
  return change;
}

/** Two changes and what lies between them as one. */
export function joined(text: string, first: Change, second: Change): Change {
  const replace = first.replace + text.slice(first.end, second.start) + second.replace;
  return { start: first.start, end: second.end, replace };
}

const WORD = /[\p{L}\p{N}]/u;

/** Whether the text has what changes only once, and in words. */
export function isNamed(text: string, { start, end }: Change): boolean {
  const found = text.slice(start, end);
  const first = text.indexOf(found);
  return WORD.test(found) && first === start && text.indexOf(found, first + 1) === -1;
}

type Side = 'before' | 'after';

/** Rather within a line than beyond it, and rather where a word is; what only adds something grows on one side. */
function nextSide(text: string, { start, end, replace }: Change, steps: number): Side | null {
  if (start === 0) return end === text.length ? null : 'after';
  if (end === text.length) return 'before';
  const [startsLine, endsLine] = [text[start - 1] === '\n', text[end] === '\n'];
  if (startsLine !== endsLine) return startsLine ? 'after' : 'before';
  const found = text.slice(start, end);
  const inTurn =
    found === '' || replace.startsWith(found) ? 'before' : replace.endsWith(found) ? 'after' : TURNS[steps % 2];
  const [before, after] = [text.slice(wordStartBefore(text, start), start), text.slice(end, wordEndAfter(text, end))];
  if (WORD.test(before) !== WORD.test(after)) return WORD.test(before) ? 'before' : 'after';
  return inTurn ?? 'before';
}

const TURNS: readonly Side[] = ['before', 'after'];

/** With another word on one side, but not beyond the neighbour there. */
function grown(
  text: string,
  { start, end, replace }: Change,
  { side, neighbour }: { side: Side; neighbour: Change | undefined },
): Change {
  if (side === 'before') {
    const from = Math.max(wordStartBefore(text, start), neighbour?.end ?? 0);
    return { start: from, end, replace: text.slice(from, start) + replace };
  }
  const to = Math.min(wordEndAfter(text, end), neighbour?.start ?? text.length);
  return { start, end: to, replace: replace + text.slice(end, to) };
}
