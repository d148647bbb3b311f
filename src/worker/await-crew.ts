import { setTimeout as pause } from 'node:timers/promises';
import { followRules } from '../core/approval/follow-rules.ts';
import type { RulesOf } from '../core/crew.ts';
import type { DueAction } from '../core/due-actions.ts';
import type { Execution } from '../core/execution/execution.ts';
import { missCrew } from '../core/execution/missing-crew.ts';
import type { ExecutionStore } from '../core/ports.ts';
import { ok } from '../core/result.ts';
import { change } from './change.ts';

interface Ports {
  store: ExecutionStore;
  rulesOf: RulesOf;
}

/** Another process that may know the crew looks within this time. */
const OTHERS_MS = 1_000;

/**
 * Whether this process can do an action. If it doesn't know the crew of a run in progress, the run is noted to wait for it
 * instead: nothing is sent, asked or shown by guess. A process that knows the crew takes that back.
 */
export async function awaitCrew(
  { store, rulesOf }: Ports,
  { ref, crew, missingCrew }: Execution,
  { kind }: DueAction,
): Promise<boolean> {
  if (rulesOf(crew).policy !== null) return true;
  if (missingCrew === null) {
    const changed = await store.change<never>(ref, (execution, now) => ok(missCrew(execution, now)));
    return changed.kind === 'unchanged' && changed.execution.missingCrew === null;
  }
  if (kind === 'check-crew') await pause(OTHERS_MS, null, { ref: false });
  return true;
}

/** The run goes on if this process knows its crew. Otherwise the crew is looked for again later. */
export async function checkCrew({ store, rulesOf }: Ports, ref: string): Promise<void> {
  await change(store, ref, (execution, now) =>
    execution.missingCrew === null ? execution : followRules(execution, rulesOf(execution.crew), now),
  );
}
