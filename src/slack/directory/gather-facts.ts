import type { Facts } from '../../core/approval/policy/permits.ts';
import { type Approver, mustBeLookedUp } from '../../core/approval/policy/policy.ts';
import type { Directory } from '../../core/ports.ts';

/**
 * Asks for all that a policy has to know about some people, at once, so that it takes no longer than one answer. What isn't
 * known at the deadline is null. Whose token is connected is left to the caller.
 */
export async function gatherFacts(
  directory: Directory,
  {
    people,
    approvers,
    starters = [],
    channel,
    deadline,
  }: {
    people: readonly string[];
    approvers: readonly Approver[];
    /** People who may not decide since they started the run; by default, none. */
    starters?: readonly Approver[];
    channel: string;
    deadline?: AbortSignal;
  },
): Promise<Facts> {
  const late = aborted(deadline);
  const inTime = <Answer>(answer: Promise<Answer>) => (late ? Promise.race([answer, late]) : answer);
  const lookedUp = [...approvers, ...starters].filter(mustBeLookedUp);
  const named = new Map(lookedUp.map((approver) => [approver.name, approver]));
  const ids = starters.filter(({ kind }) => kind === 'person').map(({ name }) => name);
  const accounts = [...new Set([...people, ...ids])].map(
    async (id) => [id, await inTime(directory.account(id))] as const,
  );
  const members = Array.from(
    named.values(),
    async (approver) => [approver.name, await inTime(directory.membersOf(approver, channel))] as const,
  );
  return {
    accounts: Object.fromEntries(await Promise.all(accounts)),
    members: Object.fromEntries(await Promise.all(members)),
    connected: null,
  };
}

function aborted(deadline: AbortSignal | undefined): Promise<null> | null {
  if (!deadline) return null;
  if (deadline.aborted) return Promise.resolve(null);
  return new Promise((resolve) => deadline.addEventListener('abort', () => resolve(null), { once: true }));
}
