import type { Millis } from '../../core/values/time.ts';
import { csvLines, type Foreign, fitted, textCell, widthOf } from '../cells.ts';
import type { Row } from './summary.ts';

// Writes a report as a table for a terminal, or as comma-separated values.

const WIDTH = 100;
const SHORTEST_NAMES = 24;
const GAP = '  ';

/** Returns a line for each row, with indented names. @param sla the target as typed; null for none */
export function textTable(rows: readonly Row[], sla: string | null, foreign: Foreign): string[] {
  const columns: [heading: string, cell: (row: Row) => string][] = [
    ['asked', ({ asked }) => String(asked)],
    ['decided', ({ decided }) => String(decided)],
    ...(sla === null ? [] : [[`within ${sla}`, inTargetText] satisfies (typeof columns)[number]]),
    ['median', ({ medianMs }) => timeText(medianMs)],
    ['95 %', ({ p95Ms }) => timeText(p95Ms)],
    ['expired', ({ expired }) => String(expired)],
    ['declined', ({ declined }) => String(declined)],
    ['rounds', ({ rounds }) => (rounds === null ? '–' : rounds.toFixed(1))],
  ];
  const cells = columns.map(([heading, cell]) => {
    const texts = [heading, ...rows.map(cell)];
    const width = Math.max(...texts.map(({ length }) => length));
    return texts.map((text) => text.padStart(width));
  });
  const taken = cells.reduce((sum, [heading = '']) => sum + GAP.length + heading.length, 0);
  const most = Math.max(SHORTEST_NAMES, WIDTH - taken);
  const names = ['', ...rows.map((row) => nameOf(row, most, foreign))];
  const width = Math.max(...names.map(widthOf));
  return names.flatMap((name, i) => {
    const level = rows[i - 1]?.level;
    const line = [name + ' '.repeat(width - widthOf(name)), ...cells.map((column) => column[i])].join(GAP);
    return level === 'crew' || level === 'total' ? ['', line] : [line];
  });
}

export function inTargetText(row: Row): string {
  const share = shareText(row);
  return row.inTarget === null || share === null ? '–' : `${row.inTarget} (${share})`;
}

/** Returns the share within the target of all requests but those that still wait; null if there are none. */
export function shareText({ inTarget, decided, expired }: Row): string | null {
  const over = decided + expired;
  return over === 0 || inTarget === null ? null : `${Math.floor((100 * inTarget) / over)} %`;
}

function nameOf({ level, crew, task, approvers }: Row, most: number, foreign: Foreign): string {
  const indented = (depth: number, name: string) => `${'  '.repeat(depth)}${fitted(name, most - 2 * depth, foreign)}`;
  switch (level) {
    case 'total':
      return 'Total';
    case 'crew':
      return indented(0, crew ?? '');
    case 'task':
      return indented(1, task ?? '');
    case 'approvers':
      return indented(task === null ? 1 : 2, approvers ?? '');
  }
}

/** Returns a time in two units at most: `45s`, `3m 20s`, `2h 5m`, `3d 4h`. */
export function timeText(ms: Millis | null): string {
  if (ms === null) return '–';
  const total = Math.round(ms / 1_000);
  const parts = [
    [Math.floor(total / 86_400), 'd'],
    [Math.floor(total / 3_600) % 24, 'h'],
    [Math.floor(total / 60) % 60, 'm'],
    [total % 60, 's'],
  ] as const;
  const first = parts.findIndex(([count]) => count > 0);
  if (first === -1) return '0s';
  const units = parts.slice(first, first + 2).filter(([count]) => count > 0);
  return units.map(([count, unit]) => `${count}${unit}`).join(' ');
}

/** Returns comma-separated values, with durations in seconds. @param hasTarget adds the column of the target */
export function csvTable(rows: readonly Row[], hasTarget: boolean): string {
  const seconds = (ms: Millis | null) => (ms === null ? '' : String(Math.round(ms / 1_000)));
  const columns: [heading: string, cell: (row: Row) => string][] = [
    ['level', ({ level }) => level],
    ['crew', ({ crew }) => textCell(crew)],
    ['task', ({ task }) => textCell(task)],
    ['approvers', ({ approvers }) => textCell(approvers)],
    ['asked', ({ asked }) => String(asked)],
    ['decided', ({ decided }) => String(decided)],
    ...(hasTarget ? [['within_target', ({ inTarget }) => String(inTarget)] satisfies (typeof columns)[number]] : []),
    ['median_seconds', ({ medianMs }) => seconds(medianMs)],
    ['p95_seconds', ({ p95Ms }) => seconds(p95Ms)],
    ['expired', ({ expired }) => String(expired)],
    ['declined', ({ declined }) => String(declined)],
    ['rounds', ({ rounds }) => rounds?.toFixed(1) ?? ''],
  ];
  return csvLines([columns.map(([heading]) => heading), ...rows.map((row) => columns.map(([, cell]) => cell(row)))]);
}
