import type { Approver } from '../../core/approval/policy/approver.ts';
import { mustBeLookedUp } from '../../core/approval/policy/approver.ts';
import type { Facts } from '../../core/approval/policy/facts.ts';
import type { Directory } from '../../core/ports.ts';

/** What Slack says about some people, and about those whom some approvers stand for. */
export async function gatherFacts(
  directory: Directory,
  { people, approvers, channel }: { people: readonly string[]; approvers: readonly Approver[]; channel: string },
): Promise<Facts> {
  const [accounts, members] = await Promise.all([
    Promise.all(people.map(async (id) => [id, await directory.account(id)] as const)),
    Promise.all(
      approvers
        .filter(mustBeLookedUp)
        .map(async (approver) => [approver.name, await directory.membersOf(approver, channel)] as const),
    ),
  ]);
  return { accounts: Object.fromEntries(accounts), members: Object.fromEntries(members), connected: null };
}
