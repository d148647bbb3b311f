import { type Execution, findApproval } from '../execution/execution.ts';
import type { Result } from '../result.ts';
import { ok, refuse } from '../result.ts';
import type { Millis } from '../time.ts';
import type { Person } from './approval.ts';
import { findDecidable } from './decide.ts';
import { handOver } from './hand-over.ts';
import type { Permission } from './permission.ts';
import { subjectOf } from './permission.ts';
import { WORKSPACE } from './policy/approver.ts';
import { HANDED_OVER, permits } from './policy/permits.ts';
import type { Refusal } from './refusal.ts';

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
  const { by, to, policy: _, facts } = asked;
  // They pass on what they may decide, whatever its text.
  const revision = findApproval(execution, approvalId)?.output.hash ?? null;
  const found = findDecidable(execution, approvalId, { ...asked, revision, personId: by.id, now });
  if (!found.ok) return found;
  if (facts.accounts[to.id] === undefined) return refuse({ kind: 'facts-needed', people: [by.id, to.id] });
  const { approval, policy, rule } = found.value;
  const own = permits(policy, { ...subjectOf(execution, approval, now), handedOver: [] }, to.id, facts);
  const isNeeded = isPassedOn(rule) && own.kind === 'denied';
  return isNeeded ? handOver(execution, approvalId, { ...asked, revision }, now) : ok(execution);
}
