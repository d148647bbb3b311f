import type { ModalView } from '@slack/types';
import type { Approval } from '../../core/approval/approval.ts';
import type { Refusal } from '../../core/approval/permission.ts';
import type { Denial } from '../../core/approval/policy/permits.ts';
import { type Execution, findApproval, starterOf } from '../../core/execution/execution.ts';
import { cardModel } from '../../core/messages/view-models.ts';
import { ok, type Result, refuse } from '../../core/result.ts';
import type { ListenerContext } from '../app/context.ts';
import { findCardDetails } from '../features/approval/card-details.ts';
import { findDecidableRequest } from '../features/approval/decidable-request.ts';
import { explainRefusal } from '../features/approval/refusal.ts';
import { createFindChange } from '../features/compare/summary.ts';
import { findAboutText } from '../reading/find-about-text.ts';
import { readAllModal } from '../reading/read-all-modal.ts';
import { section } from '../ui/blocks.ts';
import { type ApprovalKey, approvalValue } from '../ui/button-value.ts';
import { nextStepButtons } from '../ui/modal.ts';
import { nameIn } from '../ui/person.ts';
import { reviewModal } from './review-modal.ts';

interface Wanted {
  key: ApprovalKey | null;
  page: number;
}

/**
 * A page of a request that the person can decide. A member who can't decide it reads its text, and why they can't. Throws where
 * `changeRequest` does: don't ack then.
 */
export async function findReview(context: ListenerContext, { key, page }: Wanted): Promise<Result<ModalView, Refusal>> {
  const found = await findDecidableRequest(context, { key, by: context.person, action: 'review' });
  if (found.ok) return ok(await viewOf(context, { ...found.value, page }));
  const { refusal } = found;
  const isReadable = key && refusal.kind === 'denied' && refusal.denial.kind !== 'stranger';
  if (!isReadable || !(await context.isMember())) return found;
  return (await readingOf(context, { key, denial: refusal.denial })) ?? found;
}

async function viewOf(
  context: ListenerContext,
  { execution, approval, page }: { execution: Execution; approval: Approval; page: number },
): Promise<ModalView> {
  const { outputs, crews, rulesOf, namesOf, directory } = context;
  const model = cardModel(execution, approval);
  // Only the first page says what changed.
  const findChange = page === 0 ? createFindChange(outputs) : async () => null;
  const ports = { outputs, crews, rulesOf, namesOf, approverNames: directory.approverNames, findChange };
  const starter = starterOf(execution);
  const [details, name] = await Promise.all([findCardDetails(ports, { execution, approval }, model), namesOf(starter)]);
  const say = await context.say();
  return reviewModal({ ...details, model, starter: starter && nameIn(name, starter), page }, say);
}

/** Its pages are turned without the request, so that none of them has its choices. */
async function readingOf(
  context: ListenerContext,
  { key, denial }: { key: ApprovalKey; denial: Denial },
): Promise<Result<ModalView, Refusal> | null> {
  const execution = (await context.store.load(key.ref))?.execution;
  const approval = execution && findApproval(execution, key.approvalId);
  if (!execution || !approval) return null;
  const { hash } = approval.output;
  if (key.hash !== null && key.hash !== hash) return refuse({ kind: 'other-text' });
  const say = await context.say();
  const title = `${approval.taskName ?? execution.crew}, ${say('card.round', { round: approval.round })}`;
  const text = { ref: key.ref, hash, title, rest: 'attached' } as const;
  const [output, about, { text: why, next }] = await Promise.all([
    context.outputs.get(key.ref, hash),
    findAboutText(context, { ...text, approvalId: key.approvalId }),
    explainRefusal(context, { you: context.person, value: approvalValue(key) }, { kind: 'denied', denial }),
  ]);
  const above = [section(why), ...nextStepButtons(next, say)];
  return ok(readAllModal({ key: text, text: output, page: 0, about: { ...about, isOpen: false }, above }, say));
}
