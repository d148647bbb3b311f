import { describe, expect, it } from 'vitest';
import { ask } from '../../../src/core/approval/request.ts';
import { dueActionsAt, dueAt } from '../../../src/core/due-actions.ts';
import { recordCompletion } from '../../../src/core/execution/completion.ts';
import type { Execution } from '../../../src/core/execution/execution.ts';
import { stopFollowing } from '../../../src/core/execution/follow.ts';
import { leftWaiting } from '../../../src/core/execution/left-waiting.ts';
import { trackAgain } from '../../../src/core/execution/track-again.ts';
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
} from '../../support/approvals.ts';
import { execution, request } from '../../support/executions.ts';
import { valueFrom } from '../../support/value-from.ts';

describe('stop following', () => {
  const busy = execution({
    approvals: [pending(), decided({ id: '2', taskId: 'title' }), unconfirmed({ id: '3', taskId: 'cover' })],
    activity: { seen: 1, refreshAt: START },
  });
  const unfollowed = valueFrom(stopFollowing(busy, permittedTo(JON), START));

  it('ends polls and what only reports', () => {
    expect(unfollowed.poll.nextAt).toBeNull();
    const kinds = dueActionsAt(unfollowed, START + 1e9).map(({ kind }) => kind);
    expect([...new Set(kinds)]).toEqual(['resume', 'update']);
  });

  it('closes what is undecided, and keeps what is decided', () => {
    expect(unfollowed.approvals.map(({ status }) => status)).toEqual(['superseded', 'decided', 'failed']);
    expect(dueAt(unfollowed)).toBe(START);
  });

  it('remembers who stopped first', () => {
    expect(unfollowed.unfollowed).toEqual({ by: JON, at: START });
    expect(valueFrom(stopFollowing(unfollowed, permittedTo(MARIA), START + 1))).toBe(unfollowed);
  });
});

describe('track again', () => {
  const asked = execution({ approvals: [pending({ votes: [vote(MARIA)] })] });
  const untracked = valueFrom(stopFollowing(asked, permittedTo(JON), START));
  const again = (each: Execution) => valueFrom(trackAgain(each, permittedTo(MARIA), START + 1));
  const newRound = request({ hop: 9, output: output('second draft') });

  it('lets what the stop has closed wait as before, and looks how the run is going', () => {
    expect(leftWaiting(untracked)?.id).toBe('1');
    expect(again(untracked)).toMatchObject({ unfollowed: null, run: { status: 'waiting' } });
    expect(again(untracked).approvals).toEqual(asked.approvals);
    expect(again(untracked).poll.nextAt).toBeGreaterThan(START);
    expect(leftWaiting(again(untracked))).toBeNull();
  });

  it('asks for the round that came meanwhile, and not for the one before', () => {
    const asks = again(valueFrom(ask(untracked, newRound, START, RULES)));
    expect(asks.approvals).toMatchObject([
      { status: 'superseded', by: 'newer-round' },
      { status: 'pending', round: 2 },
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
