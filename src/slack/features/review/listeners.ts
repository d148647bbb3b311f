// Listeners for *Review*: they open a text, turn its pages, show what it hides, and go on to what waits next.
import type { ModalView } from '@slack/types';
import type { Refusal } from '../../../core/policy/refusal.ts';
import type { OutputStore } from '../../../core/ports.ts';
import { type Execution, findRequest } from '../../../core/state/execution.ts';
import type { HumanRequest } from '../../../core/state/request.ts';
import { ok, type Result, refuse } from '../../../core/values/result.ts';
import { countMarks } from '../../../core/values/secrets.ts';
import { withSigns } from '../../../core/values/text.ts';
import { answerNotFound, showModal } from '../../listening/answers.ts';
import { type Click, clickOf } from '../../listening/click.ts';
import type { Ack, ActionListener, ListenerContext } from '../../listening/context.ts';
import { modalAsSeen, updateModal } from '../../listening/modals.ts';
import { findDecidableRequest, findIfDecidable, refusalWithoutRun } from '../../request/change-request.ts';
import { rulesNow } from '../../request/denial.ts';
import { findBeginning } from '../../request/next-request.ts';
import { showNext } from '../../request/outcome.ts';
import { explainRefusal, showRefusal } from '../../request/refusal.ts';
import { type ReasonNotToDecide, reviewModal } from '../../request/review-modal.ts';
import { reviewOf } from '../../request/review-of.ts';
import {
  approvalValue,
  parseApprovalValue,
  type RequestKey,
  type ReviewKey,
  reviewValue,
} from '../../ui/button-value.ts';
import { READABLE_LENGTH } from '../../ui/limits.ts';
import { jumpedTo } from '../../ui/text-page.ts';

/** Opens a text or another page of it. */
export const onReview: ActionListener = ({ ack, body, context }) => {
  const click = clickOf(body);
  return show(context, click, { ack, key: reviewValue.read(click.value) });
};

export const onJump: ActionListener = ({ ack, body, context }) => {
  const click = clickOf(body);
  const key = reviewValue.read(click.view?.private_metadata);
  return show(context, click, { ack, key: key && { ...key, page: jumpedTo(click.value) } });
};

/** Shows what the text hides to a person who can decide. The ledger keeps that secrets were shown. */
export const onReveal: ActionListener = ({ ack, body, context }) => {
  const click = clickOf(body);
  const key = reviewValue.read(click.value);
  return show(context, click, { ack, key: key && { ...key, isRevealed: true } });
};

/** Shows what waits next without a decision on this one. */
export const onSkip: ActionListener = async ({ ack, body, context }) => {
  const click = clickOf(body);
  const key = parseApprovalValue(click.value);
  await ack();
  if (!click.view || !key?.inbox) return;
  const inbox = { ...key.inbox, skipped: key.inbox.skipped + 1 };
  const title = (await context.say())('review.button');
  await showNext(context, modalAsSeen(click.view), { title, result: [], seen: { ...key, inbox } });
};

/** Replaces the clicked window, because Slack shows three windows at most, and forms need room. A form stays below. */
async function show(
  context: ListenerContext,
  click: Click,
  { ack, key }: { ack: Ack; key: ReviewKey | null },
): Promise<void> {
  const review = key ? await findReview(context, click, key) : refuse(await refusalWithoutRun(context, context.person));
  const ports = key?.isRevealed && review.ok ? { ...context, client: context.unmaskedClient } : context;
  await ack();
  if (!review.ok) {
    if (review.refusal.kind === 'unknown') return answerNotFound(context, click);
    const value = key ? reviewValue.write(key) : '';
    return showRefusal(context, { ...click, value }, { refusal: review.refusal, action: 'review' });
  }
  const isForm = Boolean(click.view?.submit);
  if (click.view && !isForm) await updateModal(ports, modalAsSeen(click.view), review.value);
  else await showModal(ports, click, review.value);
}

/** Finds a page of a text for a member of the workspace. Throws `StoreUnavailable`: don't ack then. */
async function findReview(
  context: ListenerContext,
  click: Click,
  { approvalId, ...text }: ReviewKey,
): Promise<Result<ModalView, Refusal>> {
  const key = approvalId === undefined ? null : { ...text, approvalId };
  // Only people who can decide the request may see what is hidden.
  if (text.isRevealed) return findRevealed(context, key);
  const execution = key && (await context.store.load(key.ref))?.execution;
  const request = key && execution ? findRequest(execution, key.approvalId) : null;
  if (!key || !execution || !request) return textReview(context, text);
  if (request.question.output.hash === key.hash) return requestReview(context, { execution, request, key, click });
  const whyNot = await findReasonNotToDecide(context, key, { kind: 'other-text' });
  return textReview(context, { ...text, title: request.question.taskName ?? execution.crew }, whyNot);
}

type PageKey = RequestKey & Pick<ReviewKey, 'page'>;

async function requestReview(
  context: ListenerContext,
  { execution, request, key, click }: { execution: Execution; request: HumanRequest; key: PageKey; click: Click },
): Promise<Result<ModalView, Refusal>> {
  const { page } = key;
  const read = { rules: rulesNow(context, execution, request), rule: null, page };
  if (request.state.status !== 'pending') return ok(await reviewOf(context, read));
  const [found, beginning] = await Promise.all([
    findIfDecidable(context, key),
    click.home ? findBeginning(context, key) : undefined,
  ]);
  const { inbox = beginning } = key;
  if (found.ok) return ok(await reviewOf(context, { rules: found.value, rule: found.value.rule, page, inbox }));
  const { refusal } = found;
  if (refusal.kind === 'denied' && refusal.denial.kind === 'stranger') return found;
  return ok(await reviewOf(context, { ...read, whyNot: await findReasonNotToDecide(context, key, refusal) }));
}

async function findReasonNotToDecide(
  context: ListenerContext,
  key: RequestKey,
  refusal: Refusal,
): Promise<ReasonNotToDecide> {
  const { text, next } = await explainRefusal(context, approvalValue(key), refusal);
  return { text: `${refusal.kind === 'denied' ? '🚫' : '⚠️'} ${text}`, next };
}

/** Shows a text that no request asks about, or none any more. */
async function textReview(
  context: ListenerContext,
  { ref, hash, title, page }: Omit<ReviewKey, 'approvalId'>,
  whyNot: ReasonNotToDecide | null = null,
): Promise<Result<ModalView, Refusal>> {
  const text = hash === null ? null : await context.outputs.get(ref, hash);
  if (text === null && title === undefined) return refuse({ kind: 'unknown' });
  return ok(reviewModal({ key: { ref, hash, title }, text, page, request: null, whyNot }, await context.say()));
}

/** No page shows more of a text. */
const MOST_SIGNED = 2 * READABLE_LENGTH;

/** Shows a page with its secrets and with signs for invisible characters. Throws where `changeRequest` does: don't ack then. */
async function findRevealed(context: ListenerContext, key: PageKey | null): Promise<Result<ModalView, Refusal>> {
  const { person: by, outputs, fullOutputs } = context;
  const masked = key?.hash ? await outputs.get(key.ref, key.hash) : null;
  const secrets = countMarks(masked ?? '');
  const decidable = await findDecidableRequest(context, { key, by, action: 'review', secrets });
  if (!decidable.ok) return decidable;
  const { page = 0, inbox } = key ?? {};
  const signed: OutputStore = {
    ...fullOutputs,
    async get(ref, hash) {
      const text = await fullOutputs.get(ref, hash);
      return text && withSigns(text.slice(0, MOST_SIGNED)) + text.slice(MOST_SIGNED);
    },
  };
  const options = { rules: decidable.value, rule: decidable.value.rule, page, inbox, isRevealed: true } as const;
  return ok(await reviewOf({ ...context, outputs: signed }, options));
}
