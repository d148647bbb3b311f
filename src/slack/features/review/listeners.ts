// Opens a request for review, and turns its pages.
import type { ModalView } from '@slack/types';
import type { Denial } from '../../../core/policy/evaluate.ts';
import type { Refusal } from '../../../core/policy/refusal.ts';
import type { OutputStore } from '../../../core/ports.ts';
import { findApproval } from '../../../core/state/execution.ts';
import { ok, type Result, refuse } from '../../../core/values/result.ts';
import { countMarks } from '../../../core/values/secrets.ts';
import { withSigns } from '../../../core/values/text.ts';
import { showModal } from '../../listening/answers.ts';
import { type Click, clickOf } from '../../listening/click.ts';
import type { Ack, ActionListener, ListenerContext } from '../../listening/context.ts';
import { modalAsSeen, updateModal } from '../../listening/modals.ts';
import { whyNotAttached } from '../../request/attached-file.ts';
import { laterRound } from '../../request/card-state.ts';
import { findDecidableRequest } from '../../request/change-request.ts';
import { explainRefusal, tellRefusal } from '../../request/refusal.ts';
import { reviewPage } from '../../request/review-modal.ts';
import { reviewOf } from '../../request/review-of.ts';
import { section } from '../../ui/blocks.ts';
import { type ApprovalKey, approvalValue, parseApprovalValue } from '../../ui/button-value.ts';
import { READABLE_LENGTH } from '../../ui/limits.ts';
import { nextStepButtons } from '../../ui/modal.ts';
import { jumpedTo } from '../../ui/text-page.ts';
import { findAboutText, readAllModal } from '../reading/modal.ts';

/** In a modal it takes the place of what that shows, so that there is room for the forms above it. */
export const onReview: ActionListener = ({ ack, body, context }) => {
  const click = clickOf(body);
  return show(context, click, { ack, key: parseApprovalValue(click.value), page: 0 });
};

export const onTurnReview: ActionListener = ({ ack, body, context }) => {
  const click = clickOf(body);
  const key = reviewPage.read(click.value);
  return show(context, click, { ack, key, page: key?.page ?? 0, isRevealed: key?.isRevealed });
};

/** Shows what the text hides to a person who can decide it, which the ledger says of secrets. */
export const onReveal: ActionListener = ({ ack, body, context }) => {
  const click = clickOf(body);
  const key = reviewPage.read(click.value);
  return show(context, click, { ack, key, page: key?.page ?? 0, isRevealed: true });
};

export const onJumpInReview: ActionListener = ({ ack, body, context }) => {
  const click = clickOf(body);
  const value = click.view?.private_metadata ?? '';
  return show(context, { ...click, value }, { ack, key: parseApprovalValue(value), page: jumpedTo(click.value) });
};

async function show(
  context: ListenerContext,
  click: Click,
  { ack, key, page, isRevealed }: { ack: Ack; key: ApprovalKey | null; page: number; isRevealed?: true | undefined },
): Promise<void> {
  const view = await (isRevealed ? findRevealed(context, key, page) : findReview(context, key, page));
  const ports = isRevealed && view.ok ? { ...context, client: context.unmaskedClient } : context;
  await ack();
  if (!view.ok) return tellRefusal(context, click, { refusal: view.refusal, action: 'review' });
  if (click.view) await updateModal(ports, modalAsSeen(click.view), view.value);
  else await showModal(ports, click, view.value);
}

/** No page shows more of a text. */
const MOST_SIGNED = 2 * READABLE_LENGTH;

/** A page with its secrets and with signs for characters that nobody sees. Throws where `changeRequest` does: don't ack then. */
async function findRevealed(
  context: ListenerContext,
  key: ApprovalKey | null,
  page: number,
): Promise<Result<ModalView, Refusal>> {
  const { person: by, outputs, fullOutputs } = context;
  const masked = key?.hash ? await outputs.get(key.ref, key.hash) : null;
  const secrets = countMarks(masked ?? '');
  const found = await findDecidableRequest(context, { key, by, action: 'review', secrets });
  if (!found.ok) return found;
  const signed: OutputStore = {
    ...fullOutputs,
    async get(ref, hash) {
      const text = await fullOutputs.get(ref, hash);
      return text && withSigns(text.slice(0, MOST_SIGNED)) + text.slice(MOST_SIGNED);
    },
  };
  const { rule } = found.value;
  return ok(await reviewOf({ ...context, outputs: signed }, { rules: found.value, rule, page, isRevealed: true }));
}

/**
 * A page of a request that the person can decide. A member who can't decide it reads its text, and why they can't. Throws where
 * `changeRequest` does: don't ack then.
 */
async function findReview(
  context: ListenerContext,
  key: ApprovalKey | null,
  page: number,
): Promise<Result<ModalView, Refusal>> {
  const found = await findDecidableRequest(context, { key, by: context.person, action: 'review' });
  if (found.ok) return ok(await reviewOf(context, { rules: found.value, rule: found.value.rule, page }));
  const { refusal } = found;
  const isReadable = key && refusal.kind === 'denied' && refusal.denial.kind !== 'stranger';
  if (!isReadable || !(await context.isMember())) return found;
  return (await readingOf(context, { key, denial: refusal.denial })) ?? found;
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
  const title = [approval.taskName ?? execution.crew, laterRound(approval, say)].filter(Boolean).join(', ');
  const text = { ref: key.ref, hash, title, rest: 'attached' } as const;
  const [output, about, { text: why, next }] = await Promise.all([
    context.outputs.get(key.ref, hash),
    findAboutText(context, { ...text, approvalId: key.approvalId }),
    explainRefusal(context, { you: context.person, value: approvalValue(key) }, { kind: 'denied', denial }),
  ]);
  const above = [section(why), ...nextStepButtons(next, say)];
  const unattached = await whyNotAttached(context, text, output);
  const shown = { key: text, text: output, page: 0, about: { ...about, isOpen: false }, unattached, above };
  return ok(readAllModal(shown, say));
}
