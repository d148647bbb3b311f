import type { Approval } from '../../core/approval/approval.ts';
import { findDecidable } from '../../core/approval/decide.ts';
import type { Refusal } from '../../core/approval/refusal.ts';
import type { Execution } from '../../core/execution/execution.ts';
import { ok, type Result } from '../../core/result.ts';
import { showModal, tell } from '../interaction/answers.ts';
import { type Click, contentOf, shortcutClick } from '../interaction/click.ts';
import { findMessageText } from '../interaction/find-message-text.ts';
import type { ListenerContext } from '../interaction/listener-context.ts';
import type { Ack, ShortcutListener } from '../interaction/listeners.ts';
import { approvalValue, keyOf } from '../ui/button-value.ts';
import type { MessageContent } from '../ui/message-text/message-content.ts';
import { escapedLine } from '../ui/text/escape.ts';
import { changeRequest, unknownTo } from './change-request.ts';
import { feedbackModal } from './feedback-modal.ts';
import { findDecidableRequest } from './find-decidable-request.ts';
import { findFeedbackForm } from './find-feedback-form.ts';
import { findThreadRun } from './find-thread-run.ts';
import { messageDraft } from './message-draft.ts';
import { tellRefusal } from './refused-click.ts';

/** Opens the feedback on the request that waits in the thread of a message, filled in with what the message says. */
export const onUseAsFeedback: ShortcutListener = async ({ ack, context, shortcut }) => {
  const click = shortcutClick(shortcut);
  const { message } = click;
  const run = message && (await findThreadRun(context, message));
  if (!run) {
    const refusal = await unknownTo(context, context.person);
    await ack();
    return refusal.kind === 'denied' ? tellRefusal(context, click, refusal) : tellNothing(context, click, null);
  }
  // Of one that is decided already, they learn by whom.
  const approval = run.approvals.findLast(({ status }) => status === 'pending') ?? run.approvals.at(-1);
  return approval
    ? openFeedback(context, click, { run, approval, content: contentOf(shortcut), ack })
    : askPolicy(context, click, { run, ack });
};

async function openFeedback(
  context: ListenerContext,
  click: Click,
  { run, approval, content, ack }: { run: Execution; approval: Approval; content: MessageContent | null; ack: Ack },
): Promise<void> {
  // They choose no text: the form shows which one it is about.
  const key = keyOf({ ref: run.ref, approvalId: approval.id, output: approval.output });
  const by = context.person;
  const [found, text] = await Promise.all([
    findDecidableRequest(context, { key, by, action: 'reject' }),
    content ? findMessageText(context, content) : '',
  ]);
  const form = found.ok ? await findFeedbackForm(context, found.value, by.id) : null;
  await ack();
  if (!found.ok) return tellRefusal(context, { ...click, value: approvalValue(key) }, found.refusal);
  if (!form) return;
  const say = await context.say();
  const open = run.approvals.filter(({ status }) => status === 'pending').length;
  await showModal(context, click, feedbackModal(form, say, messageDraft({ text, open, model: form.model }, say)));
}

/** The run has asked for nothing yet, which is only for those to know who may decide what it asks for. */
async function askPolicy(
  context: ListenerContext,
  click: Click,
  { run, ack }: { run: Execution; ack: Ack },
): Promise<void> {
  const by = context.person;
  const judged = await changeRequest(context, {
    ...{ key: { ref: run.ref, approvalId: null }, by, action: 'reject' },
    transition: (execution, { approvalId, ...asked }): Result<Execution, Refusal> => {
      const found = findDecidable(execution, approvalId, { personId: by.id, ...asked });
      return found.ok || found.refusal.kind === 'unknown' ? ok(execution) : found;
    },
  });
  await ack();
  if (judged.ok) return tellNothing(context, click, run);
  await tellRefusal(context, { ...click, value: run.ref }, judged.refusal);
}

async function tellNothing(context: ListenerContext, click: Click, run: Execution | null): Promise<void> {
  const say = await context.say();
  const text = run ? say('shortcut.nothing-open', { crew: escapedLine(run.crew, 80) }) : say('shortcut.no-run');
  await tell(context, click, { title: say('shortcut.feedback-title'), text });
}
