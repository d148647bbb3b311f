import type { ModalView } from '@slack/types';
import type { Choice, Refusal } from '../../core/approval/decide.ts';
import { decide, whyClosed } from '../../core/approval/decide.ts';
import { sendAgain } from '../../core/approval/resume.ts';
import type { Execution } from '../../core/execution/execution.ts';
import { findApproval } from '../../core/execution/execution.ts';
import { learnCopy } from '../../core/messages/delivery.ts';
import type { CardModel } from '../../core/messages/view-models.ts';
import { cardModel } from '../../core/messages/view-models.ts';
import type { Transition } from '../../core/ports.ts';
import type { Result } from '../../core/result.ts';
import { ok, refuse } from '../../core/result.ts';
import type { Actor } from '../interaction/actor.ts';
import { showModal, tell } from '../interaction/answers.ts';
import type { Click } from '../interaction/click.ts';
import type { AckClick } from '../interaction/handlers.ts';
import type { ListenerContext } from '../interaction/listener-context.ts';
import { isOfOurs } from '../interaction/membership.ts';
import type { ApprovalKey } from '../ui/button-value.ts';
import { parseApprovalValue } from '../ui/button-value.ts';
import { refusalText } from './refusal-text.ts';

export type Choose = (execution: Execution) => Result<Choice, Refusal>;

/** Stores somebody's decision, if they may make it and nobody was faster. Throws when it can't be stored: don't ack then. */
export async function giveDecision(
  context: ListenerContext,
  key: ApprovalKey | null,
  { actor, choose }: { actor: Actor; choose: Choose },
): Promise<Result<null, Refusal>> {
  return give(context, key, actor, 'decided', (execution, now) => {
    const by = actor.person;
    const choice = choose(execution);
    return choice.ok ? decide(execution, key?.approvalId ?? '', { choice: choice.value, by }, now) : choice;
  });
}

/** Stores that somebody wants a refused or unconfirmed decision sent again. Throws when it can't be stored. */
export async function giveSendAgain(
  context: ListenerContext,
  key: ApprovalKey | null,
  actor: Actor,
): Promise<Result<null, Refusal>> {
  return give(context, key, actor, 'sending again was asked for', (execution, now) =>
    sendAgain(execution, key?.approvalId ?? '', now),
  );
}

async function give(
  context: ListenerContext,
  key: ApprovalKey | null,
  actor: Actor,
  event: string,
  transition: Transition<Refusal>,
): Promise<Result<null, Refusal>> {
  const facts = { ...key, by: actor.person.id };
  const given = await tryToGive(context, key, actor, transition);
  if (given.ok) context.log.info(facts, event);
  else context.log.info({ ...facts, refusal: given.refusal.kind }, 'a click was refused');
  if (given.ok && key) context.wake(key.ref);
  return given;
}

async function tryToGive(
  context: ListenerContext,
  key: ApprovalKey | null,
  actor: Actor,
  transition: Transition<Refusal>,
): Promise<Result<null, Refusal>> {
  if (!key) return refuse({ kind: 'unknown' });
  if (!(await isOfOurs(context, actor))) return refuse({ kind: 'stranger' });
  const changed = await context.store.change(key.ref, transition);
  switch (changed.kind) {
    case 'changed':
    case 'unchanged':
      return ok(null);
    case 'refused':
      return refuse(changed.refusal);
    case 'absent':
      return refuse({ kind: 'unknown' });
  }
}

/**
 * Opens a modal about a request that can still be decided by this person, or says why it can't. Throws before the ack when
 * the request can't be read.
 */
export async function openForDecision(
  context: ListenerContext,
  click: Click,
  { ack, view }: { ack: AckClick; view: (model: CardModel) => Result<ModalView, Refusal> },
): Promise<void> {
  const model = await openCardModel(context, parseApprovalValue(click.value));
  await ack();
  const modal = model.ok ? view(model.value) : model;
  if (modal.ok) await showModal(context, click, modal.value);
  else await tellRefusal(context, click, modal.refusal);
}

/** A request that can still be decided. */
export async function openCardModel(
  context: ListenerContext,
  key: ApprovalKey | null,
): Promise<Result<CardModel, Refusal>> {
  const found = key && (await context.store.load(key.ref));
  const approval = found && findApproval(found.execution, key.approvalId);
  if (!found || !approval) return refuse({ kind: 'unknown' });
  const closed = whyClosed(approval);
  return closed ? refuse(closed) : ok(cardModel(found.execution, approval));
}

/** What belongs to a note, where the crew takes any: the button that asks for one may be older than the setting. */
export function ifNotesAreTaken<Value>({ crews }: ListenerContext, crew: string, value: Value): Result<Value, Refusal> {
  return crews.get(crew)?.approvalNotes === false ? refuse({ kind: 'notes-not-taken' }) : ok(value);
}

/** Tells only the person who clicked why nothing happened, and lets the card they clicked catch up with the state. */
export async function tellRefusal(context: ListenerContext, click: Click, refusal: Refusal): Promise<void> {
  const by = refusal.kind === 'already-decided' ? refusal.decision.by : null;
  await tell(context, click, { title: 'Nothing was changed', text: refusalText(refusal, await context.namesOf(by)) });
  await recordCopy(context, click);
}

/** A click shows us a copy of the card that we may not know: https://docs.slack.dev/messaging/sending-and-scheduling-messages */
export async function recordCopy(context: ListenerContext, { value, message }: Click): Promise<void> {
  const key = parseApprovalValue(value);
  if (!key || !message) return;
  const { ref, approvalId } = key;
  const changed = await context.store.change(ref, (execution, now) =>
    ok(learnCopy(execution, { approvalId, ts: message.ts }, now)),
  );
  if (changed.kind === 'changed') context.wake(ref);
}
