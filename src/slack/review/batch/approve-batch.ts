import type { Person } from '../../../core/approval/approval.ts';
import { policyFor } from '../../../core/approval/policy/policy.ts';
import { type Execution, findApproval } from '../../../core/execution/execution.ts';
import { type CardModel, cardModel } from '../../../core/messages/view-models.ts';
import type { ListenerContext } from '../../app/context.ts';
import { approveUnasked } from '../../features/approval/approve.ts';
import type { TickedRequest } from '../../home/ticks.ts';
import { mayKnow, type WhyLeftOut } from './judge-ticked.ts';

/** What became of one request of several. */
export type BatchOutcome = { key: TickedRequest } & (
  | { kind: 'approved'; model: CardModel; quorum: number }
  | { kind: 'left-out'; why: WhyLeftOut; isNameable: boolean }
  /** There was no time for it. */
  | { kind: 'open' }
  /** The store gave no answer in time, so that it may be approved. */
  | { kind: 'unclear' }
);

/** Then there is time to say what became of all of them before Slack shows an error. */
const STORED_WITHIN_MS = 1_800;

/**
 * Approves one request after the other, each a decision of its own that is bound to the text that was listed. What isn't stored
 * in time stays open. Approved again, they are left as they are. Throws if nothing could be stored: don't ack then.
 */
export async function approveBatch(
  context: ListenerContext,
  by: Person,
  keys: readonly TickedRequest[],
): Promise<BatchOutcome[]> {
  const outcomes: BatchOutcome[] = [];
  for (const key of keys) {
    const leftMs = context.receivedAt + STORED_WITHIN_MS - performance.now();
    const isStopped = outcomes.some(({ kind }) => kind === 'unclear');
    outcomes.push(
      isStopped || leftMs <= 0 ? { key, kind: 'open' } : await attempt(context, { by, key, leftMs, outcomes }),
    );
  }
  return outcomes;
}

async function attempt(
  context: ListenerContext,
  { by, key, leftMs, outcomes }: { by: Person; key: TickedRequest; leftMs: number; outcomes: readonly BatchOutcome[] },
): Promise<BatchOutcome> {
  const approving = approveOne(context, by, key);
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<BatchOutcome>((resolve) => {
    timer = setTimeout(() => resolve({ key, kind: 'unclear' }), leftMs);
  });
  try {
    return await Promise.race([approving, late]);
  } catch (error) {
    if (!outcomes.some(({ kind }) => kind === 'approved')) throw error;
    context.log.warn({ ref: key.ref, err: error }, 'could not store one of several approvals');
    return { key, kind: 'unclear' };
  } finally {
    clearTimeout(timer);
    // Nobody waits for it any more.
    approving.catch(() => {});
  }
}

async function approveOne(context: ListenerContext, by: Person, key: TickedRequest): Promise<BatchOutcome> {
  const { stored, isRepeated } = await approveUnasked(contextOf(context, key), { key, by });
  if (!stored.ok) {
    const { refusal } = stored;
    return { key, kind: 'left-out', why: { kind: 'refused', refusal }, isNameable: mayKnow(refusal) };
  }
  if (isRepeated) return { key, kind: 'left-out', why: { kind: 'approved-before' }, isNameable: true };
  return approvedOutcome(context, key, stored.value);
}

function approvedOutcome({ rulesOf }: ListenerContext, key: TickedRequest, execution: Execution): BatchOutcome {
  const approval = findApproval(execution, key.approvalId);
  if (!approval) return { key, kind: 'unclear' };
  const quorum = policyFor(rulesOf(execution.crew).policy, approval)?.quorum ?? 1;
  return { key, kind: 'approved', model: cardModel(execution, approval), quorum };
}

/** The log line and the ledger are about many requests, two of which may be of one run. */
function contextOf(context: ListenerContext, { approvalId }: TickedRequest): ListenerContext {
  return {
    ...context,
    requestId: context.requestId === '' ? '' : `${context.requestId}:${approvalId}`,
    addToLog: ({ ref: _, approvalId: __, ...facts }) => context.addToLog(facts),
  };
}
