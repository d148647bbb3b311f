// *Review* of a request or of any other text, with all that it shows.
import type { ModalView } from '@slack/types';
import { cardModel } from '../../core/messages/view-models.ts';
import { HANDED_OVER } from '../../core/policy/evaluate.ts';
import type { RequestRules } from '../../core/policy/rules.ts';
import type { ListenerContext } from '../listening/context.ts';
import type { InboxPlace } from '../ui/button-value.ts';
import { whyNotAttached } from './attached-file.ts';
import { findCardDetails } from './card-details.ts';
import { type Reviewed, reviewModal } from './review-modal.ts';

interface Wanted extends Pick<Reviewed, 'page' | 'after' | 'isRevealed' | 'whyNot'> {
  rules: RequestRules;
  /** The rule that lets the person decide; null where nobody has just asked the policy, and where none does. */
  rule: string | null;
  inbox?: InboxPlace | undefined;
}

/** A page of the review of a request. Throws `StoreUnavailable`. */
export async function reviewOf(context: ListenerContext, { rules, rule, inbox, ...shown }: Wanted): Promise<ModalView> {
  const model = cardModel(rules.execution, rules.request);
  const { ref, output } = model;
  // Only the first page says what changed.
  const findChange = shown.page === 0 ? context.findChange : async () => null;
  const ports = { ...context, approverNames: context.directory.approverNames, findChange };
  const { output: text, ...details } = await findCardDetails(ports, rules, model);
  const unattached = await whyNotAttached(context, { ref, hash: output.hash }, text);
  const request = { ...details, model, isLent: rule === HANDED_OVER };
  const key = { ref, hash: output.hash, inbox };
  return reviewModal({ ...shown, key, text, request, unattached }, await context.say());
}
