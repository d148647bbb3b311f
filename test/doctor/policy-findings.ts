import { type Approver, DEFAULT_POLICY, type Policy, parseApprover } from '../../src/core/approval/policy/policy.ts';
import type { Crew } from '../../src/core/crew.ts';
import { checkPolicies } from '../../src/doctor/check-policies.ts';
import { findingLine } from '../../src/doctor/finding.ts';
import { checkPolicyScopes } from '../../src/doctor/rule-sets.ts';
import { createSlackClients, slackLogger } from '../../src/slack/api/clients.ts';
import { crew, silent } from '../crew/crew-values.ts';

export interface PolicyOptions extends Partial<Omit<Policy, 'approvers' | 'escalateTo'>> {
  approvers?: string[];
  escalateTo?: string[];
}

interface CrewOptions extends PolicyOptions {
  starters?: string[];
  channel?: string;
  broadcast?: boolean;
  notify?: Crew['notify'];
  tasks?: (PolicyOptions & { match: string })[];
}

/** A crew `research` with this policy; what is left out is the usual. */
export function crewWith({ starters, channel, broadcast, notify, tasks = [], ...options }: CrewOptions): Crew {
  const policy = { ...DEFAULT_POLICY, ...rules(options) };
  return crew({
    channel: channel ?? null,
    approval: { ...policy, tasks: tasks.map((task) => ({ ...policy, match: task.match, ...rules(task) })) },
    ...(broadcast !== undefined && { broadcast }),
    ...(notify && { notify }),
    ...(starters && { starters: starters.map(approver) }),
  });
}

/** What the doctor says about the policies of a crew, as lines. */
export async function policyFindings(
  { apiUrl, botToken }: { apiUrl: string; botToken: string },
  crewOptions: CrewOptions,
  { scopes = ['usergroups:read', 'users:read.email'] }: { scopes?: string[] } = {},
): Promise<string[]> {
  const { background: client } = createSlackClients({ token: botToken, apiUrl, logger: slackLogger(silent) });
  const names = { botUserId: 'U0SIGNOFF1', botId: null, botName: 'signoff', workspaceUrl: 'https://sandbox.example/' };
  const installation = { kind: 'workspace', teamId: 'T0SANDBOX1' } as const;
  const identity = { ...names, installation, scopes: new Set(scopes) };
  const crews = [crewWith(crewOptions)];
  return [...checkPolicyScopes(crews, identity), ...(await checkPolicies(crews, { client, identity }))].map(
    findingLine,
  );
}

function rules({ approvers, escalateTo, ...others }: PolicyOptions): Partial<Policy> {
  return {
    ...others,
    ...(approvers && { approvers: approvers.map(approver) }),
    ...(escalateTo && { escalateTo: escalateTo.map(approver) }),
  };
}

function approver(name: string): Approver {
  const parsed = parseApprover(name);
  if (!parsed) throw new Error(`${name} is no approver`);
  return parsed;
}
