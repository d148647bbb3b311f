import type { Account } from '../../../../src/core/policy/permits.ts';
import type { CrewPolicy } from '../../../../src/core/policy/policy.ts';
import type { Inputs } from '../../../../src/core/values/json.ts';
import { accountsAtFirst, membersAtFirst } from '../runner/cast.ts';
import { readPolicy } from '../runner/read-policy.ts';

/** What is really so about people and groups, and what Slack would say of it, from one instant to the next change. */
export interface Truth {
  from: number;
  accounts: Record<string, Account>;
  members: Record<string, ReadonlySet<string>>;
  /** The people and groups that Slack can't tell anything about. */
  untold: ReadonlySet<string>;
}

export function truthAtFirst(from: number): Truth {
  const accounts = Object.entries(accountsAtFirst()).flatMap(([id, said]) => (said ? [[id, said] as const] : []));
  const members = Object.entries(membersAtFirst()).flatMap(([name, ids]) => (ids ? [[name, ids] as const] : []));
  return { from, accounts: Object.fromEntries(accounts), members: Object.fromEntries(members), untold: new Set() };
}

/** Whose account an id is: a human, whatever number of accounts they have. */
export function humanOf(id: string): string {
  return id.replace(/\d+$/, '');
}

const TIMES = 'remind_after: 20s, escalate_after: 40s, escalate_to: [@heads, UGUEST], expire_after: 3m';

/** The policies that an operator switches between. */
export const POLICIES: CrewPolicy[] = [
  'approvers: [@leads], quorum: 2, delegation: anyone',
  'approvers: [@leads], quorum: 2, undo: 10s, delegation: anyone',
  'approvers: [@leads], quorum: 3, undo: 30s, delegation: none',
  'approvers: [@heads, UMARIA, UMARIA2], quorum: 2',
  'approvers: [@leads, USTRANGER, UROBOT], guests: true, quorum: 2, self_approval: false, delegation: anyone',
  'approvers: [workspace], quorum: 4, self_approval: false, undo: 1m',
  'approvers: [@leads], undo: 10s, on_decline: reject, delegation: none',
  `approvers: [@leads], quorum: 2, guests: true, undo: 10s, ${TIMES}`,
  `approvers: [UTOM, channel], quorum: 3, undo: 10s, on_expiry: reject, ${TIMES}`,
  'approvers: [@nobody], tasks: [{ match: draft, approvers: [@leads], quorum: 2 }]',
  'approvers: [workspace], undo: 10s, tasks: [{ match: publish, approvers: [@leads], quorum: 2 }]',
  'approvers: [workspace], undo: 30s, on_decline: reject, tasks: [{ match: publish, approvers: [@leads], self_approval: false }]',
  `approvers: [@leads], quorum: 2, undo: 30s, ${TIMES}, tasks: [{ match: publish, approvers: [@heads, UMARIA], quorum: 1, delegation: anyone }]`,
  `approvers: [workspace], on_expiry: reject, ${TIMES}, tasks: [{ match: publish, self_approval: false, undo: 1m }]`,
  'all_of: [@legal, @leads], delegation: anyone',
  'approvers: [@leads], quorum: 2, all_of: [@legal, @heads], undo: 10s, delegation: anyone',
  'stages: [{ name: Peer, approvers: [channel] }, { name: Release, approvers: [@leads], quorum: 2 }], delegation: anyone',
  `undo: 10s, stages: [{ name: Peer, approvers: [@leads] }, { name: Legal, all_of: [@legal, @leads] }], ${TIMES}`,
  'stages: [{ name: One, approvers: [workspace], remind_after: 20s, expire_after: 3m }, { name: Two, approvers: [@leads], expire_after: 1m }]',
  'approvers: [workspace], when: [{ if: "inputs.amount > 5000", approvers: [@leads], quorum: 2 }, { if: "inputs.env == \'prod\'", self_approval: false, quorum: 3 }]',
  'approvers: [workspace, "input:owner"], quorum: 2, when: [{ if: "inputs.amount < 100", quorum: 1, may_loosen: true }, { if: "task == \'publish\'", all_of: [@legal] }]',
  'approvers: [@leads], delegation: anyone, when: [{ if: "inputs.env == \'prod\'", stages: [{ name: Peer, approvers: [channel] }, { name: Release }] }], tasks: [{ match: publish, approvers: [@heads, @leads] }]',
  'approvers: [@leads], quorum: 2, step_up: true, undo: 10s, delegation: anyone',
  'approvers: [@leads], quorum: 2, undo: 30s, tasks: [{ match: publish, step_up: true }]',
  'undo: 10s, step_up: true, stages: [{ name: Peer, approvers: [channel] }, { name: Release, approvers: [@leads] }]',
  'approvers: [@leads], quorum: 2, approving: [ship*], delegation: anyone, tasks: [{ match: publish, approving: [ship it], undo: 10s }]',
  'undo: 10s, approving: [ship it], stages: [{ name: Peer, approvers: [channel] }, { name: Release, approvers: [@leads] }]',
].map(readPolicy);

/** What some requests offer. */
export const OUTCOMES = ['ship it', 'ship later', 'drop'];

/** What runs are started with. */
export const INPUTS: Inputs[] = [
  { amount: 9000, env: 'prod', owner: 'UMARIA' },
  { amount: 10, env: 'dev', owner: 'USAM' },
  { env: 'prod', owner: 'tom@example.com' },
  { amount: '9000', owner: 'UGUEST' },
  {},
];
