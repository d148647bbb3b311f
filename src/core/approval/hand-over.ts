import type { Execution } from '../execution/execution.ts';
import { withApproval } from '../execution/execution.ts';
import { recordEvent } from '../ledger/record-event.ts';
import type { Result } from '../result.ts';
import { ok, refuse } from '../result.ts';
import type { Millis } from '../time.ts';
import type { Approval, Person } from './approval.ts';
import { findDecidable } from './decide.ts';
import type { OnText, Permission } from './permission.ts';
import { subjectOf } from './permission.ts';
import { policyHash } from './policy/document.ts';
import { isSamePerson, permits } from './policy/permits.ts';
import type { Refusal } from './refusal.ts';

/**
 * Lets another person decide an open request, too; until an instant, or for good. Only for those who may decide it, and never
 * for the benefit of a person whom the policy bars in any case. Handing over to oneself changes nothing: it would outlast the
 * right to decide.
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
  const { approval, policy, rule } = found.value;
  if (isHandedTo(approval, to, until) || isSamePerson(by.id, to.id, permission.facts)) return ok(execution);
  const subject = subjectOf(execution, approval, now);
  const asHanded = { ...subject, handedTo: [...subject.handedTo, to.id] };
  const permit = permits(policy, asHanded, to.id, permission.facts);
  if (permit.kind === 'denied') return refuse({ kind: 'cannot-take-over', to, denial: permit.denial });
  const handed = { ...approval, handedOver: [...approval.handedOver, { to, by, at: now, until }] };
  const named = { approval: approvalId, by: by.id, to: to.id, rule, policy: policyHash(permission.policy) };
  const facts = { ...named, ...(until !== null && { until }) };
  return ok(recordEvent(withApproval(execution, handed), { kind: 'handed-over', at: now, facts }));
}

/** Whether it was handed over to a person at least that long. */
function isHandedTo({ handedOver }: Approval, to: Person, until: Millis | null): boolean {
  return handedOver.some(
    (each) => each.to.id === to.id && (each.until === null || (until !== null && until <= each.until)),
  );
}
