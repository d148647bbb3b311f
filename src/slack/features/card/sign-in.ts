// Approving where it takes a sign-in with the company's identity provider: a link to it in Slack, and the approval once the person is back.
import type { ModalView } from '@slack/types';
import { cardModel } from '../../../core/messages/view-models.ts';
import type { Refusal } from '../../../core/policy/refusal.ts';
import type { WantedApproval } from '../../../core/ports.ts';
import { answerGiven } from '../../../core/state/answer.ts';
import { type Execution, findApproval } from '../../../core/state/execution.ts';
import type { SignIn } from '../../../core/state/sign-in.ts';
import { ok, type Result, refuse } from '../../../core/values/result.ts';
import { oneLine } from '../../../core/values/text.ts';
import type { Say } from '../../language/say.ts';
import type { ListenerContext } from '../../listening/context.ts';
import { updateModal } from '../../listening/modals.ts';
import { answerWords } from '../../request/answer-text.ts';
import { approvalBy, type ChangeContext, changeRequest } from '../../request/change-request.ts';
import { signInModal } from '../../request/note-modals.ts';
import { outcomeModal } from '../../request/outcome.ts';
import { isOver, lateFeedbackModal, refusalTitle } from '../../request/refusal.ts';
import { section } from '../../ui/blocks.ts';
import type { ApprovalKey } from '../../ui/button-value.ts';
import { modalOf } from '../../ui/modal.ts';

/** The request is loaded only to be named. */
const RECENT_MS = 60_000;

/** A window with the link by which this approval counts. Throws `StoreUnavailable`: don't ack then. */
export async function findSignIn(
  context: ListenerContext,
  { ref, approvalId, hash, choice, confirms }: ApprovalKey,
  given: Pick<WantedApproval, 'by' | 'note' | 'review' | 'answer' | 'edited'>,
): Promise<Result<ModalView, Refusal>> {
  const execution = (await context.store.load(ref, { mostAgeMs: RECENT_MS }))?.execution;
  const request = execution && findApproval(execution, approvalId);
  if (!execution || !request || hash === null) return refuse({ kind: 'unknown' });
  const answer = confirms === undefined ? undefined : answerGiven(request, confirms);
  const wanted = { ref, approvalId, hash, choice, answer, ...given };
  const { id, url } = await context.signInLink(wanted);
  const say = await context.say();
  const link = { id, url, isNoted: given.note !== null, answer: wanted.answer };
  return ok(signInModal(cardModel(execution, request), link, say));
}

/** What it takes to store an approval that doesn't come from Slack. */
export type SigningContext = Omit<ChangeContext, 'addToLog' | 'requestId'> &
  Pick<ListenerContext, 'people' | 'log' | 'client' | 'outputs'>;

/** What came of an approval that was signed in for, or why there is none, as plain text. */
interface Told {
  isApproved: boolean;
  title: string;
  text: string;
  /** Gives back the person's words for an approval that doesn't count; null where they had typed nothing. */
  typed: string | null;
}

/** Approves as the click would have done, by the rules and the facts of now, which the window says, too. Throws `StoreUnavailable`. */
export async function approveSignedIn(
  context: SigningContext,
  { wanted, signIn, linkId }: { wanted: WantedApproval; signIn: SignIn; linkId: string },
  say: Say,
): Promise<Told> {
  const { by, ref, approvalId, hash, choice, note, review, answer, edited } = wanted;
  const facts = {};
  const key = { ref, approvalId, hash, choice };
  const stored = await changeRequest(
    { ...context, requestId: linkId, addToLog: (more) => Object.assign(facts, more) },
    { key, ...approvalBy(context, { by, note, review, answer, edited, signIn }) },
  );
  context.log.info({ by: by.id, ...facts }, 'a person signed in to approve');
  const told = stored.ok
    ? approvedText(stored.value, approvalId, say)
    : refusedText(stored.refusal, await typedFor(context, wanted, stored.refusal), say);
  const window = stored.ok
    ? outcomeModal(context, { execution: stored.value, key, verdict: 'approve' }, { personId: by.id, say })
    : refusedModal(told, say);
  // The person is looking at the page.
  if (window) void updateModal(context, { externalId: linkId }, window);
  return told;
}

/** Finds the person's words to give them back; null where there are none, and for people who may learn nothing of the request. */
async function typedFor(
  { store, outputs }: SigningContext,
  { ref, approvalId, note, answer, edited }: WantedApproval,
  refusal: Refusal,
): Promise<string | null> {
  if (refusal.kind === 'denied' && refusal.denial.kind === 'stranger') return null;
  if (edited) return outputs.get(ref, edited.hash);
  if (!answer) return note;
  const execution = (await store.load(ref, { mostAgeMs: RECENT_MS }))?.execution;
  const request = execution && findApproval(execution, approvalId);
  return request ? answerWords(answer, request.fields ?? []) : null;
}

function approvedText(execution: Execution, approvalId: string, say: Say): Told {
  const request = findApproval(execution, approvalId);
  const model = request && cardModel(execution, request);
  const names = [model?.taskName, execution.crew, model?.about].flatMap((name) => (name ? [oneLine(name)] : []));
  const about = { request: names.join(' · ') };
  return request?.status === 'pending'
    ? { isApproved: true, title: say('sign-in.counts-heading'), text: say('sign-in.counts', about), typed: null }
    : { isApproved: true, title: say('sign-in.approved-heading'), text: say('sign-in.approved', about), typed: null };
}

function refusedModal({ title, text, typed }: Told, say: Say): ModalView {
  if (typed !== null) return lateFeedbackModal(`*${title}* ${text}`, { typed }, say);
  return modalOf(say, { title, blocks: [section(text)] });
}

/** Slack says more, to people who try again. */
function refusedText(refusal: Refusal, typed: string | null, say: Say): Told {
  const title = refusalTitle({ refusal, action: 'approve' }, say);
  const text = say(isOver(refusal) ? 'sign-in.no-change' : 'sign-in.ask-slack');
  return { isApproved: false, title, text, typed };
}
