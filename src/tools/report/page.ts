import { durationInWords, type Millis } from '../../core/values/time.ts';
import { type Foreign, fitted } from '../cells.ts';
import { utc } from '../ledger-command.ts';
import { type Day, type ExpiredRequest, FATES } from './days.ts';
import { daysPlot, FATE_STYLES, timesPlot } from './plots.ts';
import type { Row } from './summary.ts';
import { inTargetText, shareText, timeText } from './tables.ts';

// The page of `npm run report -- --html FILE` for a manager, on screen and on paper. It has no scripts and loads nothing from the
// network.

interface PageContent {
  /** ` since … and before …` */
  period: string;
  /** Null for all crews. */
  crew: string | null;
  slaMs: Millis;
  rows: readonly Row[];
  unit: 'day' | 'week';
  days: readonly Day[];
  expired: readonly ExpiredRequest[];
  now: Millis;
}

/** Most items of a plot and of a list that people still read. */
const MOST_PLOTTED = 25;
const MOST_EXPIRED = 50;
const NAME_LENGTH = 80;

/** Returns the whole page. @param foreign cuts and cleans foreign text */
export function reportPage(content: PageContent, foreign: Foreign): string {
  const { period, crew, slaMs, rows, now } = content;
  const text = (value: string) => escapeHtml(foreign(value, NAME_LENGTH));
  const target = durationInWords(slaMs);
  const total = rows.find(({ level }) => level === 'total');
  const about = `Asked${escapeHtml(period)}${crew === null ? '' : `, of the crew ${text(crew)}`}. As of ${utc(now)}.`;
  const sections =
    total === undefined
      ? ['<p>No requests were asked in this time.</p>']
      : [
          tiles(total, target),
          daysSection(content),
          ...timesSections(content, text, foreign),
          expiredSection(content, text),
        ];
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Requests to people${escapeHtml(period)}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>Requests to people</h1>
<p>${about}</p>
<p>The target is a decision within ${target}, in real time: nights and weekends count. Another one is set by <code>--sla</code>.</p>
${sections.join('\n')}
</main>
</body>
</html>
`;
}

function tiles(total: Row, target: string): string {
  const { asked, decided, expired, declined, medianMs, p95Ms } = total;
  const figures = [
    ['asked', String(asked)],
    ['decided', String(decided)],
    [`within ${target}`, shareText(total) ?? '–'],
    ['median time', timeText(medianMs)],
    ['95 % within', timeText(p95Ms)],
    ['expired', String(expired)],
    ['declined', String(declined)],
  ];
  const items = figures.map(([name, value]) => `<div><dt>${name}</dt><dd>${value}</dd></div>`);
  return `<dl class="tiles">${items.join('')}</dl>`;
}

function daysSection({ days, unit }: PageContent): string {
  const legend = FATES.map((fate) => {
    const { name, colour } = FATE_STYLES[fate];
    return `<li><span style="background:${colour}"></span>${name}</li>`;
  });
  const label = `Requests a ${unit}: the table below has the figures`;
  const cells = days.map(({ from, requests }) => [
    new Date(from).toISOString().slice(0, 10),
    ...FATES.map((fate) => String(requests[fate])),
  ]);
  const headings = [unit === 'day' ? 'Day' : 'Week from', ...FATES.map((fate) => FATE_STYLES[fate].name)];
  return `<section>
<h2>Requests a ${unit}</h2>
<p>By the ${unit} on which they were asked, in UTC.</p>
<ul class="legend">${legend.join('')}</ul>
${daysPlot(days, { unit, label })}
<details><summary>The figures of each ${unit}</summary>
${table(headings, cells)}
</details>
</section>`;
}

function timesSections({ rows, slaMs }: PageContent, text: (value: string) => string, foreign: Foreign): string[] {
  const target = durationInWords(slaMs);
  const groups = rows.filter(({ level, crew }) => level === 'approvers' && crew === null);
  const parts = [
    { by: 'crew', rows: rows.filter(({ level }) => level === 'crew'), nameOf: ({ crew }: Row) => crew ?? '' },
    { by: 'approver group', rows: groups, nameOf: ({ approvers }: Row) => approvers ?? '' },
  ];
  return parts.map(({ by, rows: all, nameOf }) => {
    const timed = all.flatMap((row) => {
      const { medianMs, p95Ms, decided } = row;
      if (medianMs === null || p95Ms === null) return [];
      const name = { wide: fitted(nameOf(row), 28, foreign), narrow: fitted(nameOf(row), 13, foreign) };
      return [{ name, medianMs, p95Ms, decided }];
    });
    const most = timed.toSorted((one, other) => other.decided - one.decided).slice(0, MOST_PLOTTED);
    const plotted = timed.filter((each) => most.includes(each));
    const others = timed.length > plotted.length ? ` The ${plotted.length} with the most decisions are drawn.` : '';
    const label = `Time to decision by ${by}: the table below has the figures`;
    const plot = plotted.length === 0 ? '' : timesPlot(plotted, { slaMs, label });
    const cells = all.map((row) => [
      text(nameOf(row)),
      ...[String(row.asked), String(row.decided), inTargetText(row), timeText(row.medianMs), timeText(row.p95Ms)],
      ...[String(row.expired), String(row.declined)],
    ]);
    const headings = [by === 'crew' ? 'Crew' : 'Approver group', 'asked', 'decided', `within ${target}`];
    return `<section>
<h2>Time to decision by ${by}</h2>
<p>The dot is the median, the line ends where 95 % were decided, and the dashed line is the target.${others}</p>
${plot}
${table([...headings, 'median', '95 %', 'expired', 'declined'], cells)}
</section>`;
  });
}

function expiredSection({ expired }: PageContent, text: (value: string) => string): string {
  if (expired.length === 0)
    return '<section>\n<h2>What expired</h2>\n<p>Nothing: everything was decided in time, waits, or became void.</p>\n</section>';
  const cells = expired
    .slice(0, MOST_EXPIRED)
    .map(({ ref, crew, task, round, askedAt, expiredAt }) => [
      ...[
        utc(expiredAt).replace(' UTC', ''),
        text(crew),
        text(task.name ?? task.id),
        String(round),
        timeText(expiredAt - askedAt),
      ],
      `<code>${escapeHtml(ref)}</code>`,
    ]);
  const others = expired.length > MOST_EXPIRED ? `<p>The latest ${MOST_EXPIRED} of ${expired.length}.</p>\n` : '';
  return `<section>
<h2>What expired</h2>
${others}${table(['When (UTC)', 'crew', 'task', 'round', 'after', 'run'], cells, 'words')}
</section>`;
}

/** Returns a table. @param rows cells as HTML; the first of each names its row */
function table(
  headings: readonly string[],
  rows: readonly (readonly string[])[],
  kind: 'figures' | 'words' = 'figures',
): string {
  const head = headings.map((heading) => `<th scope="col">${heading}</th>`).join('');
  const body = rows.map(([name = '', ...cells]) => {
    const others = cells.map((cell, i) => `<td data-name="${headings[i + 1] ?? ''}">${cell}</td>`);
    return `<tr><th scope="row">${name}</th>${others.join('')}</tr>`;
  });
  return `<table class="${kind}">
<thead><tr>${head}</tr></thead>
<tbody>
${body.join('\n')}
</tbody>
</table>`;
}

function escapeHtml(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/"/g, '&quot;');
}

const STYLE = `
:root { color-scheme: light; font: 16px/1.5 system-ui, sans-serif; color: #1c2330; background: #fff; }
body { margin: 0; }
main { max-width: 860px; margin: 0 auto; padding: 24px 16px 48px; }
h1 { font-size: 28px; line-height: 1.2; margin: 0 0 8px; }
h2 { font-size: 20px; line-height: 1.3; margin: 40px 0 4px; }
p { margin: 0 0 12px; color: #4a5568; }
.tiles { display: grid; grid-template-columns: repeat(auto-fit, minmax(108px, 1fr)); gap: 8px; margin: 24px 0 0; }
.tiles div { border: 1px solid #d8dee6; border-radius: 6px; padding: 8px 10px; display: flex; flex-direction: column-reverse; }
.tiles dt { font-size: 13px; color: #4a5568; }
.tiles dd { margin: 0; font-size: 19px; font-weight: 600; white-space: nowrap; }
.legend { list-style: none; margin: 0 0 8px; padding: 0; display: flex; flex-wrap: wrap; gap: 4px 16px; font-size: 14px; }
.legend span { display: inline-block; width: 12px; height: 12px; border-radius: 2px; margin-right: 6px; }
.narrow { display: none; }
table { margin: 8px 0 0; border-collapse: collapse; width: 100%; font-size: 14px; }
th, td { text-align: right; padding: 4px 8px; border-bottom: 1px solid #e4e8ee; font-variant-numeric: tabular-nums; font-weight: 400; }
thead th { color: #4a5568; vertical-align: bottom; }
th:first-child { text-align: left; padding-left: 0; overflow-wrap: anywhere; }
td, .words tbody th { white-space: nowrap; }
.words th, .words td { text-align: left; padding-left: 0; white-space: normal; }
code { font-size: 12px; overflow-wrap: anywhere; }
summary { cursor: pointer; font-size: 14px; padding: 8px 0; }
@media (max-width: 640px) {
  .wide { display: none; }
  .narrow { display: block; }
  table, tbody, tr, tbody th, td { display: block; text-align: left; padding: 0; border: 0; }
  thead { display: none; }
  tr { border-bottom: 1px solid #e4e8ee; padding: 8px 0; }
  tbody th { font-weight: 600; }
  td { display: inline; white-space: normal; }
  td::before { content: attr(data-name) " "; color: #4a5568; }
  td:not(:last-child)::after { content: " · "; color: #4a5568; }
}
@media print {
  @page { margin: 14mm; }
  :root { font-size: 13px; }
  table, code { font-size: 11px; }
  main { padding: 0; max-width: none; }
  h2 { break-after: avoid; margin-top: 24px; }
  .wide, tr, .tiles, .legend { break-inside: avoid; }
  thead { display: table-header-group; }
  .wide { display: block; }
  .narrow, details { display: none; }
  * { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
}
`;
