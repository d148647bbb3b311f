// What can be decided about an open request, on its card and in each window that shows its text.
import type { Confirm, KnownBlock } from '@slack/types';
import type { Policy } from '../../../core/approval/policy/policy.ts';
import type { CardModel } from '../../../core/messages/view-models.ts';
import type { Say } from '../../language/say.ts';
import { button, confirm, context } from '../../ui/blocks.ts';
import { type ApprovalKey, approvalValue, choices } from '../../ui/button-value.ts';
import type { CardDetails } from './card-details.ts';
import { approveLabel } from './card-state.ts';
import { addApprover } from './who-decides.ts';

interface Choices extends Pick<ApprovalKey, 'openedAt'>, Pick<CardDetails, 'notes' | 'edits'> {
  /** What the buttons carry. */
  key: ApprovalKey;
  policy: Pick<Policy, 'delegation'> | undefined;
}

/** The choices for an open request, below the warning that it may be a repeated notice. */
export function decisionBlocks(
  model: Pick<CardModel, 'repeatsRound' | 'votes'>,
  { key, openedAt, policy, notes, edits }: Choices,
  say: Say,
): KnownBlock[] {
  const value = approvalValue(key);
  const { repeatsRound } = model;
  const approving = confirmingRepeat(model, 'card.approve-anyway', say);
  const rejecting = confirmingRepeat(model, 'card.reject-anyway', say);
  // A menu asks before each of its entries, or before none.
  const note = notes !== 'offered' ? 'none' : repeatsRound === null ? 'in-menu' : 'button';
  return [
    ...(repeatsRound === null ? [] : [context(`⚠️ ${say('card.repeats', { round: repeatsRound })}`)]),
    ...choices(key, {
      inRow: [
        button('approve', approveLabel(notes, say), {
          value: approvalValue({ ...key, openedAt }),
          style: 'primary',
          ...approving,
        }),
        button('reject', say('card.reject'), { value, ...rejecting }),
        edits === 'offered' ? button('edit', say('card.edit'), { value }) : null,
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

/** What a button asks before it decides a request that may be a repeated notice of one that was decided before. */
export function confirmingRepeat(
  { repeatsRound }: Pick<CardModel, 'repeatsRound'>,
  yes: 'card.approve-anyway' | 'card.reject-anyway',
  say: Say,
): { confirm?: Confirm } {
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
