// What can be decided about a request in a window that shows its text, on top of each page.
import type { KnownBlock } from '@slack/types';
import type { Policy } from '../../../core/approval/policy/policy.ts';
import type { CardModel } from '../../../core/messages/view-models.ts';
import type { Say } from '../../language/say.ts';
import { button } from '../../ui/blocks.ts';
import { type ApprovalKey, approvalValue, choices, keyOf } from '../../ui/button-value.ts';
import { confirmingRepeat, repeatWarning } from '../approval/card.ts';
import type { CardDetails } from '../approval/card-details.ts';
import { approveLabel } from '../approval/card-state.ts';
import { addApprover } from '../approval/who-decides.ts';

interface Choices {
  policy: Pick<Policy, 'delegation'> | undefined;
  notes: CardDetails['notes'];
  edit: 'offered' | 'hidden';
}

/** The same choices as on the card, bound to the text that the window shows; the handlers are those of the card's buttons. */
export function decisionBlocks(
  { model, openedAt }: { model: CardModel } & Pick<ApprovalKey, 'openedAt'>,
  { policy, notes, edit }: Choices,
  say: Say,
): KnownBlock[] {
  const key = keyOf({ ...model, isRead: true });
  const value = approvalValue(key);
  const { repeatsRound } = model;
  const approving = confirmingRepeat(model, 'card.approve-anyway', say);
  const rejecting = confirmingRepeat(model, 'card.reject-anyway', say);
  // A menu asks before each of its entries, or before none.
  const note = notes !== 'offered' ? 'none' : repeatsRound === null ? 'in-menu' : 'button';
  return [
    ...repeatWarning(model, say),
    ...choices(key, {
      inRow: [
        button('approve', approveLabel(notes, say), {
          value: approvalValue({ ...key, openedAt }),
          style: 'primary',
          ...approving,
        }),
        button('reject', say('card.reject'), { value, ...rejecting }),
        edit === 'offered' ? button('edit', say('card.edit'), { value }) : null,
        note === 'button' ? button('approve_with_note', say('card.approve-with-note'), { value, ...approving }) : null,
      ],
      inMenu: [
        note === 'in-menu' ? { actionId: 'approve_with_note', label: say('card.approve-with-note') } : null,
        { actionId: 'who_can_decide', label: say('card.who') },
        addApprover(policy, say),
        model.votes.length > 0 ? { actionId: 'withdraw', label: say('card.withdraw') } : null,
      ],
    }),
  ];
}
