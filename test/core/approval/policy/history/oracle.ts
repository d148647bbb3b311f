import type { Account } from '../../../../../src/core/approval/policy/facts.ts';
import type { Policy } from '../../../../../src/core/approval/policy/policy.ts';
import { FACTS_MS, STORE_MS } from './process.ts';
import { humanOf, type Truth } from './truth.ts';

/** A person who counts, and everything that their right to decide may rest on. */
interface Right {
  policy: Policy;
  starterId: string;
  isEscalated: boolean;
  handedTo: readonly string[];
  /** What was so, oldest first; the last is so still. */
  past: readonly Truth[];
  now: number;
}

/**
 * Why a person may not decide, written a second time and in other words than in the core, from what was really so: each
 * condition must have held at some instant since the oldest facts that a process may still have. Null if they may.
 */
export function whyNot(id: string, right: Right): string | null {
  const { policy, starterId, isEscalated, handedTo } = right;
  const seen = lately(right);
  const were = (holds: (account: Account, truth: Truth) => boolean) =>
    seen.some((truth) => {
      const account = truth.accounts[id];
      return account !== undefined && holds(account, truth);
    });
  if (!were(({ isBot }) => !isBot)) return 'is a bot';
  if (!were(({ isDeactivated }) => !isDeactivated)) return 'is deactivated';
  if (!policy.selfApproval && humanOf(id) === humanOf(starterId)) return 'started the run';
  const rules = isEscalated ? [...policy.approvers, ...policy.escalateTo] : policy.approvers;
  const isNamed = rules.some(({ kind, name }) => kind === 'person' && isMeant(name, id, right));
  const isInside = were(({ isGuest, isStranger }) => !isGuest && !isStranger);
  if (!isInside && !(policy.guests && isNamed)) return 'is from outside';
  if (isNamed || rules.some(({ kind }) => kind === 'workspace')) return null;
  if (handedTo.some((other) => isMeant(other, id, right))) return null;
  const isMember = rules.some(({ name }) =>
    were(({ identities }, { members }) => identities.some((each) => members[name]?.has(each))),
  );
  return isMember ? null : 'is no approver';
}

/** An id names a person under any of the accounts that Slack knows to be theirs. */
function isMeant(name: string, id: string, { past }: Right): boolean {
  return name === id || past.some(({ accounts }) => accounts[id]?.identities.includes(name));
}

function lately({ past, now }: Right): Truth[] {
  return past.filter((_, i) => (past[i + 1]?.from ?? now) >= now - FACTS_MS - STORE_MS);
}
