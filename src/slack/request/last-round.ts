// Says what led to the round of a request, and what has changed since the last round. The card and the review show it.
import type { Button, KnownBlock } from '@slack/types';
import type { CardModel } from '../../core/messages/view-models.ts';
import type { Edited } from '../../core/state/request.ts';
import type { Say } from '../language/say.ts';
import { buttons, context, sectionWith } from '../ui/blocks.ts';
import { compareButton } from '../ui/comparison/button.ts';
import { changesBlock, changesText } from '../ui/comparison/change-lines.ts';
import { nameIn } from '../ui/person.ts';
import type { CardDetails } from './card-details.ts';
import { quotedParagraphs, wholePoints } from './quoted-points.ts';

type LedByDetails = Pick<CardDetails, 'ticks' | 'name' | 'say'>;

/** Says which round it is, and who asked for it. Empty for a round that nobody asked for. */
export function ledByText({ ledBy, round }: CardModel, { name, say }: Pick<CardDetails, 'name' | 'say'>): string {
  if (!ledBy?.feedback) return '';
  return ledBy.by
    ? say('card.asked-for', { round, name: nameIn(name, ledBy.by) })
    : say('card.asked-for-by-nobody', { round });
}

/** Shows the feedback that asked for this round, and who gave it. */
export function ledByBlocks(model: CardModel, details: LedByDetails, most: number): KnownBlock[] {
  return model.ledBy?.feedback ? [context(ledByText(model, details)), ...feedbackBlocks(model, details, most)] : [];
}

type Feedback = Pick<CardModel, 'ledBy'>;

/** Quotes whole points of the feedback. A point has a tick if the text follows it. */
export function feedbackBlocks({ ledBy }: Feedback, { ticks }: Pick<CardDetails, 'ticks'>, most: number): KnownBlock[] {
  return ledBy?.feedback ? [quotedParagraphs(wholePoints(ledBy.feedback, most).points, ticks)] : [];
}

/** Says how much of the feedback is left out, and how many of those points weren't followed. Null if all of it is shown. */
export function feedbackLeftOut({ ledBy }: Feedback, { ticks = [], say }: LedByDetails, most: number): string | null {
  const { points, left, unit } = wholePoints(ledBy?.feedback ?? '', most);
  if (left === 0) return null;
  const open = unit === 'points' ? ticks.slice(points.length).filter((tick) => tick === false).length : 0;
  return [
    say(`feedback.more-${unit}`, { count: left }),
    ...(open > 0 ? [say('feedback.not-followed', { count: open })] : []),
  ].join(', ');
}

/** Warns that the crew sent a text again that people have already read. */
export function sameTextLine({ lastRound, say }: Pick<CardDetails, 'lastRound' | 'say'>): string | null {
  const sameAs = lastRound?.sameAs ?? null;
  return sameAs === null ? null : `⚠️ *${say('compare.same-as', { round: sameAs })}*`;
}

/** Shows what changed since the last round in lines of mrkdwn, for notifications. */
export function changeLines({
  lastRound,
  rendering,
  say,
}: Pick<CardDetails, 'lastRound' | 'rendering' | 'say'>): string[] {
  const change = lastRound?.change;
  return change?.kind === 'compared' && rendering !== 'bare' ? changesText(change.changes, say) : [];
}

/** Says who has edited the text, and shows what, with the button that compares it with the crew's text. */
export function editedBlocks(
  model: CardModel,
  { editChange = null, name, say }: Pick<CardDetails, 'editChange' | 'name' | 'say'>,
): KnownBlock[] {
  const { edited } = model;
  if (!edited) return [];
  const by = nameIn(name, edited.by);
  const changes = editChange?.kind === 'compared' ? [changesBlock(editChange.changes, say)] : [];
  return [sectionWith(`✏️ ${say('card.edited', { name: by })}`, compareEdits(model, edited, say)), ...changes];
}

/** Compares the edited text with the crew's text. */
export function compareEdits({ ref, approvalId, output, taskName, crew }: CardModel, { of }: Edited, say: Say): Button {
  const texts = { before: of.hash, after: output.hash, isEdited: true } as const;
  return compareButton(say, { ref, approvalId, ...texts, title: taskName ?? crew });
}

/** Shows what changed since the last round, with the button that shows all of it. */
export function changeBlocks(
  model: CardModel,
  { lastRound, rendering, say }: Pick<CardDetails, 'lastRound' | 'rendering' | 'say'>,
): KnownBlock[] {
  const change = lastRound?.change ?? null;
  if (!lastRound || !change || model.edited) return [];
  const round = model.round - 1;
  const { ref, approvalId, taskName, crew } = model;
  const { before, after } = lastRound;
  const compare = () =>
    compareButton(say, { ref, approvalId, before, after, title: taskName ?? crew, round: model.round });
  switch (change.kind) {
    case 'same':
      return [];
    case 'unseen':
      return [context(say('compare.unseen'))];
    case 'too-large':
      return [context(say('compare.too-large-for-card', { round }))];
    case 'layout':
      return [sectionWith(say('compare.layout'), compare())];
    case 'compared': {
      if (rendering === 'bare') return buttons(compare());
      const { more } = change.changes;
      const title = [
        `*${say('compare.since-round', { round })}*`,
        ...(more > 0 ? [say('compare.more', { count: more })] : []),
      ];
      return [sectionWith(title.join(' · '), compare()), changesBlock(change.changes, say)];
    }
  }
}
