import type { Permission } from '../../core/approval/permission.ts';
import type { Policy } from '../../core/approval/policy/policy.ts';
import { barredStarters, policyFor } from '../../core/approval/policy/policy.ts';
import type { Execution } from '../../core/execution/execution.ts';
import { starterOf } from '../../core/execution/execution.ts';
import { gatherFacts } from '../directory/gather-facts.ts';
import type { ListenerContext } from '../interaction/listener-context.ts';
import { findConnected } from './find-connected.ts';

/** What the policy of an execution's crew needs to judge some people: the policy in force, and the facts about them. */
export async function findPermission(
  context: Pick<ListenerContext, 'directory' | 'rulesOf' | 'crews' | 'connectedTo'>,
  execution: Execution,
  people: readonly string[],
): Promise<Permission> {
  const { directory, rulesOf } = context;
  const { policy } = rulesOf(execution.crew);
  const policies: Policy[] =
    policy === null ? [] : [policy, ...execution.approvals.map((approval) => policyFor(policy, approval))];
  const starterId = starterOf(execution)?.id ?? null;
  const voterIds = execution.approvals.flatMap(({ status, votes }) =>
    status === 'pending' ? votes.map(({ by }) => by.id) : [],
  );
  const giverIds = execution.approvals.flatMap(({ status, handedOver }) =>
    status === 'pending' || status === 'decided' ? handedOver.map(({ by }) => by.id) : [],
  );
  const deciders = [...new Set([...people, ...voterIds, ...giverIds])];
  const [facts, connected] = await Promise.all([
    gatherFacts(directory, {
      people: deciders,
      approvers: policies.flatMap(({ approvers, escalateTo }) => [...approvers, ...escalateTo]),
      starters: policies.flatMap((each) => barredStarters(each, starterId)),
      channel: execution.channel,
    }),
    findConnected(context, execution.crew, deciders),
  ]);
  return { policy, facts: { ...facts, connected } };
}
