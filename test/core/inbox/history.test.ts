import { expect, it } from 'vitest';
import { decidedIn, endedRunOf, roundsOf } from '../../../src/core/inbox/history.ts';
import { execution } from '../../support/executions.ts';
import {
  decided,
  decision,
  delivered,
  expired,
  JON,
  MARIA,
  pending,
  rejection,
  START,
  superseded,
} from '../../support/requests.ts';

const vote = (by: typeof MARIA) => ({ by, at: START, feedback: null });

it('is a decision from the moment it was made, also if the crew never took it', () => {
  const requests = [
    pending({ id: '1' }),
    decided({ id: '2', decision: decision({ at: START + 5 }) }),
    delivered({ id: '3' }),
    superseded({ id: '4' }),
    superseded({ id: '5', decision: decision() }),
  ];
  const found = decidedIn(execution({ requests }));
  expect(found.map(({ approvalId }) => approvalId)).toEqual(['2', '3', '5']);
  expect(found[0]).toMatchObject({ askedAt: START, decidedAt: START + 5, outcome: 'approve', crew: 'editorial' });
});

it('has been decided by everybody whose verdict it was', () => {
  const votes = [vote(JON)];
  const approved = delivered({ votes });
  const rejected = delivered({ id: '2', votes, decision: rejection() });
  const inTime = delivered({ id: '3', votes, decision: rejection({ by: null }) });
  const closed = expired({ id: '4', votes });
  const found = decidedIn(execution({ requests: [approved, rejected, inTime, closed] }));
  expect(found.map(({ by }) => by)).toEqual([[JON.id, MARIA.id], [MARIA.id], [], []]);
  expect(found.map(({ outcome }) => outcome)).toEqual(['approve', 'reject', 'reject', 'closed']);
});

it('counts the rounds of a task since its last approval', () => {
  const round = (number: number, verdict: 'approve' | 'reject', taskId = 'draft') =>
    delivered({
      id: `${taskId}-${number}`,
      ...{ taskId, round: number, decision: verdict === 'approve' ? decision() : rejection() },
    });
  const requests = [
    round(1, 'reject'),
    round(1, 'approve', 'image'),
    round(2, 'reject'),
    round(3, 'approve'),
    round(4, 'reject'),
    round(5, 'approve'),
  ];
  const run = execution({ requests });
  expect(run.requests.map((each) => roundsOf(run, each))).toEqual([1, 1, 2, 3, 1, 2]);
});

it('says when a run ended, which a lost one has until it proves to be alive', () => {
  const endOf = (run: Parameters<typeof execution>[0] & object) => endedRunOf(execution(run));
  expect(endOf({ run: { status: 'completed', result: null, endedAt: 7 } })).toEqual({
    ...{ ref: 'ref1', startedBy: MARIA.id, endedAt: 7 },
  });
  expect(endOf({ run: { status: 'lost', lostAt: 8 } })?.endedAt).toBe(8);
  expect(endOf({ run: { status: 'not-confirmed', doubt: 'no-id', since: 9 } })).toBeNull();
  expect(endOf({ run: { status: 'waiting' } })).toBeNull();
  const elsewhere = { kind: 'elsewhere', adoptionHold: null } as const;
  expect(endOf({ run: { status: 'lost', lostAt: 8 }, origin: elsewhere })?.startedBy).toBeNull();
});
