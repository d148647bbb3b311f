import { expect, it } from 'vitest';
import { dueMessages, wantedFor } from '../../../src/core/messages/due-messages.ts';
import { DEFAULT_POLICY } from '../../../src/core/policy/policy.ts';
import { decide } from '../../../src/core/request/decide.ts';
import { undo, withdraw } from '../../../src/core/request/retract.ts';
import type { Execution } from '../../../src/core/state/execution.ts';
import { withPost } from '../../../src/core/state/message.ts';
import { execution } from '../../support/executions.ts';
import { MARIA, PERMITTED, pending, START } from '../../support/requests.ts';
import { valueFrom } from '../../support/value-from.ts';

const CHOICE = { verdict: 'approve', feedback: null, text: 'Approved.' } as const;
const MESSAGES = [{ kind: 'root' }, { kind: 'card', approvalId: '1' }] as const;

/** The record says that its messages show what they should. */
const upToDate = (each: Execution) =>
  MESSAGES.reduce(
    (some, message) => withPost(some, message, (post) => ({ ...post, shown: wantedFor(some, message) })),
    each,
  );

const updates = (each: Execution) =>
  dueMessages(each).flatMap(({ kind, message }) => (kind === 'update' ? [message.kind] : []));

const asked = upToDate(execution({ requests: [pending()] }));

// A process may have died after it updated them for the decision or vote, before it could store that.
it('a card is updated after an undo, although the record says that it shows no decision', () => {
  const policy = { ...DEFAULT_POLICY, undoMs: 10_000 };
  const decided = valueFrom(decide(asked, '1', { choice: CHOICE, by: MARIA, ...PERMITTED, policy }, START));
  const undone = valueFrom(undo(decided, '1', { by: MARIA, ...PERMITTED, policy }, START + 1));
  expect(updates(undone)).toEqual(['card', 'root']);
});

it('likewise after a vote was withdrawn', () => {
  const policy = { ...DEFAULT_POLICY, quorum: 2 };
  const voted = valueFrom(decide(asked, '1', { choice: CHOICE, by: MARIA, ...PERMITTED, policy }, START));
  const withdrawn = valueFrom(withdraw(voted, '1', { by: MARIA, ...PERMITTED }, START + 1));
  expect(updates(withdrawn)).toContain('card');
});
