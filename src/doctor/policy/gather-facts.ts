import { type Approver, mustBeLookedUp } from '../../core/approval/policy/approver.ts';
import type { Facts } from '../../core/approval/policy/facts.ts';
import type { Policy } from '../../core/approval/policy/policy.ts';
import type { Directory } from '../../core/ports.ts';

interface Asked {
  policy: Policy;
  /** The ids of the people in question. */
  people: readonly string[];
  /** The id of the channel that the request would be in; null if it isn't known. */
  channel: string | null;
}

/** Asks Slack for everything that the policy needs to know about people. Who has connected a token isn't asked. */
export async function gatherFacts(directory: Directory, { policy, people, channel }: Asked): Promise<Facts> {
  const named = [...policy.approvers, ...policy.escalateTo].filter(mustBeLookedUp);
  const membersOf = (approver: Approver) =>
    approver.kind === 'channel' && channel === null ? null : directory.membersOf(approver, channel ?? '');
  const [accounts, members] = await Promise.all([
    Promise.all(people.map(async (id) => [id, await directory.account(id)] as const)),
    Promise.all(named.map(async (approver) => [approver.name, await membersOf(approver)] as const)),
  ]);
  return { accounts: Object.fromEntries(accounts), members: Object.fromEntries(members), connected: null };
}
