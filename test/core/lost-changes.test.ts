import { describe, expect, it } from 'vitest';
import { checkClaims } from '../../src/core/claimed-calls.ts';
import { dueActionsAt } from '../../src/core/due-actions.ts';
import { EVIDENCE_MS, recordStep } from '../../src/core/execution/run.ts';
import { NO_ENTRIES } from '../../src/core/ledger/entry.ts';
import { mendLost, type Remembered } from '../../src/core/lost-changes.ts';
import { cardModel } from '../../src/core/messages/view-models.ts';
import { settleResume } from '../../src/core/request/resume.ts';
import { type Execution, findRequest } from '../../src/core/state/execution.ts';
import { postOf, ROOT } from '../../src/core/state/message.ts';
import { type HumanRequest, typedBefore } from '../../src/core/state/request.ts';
import { type ExecutionChange, execution, starting, withItsPosts } from '../support/executions.ts';
import {
  attempt,
  decided,
  decision,
  declined,
  delivered,
  JON,
  MARIA,
  output,
  pending,
  posted,
  refused,
  rejection,
  START,
  sending,
  unconfirmed,
  vote,
} from '../support/requests.ts';

const NOW = START + 5_000;
const entries = (seq: number) => ({ ...NO_ENTRIES, seq, hash: `${seq}`, at: START });

/** What the store has: the request still waits. */
const stored = (change: ExecutionChange = {}) => execution({ requests: [pending()], ledger: entries(1), ...change });
const wasStored = (request: HumanRequest, change: ExecutionChange = {}) =>
  execution({ requests: [request], ledger: entries(2), ...change });

const alone = (each: Execution): Remembered => ({ execution: each, isNewest: true, isAlone: true });
const beside = (each: Execution): Remembered => ({ execution: each, isNewest: true, isAlone: false });
const mended = (each: Execution, remembered: Remembered, now = NOW) => mendLost(each, remembered, now);
const only = (each: Execution) => findRequest(each, '1') ?? pending();
const entered = (each: Execution) => each.ledgerEvents.map(({ kind, facts }) => ({ kind, ...facts }));
const lost = (each: Execution) => entered(each).filter(({ kind }) => kind === 'lost');
const resumes = (each: Execution, now = NOW + 60_000) =>
  dueActionsAt(each, now).filter(({ kind }) => kind === 'resume' || kind === 'kickoff');

describe('a decision that was lost before it was sent', () => {
  const rejected = decided({ decision: rejection({ by: JON }), sendAt: NOW + 60_000, undoUntil: NOW + 60_000 });

  it('has to be made again, and the card says whose it was; what was typed is kept for that person', () => {
    const after = mended(stored(), alone(wasStored(rejected)));
    expect(only(after).state.status).toBe('pending');
    expect(cardModel(after, only(after))).toMatchObject({ lost: [JON], state: { kind: 'pending' } });
    expect(typedBefore(only(after).discussion, JON.id)).toBe('shorter');
    expect(lost(after)).toEqual([{ kind: 'lost', approval: '1', verdict: 'reject', by: JON.id, attempts: 0 }]);
    expect(resumes(after)).toEqual([]);
  });

  it('is a decline that the crew is never told, just the same', () => {
    const after = mended(stored(), alone(wasStored(declined())));
    expect(only(after).state.status).toBe('pending');
    expect(lost(after)).toMatchObject([{ verdict: 'decline', attempts: 0 }]);
  });

  it('is still to be made again where the crew took none of its attempts', () => {
    const tried = decided({ attempts: [attempt({ mayHaveArrived: false })], tries: 1 });
    expect(only(mended(stored(), alone(wasStored(tried)))).state.status).toBe('pending');
  });

  it('is told once, and no more once that person has voted again', () => {
    const once = mended(stored(), alone(wasStored(rejected)));
    const twice = mended({ ...once, ledgerEvents: [] }, alone(wasStored(rejected)));
    expect(lost(twice)).toEqual([]);
    const request = { ...only(once), discussion: { ...only(once).discussion, votes: [vote(JON)] } };
    expect(cardModel(once, request).lost).toBeUndefined();
  });

  it('may have been sent by another process: then nothing is sent again, and nobody is asked to decide again', () => {
    const after = mended(stored(), beside(wasStored(decided({ decision: decision({ by: JON }) }))));
    expect(only(after)).toMatchObject({
      state: { status: 'sending', attempts: [{ number: 1, hop: 1, mayHaveArrived: true }] },
    });
    expect(after.hop).toBe(1);
    expect(lost(after)).toMatchObject([{ by: JON.id, attempts: 1 }]);
    const late = checkClaims(after, { now: NOW + EVIDENCE_MS, isGone: () => false });
    expect(only(late)).toMatchObject({
      state: { status: 'failed', failure: { kind: 'not-confirmed' }, decision: { by: JON } },
    });
    expect(resumes(late)).toEqual([]);
  });

  it('may have been sent by another process, which an event at its addresses proves', () => {
    const after = mended(stored(), beside(wasStored(decided())));
    const proven = recordStep(after, { hop: 1, kickoffId: 'k2' }, NOW + 1_000);
    expect(only(proven)).toMatchObject({ state: { status: 'delivered', proof: 'evidence' } });
  });
});

describe('a decision that was lost after it was sent', () => {
  it.each([
    ['that it was on its way', sending(), []],
    ['that the crew refused it', refused(), []],
    ['that nobody knows', unconfirmed(), ['not-confirmed']],
    ['that the crew has it', delivered({ resumedAs: 'k2' }), ['confirmed']],
  ])('is as far as it was where the store has lost %s', (_, request, kinds) => {
    for (const from of [pending(), decided()]) {
      const known = wasStored(request, { hop: 1, kickoffIds: ['k1', 'k2'] });
      const after = mended(stored({ requests: [from] }), alone(known));
      expect(only(after)).toMatchObject({
        state: { status: request.state.status, decision: request.state.decision },
      });
      expect(after).toMatchObject({ hop: 1, kickoffIds: ['k1', 'k2'] });
      expect(lost(after)).toMatchObject([{ by: MARIA.id, attempts: 1 }]);
      expect(entered(after).map(({ kind }) => kind)).toEqual(['lost', ...kinds]);
      expect(resumes(after)).toEqual([]);
    }
  });

  it('is settled by the answer that its call still gets', () => {
    const after = mended(stored(), alone(wasStored(sending())));
    const answer = { kind: 'accepted', kickoffId: 'k2' } as const;
    expect(only(settleResume(after, { approvalId: '1', attempt: 1, answer }, NOW))).toMatchObject({
      state: { status: 'delivered' },
    });
  });

  it('is not taken for another one that was made since', () => {
    const since = decided({ decision: rejection({ by: JON, at: NOW - 1 }) });
    const after = mended(stored({ requests: [since] }), alone(wasStored(sending())));
    expect(only(after)).toMatchObject({ state: { status: 'decided', decision: { by: JON } } });
    expect(lost(after)).toEqual([]);
  });
});

it('tells whose approval was lost where several are needed', () => {
  const after = mended(stored(), alone(wasStored(pending({ votes: [vote(MARIA), vote(JON, { feedback: 'fine' })] }))));
  expect(cardModel(after, only(after)).lost).toEqual([MARIA, JON]);
  expect(typedBefore(only(after).discussion, JON.id)).toBe('fine');
  expect(lost(after)).toMatchObject([
    { by: MARIA.id, verdict: 'approve', attempts: 0 },
    { by: JON.id, verdict: 'approve', attempts: 0 },
  ]);
});

it('sends no decision that was undone', () => {
  const undoable = decided({ sendAt: NOW + 1_000, undoUntil: NOW + 1_000 });
  const undone = { kind: 'decision', by: JON, of: MARIA, text: null, at: START + 1 } as const;
  const after = mended(
    stored({ requests: [undoable] }),
    alone(wasStored(pending({ retractions: [undone], takenBack: 1 }))),
  );
  expect(only(after).state.status).toBe('pending');
  expect(resumes(after)).toEqual([]);
});

it('starts nothing again that was started', () => {
  const run = mended(starting(), alone(execution()));
  expect(run).toMatchObject({ kickoff: { status: 'settled' }, run: { status: 'running' }, kickoffIds: ['k1'] });
  expect(resumes(run)).toEqual([]);
});

it('posts nothing again that was posted, mentions nobody again, and renders all of it anew', () => {
  const asked = pending({ card: { status: 'due', tries: 0, notBefore: START } });
  const told = { to: JON.id, reason: 'policy', channel: 'D1', post: posted({ ts: '5.5' }) } as const;
  const shown = pending({
    card: posted({ ts: '7.7', shown: 'x' }),
    mentioned: [JON.id],
    directMessages: { status: 'listed', list: [told] },
  });
  const after = mended(stored({ requests: [asked] }), alone(wasStored(shown, { ledger: entries(1) })));
  expect(withItsPosts(after)).toMatchObject({
    card: { status: 'posted', ts: '7.7', shown: '' },
    discussion: { mentioned: [JON.id], directMessages: { list: [{ to: JON.id }] } },
  });
  expect(postOf(after, { kind: 'direct-message', approvalId: '1', to: JON.id })).toMatchObject({ ts: '5.5' });
  expect(postOf(after, ROOT)).toMatchObject({ status: 'posted', shown: '' });
});

it.each([
  [
    'a run that has ended',
    execution({ run: { status: 'completed', result: null, endedAt: NOW } }),
    alone(wasStored(sending())),
  ],
  [
    'what others have changed since, where the ledger has all that is remembered',
    stored({ ledger: entries(3) }),
    { ...alone(wasStored(decided())), isNewest: false },
  ],
  [
    'another request of the same number',
    stored({ requests: [pending({ output: output('another draft') })] }),
    { ...alone(wasStored(decided())), isNewest: false },
  ],
])('decides nothing about %s', (_, each, remembered) => {
  const after = mended(each, remembered);
  expect(after.requests.map(({ state: { status } }) => status)).toEqual(
    each.requests.map(({ state: { status } }) => status),
  );
  expect(lost(after)).toEqual([]);
});
