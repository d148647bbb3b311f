import { setTimeout as pause } from 'node:timers/promises';
import { followRules } from '../core/approval/follow-rules.ts';
import { StoreUnavailable } from '../core/ports.ts';
import { change } from '../worker/change.ts';
import type { Parts } from './parts.ts';

const RETRY_MS = 1_000;

type RulesParts = Pick<Parts, 'store' | 'rulesOf' | 'log'>;

/**
 * Lets the requests that wait follow the rules of this process, which may be others than those that they were asked by. Each
 * changes once, however many processes start, and what a process leaves undone that dies is done by the next. Never rejects.
 * @param wake called for each execution that has changed
 */
export async function followRulesInForce(
  parts: RulesParts,
  { wake, signal }: { wake: (ref: string) => void; signal: AbortSignal },
): Promise<void> {
  while (!signal.aborted) {
    try {
      for (const ref of await parts.store.withPending()) {
        if (signal.aborted) return;
        if (await follow(parts, ref)) wake(ref);
      }
      return;
    } catch (error) {
      parts.log.warn({ err: error }, "couldn't let requests follow the rules in force; trying again");
      await pause(RETRY_MS, null, { signal }).catch(() => {});
    }
  }
}

async function follow({ store, rulesOf, log }: RulesParts, ref: string): Promise<boolean> {
  try {
    return (await change(store, ref, (execution) => followRules(execution, rulesOf(execution.crew)))) !== null;
  } catch (error) {
    if (error instanceof StoreUnavailable) throw error;
    log.error({ ref, err: error }, "couldn't let the requests of an execution follow the rules in force");
    return false;
  }
}
