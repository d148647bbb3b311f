import { changesBetween } from './changes-between.ts';
import { type Change, type Edit, locateAll, withChanges } from './edit.ts';
import { editPoint } from './edit-list.ts';
import { isNamed, joined, named } from './name-change.ts';
import { placedWell } from './place-change.ts';
import { shortEdit } from './short-edit.ts';

/**
 * The edits that make one text of another, each with as few words around it as the old text has only once. None for equal
 * texts; an old text without any words has no place to name, and takes one edit of all of it.
 */
export function findEdits(oldText: string, newText: string): Edit[] {
  if (oldText === newText || oldText === '') return [];
  const whole: Edit = { find: oldText, through: null, replace: newText };
  const done: Change[] = [];
  const waiting = placedWell(oldText, changesBetween(oldText, newText));
  for (let next = waiting.shift(); next; next = waiting.shift()) {
    const change = named(oldText, next, { done, waiting });
    if (change === null) return [whole];
    done.push(change);
  }
  const edits = shortest(oldText, done).map((change) => shortEdit(oldText, withoutSharedSpace(oldText, change)));
  return withChanges(oldText, locateAll(oldText, edits)).text === newText ? edits : [whole];
}

/** Neighbours become one edit where that takes fewer characters. */
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

/** Space at either end that stays as it is says nothing, unless it tells the place from others. */
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
