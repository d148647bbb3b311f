import { setTimeout as pause } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { type Call, callsUnderWay, claimOf, renewClaim } from '../core/claimed-calls.ts';
import { dueActionKey } from '../core/due-actions.ts';
import { type ExecutionStore, type StoredChange, StoreUnavailable } from '../core/ports.ts';
import type { Execution } from '../core/state/execution.ts';
import { ok } from '../core/values/result.ts';
import type { Millis } from '../core/values/time.ts';

// Changes stored executions for the worker, and claims the calls that can't be repeated.

/** Longer than most outages. The claim may be over by then: a late outcome still counts. */
const OUTCOME_MS = 10 * 60_000;
const OUTCOME_PAUSE_MS = 500;

/** A transition that can't be refused: it returns the same execution if there is nothing to change. */
type Step = (execution: Execution, now: Millis) => Execution;

/** The part of the store that a change needs. */
type Changes = Pick<ExecutionStore, 'change'>;

/** Returns a store that stores changes within this time: only for what can be repeated. */
export function soon(store: ExecutionStore, mostMs: Millis): Changes {
  return { change: (ref, transition) => store.changeSoon(ref, transition, mostMs) };
}

/** Applies a transition. Resolves to the execution if it changed; null if it is unchanged or absent. */
export async function change(store: Changes, ref: string, transition: Step): Promise<Execution | null> {
  return (await changeAt(store, ref, transition))?.execution ?? null;
}

/** Applies a transition like `change`, and also returns the time of the change. */
export async function changeAt(
  store: Changes,
  ref: string,
  transition: Step,
): Promise<{ execution: Execution; now: Millis } | null> {
  let at = 0;
  const changed = await store.change(ref, (execution, now) => {
    at = now;
    return ok(transition(execution, now));
  });
  return changed.kind === 'changed' ? { execution: changed.after, now: at } : null;
}

/** Returns a store that knows which of the stored changes were made through it, before its subscribers receive them. */
export function createOwnChanges(store: ExecutionStore): {
  store: ExecutionStore;
  hasMade: (change: StoredChange) => boolean;
} {
  const made = new WeakSet<Execution>();
  const noting =
    (change: ExecutionStore['change']): ExecutionStore['change'] =>
    async (ref, transition) => {
      const changed = await change(ref, transition);
      if (changed.kind === 'changed') made.add(changed.after);
      return changed;
    };
  return {
    store: {
      ...store,
      change: noting(store.change),
      changeSoon: (ref, transition, mostMs) => noting(soon(store, mostMs).change)(ref, transition),
    },
    hasMade: ({ after }) => made.has(after),
  };
}

/** Stores the outcome of a call that can't be repeated. It tries often: without the outcome a person must find out. */
export async function storeOutcome<Value>(write: () => Promise<Value>): Promise<Value> {
  for (const deadline = performance.now() + OUTCOME_MS; ; ) {
    try {
      return await write();
    } catch (error) {
      if (!(error instanceof StoreUnavailable) || performance.now() >= deadline) throw error;
      await pause(OUTCOME_PAUSE_MS);
    }
  }
}

/** A transition that claims a call for a process. It returns the same execution if there is nothing to claim. */
type Claiming = (execution: Execution, process: string, now: Millis) => Execution;

/**
 * Claims a call. Only then may it be made. Resolves to null if there is nothing to claim.
 * @throws {StoreUnavailable} then the call isn't made, and `unmadeCalls` says so if it was claimed nevertheless
 */
export type ClaimCall = (
  ref: string,
  call: Call,
  claiming: Claiming,
) => Promise<{ execution: Execution; now: Millis } | null>;

interface CallClaims {
  claimCall: ClaimCall;
  /** The calls of an execution that this process has claimed without learning of it: it can still make them. */
  unmadeCalls: (execution: Execution) => Call[];
}

/** Far more than a process tries to claim while its store is away. */
const MOST_UNMADE = 10_000;

export function createCallClaims(store: ExecutionStore, process: string): CallClaims {
  /** The attempts whose claims got no answer. None of these calls was made. */
  const unmade = new LRUCache<string, number>({ max: MOST_UNMADE });
  const nameOf = (ref: string, call: Call) => `${ref} ${dueActionKey(call)}`;
  const unmadeClaim = (execution: Execution, call: Call) => {
    if (unmade.size === 0) return null;
    const claim = claimOf(execution, call);
    return claim?.by === process && claim.attempt === unmade.get(nameOf(execution.ref, call)) ? claim : null;
  };

  return {
    async claimCall(ref, call, claiming) {
      let last: Execution | undefined;
      const claim = (execution: Execution, now: Millis) => {
        const own = unmadeClaim(execution, call);
        const after = own ? renewClaim(execution, own, now) : claiming(execution, process, now);
        last = after === execution ? undefined : after;
        return after;
      };
      try {
        const claimed = await changeAt(store, ref, claim);
        if (unmade.size > 0) unmade.delete(nameOf(ref, call));
        return claimed;
      } catch (error) {
        const attempt = last && claimOf(last, call)?.attempt;
        if (attempt !== undefined) unmade.set(nameOf(ref, call), attempt);
        throw error;
      }
    },

    unmadeCalls(execution) {
      if (unmade.size === 0) return [];
      return callsUnderWay(execution).flatMap(({ call }) => (unmadeClaim(execution, call) ? [call] : []));
    },
  };
}
