import { describe, expect, it } from 'vitest';
import { checkClaims } from '../../../src/core/claimed-calls.ts';
import type { StatusReading } from '../../../src/core/execution/events.ts';
import { recordCompletion, recordStep, recordTask } from '../../../src/core/execution/run.ts';
import { claimKickoff, settleKickoff } from '../../../src/core/execution/start.ts';
import { claimPoll, recordStatus, stopFollowing } from '../../../src/core/execution/tracking.ts';
import { ask } from '../../../src/core/request/ask.ts';
import { claimedBy } from '../../../src/core/state/claim.ts';
import type { Execution, Run } from '../../../src/core/state/execution.ts';
import { ok, type Result } from '../../../src/core/values/result.ts';
import { cells, everyCell } from '../../support/cells.ts';
import { checkAt, PROCESS } from '../../support/claims.ts';
import { execution, request, starting } from '../../support/executions.ts';
import { frozen } from '../../support/frozen.ts';
import { JON, MARIA, pending, permittedTo, RULES, refused, START, UNKNOWN_RUN } from '../../support/requests.ts';

const NOW = START + 200_000;
const OFF = { nextAt: null, count: 0, notFoundSince: null, waitingUnseen: 0, unpaused: 0, trouble: null };
const REFUSAL = { code: 'missing-inputs', detail: 'Missing inputs: topic', missing: ['topic'] } as const;

const unpolled = (run: Run) => execution({ run, poll: OFF });

const STATES: Record<string, () => Execution> = {
  due: () => starting(),
  sending: () => starting({ kickoff: { status: 'sending', tries: 1, delayedBy: null, ...claimedBy(PROCESS, START) } }),
  running: () => execution(),
  waiting: () => execution({ requests: [pending({ taskId: 'other' })] }),
  'not known': () => execution({ requests: [refused({ taskId: 'other', failure: UNKNOWN_RUN })] }),
  completed: () => unpolled({ status: 'completed', result: null, endedAt: START }),
  failed: () => unpolled({ status: 'failed', error: 'no paper', endedAt: START }),
  lost: () => execution({ run: { status: 'lost', lostAt: START } }),
  'lost for good': () => unpolled({ status: 'lost', lostAt: START }),
  'not-started': () => unpolled({ status: 'not-started', refusal: { ...REFUSAL, missing: ['topic'] }, endedAt: START }),
  'not-confirmed': () => unpolled({ status: 'not-confirmed', doubt: 'no-answer', since: START }),
  unfollowed: () => execution({ unfollowed: { by: MARIA, at: START }, poll: OFF }),
};

type Transition = (execution: Execution) => Result<Execution, string | { kind: string }>;

const EVENT = { hop: 0, kickoffId: 'k1' };
const ALIVE = { completed: 1, total: 3, current: 'Draft' };

/** A poll's answer, taken at once; `forLong` is the same answer as for the last minutes. */
const reading =
  (said: StatusReading, notFoundSince: number | null = null): Transition =>
  (each) =>
    ok(recordStatus({ ...each, poll: { ...each.poll, notFoundSince } }, said, NOW));

const TRANSITIONS: Record<string, Transition> = {
  'a worker claims the kickoff': (each) => ok(claimKickoff(each, PROCESS, NOW)),
  'the kickoff is accepted': (each) => ok(settleKickoff(each, { kind: 'accepted', kickoffId: 'k1' }, NOW)),
  'the kickoff is refused': (each) =>
    ok(settleKickoff(each, { kind: 'refused', refusal: { ...REFUSAL, missing: [] } }, NOW)),
  'the kickoff is unavailable': (each) =>
    ok(settleKickoff(each, { kind: 'unavailable', reason: 'busy', waitMs: null }, NOW)),
  'the kickoff is unknown': (each) => ok(settleKickoff(each, { kind: 'unknown', doubt: 'no-id' }, NOW)),
  'the claim expires': (each) => ok(checkClaims(each, checkAt(NOW))),
  'a task asks for human input': (each) => ask(each, request(), NOW, RULES),
  'a task completes': (each) =>
    ok(recordTask(each, { ...EVENT, name: 'Draft', agent: null, summary: 'done', output: null }, NOW)),
  'an agent makes a step': (each) => ok(recordStep(each, EVENT, NOW)),
  'the crew says that it finished': (each) => ok(recordCompletion(each, { ...EVENT, result: null }, NOW)),
  'a poll is claimed': (each) => ok(claimPoll(each, NOW)),
  'a poll says running': reading({ kind: 'running', ...ALIVE }),
  'a poll says waiting': reading({ kind: 'waiting', ...ALIVE }),
  'a poll says completed': reading({ kind: 'completed', result: null }),
  'a poll says failed': reading({ kind: 'failed', error: 'no ink' }),
  'a poll says not found': reading({ kind: 'not-found' }),
  'a poll says not found for long': reading({ kind: 'not-found' }, START),
  'a poll is unauthorized': reading({ kind: 'unauthorized' }),
  'a poll finds no service': reading({ kind: 'unreachable' }),
  'a poll is told to wait': reading({ kind: 'busy' }),
  'a poll meets an error': reading({ kind: 'error' }),
  'a person stops following': (each) => stopFollowing(each, permittedTo(JON), NOW),
};

const TABLE = `
                               | due         | sending     | running   | waiting   | not known | completed | failed   | lost      | lost for good | not-started | not-confirmed | unfollowed
a worker claims the kickoff    | +           | =           | =         | =         | =         | =         | =        | =         | =             | =           | =           | =
the kickoff is accepted        | running     | running     | =         | =         | =         | =         | =        | running   | running       | running     | running     | =
the kickoff is refused         | not-started | not-started | =         | =         | =         | =         | =        | =         | =             | =           | not-started | =
the kickoff is unavailable     | not-started | +           | =         | =         | =         | =         | =        | =         | =             | =           | not-started | =
the kickoff is unknown         | not-confirmed | not-confirmed | =         | =         | =         | =         | =        | =         | =             | =           | =           | =
the claim expires              | =           | not-confirmed | =         | =         | =         | =         | =        | =         | =             | =           | =           | =
a task asks for human input    | waiting     | waiting     | waiting   | +         | +         | no:ended  | no:ended | waiting   | waiting       | waiting     | waiting     | +
a task completes               | running     | running     | +         | +         | +         | =         | =        | running   | running       | running     | running     | =
an agent makes a step          | running     | running     | +         | +         | +         | =         | =        | running   | running       | running     | running     | =
the crew says that it finished | completed   | completed   | completed | completed | completed | =         | =        | completed | completed     | completed   | completed   | completed
a poll is claimed              | =           | =           | +         | +         | +         | =         | =        | +         | =             | =           | =           | =
a poll says running            | =           | =           | +         | +         | +         | =         | =        | running   | =             | =           | =           | =
a poll says waiting            | =           | =           | +         | +         | +         | =         | =        | running   | =             | =           | =           | =
a poll says completed          | =           | =           | completed | completed | completed | =         | =        | completed | =             | =           | =           | =
a poll says failed             | =           | =           | failed    | failed    | failed    | =         | =        | failed    | =             | =           | =           | =
a poll says not found          | =           | =           | +         | =         | +         | =         | =        | =         | =             | =           | =           | =
a poll says not found for long | =           | =           | lost      | =         | lost      | =         | =        | =         | =             | =           | =           | =
a poll is unauthorized         | =           | =           | +         | +         | +         | =         | =        | +         | =             | =           | =           | =
a poll finds no service        | =           | =           | +         | +         | +         | =         | =        | +         | =             | =           | =           | =
a poll is told to wait         | =           | =           | +         | +         | +         | =         | =        | +         | =             | =           | =           | =
a poll meets an error          | =           | =           | +         | +         | +         | =         | =        | +         | =             | =           | =           | =
a person stops following       | +           | +           | +         | +         | +         | =         | =        | +         | +             | +           | +           | =
`;

const STATE_WORDS: Record<string, string> = {
  due: 'waits for its kickoff',
  sending: 'is being kicked off',
  running: 'runs',
  waiting: 'waits for a person',
  'not known': 'waits after its service didn’t know it when it was told a decision',
  completed: 'has completed',
  failed: 'has failed',
  lost: 'is lost',
  'lost for good': 'is lost for good',
  'not-started': 'was not started',
  'not-confirmed': 'has perhaps started',
  unfollowed: 'is not followed any more',
};

const OUTCOME_WORDS: Record<string, string> = {
  '=': 'stays as it is',
  '+': 'takes note of it',
  running: 'runs',
  waiting: 'waits for a person',
  completed: 'has completed',
  failed: 'has failed',
  lost: 'is lost',
  'not-started': 'was not started',
  'not-confirmed': 'has perhaps started',
  'no:ended': 'asks no one after the end',
};

/** A new status doesn't compile until it stands here, and fails until the table has a state with it. */
const STATUSES: Record<Run['status'], true> = {
  starting: true,
  running: true,
  waiting: true,
  completed: true,
  failed: true,
  lost: true,
  'not-started': true,
  'not-confirmed': true,
};

function outcomeOf(before: Execution, result: ReturnType<Transition>): string {
  if (!result.ok) return `no:${typeof result.refusal === 'string' ? result.refusal : result.refusal.kind}`;
  const after = result.value;
  if (after.run.status !== before.run.status) return after.run.status;
  const isSame = JSON.stringify({ ...after, poll: { ...after.poll, notFoundSince: null } }) === JSON.stringify(before);
  return isSame && after.poll.notFoundSince !== NOW ? '=' : '+';
}

describe('every state of an execution × everything that can happen', () => {
  it('has every status in the table', () => {
    const tried = Object.values(STATES).map((make) => make().run.status);
    expect([...new Set(tried)].sort()).toEqual(Object.keys(STATUSES).sort());
  });

  it('has a cell in the table', () => {
    const named = cells(TABLE).map(({ row, column }) => `${row} × ${column}`);
    expect(named).toEqual(everyCell(Object.keys(TRANSITIONS), Object.keys(STATES)));
  });

  for (const { row, column, outcome } of cells(TABLE)) {
    it(`when ${row}, an execution that ${STATE_WORDS[column]} then ${OUTCOME_WORDS[outcome]}`, () => {
      const before = frozen(STATES[column]?.() ?? execution());
      expect(outcomeOf(before, TRANSITIONS[row]?.(before) ?? ok(before))).toBe(outcome);
    });
  }
});
