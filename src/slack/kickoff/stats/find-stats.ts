import { decisionsADay, summarize } from '../../../core/stats.ts';
import type { Millis } from '../../../core/time.ts';
import type { ListenerContext } from '../../interaction/listener-context.ts';
import type { Stats } from './stats-message.ts';

const DAY_MS = 86_400_000;
/** The shortest first. */
const PERIODS = [7, 30];
const LONGEST = 30;
const CHART_DAYS = 14;

/** The figures of a crew, or of all for null, with the days as a person's clocks have them. @throws {StoreUnavailable} */
export async function findStats(
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
    ...{ crew, open, timeZone },
    periods: PERIODS.map((days) => ({ days, ...summarize(since(days)) })),
    days: decisionsADay(requests, { now, days: CHART_DAYS, timeZone }),
  };
}
