import { HANDED_OVER, isSamePerson, permitsByRules } from '../policy/evaluate.ts';
import { givingRefusal, type OnText, type Permission, permitsUnder } from '../policy/permission.ts';
import { WORKSPACE } from '../policy/policy.ts';
import type { Refusal } from '../policy/refusal.ts';
import { policyFacts } from '../policy/rules.ts';
import { type Approval, type HandOver, isOpen, type Person } from '../state/approval.ts';
import { recordEvent } from '../state/events.ts';
import { type Execution, findApproval, withApproval } from '../state/execution.ts';
import { ok, type Result, refuse } from '../values/result.ts';
import type { Millis } from '../values/time.ts';
import { findDecidable } from './decide.ts';

/**
 * Lets another person decide an open request, too; until an instant, or for good. Only people whom the policy itself lets decide can
 * do so, as far as it allows that, and never for the benefit of a person whom it bars in any case. Handing over to oneself changes
 * nothing.
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
  const refusal = givingRefusal(found.value, by.id);
  if (refusal) return refuse(refusal);
  const { request: approval, policies, subject, facts: known, rule } = found.value;
  if (known.accounts[to.id] === undefined) return refuse({ kind: 'facts-needed', people: [by.id, to.id] });
  if (isHandedOver(approval, { by, to, until }) || isSamePerson(by.id, to.id, known)) return ok(execution);
  const asHanded = { ...subject, handedOver: [...subject.handedOver, { by: by.id, to: to.id }] };
  const taken = permitsUnder(policies, asHanded, to.id, known);
  if (taken.kind === 'denied') return refuse({ kind: 'cannot-take-over', to, denial: taken.denial });
  // They may be let decide by the rules themselves, and lose that later.
  const { allowedBy: taking, named, rule: takerRule } = taken.permitted;
  const takerNamed = taking.delegation === 'anyone' ? undefined : (named ?? takerRule);
  const added: HandOver = { to, by, at: now, until };
  const handed = { ...approval, handedOver: [...approval.handedOver, added] };
  const facts = {
    approval: approvalId,
    by: by.id,
    to: to.id,
    rule,
    ...(takerNamed !== undefined && { to_named: takerNamed }),
    ...policyFacts(found.value),
    ...(until !== null && { until }),
  };
  return ok(recordEvent(withApproval(execution, handed), { kind: 'handed-over', at: now, facts }));
}

/** Whether a person has handed it over to the other at least that long. What another approver has given them may end sooner. */
function isHandedOver({ handedOver }: Approval, { by, to, until }: Pick<HandOver, 'by' | 'to' | 'until'>): boolean {
  return handedOver.some(
    (each) =>
      each.by.id === by.id && each.to.id === to.id && (each.until === null || (until !== null && until <= each.until)),
  );
}

/** Whether people pass on what they may decide by this rule: not what all may, nor what was handed over to them. */
export function isPassedOn(rule: string): boolean {
  return rule !== WORKSPACE.name && rule !== HANDED_OVER;
}

/** Hands a request over for an absence, to a stand-in who may not decide it anyway, and says no where the policy does. */
export function letStandIn(
  execution: Execution,
  approvalId: string,
  asked: Permission & { by: Person; to: Person; until: Millis },
  now: Millis,
): Result<Execution, Refusal> {
  const { by, to, facts } = asked;
  // They pass on what they may decide, whatever its text.
  const revision = findApproval(execution, approvalId)?.output.hash ?? null;
  const found = findDecidable(execution, approvalId, { ...asked, revision, personId: by.id, now });
  if (!found.ok) return found;
  if (facts.accounts[to.id] === undefined) return refuse({ kind: 'facts-needed', people: [by.id, to.id] });
  const { policies, subject, rule } = found.value;
  const mayDecide = policies.every((policy) => permitsByRules(policy, subject, to.id, facts).kind === 'permitted');
  const isNeeded = isPassedOn(rule) && !mayDecide;
  return isNeeded ? handOver(execution, approvalId, { ...asked, revision }, now) : ok(execution);
}

/** When the first hand-over of an open request ends; null if none does. */
export function handOverEndsAt({ status, handedOver }: Approval): Millis | null {
  const ends = handedOver.flatMap(({ until }) => (until === null ? [] : [until]));
  return status === 'pending' && ends.length > 0 ? Math.min(...ends) : null;
}

/** Forgets the hand-overs that no longer count, so that nothing shows them any more. */
export function endHandOvers(execution: Execution, now: Millis): Execution {
  return without(execution, ({ until }) => until !== null && until <= now);
}

/**
 * Takes back what a person has handed over for an absence, unless it is to this stand-in until this instant. Null: they are back.
 */
export function takeBack(
  execution: Execution,
  personId: string,
  kept: { to: string; until: Millis } | null,
  now: Millis,
): Execution {
  const isTaken = ({ by, to, until }: HandOver) =>
    by.id === personId && until !== null && !(kept?.to === to.id && kept.until === until);
  let taken = without(execution, isTaken);
  for (const { id: approval, handedOver } of execution.approvals.filter(isOpen)) {
    for (const { to, until } of handedOver.filter(isTaken)) {
      if (until === null) continue;
      const facts = { approval, by: personId, to: to.id, until };
      taken = recordEvent(taken, { kind: 'taken-back', at: now, facts });
    }
  }
  return taken;
}

/** Removes the hand-overs of open requests that are over. */
function without(execution: Execution, isOver: (handOver: HandOver) => boolean): Execution {
  const isConcerned = (approval: Approval) => isOpen(approval) && approval.handedOver.some(isOver);
  if (!execution.approvals.some(isConcerned)) return execution;
  const approvals = execution.approvals.map((approval) =>
    isConcerned(approval) ? { ...approval, handedOver: approval.handedOver.filter((each) => !isOver(each)) } : approval,
  );
  return { ...execution, approvals };
}
