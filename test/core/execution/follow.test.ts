import { describe, expect, it } from 'vitest';
import { dueActionsAt, dueAt } from '../../../src/core/due-actions.ts';
import { stopFollowing } from '../../../src/core/execution/follow.ts';
import { decided, JON, MARIA, pending, permittedTo, START, unconfirmed } from '../../support/approvals.ts';
import { execution } from '../../support/executions.ts';
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
