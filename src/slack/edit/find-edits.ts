import { changesBetween, moved } from './changes-between.ts';
import { type Change, type Edit, locateAll, withChanges } from './edit.ts';
import { editPoint } from './edit-list.ts';
import { isNamed, joined, named } from './name-change.ts';
import { placedWell } from './place-change.ts';
import { shortEdit } from './short-edit.ts';

/**
 * The edits that make a text what it is with one part replaced, each with as few words around it as the text has only once. None
 * if that changes nothing; where the words around a change don't name its place, there is one edit of the whole text. Takes time
 * with the length of the part, which should fit into an input.
 */
export function findEdits(text: string, { start, end, replace }: Change): Edit[] {
  const [find, wanted] = [text, text.slice(0, start) + replace + text.slice(end)];
  if (find === wanted || find === '') return [];
  const done: Change[] = [];
  const waiting = placedWell(text, changesWithin(text, { start, end, replace }));
  for (let next = waiting.shift(); next; next = waiting.shift()) {
    const change = named(text, next, { done, waiting });
    if (change === null) return [{ find, through: null, replace: wanted }];
    done.push(change);
  }
  const edits = shortest(text, done).map((change) => shortEdit(text, withoutSharedSpace(text, change)));
  return withChanges(text, locateAll(text, edits)).text === wanted ? edits : [{ find, through: null, replace: wanted }];
}

/** With the end of the last line, so that it is compared as a whole line like the others. */
function changesWithin(text: string, { start, end, replace }: Change): Change[] {
  const lineEnd = text[end] === '\n' ? '\n' : '';
  return changesBetween(text.slice(start, end) + lineEnd, replace + lineEnd).map((change) => moved(change, start));
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
