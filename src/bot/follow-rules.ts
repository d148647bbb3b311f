import { followRules } from '../core/approval/request.ts';
import type { OpenRun, Overview } from '../core/inbox/snapshot.ts';
import { StoreUnavailable } from '../core/ports.ts';
import { groupBy } from '../core/values/group-by.ts';
import { change } from '../worker/change.ts';
import type { Parts } from './parts.ts';
import { untilDone } from './schedule.ts';

type RulesParts = Pick<Parts, 'store' | 'rulesOf' | 'log'> & { overview: Pick<Overview, 'openRuns'> };

/**
 * Lets the requests that wait follow the rules of this process, which may be others than those that they were asked by, and the
 * runs in progress wait for crews that have left its crews file, or go on with those that are back. Each changes once, however
 * many processes start, and what a process leaves undone that dies is done by the next. Never rejects.
 */
export function followRulesInForce(parts: RulesParts, signal: AbortSignal): Promise<void> {
  const failed = "couldn't let requests follow the rules in force; trying again";
  return untilDone(() => followAll(parts, signal), { signal, log: parts.log, failed });
}

async function followAll(parts: RulesParts, signal: AbortSignal): Promise<void> {
  const runs = await parts.overview.openRuns();
  const isKnown = ({ crew }: OpenRun) => parts.rulesOf(crew).policy !== null;
  const concerned = runs.filter((run) => isKnown(run) === (run.crewMissing === true));
  const refs = new Set([...concerned.map(({ ref }) => ref), ...(await parts.store.withPending())]);
  for (const ref of refs) {
    if (signal.aborted) return;
    await follow(parts, ref);
  }
  const missing = runs.filter((run) => !isKnown(run));
  if (missing.length > 0) warnOfMissing(parts, missing);
}

async function follow({ store, rulesOf, log }: RulesParts, ref: string): Promise<void> {
  try {
    await change(store, ref, (execution, now) => followRules(execution, rulesOf(execution.crew), now));
  } catch (error) {
    if (error instanceof StoreUnavailable) throw error;
    log.error({ ref, err: error }, "couldn't let the requests of an execution follow the rules in force");
  }
}

function warnOfMissing({ log }: RulesParts, runs: readonly OpenRun[]): void {
  const crews = Array.from(
    groupBy(runs, ({ crew }) => crew),
    ([crew, { length }]) => ({ crew, runs: length }),
  );
  log.warn(
    { crews },
    'runs wait for crews that are not configured: nobody can decide them and nothing is sent until those are back',
  );
}
