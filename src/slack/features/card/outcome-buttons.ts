// Answering a request that offers its own outcomes.
import { verdictUnder } from '../../../core/policy/settings.ts';
import { findApproval } from '../../../core/state/execution.ts';
import { clickOf } from '../../listening/click.ts';
import type { ActionListener, ListenerContext } from '../../listening/context.ts';
import { outcomeChosen } from '../../request/change-request.ts';
import { rulesNow } from '../../request/denial.ts';
import { type ApprovalKey, parseApprovalValue } from '../../ui/button-value.ts';
import { onReject } from './feedback.ts';
import { onApprove } from './listeners.ts';

/** What approves counts at once, like *Approve*; what rejects asks for feedback first, like *Reject…*. */
export const onOutcome: ActionListener = async (args) => {
  const key = parseApprovalValue(clickOf(args.body).value);
  const verdict = key ? await verdictChosen(args.context, key) : 'approve';
  return verdict === 'approve' ? onApprove(args) : onReject(args);
};

/** By the policy of now, which the decision asks again. Throws `StoreUnavailable`. */
async function verdictChosen(context: ListenerContext, key: ApprovalKey): Promise<'approve' | 'reject'> {
  const execution = (await context.store.load(key.ref, { mostAgeMs: RECENT_MS }))?.execution;
  const request = execution && findApproval(execution, key.approvalId);
  const outcome = execution && outcomeChosen(execution, key);
  if (!request || !outcome) return 'approve';
  const { policies } = rulesNow(context, execution, request);
  return policies.length > 0 ? verdictUnder(outcome, policies) : 'approve';
}

/** What a request offers never changes. */
const RECENT_MS = 60_000;
