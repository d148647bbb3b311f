import type { InputBlock, ModalView } from '@slack/types';
import type { Say } from '../language/say.ts';
import { context, plain, section } from '../ui/blocks.ts';
import { approvalValue, keyOf } from '../ui/button-value.ts';
import { TYPED_TEXT_LIMIT } from '../ui/limits.ts';
import { modal } from '../ui/modal.ts';
import { escapedLine } from '../ui/text/escape.ts';
import { FEEDBACK_BLOCK, type FeedbackDraft, inEdition, TEMPLATE_BLOCK } from './feedback-draft.ts';
import { feedbackExcerpt } from './feedback-excerpt.ts';
import type { FeedbackForm } from './find-feedback-form.ts';
import { feedbackPickers } from './template-picker.ts';

const FEEDBACK_INPUT = 'feedback_input';

const EMPTY: FeedbackDraft = { text: '', problem: null, edition: 0 };

/** Asks for the feedback that a rejection needs. Its `private_metadata` is read by `parseApprovalValue`. */
export function feedbackModal(form: FeedbackForm, say: Say, draft: FeedbackDraft = EMPTY): ModalView {
  return modal({
    callbackId: 'give_feedback',
    title: say('feedback.title'),
    submit: say('feedback.title'),
    close: say('modal.cancel'),
    metadata: approvalValue(keyOf(form.model)),
    blocks: [
      section(intro(form.model, say)),
      ...feedbackExcerpt(form, say),
      ...feedbackPickers(form, { blockId: inEdition(draft.edition, TEMPLATE_BLOCK), say }),
      ...(draft.problem === null ? [] : [context(draft.problem)]),
      feedbackInput(draft, { label: say('feedback.label'), say }),
    ],
  });
}

/** Shows edits as they are sent. Its `private_metadata` is read by `parseApprovalValue`. */
export function editPreviewModal(
  model: FeedbackForm['model'],
  { count, feedback }: { count: number; feedback: string },
  say: Say,
): ModalView {
  return modal({
    callbackId: 'give_feedback',
    title: say('edit.preview-title'),
    submit: say('feedback.title'),
    close: say('modal.back'),
    metadata: approvalValue(keyOf(model)),
    blocks: [
      section(say('edit.preview', { count, crew: escapedLine(model.crew, 80) })),
      feedbackInput({ text: feedback, edition: 0 }, { label: say('edit.sent-as'), say }),
    ],
  });
}

function intro({ crew, taskName, round }: FeedbackForm['model'], say: Say): string {
  const next = { crew: escapedLine(crew, 80), round: round + 1 };
  return taskName
    ? say('feedback.intro', { ...next, task: escapedLine(taskName, 120) })
    : say('feedback.intro-unnamed', next);
}

function feedbackInput(
  { text, edition }: Pick<FeedbackDraft, 'text' | 'edition'>,
  { label, say }: { label: string; say: Say },
): InputBlock {
  const limit = { most: TYPED_TEXT_LIMIT };
  return {
    type: 'input',
    block_id: inEdition(edition, FEEDBACK_BLOCK),
    label: plain(label),
    hint: plain(text === '' ? say('feedback.hint', limit) : say('feedback.counted', { ...limit, count: text.length })),
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
