// Opens, replaces and answers modals. No function here throws because Slack fails.
import { setTimeout as delay } from 'node:timers/promises';
import type { ViewOutput, ViewResponseAction } from '@slack/bolt';
import type { ModalView } from '@slack/types';
import { SlackError } from '@slack/web-api';
import type { Millis } from '../../core/values/time.ts';
import { callFailureOf, isTokenError, slackErrorName } from '../api/errors.ts';
import { sendFirstAccepted } from '../api/posts.ts';
import type { Say } from '../language/say.ts';
import { plainerModals } from '../ui/plain-blocks.ts';
import type { ListenerContext } from './context.ts';

type SlackPorts = Pick<ListenerContext, 'client' | 'log'>;

/** An open modal. `hash`: an update fails if the modal has changed since. `closesAll`: closing it closes those below it, too. */
export interface ModalKey {
  viewId: string;
  hash?: string;
  closesAll?: boolean;
}

/** The modal that a person used, whatever it shows by now. */
export function modalKey({ id, clear_on_close: closesAll }: ViewOutput): ModalKey {
  return { viewId: id, closesAll };
}

/** Returns the key of the modal as the person saw it. An update fails if it has changed since. */
export function modalAsSeen(view: ViewOutput): ModalKey {
  return { ...modalKey(view), hash: view.hash };
}

/** `already-open`: Slack delivered a request again, and its first delivery has used the trigger. */
export type Opening =
  | { kind: 'opened'; modal: ModalKey }
  | { kind: 'already-open' }
  /** Slack stacks three modals at most. https://docs.slack.dev/surfaces/modals#adding_views */
  | { kind: 'too-deep' }
  | TooLate;

/** The reason why nothing opened. `busyMs`: time until Slack has room for the call. Null if the person can click again at once. */
export type TooLate =
  | { kind: 'too-late'; busyMs: Millis | null }
  /** Slack refuses the bot token. */
  | { kind: 'no-token' };

/** Returns the reason why nothing opened, to be said to the person. Null if a modal opened, or will. */
export function findTooLate(opening: Opening): TooLate | null {
  return opening.kind === 'too-late' || opening.kind === 'no-token' ? opening : null;
}

/** Opens a modal. */
export async function openModal(ports: SlackPorts, triggerId: string, view: ModalView): Promise<Opening> {
  return opening(ports, view, (variant) => ports.client.views.open({ trigger_id: triggerId, view: variant }));
}

/** Opens a modal on top of the one that was clicked. */
export async function pushModal(ports: SlackPorts, triggerId: string, view: ModalView): Promise<Opening> {
  return opening(ports, view, (variant) => ports.client.views.push({ trigger_id: triggerId, view: variant }));
}

async function opening(
  { log }: SlackPorts,
  modalView: ModalView,
  call: (view: ModalView) => Promise<{ view?: { id?: string } }>,
): Promise<Opening> {
  try {
    const { view } = await sendFirstAccepted(plainerModals(modalView), call);
    return { kind: 'opened', modal: { viewId: view?.id ?? '' } };
  } catch (error) {
    const name = slackErrorName(error);
    if (name === 'exchanged_trigger_id') return { kind: 'already-open' };
    if (name === 'push_limit_reached') return { kind: 'too-deep' };
    log.warn({ err: error, view: modalView.callback_id }, 'could not open a modal');
    return isTokenError(name) ? { kind: 'no-token' } : { kind: 'too-late', busyMs: busyMs(error) };
  }
}

/** If Slack doesn't say how long it is busy, a few seconds are often enough. */
const BUSY_MS = 10_000;

function busyMs(error: unknown): Millis | null {
  if (!(error instanceof SlackError)) return null;
  const failure = callFailureOf(error);
  const isBusy = failure.kind === 'rate-limited' || failure.kind === 'unavailable';
  return isBusy ? (failure.waitMs ?? BUSY_MS) : null;
}

/** Says why a modal couldn't be opened, and when to click again. */
export function tooLateText(tooLate: TooLate, say: Say): string {
  if (tooLate.kind === 'no-token') return say('answer.no-token');
  const { busyMs: waitMs } = tooLate;
  return waitMs === null
    ? say('answer.took-too-long')
    : say('answer.slack-busy', { seconds: Math.max(1, Math.ceil(waitMs / 1_000)) });
}

/**
 * Replaces the content of a modal. `externalId`: the `external_id` that it was opened with. Returns false if the modal is closed or has
 * changed. https://docs.slack.dev/reference/views/modal-views#fields
 */
export async function updateModal(
  { client, log }: SlackPorts,
  key: ModalKey | { externalId: string },
  view: ModalView,
): Promise<boolean> {
  try {
    const isExternal = 'externalId' in key;
    const place = isExternal
      ? { external_id: key.externalId }
      : { view_id: key.viewId, ...(key.hash && { hash: key.hash }) };
    const closing = !isExternal && key.closesAll ? { ...view, clear_on_close: true } : view;
    await sendFirstAccepted(plainerModals(closing), (variant) => client.views.update({ ...place, view: variant }));
    return true;
  } catch (error) {
    const name = slackErrorName(error);
    if (name !== 'not_found' && name !== 'hash_conflict')
      log.warn({ err: error, view: view.callback_id }, 'could not update a modal');
    return false;
  }
}

/** Answers a submitted form with the problem of a field. The form keeps everything that the person typed. Plain text. */
export function fieldError(block: string, problem: string): ViewResponseAction {
  return { response_action: 'errors', errors: { [block]: problem } };
}

/** Answers a submitted form with another modal on top of it, or in its place if three modals are open already. */
export function answerOnTop(form: ViewOutput, view: ModalView): ViewResponseAction {
  const { previous_view_id: previousId, root_view_id: rootId } = form;
  const isThird = previousId !== null && previousId !== rootId;
  return isThird ? answerInPlace(form, view) : { response_action: 'push', view };
}

export function answerInPlace({ clear_on_close: closesAll }: ViewOutput, view: ModalView): ViewResponseAction {
  return { response_action: 'update', view: { ...view, clear_on_close: closesAll } };
}

/**
 * A `trigger_id` expires after three seconds, so a loading view opens before that.
 * https://docs.slack.dev/interactivity/handling-user-interaction#modal_responses
 */
const LOADING_AFTER_MS = 700;

/**
 * Waits for a value, and opens a loading view if that takes long. `modal`: null if none opened. `isRepeat`: another delivery of the same
 * request has opened it.
 */
export async function openWhileWaiting<Value>(
  ports: SlackPorts,
  { triggerId, loading, onSlow }: { triggerId: string; loading: ModalView; onSlow?: () => Promise<void> },
  result: Promise<Value>,
): Promise<{ value: Value; modal: ModalKey | null; isRepeat: boolean }> {
  const isQuick = await Promise.race([result.then(() => true), delay(LOADING_AFTER_MS, false)]);
  if (isQuick) return { value: await result, modal: null, isRepeat: false };
  await onSlow?.();
  const opened = await openModal(ports, triggerId, loading);
  const modal = opened.kind === 'opened' ? opened.modal : null;
  return { value: await result, modal, isRepeat: opened.kind === 'already-open' };
}

/** Shows a view in the loading modal, or else in a new one. */
export async function showWhenReady(
  ports: SlackPorts,
  { triggerId, modal }: { triggerId: string; modal: ModalKey | null },
  view: ModalView,
): Promise<'shown' | 'closed' | TooLate> {
  if (modal) return (await updateModal(ports, modal, view)) ? 'shown' : 'closed';
  const opened = await openModal(ports, triggerId, view);
  return findTooLate(opened) ?? 'shown';
}
