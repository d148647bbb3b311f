import type { CrewRules } from '../core/approval/crew-rules.ts';
import { escalate, expire, remind } from '../core/approval/timers.ts';
import type { RulesOf } from '../core/crew.ts';
import type { Execution } from '../core/execution/execution.ts';
import type { ExecutionStore } from '../core/ports.ts';
import type { Millis } from '../core/time.ts';
import { change } from './change.ts';

export interface TimerPorts {
  store: ExecutionStore;
  rulesOf: RulesOf;
}

type Timer = { kind: 'remind' | 'escalate' | 'expire'; approvalId: string };

const TRANSITIONS: Record<
  Timer['kind'],
  (execution: Execution, approvalId: string, rules: CrewRules, now: Millis) => Execution
> = { remind, escalate, expire };

/** Does what time brings about in a request that nobody has decided, by the policy in force now. */
export async function runTimer(
  { store, rulesOf }: TimerPorts,
  ref: string,
  { kind, approvalId }: Timer,
): Promise<void> {
  await change(store, ref, (execution, now) => TRANSITIONS[kind](execution, approvalId, rulesOf(execution.crew), now));
}
