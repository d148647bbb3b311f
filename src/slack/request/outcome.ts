// Shows the outcome of a decision to people who decided in a window, where they don't see the card change, and what waits next. What was
// stored (`Stored`) makes an `Outcome` (facts), whose `OutcomeBlocks` are shown in a window.
import type { ViewOutput } from '@slack/bolt';
import type { Button, KnownBlock, ModalView } from '@slack/types';
import { type CardModel, cardModel } from '../../core/messages/view-models.ts';
import { type VoteStanding, voteStandingOf } from '../../core/policy/progress.ts';
import { type Execution, findRequest } from '../../core/state/execution.ts';
import { allVotes, type Verdict } from '../../core/state/request.ts';
import type { Say } from '../language/say.ts';
import { showModal } from '../listening/answers.ts';
import type { Click } from '../listening/click.ts';
import type { ListenerContext, ViewAck } from '../listening/context.ts';
import { type ModalKey, modalKey, updateModal } from '../listening/modals.ts';
import { button, buttons, context as contextBlock, section, sectionWith } from '../ui/blocks.ts';
import { approvalValue, type InboxPlace, keyOf, type RequestKey } from '../ui/button-value.ts';
import { answerModal, modalOf } from '../ui/modal.ts';
import { requestTitle, reviewButton, stageNames, stateSentence } from './card-state.ts';
import { rulesNow } from './denial.ts';
import { findNext, type Next } from './next-request.ts';
import { reviewOf } from './review-of.ts';

interface Stored {
  execution: Execution;
  key: RequestKey | null;
  verdict: Verdict;
}

/** Shows the outcome of a decision in the window that was clicked, and goes on there with what waits next. Never throws. */
export async function showOutcome(context: ListenerContext, window: ModalKey, stored: Stored): Promise<void> {
  const outcome = outcomeOf(context, stored, context.person.id);
  if (outcome && stored.key)
    await showNext(context, window, { ...outcomeBlocks(outcome, await context.say()), seen: stored.key });
}

/** `title`: for a window that shows nothing else. */
interface OutcomeBlocks {
  title: string;
  result: readonly KnownBlock[];
}

/**
 * Goes on in a window with what waits next for the person, below the outcome of the request that was shown there. Returns false if the
 * window is closed. Never throws.
 */
export async function showNext(
  context: ListenerContext,
  window: ModalKey,
  { title, result, seen }: OutcomeBlocks & { seen: RequestKey },
): Promise<boolean> {
  const next = await findNext(context, seen);
  const review = typeof next === 'object' ? await reviewAfter(context, { ...next, result }) : null;
  const say = await context.say();
  const count = seen.inbox?.skipped ?? 0;
  const none = count === 0 ? say('review.nothing-waits') : say('review.all-seen', { count });
  const text = next === 'none' ? none : say('review.next-unknown');
  const rest = result.length === 0 ? section(text) : contextBlock(text);
  return updateModal(context, window, review ?? modalOf(say, { title, blocks: [...result, rest] }));
}

/** Says that the request waits again, and shows it in the window that was clicked if that is about this request alone. Never throws. */
export async function showTakenBack(
  context: ListenerContext,
  click: Click,
  { execution, key }: Pick<Stored, 'execution' | 'key'>,
): Promise<void> {
  const request = findRequest(execution, key?.approvalId ?? '');
  if (!request) return;
  const model = cardModel(execution, request);
  const say = await context.say();
  if (!click.view || !key?.isRead) return showModal(context, click, takenBackModal(model, say));
  const next = { execution, request, rule: null, inbox: key.inbox, result: [section(takenBackText(model, say))] };
  const review = request.state.status === 'pending' ? await reviewAfter(context, next) : null;
  await updateModal(context, modalKey(click.view), review ?? takenBackModal(model, say));
}

/**
 * Closes the form of a stored decision. If the form lies directly on the window with the text, that window shows what waits next. If
 * another window is between them, the form itself shows it, because Slack closes either one modal or all.
 * https://docs.slack.dev/surfaces/modals#response_actions
 */
export async function ackStored(
  context: ListenerContext,
  { id, previous_view_id: previousId, root_view_id: rootId }: ViewOutput,
  { ack, ...stored }: Stored & { ack: ViewAck },
): Promise<void> {
  const outcome = outcomeOf(context, stored, context.person.id);
  if (!stored.key?.isRead || previousId === null || !outcome) return ack({ response_action: 'clear' });
  if (previousId === rootId) {
    await ack();
    return showOutcome(context, { viewId: previousId }, stored);
  }
  const say = await context.say();
  const { title, result } = outcomeBlocks(outcome, say);
  const view = { ...modalOf(say, { title, blocks: [...result] }), clear_on_close: true };
  await ack({ response_action: 'update', view });
  await showOutcome(context, { viewId: id, closesAll: true }, stored);
}

/** Returns a window that shows nothing but the outcome of a decision. Null if the request is no longer known. */
export function outcomeModal(
  context: Pick<ListenerContext, 'rulesOf'>,
  stored: Stored,
  { personId, say }: { personId: string; say: Say },
): ModalView | null {
  const outcome = outcomeOf(context, stored, personId);
  if (!outcome) return null;
  const { title, result } = outcomeBlocks(outcome, say);
  return modalOf(say, { title, blocks: [...result] });
}

interface Outcome {
  model: CardModel;
  verdict: Verdict;
  /** The vote's standing while others have to approve, too. */
  standing: VoteStanding | null;
  inbox?: InboxPlace | undefined;
  /** True if the person's edits have opened an earlier stage again, so that they approve later. */
  approvesLater?: boolean;
}

function outcomeOf(
  context: Pick<ListenerContext, 'rulesOf'>,
  { execution, key, verdict }: Stored,
  personId: string,
): Outcome | null {
  const request = findRequest(execution, key?.approvalId ?? '');
  if (!request) return null;
  const standing = findStanding(context, { execution, request }, personId);
  const approvesLater =
    verdict === 'approve' &&
    request.state.status === 'pending' &&
    !allVotes(request.discussion).some(({ by }) => by.id === personId);
  return { model: cardModel(execution, request), verdict, standing, inbox: key?.inbox, approvesLater };
}

/** Returns the standing of a person's vote while the request waits. Null if we can't tell. */
export function findStanding(
  context: Pick<ListenerContext, 'rulesOf'>,
  { execution, request }: Pick<Next, 'execution' | 'request'>,
  personId: string,
): VoteStanding | null {
  return voteStandingOf(rulesNow(context, execution, request), personId);
}

/** Says what came of a decision, with the button that takes it back while that is possible. */
export function outcomeBlocks(outcome: Outcome, say: Say): OutcomeBlocks {
  const { model, verdict, standing, inbox, approvesLater } = outcome;
  const isUndoable = model.state.kind === 'undoable';
  const later = isUndoable ? ` ${stateSentence(model, { name: ({ name }) => name, say })}` : '';
  const text = `${outcomeText(outcome, say)}${later}`;
  const takeBack = approvesLater ? null : takeBackButton(model, standing, say, inbox);
  return { title: say(`outcome.${verdict}-title`), result: [takeBack ? sectionWith(text, takeBack) : section(text)] };
}

function outcomeText({ model, verdict, standing, approvesLater }: Outcome, say: Say): string {
  const about = { request: requestTitle(model, say) };
  if (approvesLater) return say('outcome.edited', about);
  if (verdict !== 'approve' || model.state.kind !== 'pending') return say(`outcome.${verdict}`, about);
  return standing?.kind === 'stage'
    ? say('outcome.stage', { ...about, ...stageNames(standing.stage) })
    : say('outcome.voted', { ...about, ...countOf(model, standing) });
}

/** Returns the number of approvals, and how many are needed. Without a standing (the crew isn't configured), 1 stands for the unknown. */
export function countOf(
  { votes }: Pick<CardModel, 'votes'>,
  standing: VoteStanding | null,
): { count: number; quorum: number } {
  return standing?.kind === 'counts'
    ? { count: standing.given, quorum: standing.needed }
    : { count: votes.length, quorum: 1 };
}

/** Says that a request waits again after a decision or a vote was taken back, in a window that doesn't show the request. */
export function takenBackModal(model: CardModel, say: Say): ModalView {
  return answerModal(say, {
    title: say('outcome.taken-back-title'),
    text: takenBackText(model, say),
    more: model.state.kind === 'pending' ? buttons(reviewButton(model, say)) : [],
  });
}

/** Names the request, because another one may be below. */
function takenBackText(model: CardModel, say: Say): string {
  return say('outcome.taken-back', { request: requestTitle(model, say) });
}

/**
 * Returns the button that undoes a decision or withdraws a vote; null if neither is possible. Its key has `isRead`: the window shows the
 * text, so that the request takes the place of the window's content.
 */
export function takeBackButton(
  model: CardModel,
  standing: VoteStanding | null,
  say: Say,
  inbox?: InboxPlace,
): Button | null {
  const value = approvalValue(keyOf({ ...model, isRead: true, inbox }));
  if (model.state.kind === 'undoable') return button('undo', say('card.undo'), { value });
  // A stage that is complete stays so.
  const canWithdraw = model.state.kind === 'pending' && standing?.kind !== 'stage';
  return canWithdraw ? button('withdraw', say('card.withdraw'), { value }) : null;
}

/** Returns the review of a request below the outcome of the last one. Null if its text can't be read right now. */
async function reviewAfter(
  context: ListenerContext,
  { result, rule, inbox, execution, request }: Next & { result: readonly KnownBlock[] },
): Promise<ModalView | null> {
  try {
    const rules = rulesNow(context, execution, request);
    return await reviewOf(context, { rules, rule, inbox, page: 0, after: { result, openedAt: Date.now() } });
  } catch (error) {
    context.log.warn({ ref: execution.ref, err: error }, 'could not show what waits next');
    return null;
  }
}
