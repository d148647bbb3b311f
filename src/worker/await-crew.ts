import { setTimeout as pause } from 'node:timers/promises';
import { followRules } from '../core/approval/follow-rules.ts';
import type { RulesOf } from '../core/crew.ts';
import { type DueAction, dueActionKey, dueActionsAt } from '../core/due-actions.ts';
import type { Execution } from '../core/execution/execution.ts';
import { CHECK_SOON_MS, missCrew } from '../core/execution/missing-crew.ts';
import type { ExecutionStore } from '../core/ports.ts';
import type { Millis } from '../core/time.ts';
import { change } from './change.ts';

interface Ports {
  store: ExecutionStore;
  rulesOf: RulesOf;
}

/** Another process that may know the crew looks within this time. */
const OTHERS_MS = 1_000;

/**
 * Whether this process can do an action. What it can't do, since it doesn't know the crew of a run in progress, it leaves to
 * processes that may know it. If there are none, the run is noted to wait for its crew: nothing is sent, asked or shown by guess.
 */
export async function awaitCrew({ store, rulesOf }: Ports, execution: Execution, action: DueAction): Promise<boolean> {
  if (rulesOf(execution.crew).policy !== null) return true;
  if (execution.missingCrew !== null) {
    if (action.kind === 'check-crew') await pause(OTHERS_MS, null, { ref: false });
    return true;
  }
  if (missCrew(execution, 0) === execution) return true;
  await pause(OTHERS_MS, null, { ref: false });
  const isLeft = (each: Execution, now: Millis) => dueActionsAt(each, now).some((due) => isSame(due, action));
  await change(store, execution.ref, (each, now) => (isLeft(each, now) ? missCrew(each, now, CHECK_SOON_MS) : each));
  return false;
}

function isSame(one: DueAction, other: DueAction): boolean {
  return dueActionKey(one) === dueActionKey(other);
}

/** The run goes on if this process knows its crew. Otherwise the crew is looked for again later. */
export async function checkCrew({ store, rulesOf }: Ports, ref: string): Promise<void> {
  await change(store, ref, (execution, now) =>
    execution.missingCrew === null ? execution : followRules(execution, rulesOf(execution.crew), now),
  );
}
