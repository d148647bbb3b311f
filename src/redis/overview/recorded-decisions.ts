import { groupBy } from '../../core/group-by.ts';
import type { DecidedRequest } from '../../core/history.ts';
import { inParallel } from '../../core/in-parallel.ts';
import { decidedRecordOf, type PastDecision } from '../../core/inbox/snapshot.ts';
import type { RedisClient } from '../connection/call.ts';
import { shardOf } from '../keys.ts';
import type { LocalState } from '../local/local-state.ts';
import { loadRecords } from './load-records.ts';

/** A list shows a hundred decisions, of which a person may see only some. */
const MOST_RECORDED = 300;
const SHARDS_AT_ONCE = 4;

/** A decision whose record is looked up once, before it is shown. */
export interface HeldDecision extends PastDecision {
  isLookedUp: boolean;
}

export function heldDecision(decided: DecidedRequest): HeldDecision {
  return { ...decided, record: null, isLookedUp: false };
}

/** Looks up what the records of the newest decisions say about them. @throws {StoreUnavailable} */
export async function lookUpRecords(
  stored: { redis: RedisClient; local: LocalState },
  decisions: readonly HeldDecision[],
): Promise<void> {
  const missing = decisions.slice(0, MOST_RECORDED).filter(({ isLookedUp }) => !isLookedUp);
  await inParallel(SHARDS_AT_ONCE, [...groupBy(missing, ({ ref }) => shardOf(ref)).values()], async (inShard) => {
    const byRef = groupBy(inShard, ({ ref }) => ref);
    const wanted = Array.from(byRef.keys(), (ref) => ({ ref, writeId: null }));
    await loadRecords(stored, wanted, ({ ref }, execution) => {
      for (const decision of byRef.get(ref) ?? []) {
        decision.record = execution && decidedRecordOf(execution, decision.approvalId);
        decision.isLookedUp = true;
      }
    });
  });
}
