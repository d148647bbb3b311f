import type { KnownBlock } from '@slack/types';
import type { CardModel } from '../../core/messages/view-models.ts';
import { confirmingRepeat, repeatWarning } from '../features/approval/card.ts';
import type { Say } from '../language/say.ts';
import { button } from '../ui/blocks.ts';
import { approvalValue, keyOf } from '../ui/button-value.ts';
import { choices } from '../ui/menu.ts';

interface Choices {
  notes: 'offered' | 'hidden';
  /** Whether the text can be edited here: Slack shows three modals above one another, and a long text takes one more. */
  edit: 'offered' | 'hidden';
}

/** What can be decided about the text that is shown; the handlers are those of the card's buttons. */
export function reviewButtons(model: CardModel, { notes, edit }: Choices, say: Say): KnownBlock[] {
  const key = keyOf({ ...model, isRead: true });
  const value = approvalValue(key);
  const approving = confirmingRepeat(model, 'card.approve-anyway', say);
  const requesting = confirmingRepeat(model, 'card.request-changes-anyway', say);
  return [
    ...repeatWarning(model, say),
    ...choices(key, {
      inRow: [
        button('approve', say('card.approve'), { value, style: 'primary', ...approving }),
        notes === 'offered'
          ? button('approve_with_note', say('card.approve-with-note'), { value, ...approving })
          : null,
        button('reject', say('card.request-changes'), { value, ...requesting }),
      ],
      inMenu: [
        edit === 'offered' ? { actionId: 'edit', label: say('card.edit') } : null,
        { actionId: 'who_can_decide', label: say('card.who') },
        { actionId: 'hand_over', label: say('card.hand-over') },
        model.votes.length > 0 ? { actionId: 'withdraw', label: say('card.withdraw') } : null,
      ],
    }),
  ];
}
