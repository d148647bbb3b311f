import type { HumanInputRequest } from '../../src/core/execution/events.ts';
import { startExecution } from '../../src/core/execution/start.ts';
import { isOpen } from '../../src/core/state/approval.ts';
import type { Execution } from '../../src/core/state/execution.ts';
import { MARIA, output, posted, START } from './approvals.ts';

/** An execution before its kickoff, as `/kickoff` leaves it. */
export function starting(change: Partial<Execution> = {}): Execution {
  const start = { ref: 'ref1', crew: 'editorial', channel: 'C1', by: MARIA, inputs: { topic: 'tea' }, form: null };
  return { ...startExecution(start, START), ...change };
}

/** A run that was started here, has its thread and is polled; it waits where it is given approvals that are open. */
export function execution(change: Partial<Execution> = {}): Execution {
  const waits = (change.approvals ?? []).some(isOpen);
  const hops = (change.approvals ?? []).flatMap((each) => [
    each.hop,
    ...('attempts' in each ? each.attempts.map(({ hop }) => hop) : []),
  ]);
  return {
    ...starting(),
    run: { status: waits ? 'waiting' : 'running' },
    kickoff: { status: 'settled' },
    kickoffIds: ['k1'],
    executionId: 'e1',
    hop: Math.max(0, ...hops),
    poll: { nextAt: START + 60_000, count: 3, notFoundSince: null, waitingUnseen: 0, unpaused: 0, trouble: null },
    root: posted({ ts: '99.9' }),
    starterNotice: { status: 'told' },
    ...change,
  };
}

/** The first round of the task "draft", as the kickoff's addresses tell it. */
export function request(change: Partial<HumanInputRequest> = {}): HumanInputRequest {
  return {
    hop: 0,
    kickoffId: 'k1',
    executionId: 'e1',
    taskId: 'draft',
    taskName: 'Draft',
    output: output('first draft'),
    heading: 'Draft',
    attachesFile: false,
    ...change,
  };
}
