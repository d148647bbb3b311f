import type { Button, KnownBlock, ModalView } from '@slack/types';
import type { Verdict } from '../../core/approval/approval.ts';
import type { CardModel } from '../../core/messages/view-models.ts';
import type { Say } from '../language/say.ts';
import { answerModal } from '../ui/answer-modal.ts';
import { button, buttons } from '../ui/blocks.ts';
import { approvalValue, keyOf } from '../ui/button-value.ts';
import { escapedLine } from '../ui/text/escape.ts';
import { taskIn } from './card-names.ts';
import { stateSentence } from './card-state.ts';
import { reviewButton } from './review-button.ts';

/** What a person has decided, and the request since then. */
interface Outcome {
  model: CardModel;
  verdict: Verdict;
  /** How many have to approve. */
  quorum: number;
  /** What there is to do after that. */
  next?: readonly KnownBlock[];
}

/** What came of a decision that a person made beside the text. */
export function outcomeModal(outcome: Outcome, say: Say): ModalView {
  const { model, verdict } = outcome;
  const isUndoable = model.state.kind === 'undoable';
  const later = isUndoable ? ` ${stateSentence(model, { name: ({ name }) => name, say })}` : '';
  return answerModal(say, {
    title: say(verdict === 'approve' ? 'outcome.approved-title' : 'outcome.rejected-title'),
    text: `${outcomeText(outcome, say)}${later}`,
    more: [...buttons(takeBackButton(model, say)), ...(outcome.next ?? [])],
  });
}

function outcomeText({ model, verdict, quorum }: Outcome, say: Say): string {
  const about = { task: taskIn(model, say), crew: escapedLine(model.crew, 80) };
  if (verdict === 'reject') return say('outcome.rejected', about);
  return model.state.kind === 'pending'
    ? say('outcome.voted', { ...about, count: model.votes.length, quorum })
    : say('outcome.approved', about);
}

/** What a request is again once its decision or a vote was taken back. */
export function takenBackModal(model: CardModel, say: Say): ModalView {
  return answerModal(say, {
    title: say('outcome.taken-back-title'),
    text: say('outcome.taken-back', { task: taskIn(model, say), crew: escapedLine(model.crew, 80) }),
    more: model.state.kind === 'pending' ? buttons(reviewButton(model, say)) : [],
  });
}

/** Bound to the text, so that the answer is given in its place. */
function takeBackButton(model: CardModel, say: Say): Button | null {
  const value = approvalValue(keyOf({ ...model, isRead: true }));
  switch (model.state.kind) {
    case 'pending':
      return button('withdraw', say('card.withdraw'), { value });
    case 'undoable':
      return button('undo', say('card.undo'), { value });
    case 'telling':
    case 'told':
    case 'failed':
    case 'superseded':
    case 'expired':
      return null;
  }
}
