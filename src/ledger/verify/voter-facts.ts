import type { Account, Facts } from '../../core/approval/policy/permits.ts';
import {
  type Approver,
  barredStarters,
  mustBeLookedUp,
  type Policy,
  parseApprover,
} from '../../core/approval/policy/policy.ts';
import type { RightFacts } from '../../core/ledger/event.ts';

/**
 * What was known when people voted, as far as their entries say it: each is who the rule that allowed them says, and no other
 * approver stands for them.
 */
export function factsOf(policy: Policy, voters: readonly RightFacts[], starter: string | null): Facts {
  const starters = barredStarters(policy, starter);
  const accounts: Record<string, Account> = {};
  for (const { kind, name } of starters) if (kind === 'person') accounts[name] = accountOf(name, 'member');
  for (const { by, rule, account } of voters) accounts[by] = accountOf(by, account, parseApprover(rule));
  const lookedUp = [...policy.approvers, ...policy.escalateTo].filter(mustBeLookedUp);
  const members = lookedUp.map(({ name }): [string, Set<string>] => [
    name,
    new Set(voters.filter(({ rule }) => rule === name).map(({ by }) => by)),
  ]);
  // Entries don't tell whose addresses these are, except of voters who counted by theirs.
  for (const { kind, name } of starters)
    if (kind === 'email')
      members.push([name, new Set([name, ...voters.flatMap(({ by, rule }) => (rule === name ? [by] : []))])]);
  return { accounts, members: Object.fromEntries(members), connected: null };
}

function accountOf(id: string, account: RightFacts['account'], rule: Approver | null = null): Account {
  return {
    // A person may have a second account, under which the policy names them.
    identities: rule?.kind === 'person' ? [id, rule.name] : [id],
    isBot: false,
    isDeactivated: false,
    isGuest: account === 'guest',
    isStranger: account === 'stranger',
  };
}
