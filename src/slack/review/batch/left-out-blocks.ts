import type { KnownBlock } from '@slack/types';
import type { CardModel } from '../../../core/messages/view-models.ts';
import { cardNames } from '../../features/approval/card-details.ts';
import type { Say } from '../../language/say.ts';
import { context } from '../../ui/blocks.ts';

/** A request that isn't approved, and why, as mrkdwn. */
export interface Excluded {
  /** Null for one that the person may not know of, or whose name isn't known. */
  model: CardModel | null;
  why: string;
}

/** The requests that aren't approved, each with the reason; nothing if there are none. */
export function leftOutBlocks(leftOut: readonly Excluded[], heading: string, say: Say): KnownBlock[] {
  if (leftOut.length === 0) return [];
  return [context(heading), ...leftOut.map(({ model, why }) => context(`• ${namesIn(model, say)}: ${why}`))];
}

/** Which request it is; mrkdwn. */
export function namesIn(model: CardModel | null, say: Say): string {
  return model === null ? say('batch.unnamed') : `*${cardNames(model, say)}*`;
}
