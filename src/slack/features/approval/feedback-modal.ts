// The form for feedback, with the texts to start from, and how it is read.
import { createHash } from 'node:crypto';
import type { ActionsBlock, InputBlock, KnownBlock, ModalView, PlainTextOption, StaticSelect } from '@slack/types';
import type { FeedbackTemplate } from '../../../core/approval/policy/policy.ts';
import type { CardModel } from '../../../core/messages/view-models.ts';
import type { Say } from '../../language/say.ts';
import type { ActionId } from '../../ui/action-ids.ts';
import { button, buttons, context, grouped, plain, section } from '../../ui/blocks.ts';
import {
  approvalValue,
  type FormValues,
  keyOf,
  type ShownRequest,
  textValue,
  typedText,
} from '../../ui/button-value.ts';
import { OPTION_LIMIT, TYPED_TEXT_LIMIT } from '../../ui/limits.ts';
import { modal } from '../../ui/modal.ts';
import { cutMarkdown } from '../../ui/text/cut-markdown.ts';
import { cutLine, escapedLine, escapeMrkdwn } from '../../ui/text/escape.ts';
import { richText } from '../../ui/text/rich-text.ts';

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

/** A text that a person can put into their feedback. */
export interface OfferedText {
  /** Unique among those that are offered together, at most 75 characters. */
  value: string;
  name: string;
  text: string;
}

/** Names of templates are unique, and have at most 75 characters. */
export function offeredTemplates(templates: readonly FeedbackTemplate[]): OfferedText[] {
  return templates.map(({ name, text }) => ({ value: name.slice(0, OPTION_LIMIT), name, text }));
}

/** Each by a hash of it, since others may be sent before one is chosen. */
export function offeredRecent(recent: readonly string[]): OfferedText[] {
  return recent.map((text) => {
    const value = createHash('sha256').update(text).digest('base64url').slice(0, 22);
    return { value, name: cutLine(text, OPTION_LIMIT), text };
  });
}

/** Offers texts to start from; empty where there are none. */
function feedbackPickers(
  { templates, recent }: { templates: readonly FeedbackTemplate[]; recent: readonly string[] },
  { blockId, say }: { blockId: string; say: Say },
): ActionsBlock[] {
  const elements = [
    ...picker('pick_template', say('feedback.templates'), offeredTemplates(templates)),
    ...picker('pick_recent', say('feedback.recent'), offeredRecent(recent)),
  ];
  return elements.length === 0 ? [] : [{ type: 'actions', block_id: blockId, elements }];
}

function picker(actionId: ActionId, placeholder: string, offered: readonly OfferedText[]): StaticSelect[] {
  if (offered.length === 0) return [];
  const options = offered.map(({ name, value }): PlainTextOption => ({ text: plain(name, OPTION_LIMIT), value }));
  return [{ type: 'static_select', action_id: actionId, placeholder: plain(placeholder), ...grouped(options) }];
}

/** The feedback once a text was chosen: added as a new paragraph, or left as it was typed, and why. */
export function withOffered(
  typed: string,
  offered: OfferedText | undefined,
  say: Say,
): Pick<FeedbackDraft, 'text' | 'problem'> {
  if (!offered) return { text: typed, problem: say('feedback.template-gone') };
  const text = typed.trim() === '' ? offered.text : `${typed.trimEnd()}\n\n${offered.text}`;
  if (text.length <= TYPED_TEXT_LIMIT) return { text, problem: null };
  const name = escapeMrkdwn(cutLine(offered.name, 80));
  return { text: typed, problem: say('feedback.no-room', { name, most: TYPED_TEXT_LIMIT }) };
}

const FEEDBACK_BLOCK = 'feedback';
const TEMPLATE_BLOCK = 'template';

/** What the field holds already, and why nothing was added to it, as mrkdwn. */
export interface FeedbackDraft {
  text: string;
  problem: string | null;
  /** How often the text was replaced: Slack shows another one only in a block with another id. */
  edition: number;
}

function inEdition(edition: number, block: string): string {
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

/** Enough to know which text this is about; the card behind the modal shows more of it. */
const EXCERPT_LIMIT = 500;

/** How the text begins that feedback is about, and a way to all of it; empty where there is nothing to show. */
function feedbackExcerpt({ model, output }: Pick<FeedbackForm, 'model' | 'output'>, say: Say): KnownBlock[] {
  const { markdown, isCut } = cutMarkdown(output ?? '', EXCERPT_LIMIT);
  if (markdown === '' || !isCut) return richText(markdown);
  const { ref, taskName, crew, round } = model;
  const title = `${taskName ?? crew}, round ${round}`;
  const value = textValue({ ref, hash: model.output.hash, title, rest: 'attached' });
  return [
    ...richText(markdown),
    context(say('feedback.excerpt', { shown: markdown.length, all: model.output.length })),
    ...buttons(button('read_all', say('feedback.read'), { value })),
  ];
}

/** What the form is about, and what it offers. */
export interface FeedbackForm {
  model: ShownRequest & Pick<CardModel, 'crew' | 'taskName' | 'round' | 'output'>;
  /** The text that is to be changed; null if it is no longer stored. */
  output: string | null;
  templates: readonly FeedbackTemplate[];
  /** What this person has sent to the crew before, newest first. */
  recent: readonly string[];
}
