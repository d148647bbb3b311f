// Approvals from forms, and from people who had to sign in with the company's identity provider first: Slack shows the link, and the
// approval is stored once the person is back.
import type { ViewOutput, ViewResponseAction } from '@slack/bolt';
import type { ModalView } from '@slack/types';
import { cardModel } from '../../../core/messages/view-models.ts';
import type { Refusal } from '../../../core/policy/refusal.ts';
import type { ApprovalIntent } from '../../../core/ports.ts';
import { answerGiven } from '../../../core/state/answer.ts';
import { type Execution, findRequest } from '../../../core/state/execution.ts';
import type { SignIn } from '../../../core/state/sign-in.ts';
import { ok, type Result, refuse } from '../../../core/values/result.ts';
import { oneLine } from '../../../core/values/text.ts';
import type { Millis } from '../../../core/values/time.ts';
import type { Say } from '../../language/say.ts';
import type { ListenerContext, ViewListener } from '../../listening/context.ts';
import { answerInPlace, answerOnTop, updateModal } from '../../listening/modals.ts';
import { answerWords } from '../../request/answer-text.ts';
import { approvalBy, type ChangeContext, changeRequest } from '../../request/change-request.ts';
import { signInModal } from '../../request/note-modals.ts';
import { ackStored, outcomeModal } from '../../request/outcome.ts';
import { answerWithRefusal, isOver, lateFeedbackModal, refusalTitle } from '../../request/refusal.ts';
import { section } from '../../ui/blocks.ts';
import type { RequestKey } from '../../ui/button-value.ts';
import { modalOf } from '../../ui/modal.ts';

/** The request is loaded only to be named. */
const RECENT_MS = 60_000;

type ApprovalDetails = Pick<ApprovalIntent, 'by' | 'note' | 'review' | 'answer' | 'edited'>;

interface FormOptions {
  /** Text that a refusal gives back. Null if the form had no field. */
  typed: string | null;
  /** Words of the refusal. Default: `approve`. */
  action?: 'approve' | 'edit';
  /** Place of the window with the link to sign in. Default: on top of the form. */
  showSignIn?: (form: ViewOutput, view: ModalView) => ViewResponseAction;
  /** Returns the window that asks whether the person wants to approve that soon. */
  tooSoon?: (afterMs: Millis) => Promise<Result<ModalView, Refusal>>;
}

/** Stores the approval that a form gives, and answers the form. Throws where `changeRequest` does, before `ack`. */
export async function submitApproval(
  { ack, context, view }: Pick<Parameters<ViewListener>[0], 'ack' | 'context' | 'view'>,
  { key, ...approval }: ApprovalDetails & { key: RequestKey | null },
  { typed, action = 'approve', showSignIn = answerOnTop, tooSoon }: FormOptions,
): Promise<void> {
  const stored = await changeRequest(context, { key, ...approvalBy(context, approval) });
  if (stored.ok) return ackStored(context, view, { execution: stored.value, key, verdict: 'approve', ack });
  const { refusal } = stored;
  const needsSignIn = refusal.kind === 'sign-in-needed';
  const question =
    key && needsSignIn
      ? await findSignIn(context, key, approval)
      : tooSoon && refusal.kind === 'too-soon'
        ? await tooSoon(refusal.afterMs)
        : stored;
  if (!question.ok) return ack(await answerWithRefusal(context, view, { refusal: question.refusal, action, typed }));
  await ack(needsSignIn ? showSignIn(view, question.value) : answerInPlace(view, question.value));
}

/** Returns a window with the link to sign in for this approval. Throws `StoreUnavailable`: don't ack then. */
export async function findSignIn(
  context: ListenerContext,
  { ref, approvalId, hash, choice, confirms }: RequestKey,
  approval: ApprovalDetails,
): Promise<Result<ModalView, Refusal>> {
  const execution = (await context.store.load(ref, { mostAgeMs: RECENT_MS }))?.execution;
  const request = execution && findRequest(execution, approvalId);
  if (!execution || !request || hash === null) return refuse({ kind: 'unknown' });
  const confirmed = confirms === undefined ? undefined : answerGiven(request.discussion, confirms);
  const intent = { ref, approvalId, hash, choice, answer: confirmed, ...approval };
  const { id, url } = await context.signInLink(intent);
  const link = { id, url, isNoted: approval.note !== null, answer: intent.answer };
  return ok(signInModal(cardModel(execution, request), link, await context.say()));
}

/** The part of a listener's context that an approval from outside of Slack has. */
export type SigningContext = Omit<ChangeContext, 'addToLog' | 'requestId'> &
  Pick<ListenerContext, 'people' | 'log' | 'client' | 'outputs'>;

/** The outcome of an approval with a sign-in, as plain text. */
interface SignedInOutcome {
  isApproved: boolean;
  title: string;
  text: string;
  /** Text to give back if the approval doesn't count. Null if the person typed nothing. */
  typed: string | null;
}

/** Approves as the click would have done, by the rules and facts of now, and updates the window. Throws `StoreUnavailable`. */
export async function approveSignedIn(
  context: SigningContext,
  { wanted, signIn, linkId }: { wanted: ApprovalIntent; signIn: SignIn; linkId: string },
  say: Say,
): Promise<SignedInOutcome> {
  const { by, ref, approvalId, hash, choice, note, review, answer, edited } = wanted;
  const facts = {};
  const key = { ref, approvalId, hash, choice };
  const stored = await changeRequest(
    { ...context, requestId: linkId, addToLog: (more) => Object.assign(facts, more) },
    { key, ...approvalBy(context, { by, note, review, answer, edited, signIn }) },
  );
  context.log.info({ by: by.id, ...facts }, 'a person signed in to approve');
  const outcome = stored.ok
    ? approvalOutcome(stored.value, approvalId, say)
    : refusalOutcome(stored.refusal, await typedFor(context, wanted, stored.refusal), say);
  const window = stored.ok
    ? outcomeModal(context, { execution: stored.value, key, verdict: 'approve' }, { personId: by.id, say })
    : refusalModal(outcome, say);
  // The person is looking at the page, so nobody waits for the window.
  if (window) void updateModal(context, { externalId: linkId }, window);
  return outcome;
}

/** Finds the text that the person typed. Null if there is none, and for strangers, who may learn nothing of the request. */
async function typedFor(
  { store, outputs }: SigningContext,
  { ref, approvalId, note, answer, edited }: ApprovalIntent,
  refusal: Refusal,
): Promise<string | null> {
  if (refusal.kind === 'denied' && refusal.denial.kind === 'stranger') return null;
  if (edited) return outputs.get(ref, edited.hash);
  if (!answer) return note;
  const execution = (await store.load(ref, { mostAgeMs: RECENT_MS }))?.execution;
  const request = execution && findRequest(execution, approvalId);
  return request ? answerWords(answer, request.question.fields ?? []) : null;
}

function approvalOutcome(execution: Execution, approvalId: string, say: Say): SignedInOutcome {
  const request = findRequest(execution, approvalId);
  const model = request && cardModel(execution, request);
  const names = [model?.taskName, execution.crew, model?.about].flatMap((name) => (name ? [oneLine(name)] : []));
  const about = { request: names.join(' · ') };
  const outcome = request?.state.status === 'pending' ? 'counts' : 'approved';
  const title = say(`sign-in.${outcome}-heading`);
  return { isApproved: true, title, text: say(`sign-in.${outcome}`, about), typed: null };
}

function refusalModal({ title, text, typed }: SignedInOutcome, say: Say): ModalView {
  if (typed !== null) return lateFeedbackModal(`*${title}* ${text}`, { typed }, say);
  return modalOf(say, { title, blocks: [section(text)] });
}

/** Returns what the page says of a refusal: little, since people who try again in Slack learn more. */
function refusalOutcome(refusal: Refusal, typed: string | null, say: Say): SignedInOutcome {
  const title = refusalTitle({ refusal, action: 'approve' }, say);
  const text = say(isOver(refusal) ? 'sign-in.no-change' : 'sign-in.ask-slack');
  return { isApproved: false, title, text, typed };
}
