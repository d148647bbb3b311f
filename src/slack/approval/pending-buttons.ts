import type { Confirm, KnownBlock } from '@slack/types';
import type { CardModel } from '../../core/messages/view-models.ts';
import type { Say } from '../language/say.ts';
import { button, confirm, context } from '../ui/blocks.ts';
import { approvalValue, keyOf } from '../ui/button-value.ts';
import { choices } from '../ui/menu.ts';
import type { CardDetails } from './card-details.ts';
import { cardNames } from './card-names.ts';

/** The choices for a request that is still undecided, below what they are about: the heading may be far above. */
export function pendingButtons(model: CardModel, { notes, say }: Pick<CardDetails, 'notes' | 'say'>): KnownBlock[] {
  const key = keyOf(model);
  const value = approvalValue(key);
  const { repeatsRound } = model;
  const confirming = (yes: ConfirmingLabel) => confirmingRepeat(model, yes, say);
  // A menu asks before each of its entries, or before none.
  const note = notes === 'hidden' ? 'none' : repeatsRound === null ? 'in-menu' : 'button';
  return [
    ...repeatWarning(model, say),
    context(cardNames(model, say)),
    ...choices(key, {
      inRow: [
        button('approve', say('card.approve'), { value, style: 'primary', ...confirming('card.approve-anyway') }),
        button('reject', say('card.request-changes'), { value, ...confirming('card.request-changes-anyway') }),
        button('edit', say('card.edit'), { value }),
        note === 'button'
          ? button('approve_with_note', say('card.approve-with-note'), { value, ...confirming('card.approve-anyway') })
          : null,
      ],
      inMenu: [
        note === 'in-menu' ? { actionId: 'approve_with_note', label: say('card.approve-with-note') } : null,
        { actionId: 'who_can_decide', label: say('card.who') },
        { actionId: 'hand_over', label: say('card.hand-over') },
        model.votes.length > 0 ? { actionId: 'withdraw', label: say('card.withdraw') } : null,
      ],
    }),
  ];
}

type ConfirmingLabel = 'card.approve-anyway' | 'card.request-changes-anyway';

/** That a request may be a repeated notice of one that was decided before. */
export function repeatWarning({ repeatsRound }: CardModel, say: Say): KnownBlock[] {
  return repeatsRound === null ? [] : [context(`⚠️ ${say('card.repeats', { round: repeatsRound })}`)];
}

/** What a button asks before it decides such a request. */
export function confirmingRepeat({ repeatsRound }: CardModel, yes: ConfirmingLabel, say: Say): { confirm?: Confirm } {
  if (repeatsRound === null) return {};
  return {
    confirm: confirm({
      title: say('card.repeats-title'),
      text: say('card.repeats-question', { round: repeatsRound }),
      yes: say(yes),
      no: say('card.go-back'),
    }),
  };
}
