import { describe, expect, it } from 'vitest';
import { judgedByName, nameTask } from '../../../src/core/approval/name-task.ts';
import { followRules } from '../../../src/core/approval/request.ts';
import type { CrewRules } from '../../../src/core/policy/crew-rules.ts';
import { NO_FACTS } from '../../../src/core/policy/evaluate.ts';
import { DEFAULT_POLICY, type Policy } from '../../../src/core/policy/policy.ts';
import type { Approval, Person } from '../../../src/core/state/approval.ts';
import type { Execution } from '../../../src/core/state/execution.ts';
import {
  account,
  decided,
  decision,
  facts,
  JON,
  MARIA,
  pending,
  refused,
  rejection,
  START,
  sending,
  superseded,
  unconfirmed,
  vote,
} from '../../support/approvals.ts';
import { execution } from '../../support/executions.ts';

const NOW = START + 60_000;
const UNNAMED = { taskName: null };
const EVERYBODY = facts({ [MARIA.id]: account(MARIA.id), [JON.id]: account(JON.id) });
const anyOf = (...people: Person[]) => people.map(({ id }) => ({ kind: 'person' as const, name: id }));

/** What the crew's own rules leave to anybody, these leave to Maria. */
function rulesFor(change: Partial<Policy> = { approvers: anyOf(MARIA) }): CrewRules {
  const task = { ...DEFAULT_POLICY, ...change, match: 'publish' };
  return { policy: { ...DEFAULT_POLICY, tasks: [task] }, hours: null };
}

function named(approval: Approval, rules = rulesFor(), known = EVERYBODY): Execution {
  const asked = execution({ approvals: [approval] });
  return nameTask(asked, { taskId: 'draft', name: 'publish' }, { rules, facts: known }, NOW);
}
const only = ({ approvals: [approval] }: Execution): Approval => approval ?? pending();
const told = ({ ledgerEvents }: Execution) => ledgerEvents.map(({ kind }) => kind);

describe('an open request whose task is named', () => {
  it('loses the votes of those whom the rules for that name don’t allow to decide', () => {
    const voted = named(pending({ ...UNNAMED, votes: [vote(JON), vote(MARIA)] }));
    expect(only(voted)).toMatchObject({ taskName: 'publish', status: 'pending', votes: [vote(MARIA)], takenBack: 1 });
    expect(told(voted)).toEqual(['named', 'withdrawn']);
    expect(voted.ledgerEvents[1]?.facts).toEqual({ approval: '1', by: JON.id, reason: 'not-approver' });
  });

  it('keeps votes about which Slack can’t tell, as they are judged again by the decision', () => {
    const voted = named(pending({ ...UNNAMED, votes: [vote(JON)] }), rulesFor(), NO_FACTS);
    expect(only(voted)).toMatchObject({ votes: [vote(JON)], takenBack: 0 });
  });

  it('has its times by the rules for that name, and is escalated by these alone', () => {
    const rules = rulesFor({
      approvers: anyOf(MARIA),
      escalateAfterMs: 90_000,
      escalateTo: anyOf(JON),
      expireAfterMs: 5,
    });
    const { times } = pending();
    const escalated = named(pending({ ...UNNAMED, times: { ...times, escalatedAt: START, reminders: 2 } }), rules);
    const planned = { escalatedAt: null, escalateAt: START + 90_000, expireAt: START + 5, reminders: 2 };
    expect(only(escalated).times).toMatchObject(planned);
  });

  it('is told to those who may decide now, once there is a card', () => {
    expect(only(named(pending({ ...UNNAMED, mentioned: [] }))).alerts).toMatchObject([
      { kind: 'named', by: null, mentions: [MARIA.id] },
    ]);
    expect(only(named(pending(UNNAMED))).alerts).toEqual([]);
    const quiet: CrewRules = { ...rulesFor(), notify: 'none' };
    expect(only(named(pending({ ...UNNAMED, mentioned: [] }), quiet)).alerts).toMatchObject([{ mentions: [] }]);
  });

  it('only has a name more where the same people decide by both rules', () => {
    for (const approval of [decided(UNNAMED), pending({ ...UNNAMED, mentioned: [], votes: [vote(JON)] })]) {
      const same = named(approval, rulesFor({ remindAfterMs: 90_000 }));
      const { times, taskName, ...kept } = only(same);
      expect(approval).toMatchObject(kept);
      expect([taskName, times.remindAt]).toEqual(['publish', START + 90_000]);
      expect(same.ledgerEvents).toMatchObject([{ kind: 'named', facts: { reopened: false } }]);
    }
  });

  it('waits for its crew to be configured again, and is judged then', () => {
    const asked = execution({
      approvals: [pending({ ...UNNAMED, votes: [vote(JON)] }), decided({ ...UNNAMED, id: '2' })],
    });
    const missing = nameTask(
      asked,
      { taskId: 'draft', name: 'publish' },
      { rules: { policy: null, hours: null }, facts: NO_FACTS },
      NOW,
    );
    expect(missing.approvals).toEqual(asked.approvals);
    const known = followRules(missing, rulesFor(), NOW);
    expect(known.approvals.map(({ status, taskName }) => [status, taskName])).toEqual([
      ['pending', 'publish'],
      ['pending', 'publish'],
    ]);
  });

  it('is judged, too, while nobody tracks its run', () => {
    const closed = superseded({ ...UNNAMED, by: 'unfollowed', votes: [vote(JON)] });
    expect(only(named(closed))).toMatchObject({ status: 'superseded', taskName: 'publish', votes: [], alerts: [] });
  });
});

describe('a decision on a request whose task is named', () => {
  const byJon = decision({ by: JON });

  it.each([
    ['that waits to be sent', decided({ ...UNNAMED, decision: byJon, undoUntil: NOW + 1 })],
    ['that the crew has refused', refused({ ...UNNAMED, decision: byJon })],
    ['to reject', decided({ ...UNNAMED, decision: rejection({ by: JON }) })],
    ['for which time ran out', decided({ ...UNNAMED, decision: rejection({ by: null }) })],
  ])('%s is taken back unless the rules for that name allow it', (_, approval) => {
    const reopened = named(approval);
    expect(only(reopened)).toMatchObject({ status: 'pending', votes: [], takenBack: 1 });
    expect(only(reopened).alerts).toMatchObject([{ kind: 'reopened', mentions: [MARIA.id] }]);
    expect(reopened.ledgerEvents).toMatchObject([{ kind: 'named', facts: { reopened: true } }]);
  });

  it('is entered anew where they allow it', () => {
    const approval = decided({ ...UNNAMED, undoUntil: NOW + 500 });
    const stands = named(approval);
    expect(only(stands)).toMatchObject({ status: 'decided', decision: approval.decision, undoUntil: NOW + 500 });
    expect(told(stands)).toEqual(['named', 'decided']);
    expect(stands.ledgerEvents[1]).toMatchObject({ at: NOW, facts: { by: { rule: MARIA.id }, undo_ms: 500 } });
  });

  it('counts as one vote if they let that person decide, but want more', () => {
    const approved = decision({ feedback: 'Fine.' });
    const more = named(
      decided({ ...UNNAMED, decision: approved, votes: [vote(JON)] }),
      rulesFor({ approvers: anyOf(MARIA), quorum: 2 }),
    );
    expect(only(more)).toMatchObject({ status: 'pending', votes: [vote(MARIA, { feedback: 'Fine.' })] });
    expect(told(more)).toEqual(['named', 'withdrawn', 'voted']);
  });

  it('is taken back while Slack can’t tell', () => {
    expect(only(named(decided({ ...UNNAMED, votes: [vote(JON)] }), rulesFor(), NO_FACTS))).toMatchObject({
      status: 'pending',
      votes: [vote(JON)],
    });
  });

  it('stays as it is once the crew may have it', () => {
    for (const approval of [sending(UNNAMED), unconfirmed(UNNAMED)]) {
      expect(only(named(approval))).toBe(approval);
      expect(told(named(approval))).toEqual([]);
    }
  });

  it('rests on people about whom Slack has to be asked', () => {
    const asked = execution({
      approvals: [
        decided({ ...UNNAMED, votes: [vote(JON)] }),
        pending({ id: '2', taskId: 'other', votes: [vote(JON)] }),
      ],
    });
    const judged = judgedByName(asked, { taskId: 'draft', name: 'publish' });
    expect(judged.people).toEqual([JON.id, MARIA.id]);
    expect(judged.named.approvals.map(({ taskName }) => taskName)).toEqual(['publish', 'Draft']);
    expect(judgedByName(asked, { taskId: 'other', name: 'publish' }).people).toEqual([]);
    expect(judgedByName(asked, { taskId: null, name: 'publish' }).people).toEqual([]);
  });
});
