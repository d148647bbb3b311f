import { describe, expect, it } from 'vitest';
import { dueActionsAt } from '../../../src/core/due-actions.ts';
import { trackAgain } from '../../../src/core/execution/tracking.ts';
import { NO_FACTS } from '../../../src/core/policy/permits.ts';
import type { CrewPolicy } from '../../../src/core/policy/policy.ts';
import { followRules } from '../../../src/core/request/ask.ts';
import type { Choice } from '../../../src/core/request/choice.ts';
import { decide } from '../../../src/core/request/decide.ts';
import { judgeVotes, judgingDueAt, nameTask } from '../../../src/core/request/name-task.ts';
import { undo } from '../../../src/core/request/retract.ts';
import type { Execution } from '../../../src/core/state/execution.ts';
import { type HumanRequest, NO_TIMES, type Person } from '../../../src/core/state/request.ts';
import { execution } from '../../support/executions.ts';
import {
  account,
  decided,
  facts,
  JON,
  MARIA,
  PERMITTED,
  pending,
  permittedTo,
  refused,
  rejection,
  START,
  sending,
  superseded,
  unconfirmed,
  vote,
} from '../../support/requests.ts';
import { valueFrom } from '../../support/value-from.ts';
import { readPolicy } from '../policy/runner/read-policy.ts';

const NOW = START + 60_000;
const UNNAMED = { taskName: null };
const AIKO: Person = { id: 'UAIKO', name: 'Aiko' };
const EVERYBODY = facts(Object.fromEntries([MARIA, JON, AIKO].map(({ id }) => [id, account(id)])), {
  members: { '@maria': new Set([MARIA.id]), '@jon': new Set([JON.id]), '@aiko': new Set([AIKO.id]) },
});

/** What the crew's own rules leave to anybody, these leave to Maria. */
const FOR_MARIA = readPolicy('tasks: [{ match: publish, approvers: [@maria] }]');

function named(asked: Execution, policy = FOR_MARIA, name = 'publish', now = NOW): Execution {
  return nameTask({ ...asked, ledgerEvents: [] }, { taskId: 'draft', name }, { policy, hours: null }, now);
}
const running = (...requests: HumanRequest[]) => execution({ requests });
const only = ({ requests: [request] }: Execution): HumanRequest => request ?? pending();
const told = ({ ledgerEvents }: Execution) => ledgerEvents.map(({ kind }) => kind);

function approves(
  asked: Execution,
  by: Person,
  policy: CrewPolicy,
  { feedback = null as string | null, now = START } = {},
) {
  const choice: Choice = { verdict: 'approve', feedback, text: feedback ?? 'Approved.' };
  return valueFrom(
    decide({ ...asked, ledgerEvents: [] }, '1', { ...PERMITTED, choice, by, policy, facts: EVERYBODY }, now),
  );
}

const judged = (asked: Execution, policy: CrewPolicy, known = EVERYBODY, now = NOW) =>
  judgeVotes({ ...asked, ledgerEvents: [] }, '1', { policy, facts: known, text: 'Approved.' }, now);

describe('an open request whose task is named', () => {
  it('keeps its votes, and is to be judged by the rules that are left', () => {
    const asked = running(pending({ ...UNNAMED, votes: [vote(JON)] }));
    const after = named(asked);
    expect(only(after)).toMatchObject({
      question: { taskName: 'publish' },
      state: { status: 'pending' },
      discussion: { votes: [vote(JON)], takenBack: 0 },
    });
    expect(judgingDueAt(only(after))).toBe(NOW);
    expect(dueActionsAt(after, NOW)).toContainEqual({ kind: 'judge-votes', approvalId: '1' });
    expect(after.ledgerEvents).toMatchObject([{ kind: 'named', facts: { approval: '1', task: { name: 'publish' } } }]);
    expect(told(after)).toEqual(['named']);
  });

  it('isn’t judged while nobody has voted', () => {
    expect(judgingDueAt(only(named(running(pending(UNNAMED)))))).toBeNull();
  });

  it('has its times by the rules that are left, and stays escalated by these alone', () => {
    const policy = readPolicy(
      'tasks: [{ match: publish, approvers: [@maria], escalate_after: 90s, escalate_to: [@jon], expire_after: 5s }]',
    );
    const escalatedBy = (rules: string) =>
      pending({ ...UNNAMED, times: { ...NO_TIMES, escalations: [{ rules, at: START }], reminders: 2 } });
    const planned = { expireAt: START + 5_000, reminders: 2 };
    expect(only(named(running(escalatedBy('')), policy)).discussion.times).toMatchObject({
      ...planned,
      escalateAt: START + 90_000,
    });
    expect(only(named(running(escalatedBy('/tasks/0')), policy)).discussion.times).toMatchObject({
      ...planned,
      escalateAt: null,
    });
  });

  it('waits for its crew to be configured again, and is named then', () => {
    const asked = running(pending({ ...UNNAMED, votes: [vote(MARIA)] }), decided({ ...UNNAMED, id: '2' }));
    const missing = nameTask(asked, { taskId: 'draft', name: 'publish' }, { policy: null, hours: null }, NOW);
    expect(missing.requests).toEqual(asked.requests);
    const known = followRules(missing, { policy: FOR_MARIA, hours: null }, NOW);
    expect(known.requests.map(({ question: { taskName }, state: { status } }) => [status, taskName])).toEqual([
      ['pending', 'publish'],
      ['decided', 'publish'],
    ]);
    expect(judgingDueAt(only(known))).toBe(NOW);
  });

  it('is judged once its run is tracked again, if nobody tracked it then', () => {
    const closed = superseded({ ...UNNAMED, by: 'unfollowed', votes: [vote(MARIA)] });
    const asked = { ...running(closed), unfollowed: { by: MARIA, at: START } };
    const after = named(asked);
    expect(only(after)).toMatchObject({
      question: { taskName: 'publish' },
      state: { status: 'superseded' },
      discussion: { votes: [vote(MARIA)] },
    });
    expect(judgingDueAt(only(after))).toBeNull();
    const tracked = valueFrom(
      trackAgain(after, { ...permittedTo(MARIA), policy: FOR_MARIA, facts: EVERYBODY }, NOW + 1),
    );
    expect(judgingDueAt(only(tracked))).toBe(NOW);
    expect(only(judged(tracked, FOR_MARIA))).toMatchObject({ state: { status: 'decided', decision: { by: MARIA } } });
  });

  it('has the name that it was given first', () => {
    const again = named(named(running(pending(UNNAMED))), FOR_MARIA, 'other');
    expect([only(again).question.taskName, told(again)]).toEqual(['publish', []]);
  });
});

describe('votes on a request about which something was learned', () => {
  const TWO = readPolicy('quorum: 2, tasks: [{ match: publish, approvers: [@maria], quorum: 1, undo: 10s }]');
  const voted = (by: Person, policy: CrewPolicy, feedback: string | null = null) =>
    approves(running(pending(UNNAMED)), by, policy, { feedback });

  it('decide if they are complete by the rules that are left, and can be undone from then on', () => {
    const complete = judged(named(voted(MARIA, TWO, 'Fine.'), TWO), TWO);
    expect(only(complete)).toMatchObject({
      state: {
        status: 'decided',
        decision: { verdict: 'approve', by: MARIA, text: 'Fine.', at: NOW },
        undoUntil: NOW + 10_000,
      },
      discussion: { votes: [], judging: null },
    });
    expect(complete.ledgerEvents).toMatchObject([
      { kind: 'decided', at: NOW, facts: { by: { by: MARIA.id, rule: '@maria' }, votes: [], undo_ms: 10_000 } },
    ]);
  });

  it('don’t decide if they aren’t, and the request waits as before', () => {
    const after = judged(named(voted(JON, TWO), TWO), TWO);
    expect(only(after)).toMatchObject({
      state: { status: 'pending' },
      discussion: { votes: [{ by: JON }], judging: null },
    });
    expect(told(after)).toEqual([]);
  });

  it('are judged again later while Slack can’t tell, less and less often', () => {
    const asked = named(voted(MARIA, TWO), TWO);
    const unknown = { ...EVERYBODY, members: { '@maria': null } };
    const [first, nobody] = [judged(asked, TWO, unknown), judged(asked, TWO, NO_FACTS)];
    expect(only(first)).toMatchObject({
      state: { status: 'pending' },
      discussion: { judging: { tries: 1 }, votes: [{ by: MARIA }] },
    });
    expect(only(nobody)).toMatchObject({ state: { status: 'pending' }, discussion: { judging: { tries: 1 } } });
    const due = judgingDueAt(only(first)) ?? 0;
    expect(due).toBeGreaterThan(NOW);
    const second = judgingDueAt(only(judged(first, TWO, unknown, due))) ?? 0;
    expect(second - due).toBeGreaterThan(due - NOW);
    expect(only(judged(first, TWO, EVERYBODY, due))).toMatchObject({ state: { status: 'decided' } });
  });

  it('lapse with the decision if none of the rules takes them any more', () => {
    const policy = readPolicy('quorum: 3, tasks: [{ match: publish, approvers: [@maria], quorum: 1 }]');
    const asked = approves(voted(JON, policy, 'Jon’s'), MARIA, policy, { feedback: 'Fine.' });
    const after = judged(named(asked, policy), policy);
    expect(only(after)).toMatchObject({ state: { status: 'decided', decision: { by: MARIA, text: 'Fine.' } } });
    expect(after.ledgerEvents).toMatchObject([
      { kind: 'withdrawn', facts: { by: JON.id, reason: 'not-approver' } },
      { kind: 'decided' },
    ]);
  });

  it('decide, too, if the last of them was for a stage that is complete', () => {
    const policy = readPolicy(
      'approvers: [@aiko], quorum: 1, tasks: [{ match: publish, stages: [{ name: A, approvers: [@maria] }, { name: B, approvers: [@jon] }] }, { match: review, approvers: [@jon] }]',
    );
    const first = approves(running(pending(UNNAMED)), JON, policy, { feedback: 'one', now: START });
    const both = approves(first, MARIA, policy, { feedback: 'two', now: START + 1 });
    expect(only(both)).toMatchObject({
      state: { status: 'pending' },
      discussion: { stages: [{ name: 'A', votes: [{ by: MARIA }] }] },
    });
    const after = judged(named(both, policy), policy);
    expect(only(after)).toMatchObject({ state: { status: 'decided', decision: { by: JON } } });
    expect(only(after)).toMatchObject({
      state: { decision: { text: `Maria (${MARIA.id}):\n> two\n\nJon (${JON.id}):\n> one` } },
    });
  });

  it('of different outcomes, or of one that is no approval by these rules, decide nothing', () => {
    const outcomes = ['ship it', 'ship later'];
    const chosen = (...chosen: [Person, string][]) =>
      running(pending({ ...UNNAMED, outcomes, votes: chosen.map(([by, outcome]) => vote(by, { outcome })) }));
    const decidedBy = (asked: Execution, policy: CrewPolicy) => only(judged(named(asked, policy), policy)).state.status;
    const approving = readPolicy('quorum: 2, approving: [ship it]');
    expect(decidedBy(chosen([MARIA, 'ship it'], [JON, 'ship it']), approving)).toBe('decided');
    expect(decidedBy(chosen([MARIA, 'ship later'], [JON, 'ship later']), approving)).toBe('pending');
    expect(decidedBy(chosen([MARIA, 'ship it'], [JON, 'ship later']), readPolicy('quorum: 2'))).toBe('pending');
  });

  it('are judged by nothing that isn’t known: neither while the crew is missing, nor where nothing was learned', () => {
    const asked = named(voted(MARIA, TWO), TWO);
    const nobody = { ...asked, ledgerEvents: [] };
    expect(judgeVotes(nobody, '1', { policy: null, facts: EVERYBODY, text: '' }, NOW)).toBe(nobody);
    expect(
      judgeVotes(
        running(pending({ votes: [vote(MARIA)] })),
        '7',
        { policy: FOR_MARIA, facts: EVERYBODY, text: '' },
        NOW,
      ).requests,
    ).toHaveLength(1);
    const unlearned = running(pending({ votes: [vote(MARIA)] }));
    expect(judgeVotes(unlearned, '1', { policy: FOR_MARIA, facts: EVERYBODY, text: '' }, NOW)).toBe(unlearned);
  });

  it('needn’t be judged once another approval has been', () => {
    const after = approves(named(voted(JON, TWO), TWO), AIKO, readPolicy('quorum: 3'));
    expect(judgingDueAt(only(after))).toBeNull();
    const decidedNow = approves(named(voted(JON, TWO), TWO), MARIA, TWO);
    expect(only(decidedNow)).toMatchObject({ state: { status: 'decided' }, discussion: { judging: null } });
  });
});

describe('a decision on a request whose task is named', () => {
  it.each<[string, HumanRequest]>([
    ['that waits to be sent', decided({ ...UNNAMED, undoUntil: NOW + 1 })],
    ['that is being sent', sending(UNNAMED)],
    ['that may have arrived', unconfirmed(UNNAMED)],
    ['that the crew has refused', refused(UNNAMED)],
    ['to reject', decided({ ...UNNAMED, decision: rejection({ by: JON }) })],
    ['for which time ran out', decided({ ...UNNAMED, decision: rejection({ by: null }) })],
  ])('%s stands, whatever the task is called', (_, request) => {
    const after = named(running(request));
    expect(only(after)).toEqual({
      ...request,
      question: { ...request.question, taskName: 'publish' },
      discussion: { ...request.discussion, times: expect.anything() },
    });
    expect(told(after)).toEqual(['named']);
  });

  it('isn’t made again at once after it was undone', () => {
    const policy = readPolicy('undo: 1h, quorum: 2, tasks: [{ match: publish, approvers: [@maria, @jon], quorum: 1 }]');
    const first = approves(running(pending(UNNAMED)), MARIA, policy);
    const both = approves(first, JON, policy);
    expect(only(both)).toMatchObject({ state: { status: 'decided' }, discussion: { votes: [{ by: MARIA }] } });
    const undone = undo(named(both, policy), '1', { ...PERMITTED, policy, facts: EVERYBODY, by: JON }, NOW);
    expect(only(valueFrom(undone))).toMatchObject({
      state: { status: 'pending' },
      discussion: { votes: [{ by: MARIA }], judging: null },
    });
  });
});
