import type { Person } from '../../core/approval/approval.ts';
import type { Refusal } from '../../core/approval/decide.ts';
import { findDecidable } from '../../core/approval/decide.ts';
import type { Permission, PersonFacts } from '../../core/approval/policy.ts';
import { DEFAULT_POLICY, isMember } from '../../core/approval/policy.ts';
import type { Execution } from '../../core/execution/execution.ts';
import { learnCopy } from '../../core/messages/delivery.ts';
import type { CardModel } from '../../core/messages/view-models.ts';
import { cardModel } from '../../core/messages/view-models.ts';
import type { Result } from '../../core/result.ts';
import { ok, refuse } from '../../core/result.ts';
import type { Millis } from '../../core/time.ts';
import type { ListenerContext } from '../interaction/listener-context.ts';
import type { ApprovalKey } from '../ui/button-value.ts';

interface Change {
  /** Null if the button or modal doesn't carry one of our keys. */
  key: ApprovalKey | null;
  by: Person;
  facts: PersonFacts;
  /** What is logged when it is stored. */
  event: string;
  /** The clicked card, which may be a copy that we don't know yet. */
  cardTs?: string | undefined;
  /** Asks the policy itself, and runs again if another change was stored first. */
  transition: (execution: Execution, asked: Asked) => Result<Execution, Refusal>;
}

interface Asked extends Permission {
  approvalId: string;
  now: Millis;
}

/** Stores what a person does about a request, or says why not. Throws when it can't be stored: don't ack then. */
export async function changeRequest(
  context: ListenerContext,
  { key, by, facts, event, cardTs, transition }: Change,
): Promise<Result<null, Refusal>> {
  const { store, log, wake } = context;
  const refused = (refusal: Refusal) => {
    log.info({ ref: key?.ref, approvalId: key?.approvalId, by: by.id, refusal: refusal.kind }, 'refused a click');
    return refuse(refusal);
  };
  if (!key) return refused(unknownTo(facts));
  const { ref, approvalId } = key;
  const changed = await store.change(ref, (execution, now) => {
    const result = transition(execution, { approvalId, now, ...permissionFor(context, execution, facts) });
    return result.ok && cardTs !== undefined ? ok(learnCopy(result.value, { approvalId, ts: cardTs }, now)) : result;
  });
  switch (changed.kind) {
    case 'changed':
    case 'unchanged':
      log.info({ ref, approvalId, by: by.id }, event);
      wake(ref);
      return ok(null);
    case 'refused':
      return refused(changed.refusal);
    case 'absent':
      return refused(unknownTo(facts));
  }
}

/** The card of a request that this person can still decide, for a modal about it. */
export async function findDecidableCard(
  context: ListenerContext,
  key: ApprovalKey | null,
  facts: PersonFacts,
): Promise<Result<CardModel, Refusal>> {
  const found = key && (await context.store.load(key.ref));
  if (!found) return refuse(unknownTo(facts));
  const { execution } = found;
  const approval = findDecidable(execution, key.approvalId, permissionFor(context, execution, facts));
  return approval.ok ? ok(cardModel(execution, approval.value)) : approval;
}

/** A crew that has left the crews file keeps the default policy, so that its open requests can still be decided. */
function permissionFor({ crews }: ListenerContext, { crew }: Execution, facts: PersonFacts): Permission {
  return { policy: crews.has(crew) ? DEFAULT_POLICY : DEFAULT_POLICY, facts };
}

/** There is no execution whose policy could be asked; even so, strangers don't learn which requests exist. */
function unknownTo(facts: PersonFacts): Refusal {
  return isMember(facts) ? { kind: 'unknown' } : { kind: 'stranger' };
}
