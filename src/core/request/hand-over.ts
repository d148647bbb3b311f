// Handing a request over: *Add an approver…*, and stand-ins for people who are away. Only a right of one's own can be handed over.

import { givingRefusal, type OnText, type Permission, permitsUnder } from '../policy/permission.ts';
import { HANDED_OVER, isSamePerson, permitsByRules } from '../policy/permits.ts';
import { WORKSPACE } from '../policy/policy.ts';
import type { Refusal } from '../policy/refusal.ts';
import { policyFacts } from '../policy/rules.ts';
import { recordEvent } from '../state/events.ts';
import { type Execution, findRequest, withRequest } from '../state/execution.ts';
import { type HandOver, type HumanRequest, isOpen, type Person } from '../state/request.ts';
import { ok, type Result, refuse } from '../values/result.ts';
import type { Millis } from '../values/time.ts';
import { findDecidable } from './decide.ts';

/**
 * Lets another person (`to`, the taker) decide an open request as well, until an instant or for good. The giver (`by`) needs a right
 * of their own, and the policy must allow it and not bar the taker. Handing over to oneself changes nothing.
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
  const decidable = findDecidable(execution, approvalId, { personId: by.id, now, revision, ...permission });
  if (!decidable.ok) return decidable;
  const refusal = givingRefusal(decidable.value, by.id);
  if (refusal) return refuse(refusal);
  const { request, policies, subject, facts, rule } = decidable.value;
  if (facts.accounts[to.id] === undefined) return refuse({ kind: 'facts-needed', people: [by.id, to.id] });
  if (isHandedOver(request, { by, to, until }) || isSamePerson(by.id, to.id, facts)) return ok(execution);
  const subjectAfter = { ...subject, handedOver: [...subject.handedOver, { by: by.id, to: to.id }] };
  const permit = permitsUnder(policies, subjectAfter, to.id, facts);
  if (permit.kind === 'denied') return refuse({ kind: 'cannot-take-over', to, denial: permit.denial });
  // Where only approvers may take over, the ledger says by which name the policy names the taker, so that an audit can verify it
  // without the groups of that day. Under `anyone`, the taker needs no name in the policy.
  const { allowedBy, named, rule: takerRule } = permit.permitted;
  const takerNamed = allowedBy.delegation === 'anyone' ? undefined : (named ?? takerRule);
  const added: HandOver = { to, by, at: now, until };
  const after = {
    ...request,
    discussion: { ...request.discussion, handedOver: [...request.discussion.handedOver, added] },
  };
  const entry = {
    approval: approvalId,
    by: by.id,
    to: to.id,
    rule,
    ...(takerNamed !== undefined && { to_named: takerNamed }),
    ...policyFacts(decidable.value),
    ...(until !== null && { until }),
  };
  return ok(recordEvent(withRequest(execution, after), { kind: 'handed-over', at: now, facts: entry }));
}

/** Returns true if this giver has handed the request over to the same person for at least that long. */
function isHandedOver(
  { discussion: { handedOver } }: HumanRequest,
  { by, to, until }: Pick<HandOver, 'by' | 'to' | 'until'>,
): boolean {
  return handedOver.some(
    (each) =>
      each.by.id === by.id && each.to.id === to.id && (each.until === null || (until !== null && until <= each.until)),
  );
}

/** Returns true if a stand-in takes over what a person may decide by this rule: not what all may, nor what was handed over. */
export function isPassedOn(rule: string): boolean {
  return rule !== WORKSPACE.name && rule !== HANDED_OVER;
}

/** Hands a request over for an absence, unless the stand-in may decide it anyway. Refused where the policy doesn't allow it. */
export function letStandIn(
  execution: Execution,
  approvalId: string,
  absence: Permission & { by: Person; to: Person; until: Millis },
  now: Millis,
): Result<Execution, Refusal> {
  const { by, to, facts } = absence;
  // A stand-in takes over whatever the request's text is.
  const revision = findRequest(execution, approvalId)?.question.output.hash ?? null;
  const decidable = findDecidable(execution, approvalId, { ...absence, revision, personId: by.id, now });
  if (!decidable.ok) return decidable;
  if (facts.accounts[to.id] === undefined) return refuse({ kind: 'facts-needed', people: [by.id, to.id] });
  const { policies, subject, rule } = decidable.value;
  const mayDecide = policies.every((policy) => permitsByRules(policy, subject, to.id, facts).kind === 'permitted');
  const isNeeded = isPassedOn(rule) && !mayDecide;
  return isNeeded ? handOver(execution, approvalId, { ...absence, revision }, now) : ok(execution);
}

/** Returns when the first hand-over of an open request ends; null if none does. */
export function handOverEndsAt({ state: { status }, discussion: { handedOver } }: HumanRequest): Millis | null {
  const ends = handedOver.flatMap(({ until }) => (until === null ? [] : [until]));
  return status === 'pending' && ends.length > 0 ? Math.min(...ends) : null;
}

/** Removes the hand-overs that have ended, so that nothing shows them any more. */
export function endHandOvers(execution: Execution, now: Millis): Execution {
  return without(execution, ({ until }) => until !== null && until <= now);
}

/** Takes back what a person has handed over for an absence, except to `exception`, their present stand-in. Null: they are back. */
export function takeBack(
  execution: Execution,
  personId: string,
  exception: { to: string; until: Millis } | null,
  now: Millis,
): Execution {
  const isOver = ({ by, to, until }: HandOver) =>
    by.id === personId && until !== null && !(exception?.to === to.id && exception.until === until);
  let after = without(execution, isOver);
  for (const {
    id: approval,
    discussion: { handedOver },
  } of execution.requests.filter(isOpen)) {
    for (const { to, until } of handedOver.filter(isOver)) {
      if (until === null) continue;
      const facts = { approval, by: personId, to: to.id, until };
      after = recordEvent(after, { kind: 'taken-back', at: now, facts });
    }
  }
  return after;
}

function without(execution: Execution, isOver: (handOver: HandOver) => boolean): Execution {
  const changes = (request: HumanRequest) => isOpen(request) && request.discussion.handedOver.some(isOver);
  if (!execution.requests.some(changes)) return execution;
  const requests = execution.requests.map((request) =>
    changes(request)
      ? {
          ...request,
          discussion: {
            ...request.discussion,
            handedOver: request.discussion.handedOver.filter((each) => !isOver(each)),
          },
        }
      : request,
  );
  return { ...execution, requests };
}
