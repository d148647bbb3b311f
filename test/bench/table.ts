import { ratioToEarlier } from './compare.ts';
import type { Figure } from './figures.ts';
import type { Report } from './report.ts';

/** The figures of one part, one a line, with their ratios, goals and those of an earlier run. */
export function tableOf(part: string, figures: readonly Figure[], earlier: Report | null): string[] {
  const rows = figures.map((figure) => {
    const before = ratioToEarlier(earlier, part, figure);
    return [
      figure.name,
      `${formatted(figure.value)} ${figure.unit}`,
      figure.ratio ? `${figure.ratio.value.toFixed(2)} × ${figure.ratio.to}` : '',
      figure.goal ? `${figure.goal.met ? 'meets' : 'misses'} ${figure.goal.text}` : '',
      before === null ? '' : `${before.toFixed(2)} × earlier`,
      figure.note ?? '',
    ];
  });
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) => `  ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')}`.trimEnd());
}

/** Three digits that count, or all before the point. */
function formatted(value: number): string {
  if (!Number.isFinite(value)) return 'unknown';
  const digits = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2;
  return value.toLocaleString('en-US', { maximumFractionDigits: Number.isInteger(value) ? 0 : digits });
}
