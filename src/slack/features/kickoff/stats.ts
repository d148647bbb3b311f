import { type DecisionDay, type DecisionSummary, decisionsADay, summarize } from '../../../core/history.ts';
import type { Millis } from '../../../core/time.ts';
import { DAY_MS } from '../../../core/time.ts';
import { respondPrivately } from '../../api/response-url.ts';
import { answerCommand } from '../../app/answers.ts';
import type { CommandArgs, ListenerContext } from '../../app/context.ts';
import type { Say } from '../../language/say.ts';
import { columns, context, preformatted, type Rendered, rendered, section } from '../../ui/blocks.ts';
import { barChart, barsInText, type ChartMessage } from '../../ui/chart.ts';
import { type NameOf, nameIn } from '../../ui/person.ts';
import { escapedLine } from '../../ui/text/escape.ts';
import { duration } from '../../ui/text/moment.ts';

/** Answers `/kickoff stats`: with a chart, or where the workspace has none, with bars in text. */
export async function onStatsCommand(
  args: CommandArgs,
  { crew, say }: { crew: string | null; say: Say },
): Promise<void> {
  const { ack, context } = args;
  const now = Date.now();
  const stats = await findStats(context, { crew, personId: context.person.id, now });
  // Only the answer to a call tells whether Slack takes a chart.
  await ack();
  const deciders = stats.periods.flatMap((period) => period.deciders.map(({ id }) => ({ id, name: id })));
  const wording = { now, say, name: await context.namesOf(...deciders) };
  if (await isChartTaken(args, statsWithChart(stats, wording))) return;
  await answerCommand(args, statsMessage(stats, wording));
}

async function isChartTaken(
  { context: { chartSupport, log }, respond }: CommandArgs,
  message: ChartMessage | null,
): Promise<boolean> {
  if (message === null || chartSupport.isRefused) return false;
  const taken = await respondPrivately(respond, message);
  if (taken.ok) return true;
  if (taken.refusal.reason === 'invalid_blocks') {
    chartSupport.isRefused = true;
    log.info('Slack takes no charts in this workspace yet, so the figures come with bars in text');
  }
  return false;
}

/** The shortest first. */
const PERIODS = [7, 30];
const LONGEST = 30;
const CHART_DAYS = 14;

/** The figures of a crew, or of all for null, with days in the person's time zone. @throws {StoreUnavailable} */
async function findStats(
  { history, overview, people }: ListenerContext,
  { crew, personId, now }: { crew: string | null; personId: string; now: Millis },
): Promise<Stats> {
  const isMeant = (each: { crew: string }) => crew === null || each.crew === crew;
  const [decided, snapshot, timeZone] = await Promise.all([
    history.decidedSince(now - LONGEST * DAY_MS),
    overview.latest(),
    people.timeZoneOf(personId).then((known) => known ?? 'UTC'),
  ]);
  const requests = decided.filter(isMeant);
  const open = snapshot.requests.map(({ run, askedAt }) => ({ crew: run.crew, askedAt })).filter(isMeant);
  const since = (days: number) => requests.filter(({ decidedAt }) => decidedAt >= now - days * DAY_MS);
  return {
    crew,
    open,
    timeZone,
    periods: PERIODS.map((days) => ({ days, ...summarize(since(days)) })),
    days: decisionsADay(requests, { now, days: CHART_DAYS, timeZone }),
  };
}

export interface Stats {
  /** Null for all crews. */
  crew: string | null;
  /** The requests that wait for a decision, oldest first. */
  open: readonly { crew: string; askedAt: Millis }[];
  /** The shortest first. */
  periods: readonly Period[];
  /** Oldest first. */
  days: readonly DecisionDay[];
  timeZone: string;
}

/** The figures of the last days. */
interface Period extends DecisionSummary {
  days: number;
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
  return periods.every(
    ({ approved, changesRequested, declined, expired }) => approved + changesRequested + declined + expired === 0,
  );
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
    count,
    days: days.length,
    date: say.date(busiest.date),
    most: busiest.decisions,
  });
}

/** The figures of some days, a line for each; mrkdwn. */
function periodText(period: Period, { name, say }: { name: NameOf; say: Say }): string {
  const { days, approved, changesRequested: rejected, declined, expired, timeToDecision, deciders } = period;
  const count = approved + rejected + declined;
  const people = deciders.map(({ id, decisions }) =>
    say('stats.decider', { name: nameIn(name, { id, name: id }), count: decisions }),
  );
  const lines = [
    say('stats.last-days', { days }),
    count === 0 ? say('stats.none-decided') : say('stats.decided', { count, approved, rejected }),
    ...(declined > 0 ? [say('stats.declined', { count: declined })] : []),
    ...(expired > 0 ? [say('stats.expired', { count: expired })] : []),
    ...(timeToDecision ? [timeLine(timeToDecision, say)] : []),
    ...roundLines(period, say),
    ...(people.length > 0 ? [say('stats.deciders', { people: say.list(people) })] : []),
  ];
  return lines.join('\n');
}

function timeLine({ medianMs, p90Ms }: NonNullable<DecisionSummary['timeToDecision']>, say: Say): string {
  return say('stats.time', { median: duration(medianMs, say), p90: duration(p90Ms, say) });
}

function roundLines({ approvals, approved }: DecisionSummary, say: Say): string[] {
  if (!approvals) return [];
  const { rounds, atFirst } = approvals;
  return [
    say('stats.rounds', { rounds }),
    say('stats.at-first', { share: atFirst / approved, count: atFirst, of: approved }),
  ];
}
