// What came of a decision, for people who made it in a modal, where they don't see the card change.
import type { ViewOutput } from '@slack/bolt';
import type { Button, KnownBlock, ModalView } from '@slack/types';
import type { Person, Verdict } from '../../../core/approval/approval.ts';
import { policyFor } from '../../../core/approval/policy/policy.ts';
import { type Execution, findApproval } from '../../../core/execution/execution.ts';
import { type CardModel, cardModel } from '../../../core/messages/view-models.ts';
import { showModal } from '../../app/answers.ts';
import type { Click } from '../../app/click.ts';
import type { ListenerContext, ViewAck } from '../../app/context.ts';
import { updateModal } from '../../app/modals.ts';
import { within } from '../../directory/directory.ts';
import type { Say } from '../../language/say.ts';
import { button, buttons, sectionWith } from '../../ui/blocks.ts';
import { type ApprovalKey, approvalValue, keyOf } from '../../ui/button-value.ts';
import { answerModal } from '../../ui/modal.ts';
import { escapedLine } from '../../ui/text/escape.ts';
import { cardNames, stateSentence, taskIn } from './card-state.ts';

/** A decision or vote that is stored. */
interface Stored {
  execution: Execution;
  key: ApprovalKey | null;
  verdict: Verdict;
  by: Person;
}

/** Says what came of a decision in the modal that was clicked. Never throws. */
export async function showOutcome(context: ListenerContext, viewId: string, stored: Stored): Promise<void> {
  const { key: seen, by } = stored;
  const next = seen && (await nextRequestBlocks(context, { personId: by.id, seen }));
  const view = await outcomeOf(context, stored, next ?? []);
  if (view) await updateModal(context, { viewId }, view);
}

/** Says that the request waits again: in the modal that was clicked if it is about this request alone. Never throws. */
export async function showTakenBack(
  context: ListenerContext,
  click: Click,
  { execution, key }: Pick<Stored, 'execution' | 'key'>,
): Promise<void> {
  const approval = findApproval(execution, key?.approvalId ?? '');
  if (!approval) return;
  const view = takenBackModal(cardModel(execution, approval), await context.say());
  if (click.view && key?.isRead) await updateModal(context, { viewId: click.view.id }, view);
  else await showModal(context, click, view);
}

/**
 * Closes the form of a decision that is stored. Where it lies on the modal in which the text is read, that one says what came of
 * it; where it lies higher, the form does, since Slack closes either one modal or all.
 * https://docs.slack.dev/surfaces/modals#response_actions
 */
export async function ackStored(
  context: ListenerContext,
  { id, previous_view_id: previousId, root_view_id: rootId }: ViewOutput,
  { ack, ...stored }: Stored & { ack: ViewAck },
): Promise<void> {
  if (!stored.key?.isRead || previousId === null) return ack({ response_action: 'clear' });
  if (previousId === (rootId ?? id)) {
    await ack();
    return showOutcome(context, rootId ?? id, stored);
  }
  const view = await outcomeOf(context, stored);
  await ack(
    view ? { response_action: 'update', view: { ...view, clear_on_close: true } } : { response_action: 'clear' },
  );
}

async function outcomeOf(
  context: ListenerContext,
  { execution, key, verdict }: Stored,
  next: readonly KnownBlock[] = [],
): Promise<ModalView | null> {
  const approval = findApproval(execution, key?.approvalId ?? '');
  if (!approval) return null;
  const quorum = policyFor(context.rulesOf(execution.crew).policy, approval)?.quorum ?? 1;
  return outcomeModal({ model: cardModel(execution, approval), verdict, quorum, next }, await context.say());
}

/** What a person has decided, and the request as it is since then. */
interface Outcome {
  model: CardModel;
  verdict: Verdict;
  /** How many have to approve. */
  quorum: number;
  /** What the person can do next. */
  next?: readonly KnownBlock[];
}

/** What came of a decision that was made in a modal. */
export function outcomeModal(outcome: Outcome, say: Say): ModalView {
  const { model, verdict } = outcome;
  const isUndoable = model.state.kind === 'undoable';
  const later = isUndoable ? ` ${stateSentence(model, { name: ({ name }) => name, say })}` : '';
  return answerModal(say, {
    title: say(verdict === 'approve' ? 'outcome.approved-title' : 'outcome.rejected-title'),
    text: `${outcomeText(outcome, say)}${later}`,
    more: [...buttons(takeBackButton(model, say)), ...(outcome.next ?? [])],
  });
}

function outcomeText({ model, verdict, quorum }: Outcome, say: Say): string {
  const about = { task: taskIn(model, say), crew: escapedLine(model.crew, 80) };
  if (verdict === 'reject') return say('outcome.rejected', about);
  return model.state.kind === 'pending'
    ? say('outcome.voted', { ...about, count: model.votes.length, quorum })
    : say('outcome.approved', about);
}

/** What a request is again once a decision or a vote on it was taken back. */
export function takenBackModal(model: CardModel, say: Say): ModalView {
  return answerModal(say, {
    title: say('outcome.taken-back-title'),
    text: say('outcome.taken-back', { task: taskIn(model, say), crew: escapedLine(model.crew, 80) }),
    more: model.state.kind === 'pending' ? buttons(reviewButton(model, say)) : [],
  });
}

/** Its key says that the text was read, so that the answer takes the place of this modal. */
function takeBackButton(model: CardModel, say: Say): Button | null {
  const value = approvalValue(keyOf({ ...model, isRead: true }));
  switch (model.state.kind) {
    case 'pending':
      return button('withdraw', say('card.withdraw'), { value });
    case 'undoable':
      return button('undo', say('card.undo'), { value });
    case 'telling':
    case 'told':
    case 'failed':
    case 'superseded':
    case 'expired':
      return null;
  }
}

/** Opens a request with its whole text, to be decided there. */
function reviewButton(model: CardModel, say: Say): Button {
  return button('review', say('review.button'), { value: approvalValue(keyOf({ ...model, isRead: true })) });
}

/** The answer that leads to it waits for it. */
const MOST_WAIT_MS = 1_000;

/** Leads to what has waited longest for a person, except the text that they have just seen; empty if that isn't known. Never throws. */
export async function nextRequestBlocks(
  { inbox, say, log }: ListenerContext,
  { personId, seen }: { personId: string; seen: ApprovalKey },
): Promise<KnownBlock[]> {
  const found = await within(MOST_WAIT_MS, inbox.of(personId), { log, about: { person: personId } });
  const next = found?.waiting
    .map(({ request }) => request)
    .find(
      ({ run, approvalId, output }) =>
        run.ref !== seen.ref || approvalId !== seen.approvalId || output.hash !== seen.hash,
    );
  if (!next) return [];
  const { run, approvalId, output } = next;
  const value = approvalValue({ ref: run.ref, approvalId, hash: output.hash, isRead: true });
  const words = await say();
  const names = `*${cardNames({ ...next, crew: run.crew }, words)}*`;
  return [sectionWith(words('review.next-is', { names }), button('review', words('review.next'), { value }))];
}
