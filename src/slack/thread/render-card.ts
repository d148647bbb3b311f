import type { Approval, Person } from '../../core/approval/approval.ts';
import { policyFor } from '../../core/approval/policy/policy.ts';
import { findApproval, starterOf } from '../../core/execution/execution.ts';
import { cardModel } from '../../core/messages/view-models.ts';
import { approvalCard } from '../approval/card.ts';
import type { Rendered } from '../ui/blocks.ts';
import { bareCard } from './bare-models.ts';
import type { RenderPorts, Wanted } from './render-ports.ts';

/** A card with the names of those who can decide by the policy as it is now; null if there is no such request. */
export async function renderCard(
  ports: RenderPorts,
  { execution, rendering, mentions }: Wanted,
  approvalId: string,
): Promise<Rendered | null> {
  const approval = findApproval(execution, approvalId);
  if (!approval) return null;
  const whole = cardModel(execution, approval);
  const model = rendering === 'bare' ? bareCard(whole) : whole;
  const decision = 'decision' in model.state ? model.state.decision : null;
  const policy = policyFor(ports.rulesOf(execution.crew).policy, approval);
  const starter = policy.selfApproval ? null : starterOf(execution);
  const [output, name, approverName] = await Promise.all([
    ports.outputs.get(execution.ref, approval.output.hash),
    ports.namesOf(decision?.by, model.ledBy?.by, starter, ...peopleOn(approval)),
    ports.approverNames([...policy.approvers, ...policy.escalateTo].filter(({ kind }) => kind !== 'workspace')),
  ]);
  const notes = ports.crews.get(execution.crew)?.approvalNotes === false ? 'hidden' : 'offered';
  return approvalCard(model, { output, notes, mentions, deciders: { policy, starter, approverName }, name, rendering });
}

function peopleOn({ votes, handedOver }: Approval): Person[] {
  return [...votes.map(({ by }) => by), ...handedOver.flatMap(({ to, by }) => [to, by])];
}
