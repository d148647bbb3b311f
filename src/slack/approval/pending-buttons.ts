import type { Confirm, KnownBlock } from '@slack/types';
import type { CardModel } from '../../core/messages/view-models.ts';
import { button, buttons, confirm, context } from '../ui/blocks.ts';
import { approvalValue } from '../ui/button-value.ts';

/** What a person can do about a request that nobody decided yet. */
export function pendingButtons(model: CardModel, notes: 'offered' | 'hidden'): KnownBlock[] {
  const value = approvalValue(model);
  const { repeatsRound } = model;
  const asking = (verb: string) => (repeatsRound === null ? {} : { confirm: repeatWords(repeatsRound, verb) });
  return [
    ...(repeatsRound === null ? [] : [context(repeatLine(repeatsRound))]),
    ...buttons(
      button('approve', 'Approve', { value, style: 'primary', ...asking('Approve') }),
      notes === 'offered' ? button('approve_with_note', 'Approve with note…', { value, ...asking('Approve') }) : null,
      button('reject', 'Reject…', { value, style: 'danger', ...asking('Reject') }),
    ),
  ];
}

function repeatLine(round: number): string {
  return `⚠️ This is the same text as in round ${round}, perhaps a repeated notice. Please make sure that the crew really asks again.`;
}

function repeatWords(round: number, verb: string): Confirm {
  return confirm({
    title: 'The same text again',
    text:
      `This is the same text as in round ${round}, perhaps a repeated notice of it. If the crew isn’t waiting, your ` +
      'decision may count for something that nobody has read yet.',
    yes: `${verb} anyway`,
    no: 'Go back',
  });
}
