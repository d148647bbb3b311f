import type { CardModel } from '../../../src/core/messages/view-models.ts';
import { openCard } from '../../../src/slack/features/card/card.ts';
import { type DecidedDetails, decidedCard } from '../../../src/slack/features/card/decided-card.ts';
import type { CardDetails } from '../../../src/slack/request/card-details.ts';
import type { Rendered } from '../../../src/slack/ui/blocks.ts';

/** The card of a request in any state. */
export function approvalCard(model: CardModel, details: CardDetails & DecidedDetails): Rendered {
  return model.state.kind === 'pending' ? openCard(model, details) : decidedCard(model, details);
}
