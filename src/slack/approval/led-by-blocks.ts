import type { KnownBlock } from '@slack/types';
import type { CardModel } from '../../core/messages/view-models.ts';
import { context } from '../ui/blocks.ts';
import { nameIn } from '../ui/person.ts';
import { quotedPoints } from '../ui/quoted-points.ts';
import { slackDate } from '../ui/text/moment.ts';
import type { CardDetails } from './card-details.ts';

const FEEDBACK_LIMIT = 700;

/** The feedback that asked for this round; on a card only its beginning. */
export function ledByBlocks(
  { ledBy, ...model }: CardModel,
  { editsMade = null, name, say }: Pick<CardDetails, 'editsMade' | 'name' | 'say'>,
  most = FEEDBACK_LIMIT,
): KnownBlock[] {
  if (!ledBy?.feedback) return [];
  const asked = { round: model.round - 1, when: slackDate(ledBy.at, say) };
  const by = ledBy.by
    ? say('card.asked-for', { ...asked, name: nameIn(name, ledBy.by) })
    : say('card.asked-for-by-nobody', asked);
  const made = editsMade === null ? '' : ` · *${say('edits.made', { ...editsMade })}*`;
  return [context(`${by}${made}`), quotedPoints(ledBy.feedback, most)];
}

/** Whether the card shows only the beginning of that feedback. */
export function hidesFeedback({ ledBy }: Pick<CardModel, 'ledBy'>): boolean {
  return (ledBy?.feedback?.length ?? 0) > FEEDBACK_LIMIT;
}
