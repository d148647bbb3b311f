import type { Confirm, KnownBlock } from '@slack/types';
import type { CardModel } from '../../core/messages/view-models.ts';
import { button, buttons, confirm, context } from '../ui/blocks.ts';
import { approvalValue } from '../ui/button-value.ts';

/** The choices for a request that is still undecided. */
export function pendingButtons(model: CardModel, notes: 'offered' | 'hidden'): KnownBlock[] {
  const value = approvalValue(model);
  const { repeatsRound } = model;
  const confirming = (verb: string) => (repeatsRound === null ? {} : { confirm: confirmRepeat(repeatsRound, verb) });
  return [
    ...(repeatsRound === null ? [] : [context(repeatWarning(repeatsRound))]),
    ...buttons(
      button('approve', 'Approve', { value, style: 'primary', ...confirming('Approve') }),
      notes === 'offered'
        ? button('approve_with_note', 'Approve with note…', { value, ...confirming('Approve') })
        : null,
      button('reject', 'Request changes…', { value, ...confirming('Request changes') }),
      button('edit', 'Edit…', { value }),
    ),
    ...buttons(
      button('who_can_decide', 'Who can decide?', { value }),
      button('hand_over', 'Hand over…', { value }),
      model.votes.length > 0 ? button('withdraw', 'Withdraw my vote', { value }) : null,
    ),
  ];
}

function repeatWarning(round: number): string {
  return `⚠️ This is the same text as in round ${round}, perhaps a repeated notice. Please make sure that the crew really asks again.`;
}

function confirmRepeat(round: number, verb: string): Confirm {
  return confirm({
    title: 'The same text again',
    text:
      `This is the same text as in round ${round}, perhaps a repeated notice of it. If the crew isn’t waiting, your ` +
      'decision may count for something that nobody has read yet.',
    yes: `${verb} anyway`,
    no: 'Go back',
  });
}
