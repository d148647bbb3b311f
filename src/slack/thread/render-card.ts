import { PREVIEW } from '../../core/crew.ts';
import { findApproval } from '../../core/execution/execution.ts';
import { cardModel } from '../../core/messages/view-models.ts';
import { approvalCard, cardFollowUp } from '../approval/card.ts';
import { type CardPorts, findCardDetails } from '../approval/find-card-details.ts';
import type { Rendered } from '../ui/blocks.ts';
import { bareCard } from './bare-models.ts';
import type { WantedInWords } from './render-ports.ts';

/** A card with the names of those who can decide by the policy as it is now; null if there is no such request. */
export async function renderCard(
  ports: CardPorts,
  { execution, message, rendering, mentions, say }: WantedInWords,
  approvalId: string,
): Promise<Rendered | null> {
  const approval = findApproval(execution, approvalId);
  if (!approval) return null;
  const whole = cardModel(execution, approval);
  const model = rendering === 'bare' ? bareCard(whole) : whole;
  const details = await findCardDetails(ports, { execution, approval }, model);
  const preview = ports.crews.get(execution.crew)?.preview ?? PREVIEW;
  const shown = { ...details, preview, mentions, rendering, say };
  return message.kind === 'follow-up' ? cardFollowUp(model, shown) : approvalCard(model, shown);
}
