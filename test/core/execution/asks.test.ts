import { describe, expect, it } from 'vitest';
import { dueActionsAt } from '../../../src/core/due-actions.ts';
import { startAsk } from '../../../src/core/execution/start.ts';
import { claimMessage, settleMessage } from '../../../src/core/messages/delivery.ts';
import { dueMessages, threadToFollow } from '../../../src/core/messages/due-messages.ts';
import { cardModel } from '../../../src/core/messages/view-models.ts';
import { type CrewPolicy, DEFAULT_POLICY } from '../../../src/core/policy/policy.ts';
import { askApprovers } from '../../../src/core/request/alerts.ts';
import { ask, roundBefore, roundOfSameText } from '../../../src/core/request/ask.ts';
import { cancelAsk, replaceAsk } from '../../../src/core/request/cancel.ts';
import { decide } from '../../../src/core/request/decide.ts';
import { claimResume, sendAgain, settleResume } from '../../../src/core/request/resume.ts';
import { expire } from '../../../src/core/request/timers.ts';
import { recordDeliveries } from '../../../src/core/state/events.ts';
import { type Execution, noteHeard, placeInThread, threadTsOf } from '../../../src/core/state/execution.ts';
import { ENDING, type Message, postOf } from '../../../src/core/state/message.ts';
import { asEarlierRound, type Destination } from '../../../src/core/state/request.ts';
import { PROCESS } from '../../support/claims.ts';
import { request, withRequests } from '../../support/executions.ts';
import { MARIA, PERMITTED, permittedTo, RULES, rejection as rejectedBy, START } from '../../support/requests.ts';
import { valueFrom } from '../../support/value-from.ts';

const NOW = START + 5_000;
const POLL: Destination = { kind: 'poll' };
const UNDOABLE: CrewPolicy = { ...DEFAULT_POLICY, undoMs: 10_000 };
const CALLBACK: Destination = { kind: 'callback', sealedUrl: 'sealed' };

type Thread = NonNullable<Parameters<typeof startAsk>[0]['thread']> | null;

/** A program has asked. */
function asks(
  destination: Destination,
  { policy = DEFAULT_POLICY, limitMs = null as number | null, thread = null as Thread } = {},
): Execution {
  const asker = { kind: 'program', name: 'ops' } as const;
  const started = startAsk({ ref: 'ref1', crew: 'ops', channel: 'C1', asker, by: null, inputs: {}, thread }, START);
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
    const newer = request({ taskId: run.requests[0]?.question.taskId ?? '', hop: 7, kickoffId: 'K7' });
    for (const each of [run, approves(run), sends(approves(asks(CALLBACK))), withdrawn(run)])
      for (const added of [other, newer])
        expect(ask(each, added, NOW, RULES)).toEqual({ ok: false, refusal: 'asks-once' });
  });

  it('is over once whoever asked has the decision, and says nothing more in the thread', () => {
    const sent = sends(approves(asks(CALLBACK)));
    expect(sent.run.status).toBe('waiting');
    const over = answered(sent, { kind: 'accepted', kickoffId: null });
    expect(isOver(over)).toBe(true);
    expect(postOf(over, ENDING)).toBeNull();
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
    expect(over.requests[0]).toMatchObject({
      state: { status: 'superseded', by: 'elsewhere', decision: { by: MARIA } },
    });
    expect(isOver(over)).toBe(true);
  });

  it('can be taken back until it is decided, which the ledger tells', () => {
    const run = asks(POLL);
    const over = withdrawn(run);
    expect(over.requests[0]).toMatchObject({ state: { status: 'superseded', by: 'cancelled', decision: null } });
    expect(over.ledgerEvents.slice(run.ledgerEvents.length)).toEqual([
      { kind: 'cancelled', at: NOW, facts: { approval: '1' } },
    ]);
    expect(isOver(over)).toBe(true);
    expect(withdrawn(over)).toBe(over);
  });

  it.each(['approve', 'reject', 'decline'] as const)(
    'can’t be taken back once people %s it, also while they can undo that',
    (verdict) => {
      for (const policy of [DEFAULT_POLICY, UNDOABLE]) {
        const run = approves(asks(POLL, { policy }), verdict, policy);
        expect(cancelAsk(run, NOW + 1)).toEqual({ ok: false, refusal: 'closed' });
      }
    },
  );

  it('expires when its asker stops waiting, if the policy hasn’t ended it before', () => {
    const waits = asks(POLL, { limitMs: 30_000 });
    expect(kindsDue(waits, START + 30_000)).toContain('expire');
    const expired = expire(waits, '1', RULES, START + 30_000);
    expect(expired.requests[0]?.state.status).toBe('expired');
    expect(isOver(expired)).toBe(true);
    const policy: CrewPolicy = { ...DEFAULT_POLICY, expireAfterMs: 10_000 };
    expect(kindsDue(asks(POLL, { limitMs: 30_000, policy }), START + 10_000)).toContain('expire');
  });

  it('tells whoever waits at an address that nobody decided, even where the policy sends nothing', () => {
    const expired = expire(asks(CALLBACK, { limitMs: 30_000 }), '1', RULES, START + 30_000);
    expect(expired.requests[0]).toMatchObject({
      state: { status: 'decided', decision: { by: null, verdict: 'reject' } },
    });
    expect(kindsDue(expired, START + 30_000)).toContain('resume');
  });

  it('tells them of a decline, too, which those who fetch it find', () => {
    expect(approves(asks(CALLBACK), 'decline').requests[0]).toMatchObject({ state: { status: 'decided' } });
    const declined = approves(asks(POLL), 'decline');
    expect(declined.requests[0]).toMatchObject({ state: { status: 'declined', decision: { feedback: 'too early' } } });
    expect(isOver(declined)).toBe(true);
  });
});

describe('what is asked in a thread of a program', () => {
  const THREAD = { name: 'release', replaces: null, before: null };
  const card = { kind: 'card', approvalId: '1' } as const;
  const seeks = asks(POLL, { thread: THREAD });
  const begins = placeInThread(seeks, { status: 'begins' });
  const follows = placeInThread(seeks, { status: 'follows', ts: '1.1' });
  const posts = (run: Execution, outcome: { ts: string; lostThread?: string }, message: Message = card) =>
    settleMessage(run, { message, attempt: 1, outcome: { kind: 'posted', shown: '', ...outcome } }, NOW);
  const gone = (run: Execution, ts: string | null): Execution =>
    withRequests(
      run,
      run.requests.map((each) => ({ ...each, card: { status: 'gone', ts } })),
    );

  it('has its card posted only once its place is found', () => {
    expect(kindsDue(seeks, START)).toContain('find-thread');
    expect(kindsDue(seeks, START)).not.toContain('post');
    for (const placed of [begins, follows]) {
      expect(kindsDue(placed, START)).toContain('post');
      expect(kindsDue(placed, START)).not.toContain('find-thread');
    }
  });

  it('looks for no place once it is closed', () => {
    expect(kindsDue(withdrawn(seeks), NOW)).not.toContain('find-thread');
  });

  it('is in the thread of the first card, or begins one', () => {
    expect(threadTsOf(posts(follows, { ts: '2.2' }))).toBe('1.1');
    expect(threadTsOf(posts(begins, { ts: '2.2' }))).toBe('2.2');
  });

  it('begins a thread of its own where the thread was deleted', () => {
    const lost = posts(claimMessage(follows, card, PROCESS, NOW), { ts: '2.2', lostThread: '1.1' });
    expect(threadTsOf(lost)).toBe('2.2');
    expect(dueMessages(lost).map(({ kind }) => kind)).not.toContain('post');
  });

  it.each<[string, Execution, ReturnType<typeof threadToFollow>]>([
    ['is posted', posts(begins, { ts: '1.1' }), { kind: 'posted', ts: '1.1' }],
    ['was posted, and closed since', withdrawn(posts(begins, { ts: '1.1' })), { kind: 'posted', ts: '1.1' }],
    ['has no place yet', seeks, { kind: 'awaited' }],
    ['isn’t posted yet', begins, { kind: 'awaited' }],
    ['isn’t posted, though people have decided', approves(begins), { kind: 'awaited' }],
    ['was closed before it was posted', withdrawn(begins), { kind: 'none' }],
    ['Slack never takes', gone(begins, null), { kind: 'none' }],
  ])('is followed by others, where its card %s: %#', (_, first, thread) => {
    expect(threadToFollow(first)).toEqual(thread);
  });

  it('is the next round, with the text and the rejection of the one before', () => {
    const text = { hash: 'before', length: 3 };
    const rejection = rejectedBy();
    const next = asks(POLL, { thread: { ...THREAD, before: { round: 120, text, rejection } } });
    const [asked] = next.requests;
    expect(asked?.question.round).toBe(121);
    expect(asked && cardModel(next, asked)).toMatchObject({ round: 121, repeatsRound: null, ledBy: rejection });
    expect(asked && roundBefore(next, asked)).toEqual({ round: 120, text, rejection });
    expect(asked && roundOfSameText(next, asked)).toBeNull();
    const same = asked && { ...asked, question: { ...asked.question, output: text } };
    expect(same && roundOfSameText(next, same)).toBe(120);
  });

  it.each<[string, Execution, object]>([
    ['that was rejected', approves(asks(POLL), 'reject'), { verdict: 'reject', feedback: 'too early' }],
    ['whose rejection is being sent', sends(approves(asks(CALLBACK), 'reject')), { verdict: 'reject' }],
  ])('quotes the rejection of an ask %s', (_, { requests }, rejection) => {
    expect(requests.map(asEarlierRound)).toMatchObject([{ round: 1, rejection }]);
  });

  it.each([
    ['waits', asks(POLL)],
    ['is approved', approves(asks(POLL))],
    ['was taken back', withdrawn(asks(POLL))],
    ['can still be undone', approves(asks(POLL, { policy: UNDOABLE }), 'reject', UNDOABLE)],
  ])('quotes nothing of an ask that %s', (_, { requests }) => {
    expect(requests.map(asEarlierRound)).toMatchObject([{ rejection: null }]);
  });

  it('closes what it replaces, which the ledger tells', () => {
    const run = asks(POLL);
    const replaced = valueFrom(replaceAsk(run, 'ref2', NOW));
    expect(replaced.requests[0]).toMatchObject({ state: { status: 'superseded', by: 'replaced', decision: null } });
    expect(replaced.ledgerEvents.slice(run.ledgerEvents.length)).toEqual([
      { kind: 'cancelled', at: NOW, facts: { approval: '1', replaced_by: 'ref2' } },
    ]);
    expect(isOver(replaced)).toBe(true);
    expect(valueFrom(replaceAsk(replaced, 'ref2', NOW))).toBe(replaced);
  });

  it('leaves what nobody has decided as it was closed', () => {
    const expired = expire(asks(POLL, { limitMs: 30_000 }), '1', RULES, START + 30_000);
    const told = expire(asks(CALLBACK, { limitMs: 30_000 }), '1', RULES, START + 30_000);
    for (const closed of [withdrawn(asks(POLL)), expired, told])
      expect(valueFrom(replaceAsk(closed, 'ref2', NOW))).toBe(closed);
  });

  it.each(['approve', 'reject', 'decline'] as const)(
    'replaces nothing that people %s, also while they can undo that',
    (verdict) => {
      for (const policy of [DEFAULT_POLICY, UNDOABLE])
        expect(replaceAsk(approves(asks(POLL, { policy }), verdict, policy), 'ref2', NOW + 1)).toEqual({
          ok: false,
          refusal: 'decided',
        });
      expect(replaceAsk(sends(approves(asks(CALLBACK), verdict)), 'ref2', NOW)).toMatchObject({ ok: false });
    },
  );
});
