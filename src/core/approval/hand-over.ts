import type { Execution } from '../execution/execution.ts';
import { withApproval } from '../execution/execution.ts';
import { recordEvent } from '../ledger/record-event.ts';
import type { Result } from '../result.ts';
import { ok, refuse } from '../result.ts';
import type { Millis } from '../time.ts';
import type { Approval, HandOver, Person } from './approval.ts';
import { findDecidable } from './decide.ts';
import { givenFacts } from './ledger-facts.ts';
import type { OnText, Permission } from './permission.ts';
import { forWhom, subjectOf } from './permission.ts';
import { policyHash } from './policy/document.ts';
import { isSamePerson, permits } from './policy/permits.ts';
import type { Refusal } from './refusal.ts';

/**
 * Lets another person decide an open request, too; until an instant, or for good. Only for those who may decide it, and never
 * for the benefit of a person whom the policy bars in any case. Handing over to oneself changes nothing. What is handed on stays
 * the right of the first who gave it, and ends with it.
 */
export function handOver(
  execution: Execution,
  approvalId: string,
  {
    by,
    to,
    until = null,
    revision,
    ...permission
  }: Permission & OnText & { by: Person; to: Person; until?: Millis | null },
  now: Millis,
): Result<Execution, Refusal> {
  const found = findDecidable(execution, approvalId, { personId: by.id, now, revision, ...permission });
  if (!found.ok) return found;
  if (permission.facts.accounts[to.id] === undefined) return refuse({ kind: 'facts-needed', people: [by.id, to.id] });
  const { approval, policy, rule, right } = found.value;
  if (isHandedOver(approval, { by, to, until }) || isSamePerson(by.id, to.id, permission.facts)) return ok(execution);
  const subject = subjectOf(execution, approval, now);
  const asHanded = { ...subject, handedOver: [...subject.handedOver, { by: by.id, to: to.id }] };
  const permit = permits(policy, asHanded, to.id, permission.facts);
  if (permit.kind === 'denied') return refuse({ kind: 'cannot-take-over', to, denial: permit.denial });
  const added: HandOver = { to, by, ...forWhom(approval, { personId: by.id, right }), at: now, until };
  const handed = { ...approval, handedOver: [...approval.handedOver, added] };
  const named = { approval: approvalId, by: by.id, to: to.id, rule, ...givenFacts(right, by.id, permission.facts) };
  const facts = { ...named, policy: policyHash(permission.policy), ...(until !== null && { until }) };
  return ok(recordEvent(withApproval(execution, handed), { kind: 'handed-over', at: now, facts }));
}

/** Whether a person has handed it over to the other at least that long. What another approver has given them may end sooner. */
function isHandedOver({ handedOver }: Approval, { by, to, until }: Pick<HandOver, 'by' | 'to' | 'until'>): boolean {
  return handedOver.some(
    (each) =>
      each.by.id === by.id && each.to.id === to.id && (each.until === null || (until !== null && until <= each.until)),
  );
}
