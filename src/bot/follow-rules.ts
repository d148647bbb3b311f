import type { OpenRun, Overview } from '../core/inbox/snapshot.ts';
import { StoreUnavailable } from '../core/ports.ts';
import { followRules } from '../core/request/ask.ts';
import { groupBy } from '../core/values/group-by.ts';
import { change } from '../worker/change.ts';
import type { Parts } from './parts.ts';
import { untilDone } from './schedule.ts';

// Applies a changed crews file to open requests and runs when the bot starts.

type RulesParts = Pick<Parts, 'store' | 'rulesOf' | 'log'> & { overview: Pick<Overview, 'openRuns'> };

/**
 * Applies this process's crews file at the start: waiting requests follow its rules, runs of crews that have left it wait, and runs of
 * crews that are back go on. Each run changes once, however many processes start, and the next process finishes what one leaves
 * undone. Never rejects.
 */
export function followRulesInForce(parts: RulesParts, signal: AbortSignal): Promise<void> {
  const failed = "couldn't let requests follow the rules in force; trying again";
  return untilDone(() => followAll(parts, signal), { signal, log: parts.log, failed });
}

async function followAll(parts: RulesParts, signal: AbortSignal): Promise<void> {
  const runs = await parts.overview.openRuns();
  const isConfigured = ({ crew }: OpenRun) => parts.rulesOf(crew).policy !== null;
  // The crew has left the file or has come back to it, and the run doesn't say so yet.
  const changed = runs.filter((run) => isConfigured(run) === (run.crewMissing === true));
  const refs = new Set([...changed.map(({ ref }) => ref), ...(await parts.store.withPending())]);
  for (const ref of refs) {
    if (signal.aborted) return;
    await follow(parts, ref);
  }
  const missing = runs.filter((run) => !isConfigured(run));
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
