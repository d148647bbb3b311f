import { diffArrays } from 'diff';
import { type Budget, spend } from './budget.ts';
import { commonText } from './common-text.ts';
import type { Piece } from './comparison.ts';
import { joinedPieces } from './joined-pieces.ts';
import { wordsOf } from './words.ts';

/** A line with more changed words is as well read twice. */
const MOST_EDITS = 300;

/** A line and what became of it as one text, by words. */
export function changedLine(before: string, after: string, budget: Budget): Piece[] {
  const { start, end } = commonText(before, after);
  const inner = innerPieces(before.slice(start, before.length - end), after.slice(start, after.length - end), budget);
  return joinedPieces([
    { kind: 'kept', text: before.slice(0, start) },
    ...inner,
    { kind: 'kept', text: before.slice(before.length - end) },
  ]);
}

function innerPieces(before: string, after: string, budget: Budget): Piece[] {
  const isAffordable = spend(budget, 'characters', before.length + after.length) && budget.steps > 0;
  const changes = isAffordable ? diffArrays(wordsOf(before), wordsOf(after), { maxEditLength: MOST_EDITS }) : undefined;
  const edits = changes?.reduce((sum, { added, removed, count }) => sum + (added || removed ? count : 0), 0);
  spend(budget, 'steps', (edits ?? MOST_EDITS) ** 2);
  if (!changes)
    return [
      { kind: 'removed', text: before },
      { kind: 'added', text: after },
    ];
  return changes.map(({ added, removed, value }) => ({
    kind: added ? 'added' : removed ? 'removed' : 'kept',
    text: value.join(''),
  }));
}
