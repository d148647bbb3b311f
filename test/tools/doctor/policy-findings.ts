import { parseCondition } from '../../../src/conditions/cel.ts';
import type { Crew } from '../../../src/core/policy/crew.ts';
import {
  type Approver,
  type ConditionalPolicy,
  DEFAULT_POLICY,
  type Policy,
  parseApprover,
} from '../../../src/core/policy/policy.ts';
import { createSlackClients, slackLogger } from '../../../src/slack/api/clients.ts';
import type { Installation } from '../../../src/slack/api/identity.ts';
import { checkPolicies } from '../../../src/tools/doctor/check-policies.ts';
import { findingLine } from '../../../src/tools/doctor/finding.ts';
import { checkPolicyScopes } from '../../../src/tools/doctor/rule-sets.ts';
import { crew, silent } from '../../crew/crew-values.ts';

export interface PolicyOptions extends Partial<Omit<Policy, 'approvers' | 'allOf' | 'escalateTo' | 'stages'>> {
  approvers?: string[];
  allOf?: string[];
  escalateTo?: string[];
  stages?: (PolicyOptions & { name: string })[];
}

interface CrewOptions extends PolicyOptions {
  starters?: string[];
  channel?: string;
  broadcast?: boolean;
  notify?: Crew['notify'];
  flowSecrets?: string[];
  matchTitles?: boolean;
  when?: (PolicyOptions & { if: string })[];
  tasks?: (PolicyOptions & Pick<CrewOptions, 'when'> & { match: string })[];
}

const INPUTS = { amount: 'number', owner: 'text' } as const;

/** A crew `research` with this policy; what is left out is the usual. */
export function crewWith({
  starters,
  channel,
  broadcast,
  notify,
  flowSecrets = [],
  matchTitles = false,
  tasks = [],
  when,
  ...options
}: CrewOptions): Crew {
  const policy = withRules(DEFAULT_POLICY, options);
  const usual = conditions(policy, when);
  return crew({
    channel: channel ?? null,
    flowSecrets,
    approval: {
      ...policy,
      matchTitles,
      inputs: INPUTS,
      when: usual,
      tasks: tasks.map(({ match, when: own, ...rules }) => {
        const task = withRules(policy, rules);
        return { ...task, match, looksAt: 'name' as const, when: conditions(task, own ?? when) };
      }),
    },
    ...(broadcast !== undefined && { broadcast }),
    ...(notify && { notify }),
    ...(starters && { starters: starters.map(approver) }),
  });
}

function conditions(policy: Policy, when: CrewOptions['when'] = []): ConditionalPolicy[] {
  return when.map(({ if: text, ...rules }) => {
    const condition = parseCondition(text, INPUTS);
    if (typeof condition === 'string') throw new Error(condition);
    return { ...withRules(policy, rules), condition };
  });
}

/** What the doctor says about the policies of a crew, as lines, without what is fine about its cards. */
export async function policyFindings(...asked: Parameters<typeof allFindings>): Promise<string[]> {
  return (await allFindings(...asked)).filter((line) => !line.startsWith('✓ Cards of'));
}

export async function allFindings(
  { apiUrl, botToken }: { apiUrl: string; botToken: string },
  crewOptions: CrewOptions,
  {
    scopes = ['usergroups:read', 'users:read.email'],
    installation = { kind: 'workspace', teamId: 'T0SANDBOX1' },
  }: { scopes?: string[]; installation?: Installation } = {},
): Promise<string[]> {
  const { background: client } = createSlackClients({ token: botToken, apiUrl, logger: slackLogger(silent) });
  const names = { botUserId: 'U0SIGNOFF1', botId: null, botName: 'signoff', workspaceUrl: 'https://sandbox.example/' };
  const identity = { ...names, installation, scopes: new Set(scopes) };
  const crews = [crewWith(crewOptions)];
  return [...checkPolicyScopes(crews, identity), ...(await checkPolicies(crews, { client, identity }))].map(
    findingLine,
  );
}

function withRules<Each extends Policy>(policy: Each, { stages, ...options }: PolicyOptions): Each {
  const { approvers, allOf, escalateTo, ...others } = options;
  const rules = {
    ...policy,
    ...others,
    ...(approvers && { approvers: approvers.map(approver) }),
    ...(allOf && { allOf: allOf.map(approver) }),
    ...(escalateTo && { escalateTo: escalateTo.map(approver) }),
  };
  return stages ? { ...rules, stages: stages.map(({ name, ...own }) => ({ ...withRules(rules, own), name })) } : rules;
}

function approver(name: string): Approver {
  const parsed = parseApprover(name);
  if (!parsed) throw new Error(`${name} is no approver`);
  return parsed;
}
