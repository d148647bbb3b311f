// Repairs acknowledged changes that Redis has lost, for example after a failover, from what this process still remembers.

import { StoreUnavailable } from '../core/ports.ts';
import { type Execution, isHeld, starterOf } from '../core/state/execution.ts';
import { groupBy } from '../core/values/group-by.ts';
import type { RedisClient } from '../redis/call.ts';
import { isFirstToNotify, type LostRecord, LostWritesWatch } from '../redis/lost-writes.ts';
import { tellLostRuns } from '../slack/thread/notices.ts';
import { change } from '../worker/change.ts';
import type { Parts } from './parts.ts';

/** Logs losses, restores what this process still knows, and notifies the starters of runs that are gone. */
export function watchLostWrites(redis: RedisClient, parts: Parts): LostWritesWatch {
  const { local, metrics, log } = parts;
  let gone: Execution[] = [];
  const attempt = async (what: string, work: () => Promise<void>) => {
    try {
      await work();
    } catch (error) {
      if (error instanceof StoreUnavailable) throw error;
      metrics.fault('worker', error);
      log.error({ err: error }, what);
    }
  };
  return new LostWritesWatch(redis, {
    local,
    onLost(lost) {
      metrics.lostWrites(lost.count);
      log.error(lost, 'Redis has lost changes that it had acknowledged');
    },
    begin: () => attempt('could not enter the policies that Redis has lost', () => parts.ledger.begin()),
    mend: (record) =>
      attempt(`could not put right what Redis has lost of ${record.ref}`, async () => {
        if (!record.isGone) return mend(parts, record);
        if (await isLostRun(redis, parts, record)) gone.push(record.execution);
      }),
    onMended() {
      void tellStarters(parts, gone);
      gone = [];
    },
  });
}

/** Makes an empty change, before which the store mends the record. */
async function mend({ store, log }: Parts, { ref, execution: { crew } }: LostRecord): Promise<void> {
  await change(store, ref, (execution) => execution);
  log.warn({ ref, crew }, 'Redis has lost changes of this run; what is known of them was put right');
}

/** Returns true if this process has to notify people that a run is gone. A run that was merged into another one isn't lost. */
async function isLostRun(redis: RedisClient, { store, log }: Parts, { ref, execution }: LostRecord): Promise<boolean> {
  if (isHeld(execution) || (await store.load(ref)) !== null) return false;
  log.warn({ ref, crew: execution.crew, channel: execution.channel }, 'Redis has lost this run');
  return isFirstToNotify(redis, ref);
}

/** Sends one message to each person. Never rejects. */
async function tellStarters(parts: Parts, runs: readonly Execution[]): Promise<void> {
  const { clients, log } = parts;
  for (const [personId, own] of groupBy(runs, (run) => starterOf(run)?.id ?? null)) {
    if (personId === null) continue;
    try {
      await tellLostRuns({ ...parts, client: clients.background }, personId, own);
    } catch (error) {
      log.warn({ by: personId, err: error }, 'could not tell somebody that their runs are lost');
    }
  }
}
