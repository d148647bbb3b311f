import type { OnText, Permission } from '../../../../src/core/policy/permission.ts';
import type { Account } from '../../../../src/core/policy/permits.ts';
import type { CrewPolicy } from '../../../../src/core/policy/policy.ts';
import { ask } from '../../../../src/core/request/ask.ts';
import { type Execution, findRequest } from '../../../../src/core/state/execution.ts';
import type { HumanRequest } from '../../../../src/core/state/request.ts';
import type { Inputs } from '../../../../src/core/values/json.ts';
import { execution, request } from '../../../support/executions.ts';
import { START } from '../../../support/requests.ts';
import { valueFrom } from '../../../support/value-from.ts';
import { accountsAtFirst, membersAtFirst, SAM } from './cast.ts';

/** A request of the task "Draft" in a run that Sam has started, the policy in force, and what Slack says about people. */
export interface Scene {
  execution: Execution;
  now: number;
  policy: CrewPolicy;
  accounts: Record<string, Account | null>;
  members: Record<string, ReadonlySet<string> | null>;
  connected: ReadonlySet<string> | null;
}

/** @param inputs null for a run that was started elsewhere */
export function sceneUnder(policy: CrewPolicy, inputs: Inputs | null = {}): Scene {
  const started =
    inputs === null
      ? execution({ origin: { kind: 'elsewhere', adoptionHold: null }, inputs: {} })
      : execution({ origin: { kind: 'command', by: SAM }, inputs });
  const asked = valueFrom(ask(started, request(), START, { policy, hours: null }));
  const said = { accounts: accountsAtFirst(), members: membersAtFirst(), connected: null };
  return { execution: { ...asked, ledgerEvents: [] }, now: START, policy, ...said };
}

/** Of a person who was shown the text as it is now. */
export function permissionIn({ execution, policy, accounts, members, connected }: Scene): Permission & OnText {
  const revision = findRequest(execution, '1')?.question.output.hash ?? null;
  return { policy, facts: { accounts, members, connected }, revision };
}

export function approvalIn(execution: Execution): HumanRequest {
  const request = findRequest(execution, '1');
  if (!request) throw new Error('There is no request.');
  return request;
}
