// The forms for feedback and for the reason of a decline, the texts that people can start from, and the functions that read them.
import { createHash } from 'node:crypto';
import type { ActionsBlock, InputBlock, ModalView, PlainTextOption, StaticSelect } from '@slack/types';
import type { CardModel } from '../../core/messages/view-models.ts';
import type { FeedbackTemplate, Policy } from '../../core/policy/policy.ts';
import type { Say } from '../language/say.ts';
import type { ActionId } from '../ui/action-ids.ts';
import { button, context, contextLine, optionGroups, plain, section, sectionWith } from '../ui/blocks.ts';
import { approvalValue, type FormValues, keyOf, type ShownRequest, typedText } from '../ui/button-value.ts';
import { input, textInput } from '../ui/inputs.ts';
import { MODAL_TITLE_LIMIT, OPTION_LIMIT, TYPED_TEXT_LIMIT } from '../ui/limits.ts';
import { modal } from '../ui/modal.ts';
import { cutLine, escapedLine, escapeMrkdwn } from '../ui/text/escape.ts';
import { cardNames } from './card-state.ts';

const EMPTY: FeedbackDraft = { text: '', problem: null, edition: 0 };

/** Asks for the feedback of a rejection. `parseApprovalValue` reads its `private_metadata`. */
export function feedbackModal(form: FeedbackForm, say: Say, draft: FeedbackDraft = EMPTY): ModalView {
  const { comment, model } = form;
  const outcome = model.choice === undefined ? undefined : model.outcomes?.[model.choice];
  const problem = draft.problem === null ? [] : [context(draft.problem)];
  const label = say(model.isAsk ? 'asked.reason' : 'feedback.label');
  const offered = textPicker(form, { blockId: inEdition(draft.edition, TEMPLATE_BLOCK), say });
  const decline = button('decline', say('feedback.decline'), { value: approvalValue(keyOf(model)) });
  return modal(say, {
    callbackId: 'give_feedback',
    title: outcome === undefined ? say('feedback.title') : cutLine(outcome, MODAL_TITLE_LIMIT),
    submit: say(outcome === undefined ? 'feedback.title' : 'feedback.send'),
    metadata: approvalValue(keyOf(model)),
    blocks: [
      ...(comment === 'none'
        ? [section(say('feedback.again'))]
        : [feedbackInput(draft, { label, comment, say }), ...problem, ...offered]),
      ...(model.isAsk ? [] : [sectionWith(say('feedback.or-decline'), decline)]),
      ...contextLine(aboutLine(model, say)),
    ],
  });
}

/** Asks for the reason of a decline, which may have been typed as feedback. `parseApprovalValue` reads its `private_metadata`. */
export function declineModal(
  { comment, model, onDecline }: FeedbackForm,
  say: Say,
  draft: FeedbackDraft = EMPTY,
): ModalView {
  return modal(say, {
    callbackId: 'give_reason',
    title: say('decline.title'),
    submit: say('decline.title'),
    metadata: approvalValue(keyOf(model)),
    blocks: [
      section([say('decline.closes'), ...(onDecline === 'close' ? [say('decline.untold')] : [])].join(' ')),
      ...(comment === 'none' ? [] : [feedbackInput(draft, { label: say('decline.reason'), comment: 'required', say })]),
      ...contextLine(aboutLine(model, say)),
    ],
  });
}

/** Names the request. Its text is on the card behind the form. */
function aboutLine(model: FeedbackForm['model'], say: Say): string {
  return [cardNames(model, say), escapedLine(model.about, 120)].filter(Boolean).join(' · ');
}

function feedbackInput(
  { text, edition }: Pick<FeedbackDraft, 'text' | 'edition'>,
  { label, comment, say }: { label: string; comment: FeedbackForm['comment']; say: Say },
): InputBlock {
  const limit = { most: TYPED_TEXT_LIMIT };
  return input(inEdition(edition, FEEDBACK_BLOCK), {
    label,
    ...(comment === 'optional' && { optional: true }),
    hint: text === '' ? say('feedback.hint', limit) : say('feedback.counted', { ...limit, count: text.length }),
    element: textInput('feedback_input', {
      multiline: true,
      focus_on_load: true,
      max_length: TYPED_TEXT_LIMIT,
      initial: text,
    }),
  });
}

/** A text that a person can put into their feedback. `value`: unique in its list, at most 75 characters. */
interface TextOption extends FeedbackTemplate {
  value: string;
}

/** The value is a hash of the text, because the list may change before the person chooses one. */
function offeredText(name: string, text: string): TextOption {
  const value = createHash('sha256')
    .update(JSON.stringify([name, text]))
    .digest('base64url')
    .slice(0, 22);
  return { value, name, text };
}

function offeredIn({ templates, recent }: Offers): { templates: TextOption[]; recent: TextOption[] } {
  return {
    templates: templates.map(({ name, text }) => offeredText(name, text)),
    recent: recent.map((text) => offeredText(cutLine(text, OPTION_LIMIT), text)),
  };
}

/** Returns the chosen text. Undefined if it is no longer offered. */
export function findTextOption(form: Offers, value: string): TextOption | undefined {
  const { templates, recent } = offeredIn(form);
  return [...templates, ...recent].find((each) => each.value === value);
}

/** Offers texts to start from, in one list. */
function textPicker(form: Offers, { blockId, say }: { blockId: string; say: Say }): ActionsBlock[] {
  const { templates, recent } = offeredIn(form);
  const option = ({ name, value }: TextOption): PlainTextOption => ({ text: plain(name, OPTION_LIMIT), value });
  const groups = [
    ...optionGroups(templates.map(option), () => say('feedback.templates')),
    ...optionGroups(recent.map(option), () => say('feedback.recent')),
  ];
  if (groups.length === 0) return [];
  const picker: StaticSelect = {
    type: 'static_select',
    action_id: 'pick_text' satisfies ActionId,
    placeholder: plain(say('feedback.pick')),
    option_groups: groups,
  };
  return [{ type: 'actions', block_id: blockId, elements: [picker] }];
}

/** Adds a chosen text to the feedback as a new paragraph, or says why it can't. */
export function addTextOption(
  typed: string,
  offered: TextOption | undefined,
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

/** The content of the field. */
export interface FeedbackDraft {
  text: string;
  /** Mrkdwn that says why nothing was added. */
  problem: string | null;
  /** Number of times that the text was replaced: Slack shows another text only in a block with another id. */
  edition: number;
}

function inEdition(edition: number, block: string): string {
  return edition === 0 ? block : `${block}:${edition}`;
}

/** Returns the id of the block with the typed feedback, where errors about it are shown, too. */
export function feedbackBlockIn(values: FormValues): string {
  return Object.keys(values).find((id) => id.startsWith(`${FEEDBACK_BLOCK}:`)) ?? FEEDBACK_BLOCK;
}

/** Reads the feedback as it was typed, and the edition of its field. */
export function readDraft(values: FormValues): Pick<FeedbackDraft, 'text' | 'edition'> {
  const id = feedbackBlockIn(values);
  return { text: typedText(values, id), edition: Number(id.slice(FEEDBACK_BLOCK.length + 1)) || 0 };
}

/** Reads the feedback without surrounding space. */
export function readFeedback(values: FormValues): string {
  return readDraft(values).text.trim();
}

interface Offers {
  templates: readonly FeedbackTemplate[];
  /** Feedback that this person has sent to the crew before, newest first. */
  recent: readonly string[];
}

export interface FeedbackForm extends Offers {
  model: ShownRequest & Pick<CardModel, 'crew' | 'taskName' | 'round' | 'about' | 'outcomes' | 'isAsk'>;
  /** Rule for the feedback of a rejection. */
  comment: Policy['comment']['reject'];
  onDecline: Policy['onDecline'];
}
