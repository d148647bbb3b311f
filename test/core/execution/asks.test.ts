import { describe, expect, it } from 'vitest';
import { askApprovers } from '../../../src/core/approval/alerts.ts';
import { cancelAsk } from '../../../src/core/approval/cancel.ts';
import { decide } from '../../../src/core/approval/decide.ts';
import { ask } from '../../../src/core/approval/request.ts';
import { claimResume, sendAgain, settleResume } from '../../../src/core/approval/resume.ts';
import { expire } from '../../../src/core/approval/timers.ts';
import { dueActionsAt } from '../../../src/core/due-actions.ts';
import { startAsk } from '../../../src/core/execution/start.ts';
import { claimMessage, settleMessage } from '../../../src/core/messages/delivery.ts';
import { dueMessages } from '../../../src/core/messages/due-messages.ts';
import { type CrewPolicy, DEFAULT_POLICY } from '../../../src/core/policy/policy.ts';
import type { Destination } from '../../../src/core/state/approval.ts';
import { recordDeliveries } from '../../../src/core/state/events.ts';
import { type Execution, noteHeard, threadTsOf } from '../../../src/core/state/execution.ts';
import type { Message } from '../../../src/core/state/message.ts';
import { MARIA, PERMITTED, permittedTo, RULES, START } from '../../support/approvals.ts';
import { PROCESS } from '../../support/claims.ts';
import { request } from '../../support/executions.ts';
import { valueFrom } from '../../support/value-from.ts';

const NOW = START + 5_000;
const POLL: Destination = { kind: 'poll' };
const CALLBACK: Destination = { kind: 'callback', sealedUrl: 'sealed' };

/** A program has asked. */
function asks(destination: Destination, { policy = DEFAULT_POLICY, limitMs = null as number | null } = {}): Execution {
  const started = startAsk(
    { ref: 'ref1', crew: 'ops', channel: 'C1', asker: { kind: 'program', name: 'ops' }, by: null, inputs: {} },
    START,
  );
  const asked = request({ kickoffId: null, executionId: null, taskName: 'Deploy', destination, limitMs });
  return valueFrom(ask(started, asked, START, { ...RULES, policy }));
}

function approves(run: Execution, verdict: 'approve' | 'reject' | 'decline' = 'approve', policy = DEFAULT_POLICY) {
  const choice =
    verdict === 'approve'
      ? ({ verdict, feedback: null, text: 'Approved.' } as const)
      : ({ verdict, feedback: 'too early' } as const);
  return valueFrom(decide(run, '1', { choice, by: MARIA, ...PERMITTED, policy }, NOW));
}

const withdrawn = (run: Execution) => valueFrom(cancelAsk(run, NOW));
const isOver = (run: Execution) => run.run.status === 'completed' && run.poll.nextAt === null;
const kindsDue = (run: Execution, now: number) => dueActionsAt(run, now).map(({ kind }) => kind);
const sends = (run: Execution, now = NOW) => claimResume(run, '1', PROCESS, now);
const answered = (run: Execution, answer: Parameters<typeof settleResume>[1]['answer'], attempt = 1) =>
  settleResume(run, { approvalId: '1', attempt, answer }, NOW);

describe('what is asked without a run', () => {
  it('waits for people, and neither polls nor starts anything', () => {
    const run = asks(POLL);
    expect(run.run.status).toBe('waiting');
    expect(kindsDue(run, START + 86_400_000).filter((kind) => kind === 'poll' || kind === 'kickoff')).toEqual([]);
    expect(run.ledgerEvents).toMatchObject([{ kind: 'asked', facts: { destination: 'poll', starter: null } }]);
  });

  it('has its card as the first message of its thread, and another one when that was deleted', () => {
    const run = asks(POLL);
    expect(dueMessages(run).map(({ message }) => message.kind)).toEqual(['card']);
    const card = { kind: 'card', approvalId: '1' } as const;
    const posts = (each: Execution, outcome: { ts: string; lostThread?: string }, message: Message = card) =>
      settleMessage(each, { message, attempt: 1, outcome: { kind: 'posted', shown: '', ...outcome } }, NOW);
    const posted = posts(run, { ts: '1.1' });
    expect(threadTsOf(posted)).toBe('1.1');
    const reminded = valueFrom(askApprovers(posted, '1', permittedTo(MARIA), NOW));
    const alert = { kind: 'alert', approvalId: '1', alertId: '1' } as const;
    expect(dueMessages(reminded).map(({ message }) => message.kind)).toContain('alert');
    const lost = posts(claimMessage(reminded, alert, PROCESS, NOW), { ts: '2.2', lostThread: '1.1' }, alert);
    expect(threadTsOf(lost)).toBeNull();
    expect(threadTsOf(posts(claimMessage(lost, card, PROCESS, NOW), { ts: '3.3' }))).toBe('3.3');
  });

  it('takes no other request, whose answer would go to whoever asked, neither while it waits nor afterwards', () => {
    const run = asks(POLL);
    const other = request({ taskId: 'other', destination: null });
    const newer = request({ taskId: run.approvals[0]?.taskId ?? '', hop: 7, kickoffId: 'K7' });
    for (const each of [run, approves(run), sends(approves(asks(CALLBACK))), withdrawn(run)])
      for (const added of [other, newer])
        expect(ask(each, added, NOW, RULES)).toEqual({ ok: false, refusal: 'asks-once' });
  });

  it('is over once whoever asked has the decision, and says nothing more in the thread', () => {
    const sent = sends(approves(asks(CALLBACK)));
    expect(sent.run.status).toBe('waiting');
    const over = answered(sent, { kind: 'accepted', kickoffId: null });
    expect(isOver(over)).toBe(true);
    expect(over.ending).toBeNull();
    expect(dueMessages(over).map(({ message }) => message.kind)).not.toContain('ending');
  });

  it('is fetched at some time, and only then has it reached whoever asked', () => {
    const decided = approves(asks(POLL));
    const sent = recordDeliveries(decided, sends(decided), NOW);
    const ready = recordDeliveries(sent, answered(sent, { kind: 'accepted', kickoffId: null }), NOW);
    expect(isOver(ready)).toBe(true);
    const entered = (run: Execution) => run.ledgerEvents.slice(decided.ledgerEvents.length).map(({ kind }) => kind);
    expect(entered(ready)).toEqual(['sent']);
    const heard = recordDeliveries(ready, noteHeard(ready, NOW + 1), NOW + 1);
    expect(entered(heard)).toEqual(['sent', 'confirmed']);
    expect(noteHeard(heard, NOW + 2)).toBe(heard);
    const early = recordDeliveries(decided, noteHeard(decided, NOW), NOW);
    const later = recordDeliveries(early, sends(early), NOW);
    expect(entered(recordDeliveries(later, answered(later, { kind: 'accepted', kickoffId: null }), NOW))).toEqual([
      'sent',
      'confirmed',
    ]);
  });

  it('stays open as long as the decision can’t be delivered, and a person sends it again', () => {
    const failure = { kind: 'refused', code: 'other', status: 500, detail: '' } as const;
    const failed = answered(sends(approves(asks(CALLBACK))), { kind: 'refused', failure });
    expect(failed.run.status).toBe('waiting');
    const again = valueFrom(sendAgain(failed, '1', permittedTo(MARIA), NOW));
    expect(isOver(answered(sends(again), { kind: 'accepted', kickoffId: null }, 2))).toBe(true);
  });

  it('is over, too, if its answer has no effect any more, and the card says so', () => {
    const over = answered(sends(approves(asks(CALLBACK))), { kind: 'void', by: 'elsewhere' });
    expect(over.approvals[0]).toMatchObject({ status: 'superseded', by: 'elsewhere', decision: { by: MARIA } });
    expect(isOver(over)).toBe(true);
  });

  it('can be taken back until it is decided, which the ledger tells', () => {
    const run = asks(POLL);
    const over = withdrawn(run);
    expect(over.approvals[0]).toMatchObject({ status: 'superseded', by: 'cancelled', decision: null });
    expect(over.ledgerEvents.slice(run.ledgerEvents.length)).toEqual([
      { kind: 'cancelled', at: NOW, facts: { approval: '1' } },
    ]);
    expect(isOver(over)).toBe(true);
    expect(withdrawn(over)).toBe(over);
  });

  it.each(['approve', 'reject', 'decline'] as const)(
    'can’t be taken back once people %s it, also while they can undo that',
    (verdict) => {
      const undoable: CrewPolicy = { ...DEFAULT_POLICY, undoMs: 10_000 };
      for (const policy of [DEFAULT_POLICY, undoable]) {
        const run = approves(asks(POLL, { policy }), verdict, policy);
        expect(cancelAsk(run, NOW + 1)).toEqual({ ok: false, refusal: 'closed' });
      }
    },
  );

  it('expires when its asker stops waiting, if the policy hasn’t ended it before', () => {
    const waits = asks(POLL, { limitMs: 30_000 });
    expect(kindsDue(waits, START + 30_000)).toContain('expire');
    const expired = expire(waits, '1', RULES, START + 30_000);
    expect(expired.approvals[0]?.status).toBe('expired');
    expect(isOver(expired)).toBe(true);
    const policy: CrewPolicy = { ...DEFAULT_POLICY, expireAfterMs: 10_000 };
    expect(kindsDue(asks(POLL, { limitMs: 30_000, policy }), START + 10_000)).toContain('expire');
  });

  it('tells whoever waits at an address that nobody decided, even where the policy sends nothing', () => {
    const expired = expire(asks(CALLBACK, { limitMs: 30_000 }), '1', RULES, START + 30_000);
    expect(expired.approvals[0]).toMatchObject({ status: 'decided', decision: { by: null, verdict: 'reject' } });
    expect(kindsDue(expired, START + 30_000)).toContain('resume');
  });

  it('tells them of a decline, too, which those who fetch it find', () => {
    expect(approves(asks(CALLBACK), 'decline').approvals[0]).toMatchObject({ status: 'decided' });
    const declined = approves(asks(POLL), 'decline');
    expect(declined.approvals[0]).toMatchObject({ status: 'declined', decision: { feedback: 'too early' } });
    expect(isOver(declined)).toBe(true);
  });
});
