import { describe, expect, it } from 'vitest';
import { dueActionsAt } from '../../../src/core/due-actions.ts';
import { recordCompletion, recordTask, withRunStatus } from '../../../src/core/execution/run.ts';
import { claimPoll, recordStatus, stopFollowing, trackAgain } from '../../../src/core/execution/tracking.ts';
import { decidedIn } from '../../../src/core/inbox/history.ts';
import { summaryOf } from '../../../src/core/inbox/snapshot.ts';
import { cardModel, rootModel } from '../../../src/core/messages/view-models.ts';
import type { CrewRules } from '../../../src/core/policy/crew-rules.ts';
import { type CrewPolicy, DEFAULT_POLICY } from '../../../src/core/policy/policy.ts';
import { ask } from '../../../src/core/request/ask.ts';
import type { Choice } from '../../../src/core/request/choice.ts';
import { decide } from '../../../src/core/request/decide.ts';
import { decline } from '../../../src/core/request/decline.ts';
import { nameTask } from '../../../src/core/request/name-task.ts';
import { claimResume, settleResume } from '../../../src/core/request/resume.ts';
import { undo } from '../../../src/core/request/retract.ts';
import { declineOf, type Execution, findRequest } from '../../../src/core/state/execution.ts';
import type { Person } from '../../../src/core/state/request.ts';
import { DAY_MS } from '../../../src/core/values/time.ts';
import { mayExpire } from '../../../src/redis/indexes.ts';
import { PROCESS } from '../../support/claims.ts';
import { changed, execution, request } from '../../support/executions.ts';
import {
  decided,
  decision,
  JON,
  MARIA,
  output,
  PERMITTED,
  pending,
  permittedTo,
  START,
} from '../../support/requests.ts';
import { valueFrom } from '../../support/value-from.ts';

const NOW = START + 1_000;
const MINUTE = 60_000;
const NO: Choice = { verdict: 'decline', feedback: 'wrong product' };
const UNDO: CrewPolicy = { ...DEFAULT_POLICY, undoMs: 10_000 };
const TOLD: CrewPolicy = { ...DEFAULT_POLICY, onDecline: 'reject' };

/** A run in which two tasks ask. */
const two = () => execution({ requests: [pending(), pending({ id: '2', taskId: 'title', taskName: 'Title' })] });

function declines(run: Execution, policy = DEFAULT_POLICY, now = NOW): Execution {
  return valueFrom(decide(run, '1', { choice: NO, by: MARIA, ...PERMITTED, policy }, now));
}

const rulesOf = (policy: CrewPolicy): CrewRules => ({ policy, hours: null });
const asksAgain = (run: Execution, change = {}, now = NOW) =>
  valueFrom(ask(run, request({ hop: 9, output: output('new draft'), ...change }), now, rulesOf(DEFAULT_POLICY)));
const statusesOf = ({ requests }: Execution) => requests.map(({ state: { status } }) => status);
const reasonsOf = ({ requests }: Execution) =>
  requests.map((each) => ('by' in each.state ? each.state.by : each.state.status));
const kindsOf = (run: Execution) => run.ledgerEvents.map(({ kind }) => kind);

describe('a decline', () => {
  it('says who, why and when, sends nothing, and closes what else waits in the run', () => {
    const after = declines(two());
    expect(findRequest(after, '1')).toMatchObject({
      state: {
        status: 'declined',
        decision: { verdict: 'decline', by: MARIA, feedback: 'wrong product', text: null, at: NOW },
        declinedAt: NOW,
      },
    });
    expect(reasonsOf(after)).toEqual(['declined', 'declined']);
    expect(after.ledgerEvents).toMatchObject([
      { kind: 'decided', facts: { approval: '1', verdict: 'decline', text: { length: 'wrong product'.length } } },
    ]);
    expect(dueActionsAt(after, NOW + DAY_MS).map(({ kind }) => kind)).not.toContain('resume');
    expect(rootModel(after)).toMatchObject({ declined: { decision: { by: MARIA }, closed: 1 }, openCard: null });
    expect(summaryOf(after)).toMatchObject({ run: { state: 'declined' }, requests: [] });
    expect(decidedIn(after)).toMatchObject([{ approvalId: '1', outcome: 'decline', by: [MARIA.id] }]);
  });

  it('is not what lists say of a run before it has started for certain, or while another decision can’t be sent', () => {
    const after = declines(two());
    expect(summaryOf({ ...after, run: { status: 'not-confirmed', doubt: 'no-answer', since: NOW } }).run?.state).toBe(
      'not-confirmed',
    );
    const delayed = decided({ id: '2', taskId: 'title', tries: 1, delayedBy: 'unreachable' });
    const both = withRunStatus({ ...after, requests: [...after.requests.slice(0, 1), delayed] });
    expect(summaryOf(both).run?.state).toBe('decided');
  });

  it('closes later requests at once: without a card, but with an entry in the ledger', () => {
    const after = asksAgain(declines(two()), { taskId: 'summary' });
    expect(after.requests.at(-1)).toMatchObject({ id: '3', state: { status: 'superseded', by: 'declined' } });
    expect(kindsOf(after)).toEqual(['decided', 'asked']);
    const cards = dueActionsAt(after, NOW + DAY_MS).flatMap((each) =>
      each.kind === 'post' && each.message.kind === 'card' ? [each.message.approvalId] : [],
    );
    expect(cards).not.toContain('3');
    expect(rootModel(after).declined).toMatchObject({ closed: 2 });
  });

  it('does so, too, for the next round of its own task, at whatever address it comes in', () => {
    for (const hop of [0, 9]) {
      const after = asksAgain(declines(two()), { hop, kickoffId: hop === 0 ? 'k1' : 'k9' });
      expect(reasonsOf(after)).toEqual(['declined', 'declined', 'declined']);
    }
  });

  it('leaves decisions that were made before to be sent', () => {
    const run = execution({ requests: [pending(), decided({ id: '2', taskId: 'title' })] });
    const after = declines(run);
    expect(statusesOf(after)).toEqual(['declined', 'decided']);
    expect(dueActionsAt(after, NOW)).toContainEqual({ kind: 'resume', approvalId: '2' });
  });

  it('takes effect once it can’t be undone any more', () => {
    const undoable = declines(two(), UNDO);
    expect(statusesOf(undoable)).toEqual(['decided', 'pending']);
    expect(declineOf(undoable)).toBeNull();
    expect(cardModel(undoable, undoable.requests[0] ?? pending()).state).toMatchObject({
      kind: 'undoable',
      undoUntil: NOW + 10_000,
    });
    expect(dueActionsAt(undoable, NOW + 9_999)).not.toContainEqual({ kind: 'decline', approvalId: '1' });
    expect(dueActionsAt(undoable, NOW + 10_000)).toContainEqual({ kind: 'decline', approvalId: '1' });
    const final = decline(undoable, '1', NOW + 10_000);
    expect(reasonsOf(final)).toEqual(['declined', 'declined']);
    expect(final.requests[0]).toMatchObject({ state: { declinedAt: NOW + 10_000, decision: { at: NOW } } });
  });

  it('changes nothing once it is undone', () => {
    const undone = valueFrom(undo(declines(two(), UNDO), '1', permittedTo(MARIA), NOW + 1));
    expect(statusesOf(undone)).toEqual(['pending', 'pending']);
    expect(kindsOf(undone)).toEqual(['decided', 'undone']);
    expect(dueActionsAt(undone, NOW + DAY_MS)).not.toContainEqual({ kind: 'decline', approvalId: '1' });
  });

  it('closes a request whose decision is undone afterwards', () => {
    const undoable = decided({ id: '2', taskId: 'title', sendAt: NOW + MINUTE, undoUntil: NOW + MINUTE });
    const after = declines(execution({ requests: [pending(), undoable] }));
    const undone = valueFrom(undo(after, '2', permittedTo(MARIA), NOW + 1));
    expect(findRequest(undone, '2')).toMatchObject({ state: { status: 'superseded', by: 'declined' } });
  });

  it('is told to the crew as a last rejection where the policy says so, once', () => {
    const told = declines(two(), TOLD);
    expect(statusesOf(told)).toEqual(['decided', 'superseded']);
    const sent = claimResume(told, '1', PROCESS, NOW);
    expect(findRequest(sent, '1')).toMatchObject({
      state: {
        status: 'sending',
        decision: {
          verdict: 'decline',
          text: 'Declined. Don’t try again, and don’t ask again: nothing more will be decided in this run.\n\nReason: wrong product',
        },
      },
    });
    const answer = { kind: 'accepted', kickoffId: 'k2' } as const;
    const taken = settleResume(sent, { approvalId: '1', attempt: 1, answer }, NOW + 1);
    expect(cardModel(taken, taken.requests[0] ?? pending()).state).toMatchObject({
      kind: 'told',
      decision: { verdict: 'decline' },
    });
    expect(reasonsOf(asksAgain(taken, { hop: 1, kickoffId: 'k2' }))).toEqual(['delivered', 'declined', 'declined']);
  });

  it('stands although the crew asks again before it could be told', () => {
    const undoable = declines(two(), { ...TOLD, undoMs: 10_000 });
    const after = asksAgain(undoable);
    expect(reasonsOf(after)).toEqual(['declined', 'declined', 'declined']);
    expect(dueActionsAt(after, NOW + DAY_MS).map(({ kind }) => kind)).not.toContain('resume');
  });

  const forPublishing = (general: CrewPolicy, ...people: Person[]): CrewPolicy => {
    const approvers = people.map(({ id }) => ({ kind: 'person' as const, name: id }));
    return { ...general, tasks: [{ ...general, match: 'publish', looksAt: 'name', approvers }] };
  };
  const nameless = () => execution({ requests: [pending({ taskName: null })] });

  it('stands when the crew names its task, also while it can be undone', () => {
    for (const [general, status] of [
      [DEFAULT_POLICY, 'declined'],
      [UNDO, 'decided'],
    ] as const) {
      const policy = forPublishing(general, MARIA);
      const after = declines(nameless(), policy);
      expect(statusesOf(nameTask(after, { taskId: 'draft', name: 'publish' }, rulesOf(policy), NOW))).toEqual([status]);
    }
  });

  it('takes somebody who may decide by each of the rules that may turn out to apply', () => {
    const refused = decide(
      nameless(),
      '1',
      { choice: NO, by: MARIA, ...PERMITTED, policy: forPublishing(DEFAULT_POLICY, JON) },
      NOW,
    );
    expect(refused).toEqual({ ok: false, refusal: { kind: 'denied', denial: { kind: 'not-approver' } } });
  });
});

describe('a run that was declined', () => {
  it('asks nothing when it is tracked again', () => {
    const undoable = declines(two(), UNDO);
    const stopped = valueFrom(stopFollowing(undoable, permittedTo(JON), NOW));
    const final = decline(stopped, '1', NOW + 10_000);
    const tracked = valueFrom(trackAgain(final, permittedTo(JON), NOW + MINUTE));
    expect(reasonsOf(tracked)).toEqual(['declined', 'declined']);
  });

  it('may wait in the service, which is no request that got lost, and no run that is', () => {
    let run = declines(two());
    const waiting = { kind: 'waiting', completed: null, total: null, current: null } as const;
    for (let polls = 1; polls <= 3; polls++) run = recordStatus(run, waiting, NOW + polls * MINUTE);
    expect(rootModel(run)).toMatchObject({ waitingUnseen: false, run: { status: 'running' } });
    for (let polls = 4; polls <= 9; polls++) run = recordStatus(run, { kind: 'not-found' }, NOW + polls * MINUTE);
    expect(run.run.status).toBe('running');
  });

  it('is polled seldom, for a day, and expires then', () => {
    let run = declines(execution({ requests: [pending()] }));
    const polledAt: number[] = [];
    for (let at = run.poll.nextAt; at !== null; at = run.poll.nextAt) {
      polledAt.push(at);
      run = claimPoll(run, at);
    }
    expect(polledAt.length).toBeLessThan(200);
    expect((polledAt.at(-1) ?? 0) - NOW).toBeGreaterThanOrEqual(DAY_MS);
    expect((polledAt.at(-1) ?? 0) - NOW).toBeLessThan(DAY_MS + 15 * MINUTE);
    expect(mayExpire({ ...changed(run, { root: { status: 'gone', ts: null } }), requests: [] })).toBe(false);
    const quiet = run.requests.map((each) => ({ ...each, card: { status: 'gone', ts: null } as const }));
    expect(mayExpire(changed(run, { root: { status: 'gone', ts: null }, requests: quiet }))).toBe(true);
  });

  it('goes on if the crew does, and ends with it', () => {
    const declined = declines(two());
    const task = { hop: 0, kickoffId: 'k1', name: 'Next', agent: null, summary: 'Done.', output: null };
    const going = recordTask(declined, task, NOW + MINUTE);
    expect(going.tasks).toHaveLength(1);
    const ended = recordCompletion(going, { hop: 0, kickoffId: 'k1', result: null }, NOW + 2 * MINUTE);
    expect(ended.run.status).toBe('completed');
    expect(statusesOf(ended)).toEqual(['declined', 'superseded']);
    expect(cardModel(ended, ended.requests[0] ?? pending()).state).toMatchObject({ kind: 'declined', isOver: true });
    expect(rootModel(ended)).toMatchObject({ run: { status: 'completed' }, declined: { closed: 1 } });
  });
});

it('a rejection without feedback says so to the crew', () => {
  const policy = { ...DEFAULT_POLICY, comment: { approve: 'optional', reject: 'optional' } as const };
  const choice: Choice = { verdict: 'reject', feedback: null };
  const run = execution({ requests: [pending()] });
  const after = valueFrom(decide(run, '1', { choice, by: MARIA, ...PERMITTED, policy }, NOW));
  expect(findRequest(after, '1')).toMatchObject({
    state: {
      decision: { ...decision({ by: MARIA, at: NOW }), verdict: 'reject', text: 'Rejected. Please revise it.' },
    },
  });
});
