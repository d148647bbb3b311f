import { describe, expect, it } from 'vitest';
import type { Approval } from '../../src/core/approval/approval.ts';
import { eventsOf } from '../../src/metrics/execution-events.ts';
import { attempt, decided, decision, pending, posted, START, sending } from '../support/approvals.ts';
import { execution, starting } from '../support/executions.ts';

const NOW = START + 5_000;

/** The news of one request that changed. */
const newsOfRequest = (before: Approval, after: Approval) =>
  eventsOf(execution({ approvals: [before] }), execution({ approvals: [after] }), NOW).filter(
    ({ kind }) => kind !== 'run',
  );

const asked = { askedAt: START, card: { status: 'due', tries: 0, notBefore: START } } as const;

describe('what is new', () => {
  it('is nothing where nothing changed', () => {
    const each = execution({ approvals: [pending()] });
    expect(eventsOf(each, { ...each }, NOW)).toEqual([]);
  });

  it('is a start', () => {
    expect(eventsOf(null, starting(), NOW)).toEqual([{ kind: 'run', status: 'starting' }]);
  });

  it('is a start that is tried once more, when it is', () => {
    const sendingAgain = { status: 'sending', tries: 2, until: NOW } as const;
    const owed = starting({ kickoff: { status: 'due', tries: 1, notBefore: START } });
    expect(eventsOf(owed, { ...owed, kickoff: sendingAgain }, NOW)).toEqual([{ kind: 'retried', what: 'kickoff' }]);
    expect(eventsOf(owed, { ...owed, kickoff: { ...sendingAgain, tries: 1 } }, NOW)).toEqual([]);
  });

  it('is a request, which makes the run wait', () => {
    const news = eventsOf(execution(), execution({ approvals: [pending(asked)] }), NOW);
    expect(news).toEqual([{ kind: 'run', status: 'waiting' }, { kind: 'asked' }]);
  });

  it('is a card, with the time since it was asked for', () => {
    expect(newsOfRequest(pending(asked), pending())).toEqual([{ kind: 'card-posted', afterMs: 5_000 }]);
  });

  it('is a decision, and the time until the crew had it', () => {
    const by = decided({ decision: decision({ at: START + 1_000 }) });
    expect(newsOfRequest(pending(), by)).toEqual([{ kind: 'decided', verdict: 'approve' }]);
    const { attempts: _, sendAt: __, tries: ___, ...rest } = by;
    const had = {
      ...rest,
      status: 'delivered',
      proof: 'accepted',
      resumedAs: 'k2',
      deliveredAt: START + 1_400,
    } as const;
    expect(newsOfRequest(sending(), had)).toEqual([{ kind: 'delivered', proof: 'accepted', afterMs: 400 }]);
  });

  it('is a resume that is tried once more', () => {
    const again = sending({ attempts: [attempt({ mayHaveArrived: false }), attempt({ number: 2, hop: 2 })] });
    expect(newsOfRequest(decided(), again)).toEqual([{ kind: 'retried', what: 'resume' }]);
    expect(newsOfRequest(decided(), sending())).toEqual([]);
  });

  it('is a message that is posted or updated once more', () => {
    const retried = [{ kind: 'retried', what: 'message' }];
    const again = { status: 'posting', tries: 2, attempt: 2, until: NOW, mayExist: true } as const;
    const unsure = { status: 'unsure', tries: 1, notBefore: START } as const;
    expect(eventsOf(execution({ root: unsure }), execution({ root: again }), NOW)).toEqual(retried);
    expect(eventsOf(execution(), execution({ root: posted({ ts: '99.9', tries: 1 }) }), NOW)).toEqual(retried);
  });
});
