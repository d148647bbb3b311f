import { setTimeout as delay } from 'node:timers/promises';
import type { ModalView } from '@slack/types';
import { learnForm, startExecution } from '../../../core/execution/start.ts';
import { answerStarter } from '../../../core/messages/delivery.ts';
import { StoreUnavailable } from '../../../core/ports.ts';
import type { Execution, FormKey, Run } from '../../../core/state/execution.ts';
import type { Inputs } from '../../../core/values/json.ts';
import { ok } from '../../../core/values/result.ts';
import type { Millis } from '../../../core/values/time.ts';
import { findStartPlace, type Sharing } from '../../api/channels.ts';
import { soon } from '../../api/soon.ts';
import type { Say } from '../../language/say.ts';
import type { ListenerContext } from '../../listening/context.ts';
import { type ModalKey, openModal, showWhenReady, updateModal } from '../../listening/modals.ts';
import type { KickoffTrouble } from '../../request/status-text.ts';
import type { Rendered } from '../../ui/blocks.ts';
import { type ChannelFrom, type FormPorts, formView } from './form.ts';
import { type StartProgress, startedModal, startingMessage, startingModal } from './progress.ts';
import { cannotPostMessage, kickoffTroubleMessage, kickoffTroubleModal } from './trouble.ts';

// Starts a crew, and says how the start went while Slack still waits for an answer. The worker calls the crew later.

interface StartRequest {
  crew: string;
  channel: string;
  inputs: Inputs;
  /** Identifies the request: the same form or trigger starts one execution, however often Slack delivers it. A command may have a modal, too. */
  seed: { form: FormKey } | { triggerId: string; form: FormKey | null };
}

/** Stores the new execution and resolves to its ref. Throws if it can't be stored: don't ack then. */
export async function startCrew(
  context: ListenerContext,
  { crew, channel, inputs, seed }: StartRequest,
): Promise<string> {
  const { form } = seed;
  const { person: by } = context;
  const ref = context.createRef('triggerId' in seed ? { triggerId: seed.triggerId } : seed.form);
  const created = await context.store.create(ref, (now) =>
    startExecution({ ref, crew, channel, by, inputs, form }, now),
  );
  context.addToLog({ ref, crew, action: 'start', status: created });
  // Slack delivers a command again without a modal, and that delivery may be the first to store the start.
  if (created === 'exists' && form)
    await context.store.change<never>(ref, (execution) => ok(learnForm(execution, form)));
  return ref;
}

interface CommandStart {
  ref: string;
  crew: string;
  triggerId: string;
  modal: ModalKey | null;
}

/**
 * Shows a person who typed a command how the start went: in the open modal, or by the message that it resolves to, which the caller posts.
 * If the crew refused the values, its form opens. After a successful start nothing is said, because its thread appears.
 */
export async function tellStart(context: ListenerContext, start: CommandStart, say: Say): Promise<Rendered | null> {
  const { ref, crew, modal, triggerId } = start;
  const execution = await followStart(context, ref, COMMAND_WITHIN_MS);
  if (!execution || execution.run.status === 'starting') {
    const starting = startingModal({ crew, progress: progressOf(execution) }, say);
    if (modal) return (await updateModal(context, modal, starting)) ? null : startingMessage(say);
    return answerInWindow(context, start, { starting, say });
  }
  const trouble = troubleOf(execution.run);
  if (!trouble) {
    if (modal) await updateModal(context, modal, startedModal({ crew, link: null }, say));
    return null;
  }
  const failed = { execution, trouble, attempt: 1, patienceMs: patienceOf(context) };
  const view = await startTroubleView(context, failed, say);
  const isForm = view.callback_id === 'kickoff';
  const isShown = modal
    ? await updateModal(context, modal, view)
    : isForm && (await showWhenReady(context, { triggerId, modal }, view)) === 'shown';
  return isShown ? null : kickoffTroubleMessage({ ref, crew, trouble }, say);
}

/**
 * Opens a window that says *Starting…* and later how the start went. A message that answers a command couldn't be taken back. Resolves to
 * a message if no window can be opened any more.
 */
async function answerInWindow(
  context: ListenerContext,
  start: CommandStart,
  { starting, say }: { starting: ModalView; say: Say },
): Promise<Rendered | null> {
  const opened = await openModal(context, start.triggerId, starting);
  if (opened.kind === 'already-open') return null;
  if (opened.kind !== 'opened') return startingMessage(say);
  const { modal } = opened;
  const form = { viewId: modal.viewId, attempt: 0 };
  const learned = await context.store.change<never>(start.ref, (execution) => ok(learnForm(execution, form)));
  // The notice may have been given before the start knew of the window.
  const isOver = learned.kind === 'changed' && learned.after.run.status !== 'starting';
  return isOver ? tellStart(context, { ...start, modal }, say) : null;
}

/**
 * An answer waits so long for the crew, from the arrival of the request. Slack allows three seconds, of which the network takes a part, and
 * for a command the call that opens a window, too.
 * https://docs.slack.dev/interactivity/handling-user-interaction#acknowledgment_response
 */
const COMMAND_WITHIN_MS = 2_200;
export const FORM_WITHIN_MS = 2_500;
/** The rest of the answer has to be ready by then, from the arrival of the request. */
const LATEST_MS = 2_700;
const LOOK_EVERY_MS = 40;
/** A copy of this age may be used: usually this process asks the crew itself, and so knows the outcome at once. */
const RECENT_MS = 200;

/**
 * Waits for the crew's answer to a stored start, as long as Slack's time limit allows. The caller says how the start went. If it is still
 * under way, the starter gets a notice later. Null if nothing is known.
 */
export async function followStart(context: ListenerContext, ref: string, withinMs: Millis): Promise<Execution | null> {
  const { store, aside, log } = context;
  try {
    const latest = await aside(outcomeOf(context, ref, withinMs));
    if (!latest || latest.run.status === 'starting') return latest;
    const changed = await store.change<never>(ref, (execution) => ok(answerStarter(execution)));
    if (changed.kind === 'absent') return null;
    return changed.kind === 'changed' ? changed.after : changed.execution;
  } catch (error) {
    // The start itself is stored, and its notice is still due.
    if (!(error instanceof StoreUnavailable)) throw error;
    log.warn({ ref, err: error }, 'could not learn how a start goes');
    return null;
  }
}

async function outcomeOf(
  { store, receivedAt }: ListenerContext,
  ref: string,
  withinMs: Millis,
): Promise<Execution | null> {
  for (;;) {
    const execution = (await store.load(ref, { mostAgeMs: RECENT_MS }))?.execution ?? null;
    const isOver = performance.now() - receivedAt + LOOK_EVERY_MS > withinMs;
    if (execution?.run.status !== 'starting' || isOver) return execution;
    await delay(LOOK_EVERY_MS);
  }
}

/** Returns how much longer an answer may take for something optional, in milliseconds. */
export function patienceOf({ receivedAt }: Pick<ListenerContext, 'receivedAt'>): number {
  return Math.max(100, LATEST_MS - (performance.now() - receivedAt));
}

/** Returns why the last try failed if the crew is asked again. */
export function progressOf(execution: Execution | null): StartProgress {
  const kickoff = execution?.kickoff;
  if (!kickoff || kickoff.status === 'settled') return 'asking';
  return kickoff.delayedBy ?? 'asking';
}

export function troubleOf(run: Run): KickoffTrouble | null {
  switch (run.status) {
    case 'not-started':
      return { kind: 'refused', refusal: run.refusal };
    case 'not-confirmed':
      return { kind: 'doubt', doubt: run.doubt };
    case 'starting':
    case 'running':
    case 'waiting':
    case 'completed':
    case 'failed':
    case 'lost':
      return null;
  }
}

interface FailedStart {
  execution: Execution;
  trouble: KickoffTrouble;
  /** Default: `place`. */
  channelFrom?: ChannelFrom;
  /** The number of submissions of the form, with this one. */
  attempt: number;
  patienceMs: number;
}

/**
 * Replaces a submitted form whose start failed: by the form with the crew's refusal, or, if the crew may have started or doesn't say what
 * it needs, by what became of the start alone. Never throws.
 */
export async function startTroubleView(ports: FormPorts, failed: FailedStart, say: Say): Promise<ModalView> {
  const { execution, trouble, channelFrom = 'place', attempt, patienceMs } = failed;
  const { ref, crew, channel, inputs: values } = execution;
  const plain = kickoffTroubleModal({ ref, crew, trouble }, say);
  if (trouble.kind === 'doubt') return plain;
  // The starter agreed to a shared channel with the first start.
  const place = { channel, channelFrom, sharing: 'own' as const };
  const request = { crew, crews: [crew], ...place, attempt, values, refused: trouble.refusal };
  const form = await soon(patienceMs, formView(ports, request, say), plain);
  return form.callback_id === 'kickoff' ? form : plain;
}

/** Checks a channel. `problem` says why nothing can be started there and what to do; null if the bot can post there. */
export async function startPlace(
  { client, identity }: ListenerContext,
  channel: string,
  say: Say,
): Promise<{ problem: Rendered | null; sharing: Sharing }> {
  const { trouble, sharing } = await findStartPlace(client, identity, channel);
  return { problem: trouble && cannotPostMessage(trouble, identity.botName, say), sharing };
}
