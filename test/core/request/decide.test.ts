import { expect, it } from 'vitest';
import { dueActionsAt } from '../../../src/core/due-actions.ts';
import type { Choice } from '../../../src/core/request/choice.ts';
import { decide } from '../../../src/core/request/decide.ts';
import type { Person } from '../../../src/core/state/request.ts';
import { execution } from '../../support/executions.ts';
import { account, facts, JON, MARIA, MEMBERS, PERMITTED, pending, rejection, START } from '../../support/requests.ts';

const REJECT: Choice = { verdict: 'reject', feedback: 'shorter' };

const asked = execution({ requests: [pending()] });
const rejected = decide(asked, '1', { choice: REJECT, by: MARIA, ...PERMITTED }, START);
const after = rejected.ok ? rejected.value : asked;

it('keeps verdict, feedback, person and time, and makes the resume due at once', () => {
  expect(after.requests).toMatchObject([{ state: { status: 'decided', decision: rejection(), attempts: [] } }]);
  expect(dueActionsAt(after, START)[0]).toEqual({ kind: 'resume', approvalId: '1' });
});

it('tells the same person that other words came too late', () => {
  const other = { ...REJECT, feedback: 'longer', text: 'longer' };
  expect(decide(after, '1', { choice: other, by: MARIA, ...PERMITTED }, START)).toEqual({
    ok: false,
    refusal: { kind: 'already-decided', decision: rejection() },
  });
});

it('knows a person by the id, whatever they are called now', () => {
  const renamed = { ...MARIA, name: 'Maria M.' };
  expect(decide(after, '1', { choice: REJECT, by: renamed, ...PERMITTED }, START).ok).toBe(true);
});

it('tells the ledger of no approvals that a rejection rests on, and keeps those that there are', () => {
  const vote = (by: Person) => ({ by, at: START, feedback: null });
  const gone: Person = { id: 'U_GONE', name: 'Anna' };
  const voted = execution({ requests: [pending({ votes: [vote(JON), vote(gone)] })] });
  const accounts = { ...MEMBERS.accounts, [gone.id]: account(gone.id, { isDeactivated: true }) };
  const told = decide(voted, '1', { choice: REJECT, by: MARIA, ...PERMITTED, facts: facts(accounts) }, START);
  const events = told.ok ? told.value.ledgerEvents : [];
  expect(events).toMatchObject([{ kind: 'decided', facts: { verdict: 'reject', votes: [] } }]);
  expect(told.ok && told.value.requests[0]?.discussion.votes).toEqual([vote(JON), vote(gone)]);
});
