// Makes the *Review* window of a request: for its button, for turning its pages, and for the next request after a decision.
import type { ModalView } from '@slack/types';
import { cardModel } from '../../core/messages/view-models.ts';
import { HANDED_OVER } from '../../core/policy/permits.ts';
import type { RequestRules } from '../../core/policy/rules.ts';
import { postOf } from '../../core/state/message.ts';
import type { HumanRequest } from '../../core/state/request.ts';
import { isMember } from '../api/channels.ts';
import { soon } from '../api/soon.ts';
import type { ListenerContext } from '../listening/context.ts';
import type { InboxPlace } from '../ui/button-value.ts';
import { READABLE_LENGTH } from '../ui/limits.ts';
import { findCardDetails } from './card-details.ts';
import { type Reviewed, reviewModal } from './review-modal.ts';

interface ReviewedPage extends Pick<Reviewed, 'page' | 'after' | 'isRevealed' | 'whyNot'> {
  rules: RequestRules;
  /** The rule that lets the person decide. Null if none does, or if nobody has just asked the policy. */
  rule: string | null;
  inbox?: InboxPlace | undefined;
}

/** Returns a page of the review of a request. Throws `StoreUnavailable`. */
export async function reviewOf(
  context: ListenerContext,
  { rules, rule, inbox, ...shown }: ReviewedPage,
): Promise<ModalView> {
  const model = cardModel(rules.execution, rules.request);
  const { ref, output } = model;
  // Only the first page says what changed.
  const findChange = shown.page === 0 ? context.findChange : async () => null;
  const ports = { ...context, approverNames: context.directory.approverNames, findChange };
  const { output: text, ...details } = await findCardDetails(ports, rules, model);
  const isLong = text !== null && text.length > READABLE_LENGTH;
  const unattached = isLong ? await findReasonNotAttached(context, { ref, hash: output.hash }) : null;
  const request = { ...details, model, isLent: rule === HANDED_OVER };
  const key = { ref, hash: output.hash, inbox };
  return reviewModal({ ...shown, key, text, request, unattached }, await context.say());
}

/** A click waits for the answer. */
const WAIT_MS = 500;

/** Says why the rest of a long text isn't attached to the thread as a file, and what to do. Returns null if it is attached. */
async function findReasonNotAttached(
  { store, client, identity, say: findSay }: ListenerContext,
  { ref, hash }: { ref: string; hash: string },
): Promise<string | null> {
  const execution = (await store.load(ref))?.execution;
  if (!execution) return null;
  // A text is attached only once, however many requests are about it.
  const requests = execution.requests.filter(({ question: { output } }) => output.hash === hash);
  const isAttached = ({ id }: HumanRequest) => postOf(execution, { kind: 'file', approvalId: id })?.status === 'posted';
  if (requests.some(isAttached)) return null;
  const say = await findSay();
  if (identity.scopes.size > 0 && !identity.scopes.has('files:write')) return say('review.file-scope');
  return (await soon(WAIT_MS, isMember(client, execution.channel), null)) === false
    ? say('review.file-outside', { bot: identity.botName })
    : say('review.file-waits');
}
