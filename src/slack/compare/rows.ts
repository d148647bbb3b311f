import { codeLines } from './code-lines.ts';
import type { ComparedLine } from './comparison.ts';
import { shortLines } from './short-lines.ts';

/** A line as it is shown, or the number of unchanged lines that are left out. */
export type Row = { kind: 'line'; line: ComparedLine; isCode: boolean } | { kind: 'left-out'; count: number };

/** Unchanged lines that are shown before and after a change, so that people see where it is. */
const AROUND = 3;
/** Leaving out fewer saves no space. */
const FEWEST_LEFT_OUT = 3;

/** A comparison without the lines far from any change, and without the parts of long lines far from any change. */
export function rowsOf(lines: readonly ComparedLine[]): Row[] {
  const code = codeLines(lines);
  const shown = linesShown(lines);
  const rows: Row[] = [];
  for (const [i, line] of lines.entries()) {
    const last = rows.at(-1);
    if (shown[i])
      rows.push(...shortLines(line).map((each): Row => ({ kind: 'line', line: each, isCode: code[i] === true })));
    else if (last?.kind === 'left-out') last.count++;
    else rows.push({ kind: 'left-out', count: 1 });
  }
  return rows;
}

function linesShown(lines: readonly ComparedLine[]): boolean[] {
  const before = distances(lines);
  const after = distances(lines.toReversed()).toReversed();
  const isNear = lines.map((_, i) => Math.min(before[i] ?? 0, after[i] ?? 0) <= AROUND);
  let run: number[] = [];
  for (const [i, near] of [...isNear, true].entries()) {
    if (!near) run.push(i);
    else {
      if (run.length < FEWEST_LEFT_OUT) for (const place of run) isNear[place] = true;
      run = [];
    }
  }
  return isNear;
}

/** How far each line is from the last change before it. */
function distances(lines: readonly ComparedLine[]): number[] {
  let distance = Number.POSITIVE_INFINITY;
  return lines.map(({ kind }) => {
    distance = kind === 'kept' ? distance + 1 : 0;
    return distance;
  });
}
