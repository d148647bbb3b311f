import { describe, expect, it } from 'vitest';
import { cardModel, rootModel } from '../../../src/core/messages/view-models.ts';
import type { HumanRequest } from '../../../src/core/state/request.ts';
import { execution } from '../../support/executions.ts';
import {
  attempt,
  decided,
  decision,
  delivered,
  pending,
  refused,
  rejection,
  sending,
  superseded,
  UNKNOWN_RUN,
  unconfirmed,
} from '../../support/requests.ts';

describe('requests of one name', () => {
  const first = pending({ id: '1', taskId: 'refund', taskName: 'Refund' });
  const others = ['2', '3'].map((number) =>
    pending({
      id: number,
      taskId: `refund-${number}`,
      taskName: 'Refund',
      askedAt: first.question.askedAt + Number(number),
    }),
  );
  const callsOf = (requests: HumanRequest[]) =>
    requests.map((request) => cardModel(execution({ requests }), request).call);

  it('that are asked at the same time are requests of their own, which are counted', () => {
    const counted = [1, 2, 3].map((number) => ({ number, count: 3 }));
    expect(callsOf([first, ...others])).toEqual(counted);
    expect(
      callsOf([
        { ...first, state: delivered({ decision: decision({ at: first.question.askedAt + 9 }) }).state },
        ...others,
      ]),
    ).toEqual(counted);
    const [second] = others;
    expect(second && cardModel(execution({ requests: [first, second] }), second)).toMatchObject({
      round: 1,
      ledBy: null,
    });
  });

  it('that are asked one after another, or have no name, are not', () => {
    const before = decision({ at: first.question.askedAt });
    expect(callsOf([{ ...first, state: delivered({ decision: before }).state }, ...others.slice(0, 1)])).toEqual([
      undefined,
      undefined,
    ]);
    expect(
      callsOf([first, ...others].map((each) => ({ ...each, question: { ...each.question, taskName: null } }))),
    ).toEqual([undefined, undefined, undefined]);
    expect(callsOf([first])).toEqual([undefined]);
  });
});

describe('what is shown of a delivery', () => {
  it('stays the same while it is tried, so that no try costs an update', () => {
    const waits = decided({ tries: 3, attempts: [attempt({ mayHaveArrived: false })] });
    const tries = sending({ tries: 3 });
    expect(cardModel(execution(), waits)).toEqual(cardModel(execution(), tries));
  });

  it('quotes the rejection that led to a round, and none that never reached the crew', () => {
    const second = pending({ id: '2', round: 2 });
    const told = execution({ requests: [delivered({ decision: rejection() }), second] });
    expect(cardModel(told, second).ledBy).toEqual(rejection());
    const untold = execution({ requests: [superseded({ decision: rejection() }), second] });
    expect(cardModel(untold, second).ledBy).toBeNull();
  });

  it('links the root to the newest request that waits for a person, else to the newest that is open', () => {
    const title = decided({ id: '2', taskId: 'title', taskName: 'Title' });
    expect(rootModel(execution({ requests: [pending(), title] })).openCard).toMatchObject({ taskName: 'Draft' });
    expect(rootModel(execution({ requests: [delivered(), title] })).openCard).toMatchObject({ taskName: 'Title' });
    expect(rootModel(execution({ requests: [delivered()] })).openCard).toBeNull();
  });

  it.each([
    ['a request that waits', pending(), null],
    ['a decision that is due', decided(), null],
    ['its first try', sending(), null],
    ['a decision that nothing took', decided({ tries: 1, delayedBy: 'unreachable' }), 'unreachable'],
    ['a decision for which the service is too busy', sending({ tries: 1, delayedBy: 'busy' }), 'busy'],
    ['a callback that is sent again', sending({ tries: 1, giveUpAt: 1 }), 'sent-again'],
    ['a decision that was refused', refused(), 'refused'],
    ['a decision on a run that the service doesn’t know', refused({ failure: UNKNOWN_RUN }), 'run-unknown'],
    ['a decision that nothing confirms', unconfirmed(), 'not-confirmed'],
  ] as const)('says of the root whether the crew has what was decided: %s', (_, request, undelivered) => {
    expect(rootModel(execution({ requests: [request] })).openCard?.undelivered).toBe(undelivered);
  });
});
