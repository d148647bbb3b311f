import { describe, expect, it } from 'vitest';
import { checkClaims } from '../../../src/core/claimed-calls.ts';
import type { ResumeAnswer } from '../../../src/core/execution/events.ts';
import { recordCompletion, recordTask } from '../../../src/core/execution/run.ts';
import { recordStatus, stopFollowing } from '../../../src/core/execution/tracking.ts';
import type { CrewRules } from '../../../src/core/policy/crew-rules.ts';
import { DEFAULT_POLICY, WORKSPACE } from '../../../src/core/policy/policy.ts';
import { askApprovers } from '../../../src/core/request/alerts.ts';
import { ask } from '../../../src/core/request/ask.ts';
import type { Choice } from '../../../src/core/request/choice.ts';
import { decide } from '../../../src/core/request/decide.ts';
import { decline } from '../../../src/core/request/decline.ts';
import { handOver } from '../../../src/core/request/hand-over.ts';
import { claimResume, sendAgain, settleResume } from '../../../src/core/request/resume.ts';
import { undo, withdraw } from '../../../src/core/request/retract.ts';
import { escalate, expire, remind } from '../../../src/core/request/timers.ts';
import { type Execution, findRequest } from '../../../src/core/state/execution.ts';
import type { HumanRequest, Person, RequestState } from '../../../src/core/state/request.ts';
import { ok, type Result } from '../../../src/core/values/result.ts';
import { cells, everyCell } from '../../support/cells.ts';
import { checkAt, PROCESS } from '../../support/claims.ts';
import { execution, request } from '../../support/executions.ts';
import { frozen } from '../../support/frozen.ts';
import {
  attempt,
  decided,
  decision,
  declined,
  delivered,
  expired,
  finalNo,
  JON,
  MARIA,
  output,
  PERMITTED,
  pending,
  permittedTo,
  RULES,
  refused,
  rejection,
  START,
  sending,
  superseded,
  unconfirmed,
  vote,
  type WithPolicy,
} from '../../support/requests.ts';

const NOW = START + 100_000;
const SECOND = attempt({ number: 2, hop: 2 });
const FAILED = { status: 'failed', error: 'no paper', endedAt: START } as const;
const UNFOLLOWED = { by: MARIA, at: START };

const ended = (request: HumanRequest) => execution({ requests: [request], run: FAILED, poll: ENDED_POLL });
const ENDED_POLL = { nextAt: null, count: 3, notFoundSince: null, waitingUnseen: 0, unpaused: 0, trouble: null };

/** A decline that the crew is told. */
const LAST_NO = rejection({ verdict: 'decline' });

/** Whatever time brings about is due. */
const OVERDUE = { ...pending().discussion.times, remindAt: START, escalateAt: START, expireAt: START };
const TIMES = { remindAfterMs: 1, escalateAfterMs: 1, expireAfterMs: 1 };
const TIMED: WithPolicy<CrewRules> = { policy: { ...DEFAULT_POLICY, ...TIMES, escalateTo: [WORKSPACE] }, hours: null };
const REJECTING: CrewRules = { ...TIMED, policy: { ...TIMED.policy, onExpiry: 'reject' } };

/** Where a decision has been made, Maria has approved without a note. `again`: a person has asked to send again. */
const STATES: Record<string, () => Execution> = {
  pending: () => execution({ requests: [pending()] }),
  voted: () => execution({ requests: [pending({ votes: [vote(JON)] })] }),
  overdue: () => execution({ requests: [pending({ times: OVERDUE })] }),
  undoable: () => execution({ requests: [decided({ sendAt: NOW + 1, undoUntil: NOW + 1 })] }),
  decided: () => execution({ requests: [decided()] }),
  again: () => execution({ requests: [decided({ attempts: [attempt()] })] }),
  sending: () => execution({ requests: [sending()] }),
  'sending 2': () => execution({ requests: [sending({ attempts: [attempt(), SECOND] })] }),
  told: () => execution({ requests: [delivered()] }),
  refused: () => execution({ requests: [refused()] }),
  unconfirmed: () => execution({ requests: [unconfirmed()] }),
  newer: () => execution({ requests: [superseded({ by: 'newer-round' }), pending({ id: '2', round: 2, hop: 5 })] }),
  ended: () => ended(superseded({ by: 'ended', decision: decision() })),
  unfollowed: () => execution({ requests: [superseded({ by: 'unfollowed' })], unfollowed: UNFOLLOWED }),
  'sent, ended': () => ended(sending()),
  expired: () => execution({ requests: [expired()] }),
  'no, undoable': () =>
    execution({ requests: [decided({ decision: finalNo(), sendAt: NOW + 1, undoUntil: NOW + 1 })] }),
  'no, due': () => execution({ requests: [decided({ decision: finalNo(), undoUntil: START })] }),
  'no, sent': () => execution({ requests: [sending({ decision: LAST_NO })] }),
  'no, refused': () => execution({ requests: [refused({ decision: LAST_NO })] }),
  declined: () => execution({ requests: [declined()] }),
};

type Transition = (execution: Execution) => Result<Execution, string | { kind: string }>;

const APPROVE: Choice = { verdict: 'approve', feedback: null, text: 'Approved.' };
const REJECT: Choice = { verdict: 'reject', feedback: 'longer' };
const SILENT: Choice = { verdict: 'reject', feedback: ' ' };
const DECLINE: Choice = { verdict: 'decline', feedback: 'wrong product' };
const SILENT_NO: Choice = { verdict: 'decline', feedback: null };
const REFUSED: ResumeAnswer = {
  kind: 'refused',
  failure: { kind: 'refused', code: 'other', status: 400, detail: 'no' },
};

const click =
  (by: Person, choice: Choice): Transition =>
  (each) =>
    decide(each, '1', { choice, by, ...PERMITTED }, NOW);
const answer =
  (number: number, given: ResumeAnswer): Transition =>
  (each) =>
    ok(settleResume(each, { approvalId: '1', attempt: number, answer: given }, NOW));
const eventAt =
  (hop: number): Transition =>
  (each) =>
    ok(recordTask(each, { hop, kickoffId: 'k1', name: 'Other', agent: null, summary: '', output: null }, NOW));

const TRANSITIONS: Record<string, Transition> = {
  'Maria approves': click(MARIA, APPROVE),
  'Maria rejects': click(MARIA, REJECT),
  'Maria declines': click(MARIA, DECLINE),
  'Jon declines without a reason': click(JON, SILENT_NO),
  'Jon approves': click(JON, APPROVE),
  'Jon rejects without feedback': click(JON, SILENT),
  'Maria undoes it': (each) => undo(each, '1', permittedTo(MARIA), NOW),
  'Jon undoes it': (each) => undo(each, '1', permittedTo(JON), NOW),
  'Jon withdraws his vote': (each) => withdraw(each, '1', permittedTo(JON), NOW),
  'Jon hands it over': (each) => handOver(each, '1', { ...permittedTo(JON), to: MARIA }, NOW),
  'somebody asks those who may': (each) => askApprovers(each, '1', permittedTo(JON), NOW),
  'a reminder is due': (each) => ok(remind(each, '1', TIMED, NOW)),
  'its escalation is due': (each) => ok(escalate(each, '1', TIMED, NOW)),
  'its expiry is due': (each) => ok(expire(each, '1', TIMED, NOW)),
  'its expiry, which rejects, is due': (each) => ok(expire(each, '1', REJECTING, NOW)),
  'a worker claims the resume': (each) => ok(claimResume(each, '1', PROCESS, NOW)),
  'a decline takes effect': (each) => ok(decline(each, '1', NOW)),
  'attempt 1 is accepted': answer(1, { kind: 'accepted', kickoffId: 'k2' }),
  'attempt 1 is refused': answer(1, REFUSED),
  'attempt 1 is unavailable': answer(1, { kind: 'unavailable', reason: 'busy', waitMs: null }),
  'attempt 1 is unknown': answer(1, { kind: 'unknown' }),
  'attempt 2 is accepted': answer(2, { kind: 'accepted', kickoffId: 'k2' }),
  'attempt 2 is refused': answer(2, REFUSED),
  'attempt 2 is unavailable': answer(2, { kind: 'unavailable', reason: 'busy', waitMs: null }),
  'attempt 2 is unknown': answer(2, { kind: 'unknown' }),
  'the claim expires': (each) => ok(checkClaims(each, checkAt(NOW))),
  'a person sends again': (each) => sendAgain(each, '1', permittedTo(MARIA), NOW),
  'a newer round comes': (each) =>
    ask(each, request({ hop: 9, kickoffId: 'k9', output: output('new draft') }), NOW, RULES),
  'the same alert comes again': (each) => ask(each, request(), NOW, RULES),
  'an event at the address of attempt 1 comes': eventAt(1),
  'an event at the address of attempt 2 comes': eventAt(2),
  'an event at the address of another resume comes': eventAt(9),
  'an event at the address of the kickoff comes': eventAt(0),
  'the crew says that it finished': (each) =>
    ok(recordCompletion(each, { hop: 0, kickoffId: 'k1', result: null }, NOW)),
  'a poll says that the run completed': (each) => ok(recordStatus(each, { kind: 'completed', result: null }, NOW)),
  'a poll says that the run failed': (each) => ok(recordStatus(each, { kind: 'failed', error: 'no ink' }, NOW)),
  'a poll says that the run waits': (each) =>
    ok(recordStatus(each, { kind: 'waiting', completed: null, total: null, current: null }, NOW)),
  'a poll does not find the run': (each) => ok(recordStatus(each, { kind: 'not-found' }, NOW)),
  'a person stops following': (each) => stopFollowing(each, permittedTo(JON), NOW),
};

const TABLE = `
                                                | pending      | voted        | overdue      | undoable     | decided      | again        | sending      | sending 2    | told         | refused      | unconfirmed  | newer         | ended      | unfollowed    | sent, ended | expired      | no, undoable | no, due      | no, sent     | no, refused  | declined
Maria approves                                  | decided      | decided      | decided      | =            | =            | =            | =            | =            | =            | =            | =            | no:superseded | =          | no:superseded | =           | no:expired   | no:decided   | no:decided   | no:decided   | no:decided   | no:decided
Maria rejects                                   | decided      | decided      | decided      | no:decided   | no:decided   | no:decided   | no:decided   | no:decided   | no:decided   | no:decided   | no:decided   | no:superseded | no:decided | no:superseded | no:decided  | no:expired   | no:decided   | no:decided   | no:decided   | no:decided   | no:decided
Maria declines                                  | declined     | declined     | declined     | no:decided   | no:decided   | no:decided   | no:decided   | no:decided   | no:decided   | no:decided   | no:decided   | no:superseded | no:decided | no:superseded | no:decided  | no:expired   | =            | =            | no:decided   | no:decided   | =
Jon declines without a reason                   | no:reason    | no:reason    | no:reason    | no:decided   | no:decided   | no:decided   | no:decided   | no:decided   | no:decided   | no:decided   | no:decided   | no:superseded | no:decided | no:superseded | no:decided  | no:expired   | no:decided   | no:decided   | no:decided   | no:decided   | no:decided
Jon approves                                    | decided      | decided      | decided      | no:decided   | no:decided   | no:decided   | no:decided   | no:decided   | no:decided   | no:decided   | no:decided   | no:superseded | no:decided | no:superseded | no:decided  | no:expired   | no:decided   | no:decided   | no:decided   | no:decided   | no:decided
Jon rejects without feedback                    | no:feedback  | no:feedback  | no:feedback  | no:decided   | no:decided   | no:decided   | no:decided   | no:decided   | no:decided   | no:decided   | no:decided   | no:superseded | no:decided | no:superseded | no:decided  | no:expired   | no:decided   | no:decided   | no:decided   | no:decided   | no:decided
Maria undoes it                                 | no:undo      | no:undo      | no:undo      | pending      | no:decided   | no:decided   | no:decided   | no:decided   | no:decided   | no:decided   | no:decided   | no:superseded | no:decided | no:superseded | no:decided  | no:expired   | pending      | no:decided   | no:decided   | no:decided   | no:decided
Jon undoes it                                   | no:undo      | no:undo      | no:undo      | pending      | no:decided   | no:decided   | no:decided   | no:decided   | no:decided   | no:decided   | no:decided   | no:superseded | no:decided | no:superseded | no:decided  | no:expired   | pending      | no:decided   | no:decided   | no:decided   | no:decided
Jon withdraws his vote                          | no:vote      | +            | no:vote      | no:decided   | no:decided   | no:decided   | no:decided   | no:decided   | no:decided   | no:decided   | no:decided   | no:superseded | no:decided | no:superseded | no:decided  | no:expired   | no:decided   | no:decided   | no:decided   | no:decided   | no:decided
Jon hands it over                               | +            | +            | +            | no:decided   | no:decided   | no:decided   | no:decided   | no:decided   | no:decided   | no:decided   | no:decided   | no:superseded | no:decided | no:superseded | no:decided  | no:expired   | no:decided   | no:decided   | no:decided   | no:decided   | no:decided
somebody asks those who may                     | +            | +            | +            | no:decided   | no:decided   | no:decided   | no:decided   | no:decided   | no:decided   | no:decided   | no:decided   | no:superseded | no:decided | no:superseded | no:decided  | no:expired   | no:decided   | no:decided   | no:decided   | no:decided   | no:decided
a reminder is due                               | =            | =            | +            | =            | =            | =            | =            | =            | =            | =            | =            | =             | =          | =             | =           | =            | =            | =            | =            | =            | =
its escalation is due                           | =            | =            | +            | =            | =            | =            | =            | =            | =            | =            | =            | =             | =          | =             | =           | =            | =            | =            | =            | =            | =
its expiry is due                               | =            | =            | expired      | =            | =            | =            | =            | =            | =            | =            | =            | =             | =          | =             | =           | =            | =            | =            | =            | =            | =
its expiry, which rejects, is due               | =            | =            | decided      | =            | =            | =            | =            | =            | =            | =            | =            | =             | =          | =             | =           | =            | =            | =            | =            | =            | =
a worker claims the resume                      | =            | =            | =            | =            | sending      | sending      | =            | =            | =            | =            | =            | =             | =          | =             | =           | =            | =            | =            | =            | =            | =
a decline takes effect                         | =            | =            | =            | =            | =            | =            | =            | =            | =            | =            | =            | =             | =          | =             | =           | =            | =            | declined     | =            | =            | =
attempt 1 is accepted                           | =            | =            | =            | told         | told         | told         | told         | told         | told         | told         | told         | =             | told       | =             | told        | =            | told         | told         | told         | told         | told
attempt 1 is refused                            | =            | =            | =            | =            | =            | ruled out    | refused      | ruled out    | =            | =            | refused      | =             | =          | =             | ended       | =            | =            | =            | refused      | =            | =
attempt 1 is unavailable                        | =            | =            | =            | =            | =            | ruled out    | decided      | ruled out    | =            | =            | decided      | =             | =          | =             | ended       | =            | =            | =            | decided      | =            | =
attempt 1 is unknown                            | =            | =            | =            | =            | =            | =            | sending      | =            | =            | =            | =            | =             | =          | =             | ended       | =            | =            | =            | sending      | =            | =
attempt 2 is accepted                           | =            | =            | =            | told         | told         | told         | told         | told         | told         | told         | told         | =             | told       | =             | told        | =            | told         | told         | told         | told         | told
attempt 2 is refused                            | =            | =            | =            | =            | =            | =            | =            | refused      | =            | =            | =            | =             | =          | =             | =           | =            | =            | =            | =            | =            | =
attempt 2 is unavailable                        | =            | =            | =            | =            | =            | =            | =            | decided      | =            | =            | =            | =             | =          | =             | =           | =            | =            | =            | =            | =            | =
attempt 2 is unknown                            | =            | =            | =            | =            | =            | =            | =            | sending      | =            | =            | =            | =             | =          | =             | =           | =            | =            | =            | =            | =            | =
the claim expires                               | =            | =            | =            | =            | =            | =            | not-confirmed  | not-confirmed  | =            | =            | =            | =             | =          | =             | ended       | =            | =            | =            | not-confirmed  | =            | =
a person sends again                            | no:nothing   | no:nothing   | no:nothing   | no:decided   | no:decided   | no:decided   | no:decided   | no:decided   | no:decided   | decided      | decided      | no:superseded | no:decided | no:superseded | no:decided  | no:expired   | no:decided   | no:decided   | no:decided   | decided      | no:decided
a newer round comes                             | newer        | newer        | newer        | newer        | newer        | proven       | proven       | proven       | =            | newer        | proven       | =             | no:ended   | newer         | no:ended    | =            | declined     | declined     | proven       | declined     | =
the same alert comes again                      | no:duplicate | no:duplicate | no:duplicate | no:duplicate | no:duplicate | =            | =            | =            | =            | no:duplicate | =            | no:duplicate  | no:ended   | no:duplicate  | no:ended    | no:duplicate | no:duplicate | no:duplicate | no:duplicate | no:duplicate | no:duplicate
an event at the address of attempt 1 comes      | =            | =            | =            | =            | =            | proven       | proven       | proven       | =            | proven       | proven       | =             | =          | =             | =           | =            | =            | =            | proven       | proven       | =
an event at the address of attempt 2 comes      | =            | =            | =            | =            | =            | =            | =            | proven       | =            | =            | =            | =             | =          | =             | =           | =            | =            | =            | =            | =            | =
an event at the address of another resume comes | =            | =            | =            | =            | =            | =            | =            | =            | =            | =            | =            | =             | =          | =             | =           | =            | =            | =            | =            | =            | =
an event at the address of the kickoff comes    | =            | =            | =            | =            | =            | =            | =            | =            | =            | =            | =            | =             | =          | =             | =           | =            | =            | =            | =            | =            | =
the crew says that it finished                  | ended        | ended        | ended        | ended        | ended        | proven       | proven       | proven       | =            | ended        | proven       | =             | =          | =             | =           | =            | declined     | declined     | proven       | declined     | =
a poll says that the run completed              | ended        | ended        | ended        | ended        | ended        | proven       | proven       | proven       | =            | ended        | proven       | =             | =          | =             | =           | =            | declined     | declined     | proven       | declined     | =
a poll says that the run failed                 | ended        | ended        | ended        | ended        | ended        | ended        | =            | =            | =            | ended        | ended        | =             | =          | =             | =           | =            | declined     | declined     | =            | declined     | =
a poll says that the run waits                  | =            | =            | =            | =            | =            | =            | =            | =            | =            | =            | =            | =             | =          | =             | =           | =            | =            | =            | =            | =            | =
a poll does not find the run                    | =            | =            | =            | =            | =            | =            | =            | =            | =            | =            | =            | =             | =          | =             | =           | =            | =            | =            | =            | =            | =
a person stops following                        | unfollowed   | unfollowed   | unfollowed   | =            | =            | =            | =            | =            | =            | =            | =            | =             | =          | =             | =           | =            | =            | =            | =            | =            | =
`;

const STATE_WORDS: Record<string, string> = {
  pending: 'pending',
  decided: 'decided',
  again: 'to be sent again',
  sending: 'being sent',
  'sending 2': 'being sent for the second time',
  told: 'delivered',
  refused: 'refused by the service',
  unconfirmed: 'not-confirmed',
  newer: 'superseded by a newer round',
  ended: 'superseded by the end, with a decision,',
  unfollowed: 'superseded by Stop tracking',
  'sent, ended': 'being sent when the run has failed',
  voted: 'pending with a vote by Jon',
  overdue: 'pending although all its times have passed',
  undoable: 'decided but can be undone',
  expired: 'expired',
  'no, undoable': 'declined but can be undone',
  'no, due': 'declined until a moment ago',
  'no, sent': 'declined, which is being sent,',
  'no, refused': 'declined, which the service refused,',
  declined: 'declined',
};

const OUTCOME_WORDS: Record<string, string> = {
  '=': 'stays as it is',
  decided: 'waits to be sent',
  pending: 'waits for a person again',
  '+': 'takes note of it',
  expired: 'is closed undecided',
  declined: 'is closed',
  sending: 'is being sent',
  told: 'is delivered, since the service took it',
  proven: 'is delivered, since the run shows it',
  refused: 'failed, since the service refused it',
  unconfirmed: 'failed, since it is unknown',
  'ruled out': 'stays, with attempt 1 no longer in doubt',
  newer: 'gives way to the newer round',
  ended: 'ends with the run',
  unfollowed: 'is not asked any more',
  'no:decided': 'says who decided',
  'no:superseded': 'says why it is closed',
  'no:feedback': 'asks for feedback',
  'no:reason': 'asks for a reason',
  'no:nothing': 'says that there is nothing to send',
  'no:duplicate': 'is known already',
  'no:ended': 'is not asked after the end',
  'no:expired': 'says that nobody decided in time',
  'no:vote': 'says that there is no vote',
  'no:undo': 'says that there is nothing to undo',
};

const REFUSALS: Record<string, string> = {
  'already-decided': 'decided',
  'feedback-missing': 'feedback',
  'reason-missing': 'reason',
  'nothing-to-send': 'nothing',
  'no-vote': 'vote',
  'no-decision': 'undo',
};

function outcomeOf(before: Execution, result: ReturnType<Transition>): string {
  if (!result.ok) {
    const kind = typeof result.refusal === 'string' ? result.refusal : result.refusal.kind;
    return `no:${REFUSALS[kind] ?? kind}`;
  }
  const [was, is] = [findRequest(before, '1'), findRequest(result.value, '1')];
  if (!was || !is || JSON.stringify(was) === JSON.stringify(is)) return '=';
  if (stateOf(was) !== stateOf(is)) return stateOf(is);
  if (was.state.status === 'pending') return '+';
  return isRuledOut(was, is) ? 'ruled out' : stateOf(is);
}

function isRuledOut(was: HumanRequest, is: HumanRequest): boolean {
  if (!('attempts' in was.state) || !('attempts' in is.state)) return false;
  return was.state.attempts[0]?.mayHaveArrived === true && is.state.attempts[0]?.mayHaveArrived === false;
}

function stateOf(request: HumanRequest): string {
  switch (request.state.status) {
    case 'delivered':
      return request.state.proof === 'accepted' ? 'told' : 'proven';
    case 'failed':
      return request.state.failure.kind;
    case 'superseded':
      return request.state.by === 'newer-round' ? 'newer' : request.state.by;
    case 'pending':
    case 'decided':
    case 'sending':
    case 'declined':
    case 'expired':
      return request.state.status;
  }
}

/** A record of each state as it should be: exactly these fields. */
const SHAPES: Record<string, HumanRequest> = {
  decided: decided(),
  sending: sending(),
  told: delivered(),
  proven: delivered(),
  refused: refused(),
  unconfirmed: unconfirmed(),
  newer: superseded(),
  ended: superseded(),
  unfollowed: superseded(),
  declined: declined(),
  expired: expired(),
  pending: pending(),
};

/** A new status doesn't compile until it stands here, and fails until the table has a state with it. */
const STATUSES: Record<RequestState['status'], true> = {
  pending: true,
  decided: true,
  sending: true,
  delivered: true,
  failed: true,
  superseded: true,
  declined: true,
  expired: true,
};

describe('every state of an approval × everything that can happen', () => {
  it('has every status in the table', () => {
    const tried = Object.values(STATES).map((make) => findRequest(make(), '1')?.state.status);
    expect([...new Set(tried)].sort()).toEqual(Object.keys(STATUSES).sort());
  });

  it('has a cell in the table', () => {
    const named = cells(TABLE).map(({ row, column }) => `${row} × ${column}`);
    expect(named).toEqual(everyCell(Object.keys(TRANSITIONS), Object.keys(STATES)));
  });

  for (const { row, column, outcome } of cells(TABLE)) {
    it(`when ${row}, a request that is ${STATE_WORDS[column]} ${OUTCOME_WORDS[outcome]}`, () => {
      const before = frozen(STATES[column]?.());
      if (!before) throw new Error(`no state "${column}"`);
      expect(outcomeOf(before, TRANSITIONS[row]?.(before) ?? ok(before))).toBe(outcome);
    });
  }
});

describe('the record of an approval', () => {
  for (const { row, column, outcome } of cells(TABLE).filter((each) => each.outcome in SHAPES)) {
    it(`keeps no fields of an earlier state when ${row} while it is ${STATE_WORDS[column]}`, () => {
      const before = STATES[column]?.() ?? execution();
      const result = TRANSITIONS[row]?.(before);
      const after = result?.ok ? findRequest(result.value, '1') : null;
      expect(Object.keys(after ?? {}).sort()).toEqual(Object.keys(SHAPES[outcome] ?? {}).sort());
    });
  }
});
