import { describe, expect, it } from 'vitest';
import type { Approval } from '../../src/core/state/approval.ts';
import { eventsOf } from '../../src/metrics/meters.ts';
import {
  attempt,
  decided,
  decision,
  expired,
  pending,
  posted,
  rejection,
  START,
  sending,
} from '../support/approvals.ts';
import { execution, starting } from '../support/executions.ts';

const NOW = START + 5_000;

/** The events of a changed approval. */
const approvalEventsOf = (before: Approval, after: Approval) =>
  eventsOf(execution({ approvals: [before] }), execution({ approvals: [after] }), NOW).filter(
    ({ kind }) => kind !== 'run',
  );

const asked = { askedAt: START, card: { status: 'due', tries: 0, notBefore: START } } as const;

describe('the events of a change', () => {
  it('are none if nothing changed', () => {
    const each = execution({ approvals: [pending()] });
    expect(eventsOf(each, { ...each }, NOW)).toEqual([]);
  });

  it('have a new execution', () => {
    expect(eventsOf(null, starting(), NOW)).toEqual([{ kind: 'run', status: 'starting' }]);
  });

  it('have a retried kickoff', () => {
    const sendingAgain = { status: 'sending', tries: 2, delayedBy: null, claim: null, until: NOW } as const;
    const due = starting({ kickoff: { status: 'due', tries: 1, delayedBy: null, notBefore: START } });
    expect(eventsOf(due, { ...due, kickoff: sendingAgain }, NOW)).toEqual([{ kind: 'retried', what: 'kickoff' }]);
    expect(eventsOf(due, { ...due, kickoff: { ...sendingAgain, tries: 1 } }, NOW)).toEqual([]);
  });

  it('have a request for human input, which makes the run wait', () => {
    const events = eventsOf(execution(), execution({ approvals: [pending(asked)] }), NOW);
    expect(events).toEqual([{ kind: 'run', status: 'waiting' }, { kind: 'asked' }]);
  });

  it('have a posted card, with the time since the request', () => {
    expect(approvalEventsOf(pending(asked), pending())).toEqual([{ kind: 'card-posted', afterMs: 5_000 }]);
  });

  it('have a decision, and the time until its delivery', () => {
    const by = decided({ decision: decision({ at: START + 1_000 }) });
    expect(approvalEventsOf(pending(), by)).toMatchObject([{ kind: 'decided', verdict: 'approve' }, { kind: 'final' }]);
    const { attempts: _, sendAt: __, tries: ___, ...rest } = by;
    const delivered = {
      ...rest,
      status: 'delivered',
      proof: 'accepted',
      resumedAs: 'k2',
      deliveredAt: START + 1_400,
    } as const;
    expect(approvalEventsOf(sending(), delivered)).toEqual([{ kind: 'delivered', proof: 'accepted', afterMs: 400 }]);
  });

  it('have what was decided once nobody can undo it any more', () => {
    const undoable = decided({ undoUntil: NOW + 1_000 });
    expect(approvalEventsOf(pending(), undoable).map(({ kind }) => kind)).toEqual(['decided']);
    expect(approvalEventsOf(undoable, pending({ takenBack: 1 }))).toEqual([]);
    expect(approvalEventsOf(undoable, sending())).toMatchObject([
      { kind: 'final', verdict: 'approve', request: { crew: 'editorial', decidedAt: START } },
    ]);
  });

  it('have a request that nobody decided in time, whatever the crew is told', () => {
    const expiring = [{ kind: 'expired', crew: 'editorial' }];
    expect(approvalEventsOf(pending(), expired())).toEqual(expiring);
    const rejected = decided({ decision: rejection({ by: null }) });
    expect(approvalEventsOf(pending(), rejected)).toEqual([{ kind: 'decided', verdict: 'reject' }, ...expiring]);
  });

  it('have a retried resume', () => {
    const again = sending({ attempts: [attempt({ mayHaveArrived: false }), attempt({ number: 2, hop: 2 })] });
    expect(approvalEventsOf(decided(), again)).toEqual([{ kind: 'retried', what: 'resume' }]);
    expect(approvalEventsOf(decided(), sending())).toEqual([]);
  });

  it('have a message that is posted or updated again', () => {
    const retried = [{ kind: 'retried', what: 'message' }];
    const again = {
      status: 'posting',
      tries: 2,
      attempt: 2,
      claim: null,
      until: NOW,
      mayExist: true,
      told: null,
    } as const;
    const unsure = { status: 'unsure', tries: 1, notBefore: START } as const;
    expect(eventsOf(execution({ root: unsure }), execution({ root: again }), NOW)).toEqual(retried);
    expect(eventsOf(execution(), execution({ root: posted({ ts: '99.9', tries: 1 }) }), NOW)).toEqual(retried);
  });
});
