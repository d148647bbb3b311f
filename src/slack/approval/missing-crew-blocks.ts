import type { KnownBlock } from '@slack/types';
import type { CardModel } from '../../core/messages/view-models.ts';
import type { Say } from '../language/say.ts';
import { context, section } from '../ui/blocks.ts';
import { escapedLine } from '../ui/text/escape.ts';
import { cardNames } from './card-names.ts';

/** In place of the choices while the crew isn't configured: what is kept, and who can help. */
export function missingCrewBlocks(model: CardModel, { say }: { say: Say }): KnownBlock[] {
  return [context(cardNames(model, say)), section(`🔌 ${missingCrewText(model, say)}`)];
}

/** What becomes of the request until the crew is configured again; mrkdwn. */
export function missingCrewText({ crew, state }: Pick<CardModel, 'crew' | 'state'>, say: Say): string {
  const name = { crew: escapedLine(crew, 80) };
  switch (state.kind) {
    case 'undoable':
    case 'telling':
      return say('missing-crew.decided', name);
    case 'failed':
      return say('missing-crew.failed', name);
    case 'pending':
    case 'told':
    case 'superseded':
    case 'expired':
      return say('missing-crew.pending', name);
  }
}
