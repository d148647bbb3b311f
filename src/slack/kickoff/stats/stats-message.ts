import type { DecisionDay, DecisionSummary } from '../../../core/stats.ts';
import type { Millis } from '../../../core/time.ts';
import type { Say } from '../../language/say.ts';
import { columns, context, preformatted, type Rendered, rendered, section } from '../../ui/blocks.ts';
import { barChart, barsInText, type ChartMessage } from '../../ui/chart.ts';
import type { NameOf } from '../../ui/person.ts';
import { escapedLine } from '../../ui/text/escape.ts';
import { duration } from '../../ui/text/moment.ts';
import { periodText } from './period-text.ts';

export interface Stats {
  /** Null for all crews. */
  crew: string | null;
  /** The requests that wait for a decision, oldest first. */
  open: readonly { crew: string; askedAt: Millis }[];
  /** The shortest first. */
  periods: readonly (DecisionSummary & { days: number })[];
  /** Oldest first. */
  days: readonly DecisionDay[];
  timeZone: string;
}

interface Wording {
  now: Millis;
  name: NameOf;
  say: Say;
}

/** More crews are only counted. */
const MOST_CREWS = 5;
const BARS_LENGTH = 1_000;

/** The figures with their chart as text, which every workspace takes. */
export function statsMessage(stats: Stats, wording: Wording): Rendered {
  const { say } = wording;
  const { head, periods, words, meaning } = partsOf(stats, wording);
  if (isEmpty(stats)) return rendered([head, words].join('\n'), [section(head), section(words)]);
  const bars = preformatted(barsInText(barsOf(stats, say)), BARS_LENGTH);
  return rendered([head, ...periods, words].join('\n\n'), [
    section(head),
    columns(...periods),
    section(words),
    bars,
    context(meaning),
  ]);
}

/** The same with a chart by Slack; null if there is nothing to draw. */
export function statsWithChart(stats: Stats, wording: Wording): ChartMessage | null {
  if (stats.days.every(({ decisions }) => decisions === 0)) return null;
  const { say } = wording;
  const { head, periods, words, meaning } = partsOf(stats, wording);
  const { text } = statsMessage(stats, wording);
  const chart = barChart({ title: say('stats.chart'), name: say('stats.chart-series'), bars: barsOf(stats, say) });
  return { text, blocks: [section(head), columns(...periods), chart, context(words), context(meaning)] };
}

function partsOf(stats: Stats, wording: Wording) {
  const { crew, timeZone, periods } = stats;
  const { say } = wording;
  const title = crew === null ? say('stats.of-all') : say('stats.of-crew', { crew: escapedLine(crew, 80) });
  const longest = Math.max(...periods.map(({ days }) => days));
  return {
    head: `${title}\n${openText(stats, wording)}`,
    periods: periods.map((period) => periodText(period, wording)),
    words: isEmpty(stats) ? say('stats.nothing-yet', { days: longest }) : chartWords(stats, say),
    meaning: say('stats.meaning', { zone: escapedLine(timeZone, 60) }),
  };
}

function isEmpty({ periods }: Stats): boolean {
  return periods.every(({ approved, changesRequested, expired }) => approved + changesRequested + expired === 0);
}

function openText({ crew, open }: Stats, { now, say }: Wording): string {
  const [oldest] = open;
  const age = duration(now - (oldest?.askedAt ?? now), say);
  const text = say('stats.open', { count: open.length, age });
  const crews = countByCrew(open);
  if (crew !== null || crews.length < 2) return text;
  const shown = crews
    .slice(0, MOST_CREWS)
    .map(([name, count]) => say('stats.count-of-crew', { crew: escapedLine(name, 60), count }));
  const more = crews.length - shown.length;
  return `${text}\n${say.list([...shown, ...(more > 0 ? [say('list.more', { count: more })] : [])])}`;
}

/** The busiest first. */
function countByCrew(open: Stats['open']): [string, number][] {
  const counts = new Map<string, number>();
  for (const { crew } of open) counts.set(crew, (counts.get(crew) ?? 0) + 1);
  return [...counts].sort(([, one], [, other]) => other - one);
}

function barsOf({ days }: Stats, say: Say) {
  return days.map(({ date, decisions }) => ({ label: say.date(date), value: decisions }));
}

function chartWords({ days }: Stats, say: Say): string {
  const count = days.reduce((sum, { decisions }) => sum + decisions, 0);
  const busiest = days.reduce((most, day) => (day.decisions > most.decisions ? day : most), { date: 0, decisions: 0 });
  return say('stats.chart-words', {
    ...{ count, days: days.length, date: say.date(busiest.date), most: busiest.decisions },
  });
}
