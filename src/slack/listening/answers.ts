// Private answers to what people do: in a modal, in an ephemeral message, or by direct message, now or once Slack takes it.
import { setTimeout as delay } from 'node:timers/promises';
import type { ModalView } from '@slack/types';
import {
  ANSWER_RETRY,
  type AnswerOutcome,
  keepAnswer,
  NO_STEP,
  type UntoldAnswer,
} from '../../core/messages/private-answers.ts';
import type { NextStep } from '../../core/state/execution.ts';
import { ok } from '../../core/values/result.ts';
import { backoffMs } from '../../core/values/time.ts';
import { isTokenError, mayPassSoon, slackErrorName } from '../api/errors.ts';
import { permalink } from '../api/identity.ts';
import { postInChannel, postPrivately } from '../api/posts.ts';
import { respondPrivately, respondWithoutToken } from '../api/response-url.ts';
import type { Rendered } from '../ui/blocks.ts';
import { parseRef } from '../ui/button-value.ts';
import { answerMessage, answerModal, nextStepButtons } from '../ui/modal.ts';
import type { Click } from './click.ts';
import type { CommandArgs, ListenerContext } from './context.ts';
import { findTooLate, modalKey, type Opening, openModal, pushModal, tooLateText, updateModal } from './modals.ts';

type Ports = Pick<ListenerContext, 'client' | 'log' | 'identity' | 'store' | 'say' | 'person'>;

/** Opens a modal for a click, on top of the clicked one, or says that it was too late. Never throws. */
export async function showModal(ports: Ports, click: Click, view: ModalView): Promise<void> {
  const opened = await openFor(ports, click, view);
  const tooLate = findTooLate(opened);
  if (tooLate) await answerPrivately(ports, click, { text: tooLateText(tooLate, await ports.say()), next: NO_STEP });
}

/**
 * Answers only the person who clicked: in a small modal, or in an ephemeral message if no modal opens. Without an answer, an
 * acknowledged click would look as if it had counted, so an answer that Slack refuses now follows by direct message. Never throws.
 */
export async function answerClick(
  ports: Ports,
  click: Click,
  { title, text, next = NO_STEP }: { title: string; text: string; next?: NextStep },
): Promise<void> {
  const say = await ports.say();
  const view = answerModal(say, { title, text, more: nextStepButtons(next, say) });
  const { kind } = await openFor(ports, click, view);
  if (kind === 'no-token') await answerPrivately(ports, click, { text: `${text} ${say('answer.no-token')}`, next });
  else if (kind !== 'opened') await answerPrivately(ports, click, { text, next });
}

export async function answerNotFound(ports: Ports, click: Click): Promise<void> {
  const say = await ports.say();
  await answerClick(ports, click, { title: say('answer.not-found'), text: say('answer.no-longer-known') });
}

async function openFor(ports: Ports, { triggerId, view: under }: Click, view: ModalView): Promise<Opening> {
  if (!under) return openModal(ports, triggerId, view);
  const pushed = await pushModal(ports, triggerId, view);
  if (pushed.kind !== 'too-deep') return pushed;
  const isShown = await updateModal(ports, modalKey(under), view);
  return isShown ? { kind: 'opened', modal: { viewId: under.id } } : { kind: 'too-late', busyMs: null };
}

async function answerPrivately(
  ports: Ports,
  click: Click,
  { text, next }: Pick<UntoldAnswer, 'text' | 'next'>,
): Promise<void> {
  const { message, view } = click;
  const { client, log, person } = ports;
  // A click in a window leaves no other place for an answer.
  if (!message && view) return;
  const answer = answerMessage(text, nextStepButtons(next, await ports.say()));
  // A shortcut may be used where there is no message, or in a channel that the bot isn't in.
  const answerDirectly = () => messagePerson(ports, { channel: null, user: person.id }, answer);
  if (!message) return answerDirectly();
  const { channel, threadTs, responseUrl } = message;
  const post = () => postPrivately(client, { channel, user: person.id, threadTs }, answer);
  const outcome = await outcomeOf(post, (err) => log.warn({ err }, 'could not answer a person privately'));
  if (outcome === 'later') await keepForLater(ports, click, { to: person.id, channel, threadTs, text, next });
  if (outcome === 'never') await answerDirectly();
  if (outcome !== 'no-token' || responseUrl === null) return;
  const response = await respondWithoutToken(responseUrl, answer, threadTs);
  if (!response.ok) log.warn(response.refusal, 'could not answer a person while Slack refuses the bot token');
}

/** Answers only the person, after a command was acknowledged. Never rejects, so that it doesn't hide the outcome of the command. */
export async function answerCommand(
  { command, context, respond }: Pick<CommandArgs, 'command' | 'context' | 'respond'>,
  answer: Rendered,
): Promise<void> {
  const taken = await respondPrivately(respond, answer);
  if (taken.ok) return;
  context.log.warn(taken.refusal, 'Slack did not take the answer to a command');
  await messagePerson(context, { channel: command.channel_id, user: context.person.id }, answer);
}

/** Sends a message to only this person, in the channel, or by direct message if the bot isn't in it or there is none. Never throws. */
export async function messagePerson(
  { client, log }: Pick<ListenerContext, 'client' | 'log'>,
  { channel, user }: { channel: string | null; user: string },
  message: Rendered,
): Promise<void> {
  try {
    if (channel !== null) return await postPrivately(client, { channel, user }, message);
  } catch {
    // A direct message may still arrive.
  }
  try {
    // Fails with messages_tab_disabled for an app that isn't set up by our manifest.
    await postInChannel(client, user, message);
  } catch (error) {
    log.warn({ err: error }, 'could not tell a person anything at all');
  }
}

/** Sends a private answer by direct message, with a link to the place where the person clicked. Never throws. */
export async function sendLateAnswer(
  { client, log, identity, say: findSay }: Pick<Ports, 'client' | 'log' | 'identity' | 'say'>,
  { to, channel, threadTs, text, next }: UntoldAnswer,
): Promise<AnswerOutcome> {
  const post = async () => {
    const say = await findSay();
    const place =
      threadTs === null
        ? `<#${channel}>`
        : `<${permalink(identity, channel, threadTs, null)}|${say('status.open-thread')}>`;
    await postInChannel(client, to, answerMessage(`${text} ${place}`, nextStepButtons(next, say)));
  };
  const outcome = await outcomeOf(post, (error) =>
    log.warn({ err: error }, 'could not answer a person by direct message'),
  );
  return outcome === 'no-token' ? 'never' : outcome;
}

async function outcomeOf(
  post: () => Promise<unknown>,
  warn: (error: unknown) => void,
): Promise<AnswerOutcome | 'no-token'> {
  try {
    await post();
    return 'told';
  } catch (error) {
    warn(error);
    if (isTokenError(slackErrorName(error))) return 'no-token';
    return mayPassSoon(error) ? 'later' : 'never';
  }
}

type KeepPorts = Pick<Ports, 'client' | 'log' | 'identity' | 'store' | 'say'>;

/** Tries of this process, over most of a minute, if the answer can't be stored with a run. */
const TRIES = 7;

/** Keeps a private answer that Slack didn't take, to be sent once Slack does. Never throws. */
async function keepForLater(ports: KeepPorts, { value }: Click, answer: UntoldAnswer): Promise<void> {
  const ref = parseRef(value);
  try {
    const outcome = ref && (await ports.store.change(ref, (execution, now) => ok(keepAnswer(execution, answer, now))));
    if (!ref || !outcome || outcome.kind !== 'changed') return void tryForAWhile(ports, answer);
  } catch (error) {
    ports.log.warn({ ref, err: error }, 'could not keep a private answer for later');
  }
}

async function tryForAWhile(ports: KeepPorts, answer: UntoldAnswer): Promise<void> {
  for (let tries = 0; tries < TRIES; tries++) {
    await delay(backoffMs(tries, ANSWER_RETRY), null, { ref: false });
    if ((await sendLateAnswer(ports, answer)) !== 'later') return;
  }
}

export function ephemeral(message: Rendered): Rendered & { response_type: 'ephemeral' } {
  return { response_type: 'ephemeral', ...message };
}
