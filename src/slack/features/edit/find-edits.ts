// Finds the edits that turn one text into another, so that a crew can make them again.
import { diffArrays } from 'diff';
import {
  type Change,
  type Edit,
  locateAll,
  type Span,
  withChanges,
  wordEnd,
  wordEndAfter,
  wordStart,
  wordStartBefore,
  wordsOf,
} from '../../request/edits/edit.ts';
import { editPoint } from '../../request/edits/edit-list.ts';

/**
 * Returns the edits that replace one part of a text. Each has as few words around it as the text has only once. If the words around a
 * change don't name its place, there is one edit of the whole text.
 */
export function findEdits(text: string, { start, end, replace }: Change): Edit[] {
  const result = text.slice(0, start) + replace + text.slice(end);
  if (text === result || text === '') return [];
  const whole: Edit = { find: text, through: null, replace: result };
  const done: Change[] = [];
  const waiting = placedWell(text, changesWithin(text, { start, end, replace }));
  if (waiting.length > MOST_CHANGES) return [whole];
  for (let next = waiting.shift(); next; next = waiting.shift()) {
    const change = growUntilNamed(text, next, { done, waiting });
    if (change === null) return [whole];
    done.push(change);
  }
  const edits = shortest(text, done).map((change) => shortEdit(text, withoutSharedSpace(text, change)));
  return withChanges(text, locateAll(text, edits)).text === result ? edits : [whole];
}

/** We send no longer list to a crew, and search the whole text for each change. */
const MOST_CHANGES = 500;

/** Returns the changes within one part. Its last line is compared with its line break, like the others. */
function changesWithin(text: string, { start, end, replace }: Change): Change[] {
  const lineEnd = text[end] === '\n' ? '\n' : '';
  return changesBetween(text.slice(start, end) + lineEnd, replace + lineEnd).map((change) => shift(change, start));
}

/** Joins neighbouring changes if that makes a shorter list. */
function shortest(text: string, changes: readonly Change[]): Change[] {
  const length = (change: Change) => editPoint(shortEdit(text, change), 'en').length;
  const result: Change[] = [];
  for (const change of changes) {
    const last = result.at(-1);
    const both = last && joinChanges(text, last, change);
    if (last && both && length(both) <= length(last) + length(change)) result[result.length - 1] = both;
    else result.push(change);
  }
  return result;
}

/** Leaves out unchanged space at either end, unless the place can't be named without it. */
function withoutSharedSpace(text: string, change: Change): Change {
  const { start, end, replace } = change;
  const oldPart = text.slice(start, end);
  if (replace === '' || oldPart === '') return change;
  const before = /^\s/.test(oldPart) && oldPart[0] === replace[0] ? 1 : 0;
  const after = /\s$/.test(oldPart) && oldPart.at(-1) === replace.at(-1) ? 1 : 0;
  if (before + after === 0 || Math.min(oldPart.length, replace.length) < 2) return change;
  const less = { start: start + before, end: end - after, replace: replace.slice(before, replace.length - after) };
  return isNamed(text, less) ? less : change;
}

/** Texts that have nothing in common would take longer, and give no edits that are worth reading. */
const DIFF_MS = 300;

/** Returns the differences in order: lines, and words within replaced lines. */
function changesBetween(oldText: string, newText: string): Change[] {
  return differences(linesOf(oldText), linesOf(newText)).flatMap((change) => {
    const { start, end, replace } = change;
    if (replace === '' || start === end) return [change];
    return wordChanges(oldText.slice(start, end), replace).map((each) => shift(each, start));
  });
}

/** A longer line is compared only between its first change and its last, because a whole document in one line takes seconds. */
const LONG_LINE = 4_000;

function wordChanges(oldText: string, newText: string): Change[] {
  const { start, end } = oldText.length > LONG_LINE ? sharedEnds(oldText, newText) : { start: 0, end: 0 };
  const [old, next] = [oldText, newText].map((text) => text.slice(start, text.length - end));
  return differences(wordsOf(old ?? ''), wordsOf(next ?? '')).map((each) => shift(each, start));
}

/** Returns the number of characters that two texts have in common at their beginning and at their end, as whole words. */
function sharedEnds(one: string, other: string): { start: number; end: number } {
  const shorter = Math.min(one.length, other.length);
  let start = 0;
  while (start < shorter && one[start] === other[start]) start++;
  start = one.slice(0, start).lastIndexOf(' ') + 1;
  let end = 0;
  while (end < shorter - start && one.at(-1 - end) === other.at(-1 - end)) end++;
  const space = one.indexOf(' ', one.length - end);
  return { start, end: space === -1 ? 0 : one.length - space };
}

function shift({ start, end, replace }: Change, by: number): Change {
  return { start: start + by, end: end + by, replace };
}

function linesOf(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

function differences(oldParts: string[], newParts: string[]): Change[] {
  const entries = diffArrays(oldParts, newParts, { timeout: DIFF_MS });
  if (!entries) return [{ start: 0, end: oldParts.join('').length, replace: newParts.join('') }];
  const changes: Change[] = [];
  let at = 0;
  for (const { added, removed, value } of entries) {
    const text = value.join('');
    const last = changes.at(-1);
    const change = last && last.end === at ? last : { start: at, end: at, replace: '' };
    if ((added || removed) && change !== last) changes.push(change);
    if (added) change.replace += text;
    else at += text.length;
    if (removed) change.end = at;
  }
  return changes;
}

/** A change that needs more words around it isn't worth a point of its own. */
const LONGEST_CONTEXT = 600;

/**
 * Grows a change until the text has its words only once, and joins it with the neighbours that it meets. Null if that takes too many
 * words, or if the text has none. `done`, `waiting`: the changes before and after it, in the order of the text.
 */
function growUntilNamed(
  text: string,
  first: Change,
  { done, waiting }: { done: Change[]; waiting: Change[] },
): Change | null {
  let change = first;
  let grownBy = 0;
  for (let steps = 0; !isNamed(text, change); steps++) {
    const side = nextSide(text, change, steps);
    if (side === null || grownBy > LONGEST_CONTEXT) return null;
    const neighbour = side === 'before' ? done.at(-1) : waiting[0];
    const next = grow(text, change, { side, neighbour });
    grownBy += change.start - next.start + next.end - change.end;
    change = next;
    if (!neighbour || (side === 'before' ? change.start > neighbour.end : change.end < neighbour.start)) continue;
    change = side === 'before' ? joinChanges(text, neighbour, change) : joinChanges(text, change, neighbour);
    if (side === 'before') done.pop();
    else waiting.shift();
  }
  return change;
}

function joinChanges(text: string, first: Change, second: Change): Change {
  const replace = first.replace + text.slice(first.end, second.start) + second.replace;
  return { start: first.start, end: second.end, replace };
}

const WORD = /[\p{L}\p{N}]/u;

/** Returns true if the text has the changed part only once, and it has words. */
function isNamed(text: string, { start, end }: Change): boolean {
  const part = text.slice(start, end);
  const first = text.indexOf(part);
  return WORD.test(part) && first === start && text.indexOf(part, first + 1) === -1;
}

type Side = 'before' | 'after';

/** Prefers to stay within the line, and to take a word. A pure addition grows on one side. */
function nextSide(text: string, { start, end, replace }: Change, steps: number): Side | null {
  if (start === 0) return end === text.length ? null : 'after';
  if (end === text.length) return 'before';
  const [startsLine, endsLine] = [text[start - 1] === '\n', text[end] === '\n'];
  if (startsLine !== endsLine) return startsLine ? 'after' : 'before';
  const part = text.slice(start, end);
  const inTurn =
    part === '' || replace.startsWith(part) ? 'before' : replace.endsWith(part) ? 'after' : TURNS[steps % 2];
  const [before, after] = [text.slice(wordStartBefore(text, start), start), text.slice(end, wordEndAfter(text, end))];
  if (WORD.test(before) !== WORD.test(after)) return WORD.test(before) ? 'before' : 'after';
  return inTurn ?? 'before';
}

const TURNS: readonly Side[] = ['before', 'after'];

/** Grows a change by a word on one side, but not beyond the neighbour there. */
function grow(
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

/** Moves changes to the places where people would make them. */
function placedWell(text: string, changes: readonly Change[]): Change[] {
  let from = 0;
  return changes.map((change) => {
    const placed = slideBack(text, change, from);
    from = placed.end;
    return placed;
  });
}

/** A pure addition or deletion can often begin a little earlier with the same outcome: at the beginning of a line, but not before `from`. */
function slideBack(text: string, change: Change, from: number): Change {
  const { start, end, replace } = change;
  const moved = replace === '' ? text.slice(start, end) : start === end ? replace : '';
  for (let by = 0; by < moved.length && start - by >= from; by++) {
    const before = text[start - by - 1];
    if (before === undefined || before === '\n') return slidBy(change, by);
    if (before !== moved.at(-1 - by)) break;
  }
  return change;
}

function slidBy({ start, end, replace }: Change, by: number): Change {
  const rest = replace.length - by;
  const moved = replace === '' ? '' : replace.slice(rest) + replace.slice(0, rest);
  return { start: start - by, end: end - by, replace: moved };
}

/** An edit quotes replaced text of this length in full. */
const QUOTED_IN_FULL = 150;
/** Shortest beginning or end that stands for a longer text. */
const SHORTEST_QUOTE = 16;

/** Returns a change as an edit, which quotes only the beginning and the end of a long text. */
function shortEdit(text: string, { start, end, replace }: Change): Edit {
  const find = text.slice(start, end);
  const whole = { find, through: null, replace };
  if (find.length <= QUOTED_IN_FULL || replace.includes(find)) return whole;
  const head = beginning(text, { start, end });
  const through = head === null ? null : ending(text, { start: start + head.length, end });
  if (head === null || through === null || head.length + through.length > find.length / 2) return whole;
  return { find: head, through, replace };
}

/** Returns the shortest beginning that the text has only once. Null if that takes too many words. */
function beginning(text: string, { start, end }: Span): string | null {
  const most = start + Math.min(LONGEST_CONTEXT, (end - start) / 2);
  for (let at = start; at < most; at = wordEnd(text, at)) {
    const head = text.slice(start, at);
    if (head.length >= SHORTEST_QUOTE && head.endsWith(head.trimEnd()) && isOnce(text, head)) return head;
  }
  return null;
}

function isOnce(text: string, words: string): boolean {
  const first = text.indexOf(words);
  return text.indexOf(words, first + 1) === -1;
}

/** Returns the shortest end that doesn't come earlier in the part. Null if that takes too many words. */
function ending(text: string, { start, end }: Span): string | null {
  for (let at = end; at > Math.max(start, end - LONGEST_CONTEXT); at = wordStart(text, at)) {
    const tail = text.slice(at, end);
    if (tail.length >= SHORTEST_QUOTE && tail.startsWith(tail.trimStart()) && text.indexOf(tail, start) === at)
      return tail;
  }
  return null;
}
