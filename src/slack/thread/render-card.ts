import type { Approval, Person } from '../../core/approval/approval.ts';
import { policyFor } from '../../core/approval/policy/policy.ts';
import { PREVIEW } from '../../core/crew.ts';
import { findApproval, starterOf } from '../../core/execution/execution.ts';
import { cardModel } from '../../core/messages/view-models.ts';
import { approvalCard } from '../approval/card.ts';
import type { Rendered } from '../ui/blocks.ts';
import { bareCard } from './bare-models.ts';
import { findEditsMade } from './find-edits-made.ts';
import { findLastRound } from './find-last-round.ts';
import type { RenderPorts, WantedInWords } from './render-ports.ts';

type CardPorts = Pick<RenderPorts, 'outputs' | 'crews' | 'rulesOf' | 'namesOf' | 'approverNames' | 'findChange'>;

/** A card with the names of those who can decide by the policy as it is now; null if there is no such request. */
export async function renderCard(
  ports: CardPorts,
  { execution, rendering, mentions, say }: WantedInWords,
  approvalId: string,
): Promise<Rendered | null> {
  const approval = findApproval(execution, approvalId);
  if (!approval) return null;
  const whole = cardModel(execution, approval);
  const model = rendering === 'bare' ? bareCard(whole) : whole;
  const decision = 'decision' in model.state ? model.state.decision : null;
  const policy = policyFor(ports.rulesOf(execution.crew).policy, approval);
  const starter = policy.selfApproval ? null : starterOf(execution);
  const [output, lastRound, name, approverName, editsMade] = await Promise.all([
    ports.outputs.get(execution.ref, approval.output.hash),
    findLastRound(ports, execution, approval),
    ports.namesOf(decision?.by, model.ledBy?.by, starter, ...peopleOn(approval)),
    ports.approverNames([...policy.approvers, ...policy.escalateTo].filter(({ kind }) => kind !== 'workspace')),
    model.state.kind === 'pending' ? findEditsMade(ports.outputs, { execution, approval }, model) : null,
  ]);
  const crew = ports.crews.get(execution.crew);
  const notes = crew?.approvalNotes === false ? 'hidden' : 'offered';
  const preview = crew?.preview ?? PREVIEW;
  const deciders = { policy, starter, approverName };
  return approvalCard(model, {
    output,
    preview,
    notes,
    deciders,
    mentions,
    lastRound,
    editsMade,
    name,
    rendering,
    say,
  });
}

function peopleOn({ votes, handedOver }: Approval): Person[] {
  return [...votes.map(({ by }) => by), ...handedOver.flatMap(({ to, by }) => [to, by])];
}
