// Listeners for rejections and declines: the form for feedback, the texts offered in it, and the shortcut that uses a message as feedback.

import { settingsOf } from '../../../core/policy/policy.ts';
import type { Refusal } from '../../../core/policy/refusal.ts';
import { findDecidable } from '../../../core/request/decide.ts';
import { type Execution, threadTsOf } from '../../../core/state/execution.ts';
import { cardTsOf, postsOf, tsOf } from '../../../core/state/message.ts';
import { type HumanRequest, type Person, typedBefore } from '../../../core/state/request.ts';
import { ok, type Result } from '../../../core/values/result.ts';
import type { Say } from '../../language/say.ts';
import { answerClick, showModal } from '../../listening/answers.ts';
import { type Click, clickOf, contentOf, findMessageText, shortcutClick } from '../../listening/click.ts';
import type { Ack, ActionListener, ListenerContext, ShortcutListener, ViewListener } from '../../listening/context.ts';
import { modalAsSeen, updateModal } from '../../listening/modals.ts';
import {
  changeRequest,
  type DecidableRequest,
  findDecidableRequest,
  refusalWithoutRun,
  rejection,
} from '../../request/change-request.ts';
import { parseEdits } from '../../request/edits/edit-list.ts';
import {
  addTextOption,
  declineModal,
  type FeedbackDraft,
  type FeedbackForm,
  feedbackModal,
  findTextOption,
  readDraft,
  readFeedback,
} from '../../request/feedback-modal.ts';
import { ackStored } from '../../request/outcome.ts';
import { answerWithRefusal, modalOpener, showRefusal } from '../../request/refusal.ts';
import type { SubmittedModal } from '../../ui/action-ids.ts';
import { approvalValue, keyOf, parseApprovalValue, type RequestKey } from '../../ui/button-value.ts';
import { TYPED_TEXT_LIMIT } from '../../ui/limits.ts';
import type { MessageContent } from '../../ui/message-text.ts';
import { cut, escapedLine } from '../../ui/text/escape.ts';

export const onReject: ActionListener = modalOpener('reject', async (context, { by, ...decidable }) => {
  const form = await findFeedbackForm(context, decidable, by.id);
  const text = cut(typedBefore(decidable.request.discussion, by.id), TYPED_TEXT_LIMIT);
  return ok(feedbackModal(form, await context.say(), { text, problem: null, edition: 0 }));
});

/** Stores a rejection, or from the form for a reason, a decline. */
export const onFeedback: ViewListener = async ({ ack, context, view }) => {
  const verdict = view.callback_id === ('give_reason' satisfies SubmittedModal) ? 'decline' : 'reject';
  const feedback = readFeedback(view.state.values) || null;
  const by = context.person;
  const key = parseApprovalValue(view.private_metadata);
  const stored = await changeRequest(context, { key, ...rejection(by, { verdict, feedback }) });
  if (!stored.ok)
    return ack(await answerWithRefusal(context, view, { refusal: stored.refusal, action: verdict, typed: feedback }));
  await ackStored(context, view, { execution: stored.value, key, verdict, ack });
  if (verdict === 'reject' && feedback !== null) await keepFeedback(context, stored.value, { by, feedback });
};

/** Opens the form for a decline. Feedback that the person has typed becomes its reason. */
export const onDecline: ActionListener = async ({ ack, body, context }) => {
  const click = clickOf(body);
  const form = await findOpenForm(context, parseApprovalValue(click.value), 'decline');
  await ack();
  if (!form.ok) return showRefusal(context, click, { refusal: form.refusal, action: 'decline' });
  const { text } = readDraft(click.view?.state.values ?? {});
  const draft = { text, problem: null, edition: 0 };
  await showModal(context, click, declineModal(form.value, await context.say(), draft));
};

/** Finds the form for a request that the person can still decide. Throws where `changeRequest` does: don't ack then. */
async function findOpenForm(
  context: ListenerContext,
  key: RequestKey | null,
  action: 'reject' | 'decline',
): Promise<Result<FeedbackForm, Refusal>> {
  const decidable = await findDecidableRequest(context, { key, by: context.person, action });
  return decidable.ok ? ok(await findFeedbackForm(context, decidable.value, context.person.id)) : decidable;
}

/** Adds an offered text to the feedback that is being written; sends nothing. */
export const onPickText: ActionListener = async ({ ack, body, context }) => {
  const click = clickOf(body);
  const { view, value } = click;
  const key = view && parseApprovalValue(view.private_metadata);
  const form = await findOpenForm(context, key, 'reject');
  await ack();
  const clickOnForm = { ...click, value: view?.private_metadata ?? '' };
  if (!form.ok) return showRefusal(context, clickOnForm, { refusal: form.refusal, action: 'reject' });
  if (!view) return;
  const say = await context.say();
  const { text, edition } = readDraft(view.state.values);
  const draft = { ...addTextOption(text, findTextOption(form.value, value), say), edition: edition + 1 };
  // The hash keeps an older choice from replacing the outcome of a later one.
  await updateModal(context, modalAsSeen(view), feedbackModal(form.value, say, draft));
};

/** Keeps feedback, to offer it to this person again. Edits aren't kept, because they are about one text. Never throws. */
async function keepFeedback(
  { recentFeedback, log }: ListenerContext,
  { ref, crew }: Execution,
  { by, feedback }: { by: Person; feedback: string },
): Promise<void> {
  if (parseEdits(feedback).length > 0) return;
  try {
    await recentFeedback.add(crew, by.id, feedback);
  } catch (error) {
    log.warn({ ref, crew, by: by.id, err: error }, 'could not keep feedback to be offered again');
  }
}

/** Opens the feedback on the request that waits in the thread of a message, filled in with the text of the message. */
export const onUseAsFeedback: ShortcutListener = async ({ ack, context, shortcut }) => {
  const click = shortcutClick(shortcut);
  const { message } = click;
  const run = message && (await findThreadRun(context, message));
  if (!run) {
    const refusal = await refusalWithoutRun(context, context.person);
    await ack();
    return refusal.kind === 'denied'
      ? showRefusal(context, click, { refusal, action: 'reject' })
      : answerNothingOpen(context, click, null);
  }
  // If it is already decided, they learn who decided.
  const request = run.requests.findLast(({ state: { status } }) => status === 'pending') ?? run.requests.at(-1);
  return request
    ? openFeedback(context, click, { run, request, content: contentOf(shortcut), ack })
    : askPolicy(context, click, { run, ack });
};

async function openFeedback(
  context: ListenerContext,
  click: Click,
  { run, request, content, ack }: { run: Execution; request: HumanRequest; content: MessageContent | null; ack: Ack },
): Promise<void> {
  // The person hasn't seen the text, so the form says which one it is about.
  const key = keyOf({ ref: run.ref, approvalId: request.id, output: request.question.output });
  const [form, text] = await Promise.all([
    findOpenForm(context, key, 'reject'),
    content ? findMessageText(context, content) : '',
  ]);
  await ack();
  const clickOnCard = { ...click, value: approvalValue(key) };
  if (!form.ok) return showRefusal(context, clickOnCard, { refusal: form.refusal, action: 'reject' });
  const { comment, model } = form.value;
  if (comment === 'none')
    return showRefusal(context, clickOnCard, { refusal: { kind: 'feedback-not-taken' }, action: 'reject' });
  const say = await context.say();
  const open = run.requests.filter(({ state: { status } }) => status === 'pending').length;
  await showModal(context, click, feedbackModal(form.value, say, messageDraft({ text, open, model }, say)));
}

/** Answers feedback on a run that has asked for nothing yet. Only people who may decide for the run learn that. */
async function askPolicy(
  context: ListenerContext,
  click: Click,
  { run, ack }: { run: Execution; ack: Ack },
): Promise<void> {
  const by = context.person;
  const judged = await changeRequest(context, {
    key: { ref: run.ref, approvalId: null },
    by,
    action: 'reject',
    transition: (execution, { approvalId, ...conditions }): Result<Execution, Refusal> => {
      const decidable = findDecidable(execution, approvalId, { personId: by.id, ...conditions });
      return decidable.ok || decidable.refusal.kind === 'unknown' ? ok(execution) : decidable;
    },
  });
  await ack();
  if (judged.ok) return answerNothingOpen(context, click, run);
  await showRefusal(context, { ...click, value: run.ref }, { refusal: judged.refusal, action: 'reject' });
}

async function answerNothingOpen(context: ListenerContext, click: Click, run: Execution | null): Promise<void> {
  const say = await context.say();
  const text = run ? say('shortcut.nothing-open', { crew: escapedLine(run.crew, 80) }) : say('shortcut.no-run');
  await answerClick(context, click, { title: say('shortcut.feedback-title'), text });
}

/**
 * Begins feedback with the text of a message, cut to the size of the field.
 * @param message `open`: the number of requests that wait in its thread
 */
export function messageDraft(
  { text, open, model }: { text: string; open: number; model: Pick<FeedbackForm['model'], 'crew' | 'taskName'> },
  say: Say,
): FeedbackDraft {
  const task = escapedLine(model.taskName ?? model.crew, 120);
  const said = [
    ...(text === '' ? [say('shortcut.no-text')] : []),
    ...(text.length > TYPED_TEXT_LIMIT ? [say('shortcut.cut', { count: text.length, most: TYPED_TEXT_LIMIT })] : []),
    ...(open > 1 ? [say('shortcut.newest', { count: open, task })] : []),
  ];
  return { text: cut(text, TYPED_TEXT_LIMIT), problem: said.length > 0 ? said.join(' ') : null, edition: 0 };
}

/** Returns the newest run in progress in whose thread a message is, including its root and cards. Throws `StoreUnavailable`. */
async function findThreadRun(
  { store }: Pick<ListenerContext, 'store'>,
  { channel, ts, threadTs }: NonNullable<Click['message']>,
): Promise<Execution | null> {
  const open = await store.openIn(channel);
  const isItsOwn = (run: Execution) => run.requests.some((request) => cardTsOf(run, request) === ts);
  const isInThread = (run: Execution) => placesOf(run).some((each) => each === ts || each === threadTs);
  return open.find(isItsOwn) ?? open.find(isInThread) ?? null;
}

/**
 * Returns the timestamps under which people may write to the run: its thread and its cards. A card whose thread was deleted begins a
 * thread itself.
 */
function placesOf(execution: Execution): (string | null)[] {
  const cards = postsOf(execution).filter(({ message: { kind } }) => kind === 'card' || kind === 'copy');
  return [threadTsOf(execution), ...cards.map(({ post }) => tsOf(post))].filter((ts) => ts !== null);
}

/** Returns the form for feedback, with the texts that it offers to a person. */
export async function findFeedbackForm(
  { recentFeedback }: Pick<ListenerContext, 'recentFeedback'>,
  { card: model, policies }: Pick<DecidableRequest, 'card' | 'policies'>,
  personId: string,
): Promise<FeedbackForm> {
  const { templates, comment, onDecline } = settingsOf(policies);
  // This feedback may be on another node of a Redis Cluster, which may be down.
  const recent = await recentFeedback.latest(model.crew, personId).catch(() => []);
  const templateTexts = new Set(templates.map(({ text }) => text));
  return {
    model,
    comment: comment.reject,
    onDecline,
    templates,
    recent: recent.filter((text) => !templateTexts.has(text)),
  };
}
