// The edits that make one text of another, for a crew to make them again.
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
 * The edits that make a text what it is with one part replaced, each with as few words around it as the text has only once. None
 * if that changes nothing; where the words around a change don't name its place, there is one edit of the whole text.
 */
export function findEdits(text: string, { start, end, replace }: Change): Edit[] {
  const wanted = text.slice(0, start) + replace + text.slice(end);
  if (text === wanted || text === '') return [];
  const whole: Edit = { find: text, through: null, replace: wanted };
  const done: Change[] = [];
  const waiting = placedWell(text, changesWithin(text, { start, end, replace }));
  if (waiting.length > MOST_CHANGES) return [whole];
  for (let next = waiting.shift(); next; next = waiting.shift()) {
    const change = named(text, next, { done, waiting });
    if (change === null) return [whole];
    done.push(change);
  }
  const edits = shortest(text, done).map((change) => shortEdit(text, withoutSharedSpace(text, change)));
  return withChanges(text, locateAll(text, edits)).text === wanted ? edits : [whole];
}

/** No crew is sent a longer list, and each change is looked for in the whole text. */
const MOST_CHANGES = 500;

/** The changes within one part; its last line is compared with its end, like the others. */
function changesWithin(text: string, { start, end, replace }: Change): Change[] {
  const lineEnd = text[end] === '\n' ? '\n' : '';
  return changesBetween(text.slice(start, end) + lineEnd, replace + lineEnd).map((change) => moved(change, start));
}

/** Neighbouring changes become one where that makes a shorter list. */
function shortest(text: string, changes: readonly Change[]): Change[] {
  const length = (change: Change) => editPoint(shortEdit(text, change), 'en').length;
  const kept: Change[] = [];
  for (const change of changes) {
    const last = kept.at(-1);
    const both = last && joined(text, last, change);
    if (last && both && length(both) <= length(last) + length(change)) kept[kept.length - 1] = both;
    else kept.push(change);
  }
  return kept;
}

/** Without unchanged space at either end, unless it takes that space to tell the place from others. */
function withoutSharedSpace(text: string, change: Change): Change {
  const { start, end, replace } = change;
  const found = text.slice(start, end);
  if (replace === '' || found === '') return change;
  const before = /^\s/.test(found) && found[0] === replace[0] ? 1 : 0;
  const after = /\s$/.test(found) && found.at(-1) === replace.at(-1) ? 1 : 0;
  if (before + after === 0 || Math.min(found.length, replace.length) < 2) return change;
  const less = { start: start + before, end: end - after, replace: replace.slice(before, replace.length - after) };
  return isNamed(text, less) ? less : change;
}

/** Texts that have nothing in common would take longer, and give no edits that are worth reading. */
const DIFF_MS = 300;

/** What differs, in order: lines, and within lines that were replaced, words. */
function changesBetween(oldText: string, newText: string): Change[] {
  return differences(linesOf(oldText), linesOf(newText)).flatMap((change) => {
    const { start, end, replace } = change;
    if (replace === '' || start === end) return [change];
    return wordChanges(oldText.slice(start, end), replace).map((each) => moved(each, start));
  });
}

/** A longer line is compared only between its first change and its last: one of a whole document takes seconds. */
const LONG_LINE = 4_000;

function wordChanges(oldText: string, newText: string): Change[] {
  const { start, end } = oldText.length > LONG_LINE ? sharedEnds(oldText, newText) : { start: 0, end: 0 };
  const [old, next] = [oldText, newText].map((text) => text.slice(start, text.length - end));
  return differences(wordsOf(old ?? ''), wordsOf(next ?? '')).map((each) => moved(each, start));
}

/** How many characters two texts have in common at their beginning and at their end, as whole words. */
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

function moved({ start, end, replace }: Change, by: number): Change {
  return { start: start + by, end: end + by, replace };
}

function linesOf(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

function differences(oldParts: string[], newParts: string[]): Change[] {
  const found = diffArrays(oldParts, newParts, { timeout: DIFF_MS });
  if (!found) return [{ start: 0, end: oldParts.join('').length, replace: newParts.join('') }];
  const changes: Change[] = [];
  let at = 0;
  for (const { added, removed, value } of found) {
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

/** Changes in the order of the text: those that are named already, and those that aren't yet. */
interface Neighbours {
  done: Change[];
  waiting: Change[];
}

/**
 * The change with as many words around it as the text has only once. It takes in the neighbours that it meets. Null if that
 * takes too many words, or if the text has none.
 */
function named(text: string, wanted: Change, { done, waiting }: Neighbours): Change | null {
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

function joined(text: string, first: Change, second: Change): Change {
  const replace = first.replace + text.slice(first.end, second.start) + second.replace;
  return { start: first.start, end: second.end, replace };
}

const WORD = /[\p{L}\p{N}]/u;

/** Whether the text has what changes only once, and in words. */
function isNamed(text: string, { start, end }: Change): boolean {
  const found = text.slice(start, end);
  const first = text.indexOf(found);
  return WORD.test(found) && first === start && text.indexOf(found, first + 1) === -1;
}

type Side = 'before' | 'after';

/** Prefers to stay within the line, and to take a word; what only adds something grows on one side. */
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

/** The change with another word on one side, but not beyond the neighbour there. */
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

/** The same changes at the places where people would make them. */
function placedWell(text: string, changes: readonly Change[]): Change[] {
  let from = 0;
  return changes.map((change) => {
    const placed = slid(text, change, from);
    from = placed.end;
    return placed;
  });
}

/**
 * What is only added or only deleted can often begin a little earlier with the same outcome: at the beginning of a line if that
 * is possible, but not before `from`.
 */
function slid(text: string, change: Change, from: number): Change {
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

/** What is replaced is quoted in full up to this length. */
const QUOTED_IN_FULL = 150;
/** The shortest beginning or end of a longer text that is quoted instead of it. */
const SHORTEST_QUOTE = 16;

/** A change as an edit. Of a long text that is replaced or deleted it has only the beginning and the end. */
function shortEdit(text: string, { start, end, replace }: Change): Edit {
  const find = text.slice(start, end);
  const whole = { find, through: null, replace };
  if (find.length <= QUOTED_IN_FULL || replace.includes(find)) return whole;
  const head = beginning(text, { start, end });
  const through = head === null ? null : ending(text, { start: start + head.length, end });
  if (head === null || through === null || head.length + through.length > find.length / 2) return whole;
  return { find: head, through, replace };
}

/** As many words as the text has only once; null if it takes too many. */
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

/** As many words as come first at the end of the part; null if it takes too many. */
function ending(text: string, { start, end }: Span): string | null {
  for (let at = end; at > Math.max(start, end - LONGEST_CONTEXT); at = wordStart(text, at)) {
    const tail = text.slice(at, end);
    if (tail.length >= SHORTEST_QUOTE && tail.startsWith(tail.trimStart()) && text.indexOf(tail, start) === at)
      return tail;
  }
  return null;
}
