import type { ModalView } from '@slack/types';
import type { Choice, Refusal } from '../../core/approval/decide.ts';
import { decide, whyClosed } from '../../core/approval/decide.ts';
import { sendAgain } from '../../core/approval/resume.ts';
import type { Execution } from '../../core/execution/execution.ts';
import { findApproval } from '../../core/execution/execution.ts';
import { learnCopy } from '../../core/messages/delivery.ts';
import type { CardFace } from '../../core/messages/view-models.ts';
import { cardFace } from '../../core/messages/view-models.ts';
import type { Transition } from '../../core/ports.ts';
import type { Result } from '../../core/result.ts';
import { ok, refuse } from '../../core/result.ts';
import type { Actor } from '../interaction/actor.ts';
import type { Click } from '../interaction/click.ts';
import type { AckClick } from '../interaction/handlers.ts';
import type { Desk } from '../interaction/listener-context.ts';
import { isOfOurs } from '../interaction/membership.ts';
import type { ApprovalKey } from '../ui/button-value.ts';
import { parseApprovalValue } from '../ui/button-value.ts';
import { refusalText } from './refusal-text.ts';

export type Choose = (execution: Execution) => Result<Choice, Refusal>;

/** Stores somebody's decision, if they may make it and nobody was faster. Throws when it can't be stored: don't ack then. */
export async function giveDecision(
  desk: Desk,
  key: ApprovalKey | null,
  { actor, choose }: { actor: Actor; choose: Choose },
): Promise<Result<null, Refusal>> {
  return give(desk, key, actor, 'decided', (execution, now) => {
    const by = actor.person;
    const choice = choose(execution);
    return choice.ok ? decide(execution, key?.approvalId ?? '', { choice: choice.value, by }, now) : choice;
  });
}

/** Stores that somebody wants a refused or unconfirmed decision sent again. Throws when it can't be stored. */
export async function giveSendAgain(desk: Desk, key: ApprovalKey | null, actor: Actor): Promise<Result<null, Refusal>> {
  return give(desk, key, actor, 'sending again was asked for', (execution, now) =>
    sendAgain(execution, key?.approvalId ?? '', now),
  );
}

async function give(
  desk: Desk,
  key: ApprovalKey | null,
  actor: Actor,
  event: string,
  transition: Transition<Refusal>,
): Promise<Result<null, Refusal>> {
  const facts = { ...key, by: actor.person.id };
  const given = await tryToGive(desk, key, actor, transition);
  if (given.ok) desk.log.info(facts, event);
  else desk.log.info({ ...facts, refusal: given.refusal.kind }, 'a click was refused');
  if (given.ok && key) desk.wake(key.ref);
  return given;
}

async function tryToGive(
  desk: Desk,
  key: ApprovalKey | null,
  actor: Actor,
  transition: Transition<Refusal>,
): Promise<Result<null, Refusal>> {
  if (!key) return refuse({ kind: 'unknown' });
  if (!(await isOfOurs(desk, actor))) return refuse({ kind: 'stranger' });
  const changed = await desk.store.change(key.ref, transition);
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
  desk: Desk,
  click: Click,
  { ack, view }: { ack: AckClick; view: (face: CardFace) => Result<ModalView, Refusal> },
): Promise<void> {
  const face = await openFace(desk, parseApprovalValue(click.value));
  await ack();
  const modal = face.ok ? view(face.value) : face;
  if (modal.ok) await desk.answers.open(click, modal.value);
  else await tellRefusal(desk, click, modal.refusal);
}

/** A request that can still be decided. */
export async function openFace(desk: Desk, key: ApprovalKey | null): Promise<Result<CardFace, Refusal>> {
  const found = key && (await desk.store.load(key.ref));
  const approval = found && findApproval(found.execution, key.approvalId);
  if (!found || !approval) return refuse({ kind: 'unknown' });
  const closed = whyClosed(approval);
  return closed ? refuse(closed) : ok(cardFace(found.execution, approval));
}

/** What belongs to a note, where the crew takes any: the button that asks for one may be older than the setting. */
export function ifNotesAreTaken<Value>({ crews }: Desk, crew: string, value: Value): Result<Value, Refusal> {
  return crews.get(crew)?.approvalNotes === false ? refuse({ kind: 'notes-not-taken' }) : ok(value);
}

/** Tells only the person who clicked why nothing happened, and lets the card they clicked catch up with the state. */
export async function tellRefusal(desk: Desk, click: Click, refusal: Refusal): Promise<void> {
  const by = refusal.kind === 'already-decided' ? refusal.decision.by : null;
  await desk.answers.tell(click, 'Nothing was changed', refusalText(refusal, await desk.namesOf(by)));
  await noteCopy(desk, click);
}

/** A click shows us a copy of the card that we may not know: https://docs.slack.dev/messaging/sending-and-scheduling-messages */
export async function noteCopy(desk: Desk, { value, message }: Click): Promise<void> {
  const key = parseApprovalValue(value);
  if (!key || !message) return;
  const { ref, approvalId } = key;
  const changed = await desk.store.change(ref, (execution, now) =>
    ok(learnCopy(execution, { approvalId, ts: message.ts }, now)),
  );
  if (changed.kind === 'changed') desk.wake(ref);
}
