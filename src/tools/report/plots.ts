import * as Plot from '@observablehq/plot';
import { parseHTML } from 'linkedom';
import { DAY_MS, HOUR_MS, MINUTE_MS, type Millis } from '../../core/values/time.ts';
import { type Day, FATES, type Fate } from './days.ts';

// The plots of a report as SVG. Each is drawn twice, for a desk or paper and for a phone, because a scaled one can't be read.

/** Name and colour of each fate. The colours differ in lightness, too, for paper and for people who see few colours. */
export const FATE_STYLES: Record<Fate, { name: string; colour: string }> = {
  'in-target': { name: 'decided within the target', colour: '#1b7f5c' },
  later: { name: 'decided later', colour: '#f0b429' },
  expired: { name: 'expired', colour: '#a61b1b' },
  open: { name: 'still open, or void', colour: '#c3cad3' },
};

/** Times to decision of one crew or group, with names that fit both sizes. */
export interface Times {
  name: { wide: string; narrow: string };
  medianMs: Millis;
  p95Ms: Millis;
}

const SIZES = {
  wide: { width: 860, left: 210, font: 12 },
  narrow: { width: 340, left: 104, font: 11 },
} as const;

type Size = keyof typeof SIZES;

/** Draws a stacked bar for each day or week. */
export function daysPlot(days: readonly Day[], { unit, label }: { unit: 'day' | 'week'; label: string }): string {
  const bars = days.flatMap(({ from, requests }) =>
    FATES.map((fate) => ({ day: new Date(from), fate, count: requests[fate] })),
  );
  const highest = Math.max(...days.map(({ requests }) => FATES.reduce((sum, fate) => sum + requests[fate], 0)));
  return bothSizes(label, (size) => ({
    height: 230,
    marginLeft: 40,
    marginBottom: 40,
    x: { type: 'utc', label: null, ticks: size === 'wide' ? 10 : 4 },
    y: { label: null, grid: true, ticks: Math.min(5, highest), tickFormat: 'd' },
    color: { domain: [...FATES], range: FATES.map((fate) => FATE_STYLES[fate].colour) },
    marks: [
      Plot.rectY(bars, { x: 'day', interval: unit, y: 'count', fill: 'fate', insetLeft: 0.5, insetRight: 0.5 }),
      Plot.ruleY([0]),
    ],
  }));
}

const HIGH = 26;
/** Possible marks on the scale. */
const TICKS_MS = [
  ...[1_000, 10_000, MINUTE_MS, 10 * MINUTE_MS],
  ...[HOUR_MS, 4 * HOUR_MS, DAY_MS, 7 * DAY_MS, 30 * DAY_MS, 365 * DAY_MS],
];

/** Draws a dot for each median, and a line from there to the time within which 95 % were decided. */
export function timesPlot(all: readonly Times[], { slaMs, label }: { slaMs: Millis; label: string }): string {
  // A logarithmic scale has no zero, so a second is the least.
  const rows = all.map(({ medianMs, p95Ms }, i) => ({
    i,
    median: Math.max(1_000, medianMs),
    p95: Math.max(1_000, p95Ms),
  }));
  const [shortest, longest] = [
    Math.min(slaMs, ...rows.map(({ median }) => median)) / 2,
    Math.max(slaMs, ...rows.map(({ p95 }) => p95)) * 2,
  ];
  const ticks = TICKS_MS.filter((ms) => ms >= shortest && ms <= longest);
  return bothSizes(label, (size) => ({
    height: rows.length * HIGH + 44,
    marginLeft: SIZES[size].left,
    x: { type: 'log', domain: [shortest, longest], label: null, axis: null },
    y: {
      type: 'band',
      label: null,
      domain: rows.map(({ i }) => i),
      tickFormat: (i: number) => all[i]?.name[size] ?? '',
      tickSize: 0,
    },
    marks: [
      // The default labels of a logarithmic scale would leave most of these out.
      Plot.gridX(ticks),
      Plot.axisX(ticks, { text: shortTime }),
      Plot.ruleX([slaMs], { stroke: '#a61b1b', strokeDasharray: '4,3' }),
      Plot.link(rows, { x1: 'median', x2: 'p95', y1: 'i', y2: 'i', stroke: '#3b6ea8', strokeWidth: 2 }),
      Plot.tickX(rows, { x: 'p95', y: 'i', stroke: '#3b6ea8', strokeWidth: 2, insetTop: 7, insetBottom: 7 }),
      Plot.dot(rows, { x: 'median', y: 'i', r: 5, fill: '#3b6ea8' }),
    ],
  }));
}

/** Returns a time in one unit: `10 min`. */
function shortTime(ms: Millis): string {
  const [unit, name] = (
    [
      [DAY_MS, 'd'],
      [HOUR_MS, 'h'],
      [MINUTE_MS, 'min'],
    ] as const
  ).find(([each]) => ms >= each) ?? [1_000, 's'];
  return `${ms / unit} ${name}`;
}

function bothSizes(label: string, options: (size: Size) => Plot.PlotOptions): string {
  return (['wide', 'narrow'] as const).map((size) => draw(size, label, options(size))).join('');
}

/** Draws one picture, which screen readers skip as a whole: the table beside it has the figures. */
function draw(size: Size, label: string, options: Plot.PlotOptions): string {
  const { document } = parseHTML('<!doctype html><html></html>');
  const { width, font } = SIZES[size];
  const svg = Plot.plot({ width, style: { fontSize: `${font}px` }, marginBottom: 28, ...options, document });
  // Plot labels its marks, which ARIA allows on no group.
  for (const mark of svg.querySelectorAll('[aria-label]')) mark.removeAttribute('aria-label');
  svg.setAttribute('role', 'img');
  svg.setAttribute('aria-label', label);
  return `<div class="${size}">${svg.outerHTML}</div>`;
}
