import type { Approval } from '../../core/approval/approval.ts';
import { findDecidable } from '../../core/approval/decide.ts';
import type { Refusal } from '../../core/approval/refusal.ts';
import type { Execution } from '../../core/execution/execution.ts';
import { ok, type Result } from '../../core/result.ts';
import { showModal, tell } from '../interaction/answers.ts';
import { findMessageText } from '../interaction/find-message-text.ts';
import type { AckClick, OnShortcut } from '../interaction/handlers.ts';
import type { ListenerContext } from '../interaction/listener-context.ts';
import type { Shortcut } from '../interaction/shortcut.ts';
import { approvalValue } from '../ui/button-value.ts';
import { escapedLine } from '../ui/text/escape.ts';
import { changeRequest, unknownTo } from './change-request.ts';
import { feedbackModal } from './feedback-modal.ts';
import { findDecidableRequest } from './find-decidable-request.ts';
import { findFeedbackForm } from './find-feedback-form.ts';
import { findThreadRun } from './find-thread-run.ts';
import { messageDraft } from './message-draft.ts';
import { tellRefusal } from './refused-click.ts';

/** Opens the feedback on the request that waits in the thread of a message, filled in with what the message says. */
export const onUseAsFeedback: OnShortcut = async (context, shortcut, ack) => {
  const { message, actor } = shortcut;
  const run = message && (await findThreadRun(context, message));
  if (!run) {
    const refusal = await unknownTo(context, actor.person);
    await ack();
    return refusal.kind === 'denied' ? tellRefusal(context, shortcut, refusal) : tellNothing(context, shortcut, null);
  }
  // Of one that is decided already, they learn by whom.
  const approval = run.approvals.findLast(({ status }) => status === 'pending') ?? run.approvals.at(-1);
  return approval
    ? openFeedback(context, shortcut, { run, approval, ack })
    : askPolicy(context, shortcut, { run, ack });
};

async function openFeedback(
  context: ListenerContext,
  shortcut: Shortcut,
  { run, approval, ack }: { run: Execution; approval: Approval; ack: AckClick },
): Promise<void> {
  const key = { ref: run.ref, approvalId: approval.id };
  const by = shortcut.actor.person;
  const [found, text] = await Promise.all([
    findDecidableRequest(context, { key, by, action: 'reject' }),
    shortcut.content ? findMessageText(context, shortcut.content) : '',
  ]);
  const form = found.ok ? await findFeedbackForm(context, found.value, by.id) : null;
  await ack();
  if (!found.ok) return tellRefusal(context, { ...shortcut, value: approvalValue(key) }, found.refusal);
  if (!form) return;
  const say = await context.say();
  const open = run.approvals.filter(({ status }) => status === 'pending').length;
  await showModal(context, shortcut, feedbackModal(form, say, messageDraft({ text, open, model: form.model }, say)));
}

/** The run has asked for nothing yet, which is only for those to know who may decide what it asks for. */
async function askPolicy(
  context: ListenerContext,
  shortcut: Shortcut,
  { run, ack }: { run: Execution; ack: AckClick },
): Promise<void> {
  const by = shortcut.actor.person;
  const judged = await changeRequest(context, {
    ...{ key: { ref: run.ref, approvalId: null }, by, action: 'reject' },
    transition: (execution, { approvalId, ...asked }): Result<Execution, Refusal> => {
      const found = findDecidable(execution, approvalId, { personId: by.id, ...asked });
      return found.ok || found.refusal.kind === 'unknown' ? ok(execution) : found;
    },
  });
  await ack();
  if (judged.ok) return tellNothing(context, shortcut, run);
  await tellRefusal(context, { ...shortcut, value: run.ref }, judged.refusal);
}

async function tellNothing(context: ListenerContext, shortcut: Shortcut, run: Execution | null): Promise<void> {
  const say = await context.say();
  const text = run ? say('shortcut.nothing-open', { crew: escapedLine(run.crew, 80) }) : say('shortcut.no-run');
  await tell(context, shortcut, { title: say('shortcut.feedback-title'), text });
}
