import type { Approval, Person } from '../../core/approval/approval.ts';
import type { Refusal } from '../../core/approval/refusal.ts';
import { type Execution, findApproval, type NextStep } from '../../core/execution/execution.ts';
import { tsOf } from '../../core/messages/post.ts';
import { NO_STEP } from '../../core/messages/private-answers.ts';
import { type Identity, permalink } from '../api/identity.ts';
import type { ListenerContext } from '../interaction/listener-context.ts';
import { parseApprovalValue, parseRef } from '../ui/button-value.ts';
import { findDenialDetails } from './denial-details.ts';
import { nextStep } from './next-step.ts';
import { refusalText } from './refusal-text.ts';

interface Explanation {
  /** mrkdwn in which foreign text is escaped. */
  text: string;
  next: NextStep;
}

/** The request only says whom to name, so a recent state will do. */
const RECENT_MS = 60_000;

/**
 * Says why an action changed nothing, and who can decide instead. `value` is that of the clicked button, or the metadata of the
 * submitted modal. Never throws.
 */
export async function explainRefusal(
  context: ListenerContext,
  { you, value }: { you: Person; value: string },
  refusal: Refusal,
): Promise<Explanation> {
  const denial = refusal.kind === 'denied' ? refusal.denial : null;
  const key = parseApprovalValue(value);
  const isTold = denial ? denial.kind !== 'stranger' : refusal.kind === 'other-text';
  const execution = isTold ? await recentExecution(context, parseRef(value)) : null;
  const approval = execution && key ? findApproval(execution, key.approvalId) : null;
  const [name, details] = await Promise.all([
    context.namesOf(...peopleIn(refusal)),
    findDenialDetails(context, { you: you.id, denial, execution, approval }),
  ]);
  const next = denial && key && execution ? nextStep(denial, { key, crew: execution.crew }) : NO_STEP;
  const isOfUse = next.kind !== 'ask' || details.whoCan !== null;
  const card = approval && execution ? cardAddress(context.identity, execution, approval) : null;
  return { text: refusalText(refusal, { ...details, name, card }), next: isOfUse ? next : NO_STEP };
}

function cardAddress(identity: Identity, { channel, root }: Execution, { card }: Approval): string | null {
  const ts = tsOf(card) ?? tsOf(root);
  return ts === null ? null : permalink(identity, channel, ts, tsOf(root));
}

async function recentExecution({ store, log }: ListenerContext, ref: string | null): Promise<Execution | null> {
  if (ref === null) return null;
  try {
    return (await store.load(ref, { mostAgeMs: RECENT_MS }))?.execution ?? null;
  } catch (error) {
    log.warn({ ref, err: error }, 'could not find out who can decide instead');
    return null;
  }
}

function peopleIn(refusal: Refusal): (Person | null)[] {
  if (refusal.kind === 'already-decided') return [refusal.decision.by];
  return refusal.kind === 'cannot-take-over' ? [refusal.to] : [];
}
