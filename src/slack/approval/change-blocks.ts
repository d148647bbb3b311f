import type { KnownBlock } from '@slack/types';
import type { CardModel } from '../../core/messages/view-models.ts';
import { changeText } from '../compare/change-text.ts';
import { compareButton } from '../compare/compare-button.ts';
import { buttons, context, sectionWith } from '../ui/blocks.ts';
import type { CardDetails } from './card-details.ts';

/** That the crew sent a text again that people have already read. */
export function sameTextLine({ lastRound, say }: Pick<CardDetails, 'lastRound' | 'say'>): string | null {
  const sameAs = lastRound?.sameAs ?? null;
  return sameAs === null ? null : `⚠️ *${say('compare.same-as', { round: sameAs })}*`;
}

/** What changed since the last round, with the button that shows it; nothing where nothing can be compared. */
export function changeBlocks(
  model: CardModel,
  { lastRound, rendering, say }: Pick<CardDetails, 'lastRound' | 'rendering' | 'say'>,
): KnownBlock[] {
  const change = lastRound?.change ?? null;
  if (!lastRound || !change) return [];
  const text = changeText(say, change, model.round - 1);
  switch (change.kind) {
    case 'same':
      return [];
    case 'unseen':
    case 'too-large':
      return [context(text)];
    case 'compared': {
      const { ref, taskName, crew, round } = model;
      const { before, after } = lastRound;
      const compare = compareButton(say, { ref, before, after, title: taskName ?? crew, round });
      return rendering === 'bare' ? buttons(compare) : [sectionWith(text, compare)];
    }
  }
}
