import type { ExecutionStore } from '../../../../../src/core/ports.ts';
import type { Execution } from '../../../../../src/core/state/execution.ts';
import { messageKey, postsOf, tsOf } from '../../../../../src/core/state/message.ts';
import type { HumanRequest } from '../../../../../src/core/state/request.ts';
import { execution } from '../../../../support/executions.ts';
import { decided, decision, field, pending, posted, refused } from '../../../../support/requests.ts';
import { CHANNEL, GUARDED, STARTER, VOTER } from './cast.ts';

/** The statuses of a run and its request that differ in what can be done to them. */
export type RunKind = 'voted' | 'offering' | 'answering' | 'undoable' | 'failed' | 'running';

export const RUN_KINDS: readonly RunKind[] = ['voted', 'offering', 'answering', 'undoable', 'failed', 'running'];

/** Where every card stands. */
export const CARD_TS = '100.1';

/** Where every thread begins. */
export const ROOT_TS = '100.0';

export async function storeRun(store: ExecutionStore, ref: string, kind: RunKind): Promise<void> {
  const by = { id: STARTER, name: 'Starter' };
  await store.create(ref, (now) =>
    execution({
      ...{ ref, crew: GUARDED.name, channel: CHANNEL, requests: approvalsOf(kind, now) },
      origin: { kind: 'command', by },
      createdAt: now,
      root: posted({ ts: ROOT_TS, notBefore: now }),
    }),
  );
}

function approvalsOf(kind: RunKind, now: number): HumanRequest[] {
  const voter = { id: VOTER, name: 'Voter' };
  const asked = { askedAt: now, card: posted({ ts: CARD_TS, notBefore: now }) };
  const votes = [{ by: voter, at: now, feedback: null }];
  const decisionOfVoter = decision({ by: voter, at: now });
  const inTenMinutes = now + 600_000;
  switch (kind) {
    case 'voted':
      return [pending({ ...asked, votes })];
    case 'offering':
      return [pending({ ...asked, outcomes: ['ship', 'hold', 'drop', 'wait', 'retry', 'skip'] })];
    case 'answering':
      return [pending({ ...asked, fields: [field('env')] })];
    case 'undoable':
      return [decided({ ...asked, decision: decisionOfVoter, sendAt: inTenMinutes, undoUntil: inTenMinutes })];
    case 'failed':
      return [refused({ ...asked, decision: decisionOfVoter, failedAt: now })];
    case 'running':
      return [];
  }
}

/** What a run is, apart from what it tells: the ledger, private answers, and when its cards are looked at again. */
export function substanceOf({ ledger: _, ledgerEvents: __, privateAnswers: ___, messages, ...rest }: Execution) {
  const places = postsOf({ messages }).map(({ message, post }) =>
    message.kind === 'card' ? [messageKey(message), tsOf(post)] : [messageKey(message), post],
  );
  return { ...rest, messages: Object.fromEntries(places) };
}
