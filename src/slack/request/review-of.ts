// The review of a request, with all that it shows.
import type { ModalView } from '@slack/types';
import { cardModel } from '../../core/messages/view-models.ts';
import { HANDED_OVER } from '../../core/policy/evaluate.ts';
import type { RequestRules } from '../../core/policy/rules.ts';
import type { ListenerContext } from '../listening/context.ts';
import { whyNotAttached } from './attached-file.ts';
import { findCardDetails } from './card-details.ts';
import { type Reviewed, reviewModal } from './review-modal.ts';

interface Wanted extends Pick<Reviewed, 'page' | 'after' | 'isRevealed'> {
  rules: RequestRules;
  /** The rule that lets the person decide; null where nobody has just asked the policy. */
  rule: string | null;
}

/** A page of the review of a request that the person can decide. Throws `StoreUnavailable`. */
export async function reviewOf(context: ListenerContext, { rules, rule, ...shown }: Wanted): Promise<ModalView> {
  const model = cardModel(rules.execution, rules.request);
  // Only the first page says what changed.
  const findChange = shown.page === 0 ? context.findChange : async () => null;
  const ports = { ...context, approverNames: context.directory.approverNames, findChange };
  const details = await findCardDetails(ports, rules, model);
  const unattached = await whyNotAttached(context, { ref: model.ref, hash: model.output.hash }, details.output);
  return reviewModal({ ...details, ...shown, unattached, model, isLent: rule === HANDED_OVER }, await context.say());
}
