import type { InputBlock, ModalView } from '@slack/types';
import type { FeedbackTemplate } from '../../core/approval/policy/policy.ts';
import type { CardModel } from '../../core/messages/view-models.ts';
import { context, plain, section } from '../ui/blocks.ts';
import { approvalValue } from '../ui/button-value.ts';
import { type FormValues, typedText } from '../ui/form-values.ts';
import { TYPED_TEXT_LIMIT } from '../ui/limits.ts';
import { modal } from '../ui/modal.ts';
import { escapedLine } from '../ui/text/escape.ts';
import { templatePicker } from './template-picker.ts';

const FEEDBACK_BLOCK = 'feedback';
const TEMPLATE_BLOCK = 'template';
const FEEDBACK_INPUT = 'feedback_input';

/** What the field holds already, and why nothing was added to it, as mrkdwn. */
interface FeedbackDraft {
  text: string;
  problem: string | null;
  /** How often the text was replaced: Slack shows another one only in a block with another id. */
  edition: number;
}

const EMPTY: FeedbackDraft = { text: '', problem: null, edition: 0 };

/** Asks for the feedback that a rejection needs. Its `private_metadata` is read by `parseApprovalValue`. */
export function feedbackModal(
  model: Pick<CardModel, 'ref' | 'approvalId' | 'crew' | 'taskName' | 'round'>,
  templates: readonly FeedbackTemplate[],
  draft: FeedbackDraft = EMPTY,
): ModalView {
  const what = model.taskName ? ` “${escapedLine(model.taskName, 120)}”` : '';
  return modal({
    callbackId: 'give_feedback',
    title: 'Reject with feedback',
    submit: 'Reject',
    close: 'Cancel',
    metadata: approvalValue(model),
    blocks: [
      section(`*${escapedLine(model.crew, 80)}* will try${what} again (round ${model.round + 1}) with your feedback.`),
      ...templatePicker(templates, idIn(draft.edition, TEMPLATE_BLOCK)),
      ...(draft.problem === null ? [] : [context(draft.problem)]),
      feedbackInput(draft),
    ],
  });
}

function feedbackInput({ text, edition }: FeedbackDraft): InputBlock {
  return {
    type: 'input',
    block_id: idIn(edition, FEEDBACK_BLOCK),
    label: plain('What should be better?'),
    hint: plain(
      'The whole text joins what the crew keeps in mind for its next try, so please keep it short and relevant.',
    ),
    element: {
      type: 'plain_text_input',
      action_id: FEEDBACK_INPUT,
      multiline: true,
      focus_on_load: true,
      max_length: TYPED_TEXT_LIMIT,
      ...(text !== '' && { initial_value: text }),
    },
  };
}

function idIn(edition: number, block: string): string {
  return edition === 0 ? block : `${block}:${edition}`;
}

/** The block of the typed feedback, where an error about it is shown, too. */
export function feedbackBlockIn(values: FormValues): string {
  return Object.keys(values).find((id) => id.startsWith(`${FEEDBACK_BLOCK}:`)) ?? FEEDBACK_BLOCK;
}

/** The feedback as it was typed, and the edition of its field. */
export function readDraft(values: FormValues): Pick<FeedbackDraft, 'text' | 'edition'> {
  const id = feedbackBlockIn(values);
  return { text: typedText(values, id), edition: Number(id.slice(FEEDBACK_BLOCK.length + 1)) || 0 };
}

/** The feedback without surrounding space. */
export function readFeedback(values: FormValues): string {
  return readDraft(values).text.trim();
}
