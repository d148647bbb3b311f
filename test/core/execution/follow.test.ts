import { describe, expect, it } from 'vitest';
import { dueActionsAt, dueAt } from '../../../src/core/due-actions.ts';
import { catchUp, recordCompletion } from '../../../src/core/execution/run.ts';
import { stopFollowing, trackAgain } from '../../../src/core/execution/tracking.ts';
import { ask } from '../../../src/core/request/ask.ts';
import { type Execution, leftWaiting } from '../../../src/core/state/execution.ts';
import { duePost } from '../../../src/core/state/post.ts';
import { NO_TIMES } from '../../../src/core/state/request.ts';
import { execution, request } from '../../support/executions.ts';
import {
  decided,
  JON,
  MARIA,
  output,
  pending,
  permittedTo,
  RULES,
  START,
  STRANGER,
  unconfirmed,
  vote,
} from '../../support/requests.ts';
import { valueFrom } from '../../support/value-from.ts';

describe('stop following', () => {
  const busy = execution({
    requests: [pending(), decided({ id: '2', taskId: 'title' }), unconfirmed({ id: '3', taskId: 'cover' })],
    activity: { seen: 1, refreshAt: START },
  });
  const unfollowed = valueFrom(stopFollowing(busy, permittedTo(JON), START));

  it('ends polls and what only reports, and takes the status of the thread away', () => {
    expect(unfollowed.poll.nextAt).toBeNull();
    const kinds = dueActionsAt(unfollowed, START + 1e9).map(({ kind }) => kind);
    expect([...new Set(kinds)]).toEqual(['resume', 'update', 'catch-up']);
    expect(catchUp(unfollowed, START).activity.refreshAt).toBeNull();
  });

  it('closes what is undecided, and keeps what is decided', () => {
    expect(unfollowed.requests.map(({ state: { status } }) => status)).toEqual(['superseded', 'decided', 'failed']);
    expect(dueAt(unfollowed)).toBe(START);
  });

  it('remembers who stopped first', () => {
    expect(unfollowed.unfollowed).toEqual({ by: JON, at: START });
    expect(valueFrom(stopFollowing(unfollowed, permittedTo(MARIA), START + 1))).toBe(unfollowed);
  });
});

describe('track again', () => {
  const asked = execution({ requests: [pending({ votes: [vote(MARIA)] })] });
  const untracked = valueFrom(stopFollowing(asked, permittedTo(JON), START));
  const again = (each: Execution) => valueFrom(trackAgain(each, permittedTo(MARIA), START + 1));
  const newRound = request({ hop: 9, output: output('second draft') });

  it('lets what the stop has closed wait as before, and looks how the run is going', () => {
    expect(leftWaiting(untracked)?.id).toBe('1');
    expect(again(untracked)).toMatchObject({ unfollowed: null, run: { status: 'waiting' } });
    expect(again(untracked).requests).toEqual(asked.requests);
    expect(again(untracked).poll.nextAt).toBeGreaterThan(START);
    expect(leftWaiting(again(untracked))).toBeNull();
  });

  it('leaves people the time that they had left, and sends no alert that is outdated', () => {
    const times = { ...NO_TIMES, remindAt: START + 50, expireAt: START + 100 };
    const alert = { id: '1', kind: 'reminder', by: null, mentions: [], post: duePost(START) } as const;
    const timed = execution({ requests: [pending({ times, alerts: [{ ...alert, mentions: [] }] })] });
    const stopped = valueFrom(stopFollowing(timed, permittedTo(JON), START + 10));
    const tracked = valueFrom(trackAgain(stopped, permittedTo(MARIA), START + 1_010));
    expect(tracked.requests).toMatchObject([
      { discussion: { times: { remindAt: START + 1_050, expireAt: START + 1_100 }, alerts: [] } },
    ]);
  });

  it('asks nothing of the service while it isn’t known whether the run has started', () => {
    const unsure = execution({ run: { status: 'not-confirmed', doubt: 'no-answer', since: START } });
    expect(again(valueFrom(stopFollowing(unsure, permittedTo(JON), START))).poll.nextAt).toBeNull();
  });

  it('asks for the round that came meanwhile, and not for the one before', () => {
    const asks = again(valueFrom(ask(untracked, newRound, START, RULES)));
    expect(asks.requests).toMatchObject([
      { state: { status: 'superseded', by: 'newer-round' } },
      { question: { round: 2 }, state: { status: 'pending' } },
    ]);
  });

  it('changes nothing of a run that is tracked or has ended', () => {
    expect(again(asked)).toBe(asked);
    const ended = recordCompletion(untracked, { hop: 0, kickoffId: null, result: null }, START);
    expect(again(ended)).toBe(ended);
    expect(leftWaiting(ended)).toBeNull();
  });

  it('is only for those who may stop it', () => {
    expect(trackAgain(untracked, { ...STRANGER, by: JON }, START)).toMatchObject({ ok: false });
  });
});
