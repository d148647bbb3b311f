import type { Approval } from '../../../core/approval/approval.ts';
import { findDecidable } from '../../../core/approval/decide.ts';
import type { Refusal } from '../../../core/approval/permission.ts';
import type { Execution } from '../../../core/execution/execution.ts';
import { tsOf } from '../../../core/messages/post.ts';
import { ok, type Result } from '../../../core/result.ts';
import { showModal, tell } from '../../app/answers.ts';
import { type Click, contentOf, findMessageText, shortcutClick } from '../../app/click.ts';
import type { Ack, ListenerContext, ShortcutListener } from '../../app/context.ts';
import type { Say } from '../../language/say.ts';
import { approvalValue, keyOf } from '../../ui/button-value.ts';
import { TYPED_TEXT_LIMIT } from '../../ui/limits.ts';
import type { MessageContent } from '../../ui/message-text.ts';
import { cut, escapedLine } from '../../ui/text/escape.ts';
import { changeRequest, unknownTo } from './change-request.ts';
import { findDecidableRequest } from './decidable-request.ts';
import { type FeedbackDraft, type FeedbackForm, feedbackModal, findFeedbackForm } from './feedback.ts';
import { tellRefusal } from './refusal.ts';

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
    key: { ref: run.ref, approvalId: null },
    by,
    action: 'reject',
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

interface FromMessage {
  /** What the message says. */
  text: string;
  /** How many requests wait in its thread. */
  open: number;
  model: Pick<FeedbackForm['model'], 'crew' | 'taskName'>;
}

/** Feedback that begins as a message, cut to what the field holds. */
export function messageDraft({ text, open, model }: FromMessage, say: Say): FeedbackDraft {
  const task = escapedLine(model.taskName ?? model.crew, 120);
  const said = [
    ...(text === '' ? [say('shortcut.no-text')] : []),
    ...(text.length > TYPED_TEXT_LIMIT ? [say('shortcut.cut', { count: text.length, most: TYPED_TEXT_LIMIT })] : []),
    ...(open > 1 ? [say('shortcut.newest', { count: open, task })] : []),
  ];
  return { text: cut(text, TYPED_TEXT_LIMIT), problem: said.length > 0 ? said.join(' ') : null, edition: 0 };
}

interface Place {
  channel: string;
  ts: string;
  threadTs: string | null;
}

/** The run in progress in whose thread a message is, its root and cards included; null if there is none. Throws `StoreUnavailable`. */
async function findThreadRun(
  { store }: Pick<ListenerContext, 'store'>,
  { channel, ts, threadTs }: Place,
): Promise<Execution | null> {
  const open = await store.openIn(channel);
  return open.find((run) => placesOf(run).some((each) => each === ts || each === threadTs)) ?? null;
}

/** A card whose thread was deleted stands in the channel, and begins a thread itself. */
function placesOf({ root, approvals }: Execution): (string | null)[] {
  const cards = approvals.flatMap(({ card, copies }) => [tsOf(card), ...copies.map((copy) => copy.ts)]);
  return [tsOf(root), ...cards].filter((ts) => ts !== null);
}
