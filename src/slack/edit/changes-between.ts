import { diffArrays } from 'diff';
import type { Change } from './edit.ts';
import { wordsOf } from './words.ts';

/** Two texts that have nothing in common would take longer, and make no edits that are worth reading. */
const DIFF_MS = 300;

/** What differs, in order: lines, and within lines that were replaced, words. */
export function changesBetween(oldText: string, newText: string): Change[] {
  return differences(linesOf(oldText), linesOf(newText)).flatMap((change) => {
    const { start, end, replace } = change;
    if (replace === '' || start === end) return [change];
    const words = differences(wordsOf(oldText.slice(start, end)), wordsOf(replace));
    return words.map((each) => moved(each, start));
  });
}

export function moved({ start, end, replace }: Change, by: number): Change {
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
