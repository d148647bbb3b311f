import type { Change } from './edit.ts';

/** The same changes at the places where people would make them. */
export function placedWell(text: string, changes: readonly Change[]): Change[] {
  let from = 0;
  return changes.map((change) => {
    const placed = slid(text, change, from);
    from = placed.end;
    return placed;
  });
}

/**
 * What is only added or only deleted can often begin a little earlier, with the same outcome: rather where a line does, but not
 * before `from`.
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
