import { setTimeout as delay } from 'node:timers/promises';
import type { ModalView } from '@slack/types';
import { showModal } from '../interaction/answers.ts';
import { clickOf } from '../interaction/click.ts';
import type { ActionListener, ViewAnswer, ViewListener } from '../interaction/listeners.ts';
import { updateModal } from '../interaction/modals.ts';
import { tellPerson } from '../interaction/tell-person.ts';
import type { Say } from '../language/say.ts';
import { answerMessage, answerModal } from '../ui/answer-modal.ts';
import { escapeMrkdwn } from '../ui/text/escape.ts';
import {
  type ConnectMetadata,
  CREW_BLOCK,
  connectModal,
  parseConnectMetadata,
  readCrew,
  TOKEN_BLOCK,
} from './connect-modal.ts';
import { type Connection, connectionSentence, connectToken } from './connect-token.ts';
import { readToken } from './read-token.ts';
import { checkingText, connectedText } from './token-texts.ts';

/**
 * Slack allows a submission three seconds; a slower crew's answer replaces a loading view.
 * https://docs.slack.dev/interactivity/handling-user-interaction#acknowledgment_response
 */
const MAX_WAIT_MS = 1_500;

/** Opens the window that asks for a token. The value of the button is the name of the crew. */
export const onConnectAgain: ActionListener = async ({ ack, body, context }) => {
  const click = clickOf(body);
  await ack();
  const metadata = { crew: click.value, channel: click.message?.channel ?? null };
  const say = await context.say();
  const isKnown = context.crews.has(click.value);
  const view = isKnown ? connectModal(say, metadata, { crews: [] }) : tokenModal(say, say('answer.newer-message'));
  await showModal(context, click, view);
};

/** Asks the crew whether it accepts the token, and stores it if so. */
export const onConnectForm: ViewListener = async ({ ack, context, view }) => {
  const metadata = parseConnectMetadata(view.private_metadata);
  const crew = metadata?.crew ?? readCrew(view.state.values);
  const token = readToken(view.state.values);
  const say = await context.say();
  if (!token.ok) return ack(atToken(say(BAD_TOKEN[token.refusal])));
  if (!metadata || crew === null || !context.crews.has(crew)) return ack(noSuchCrew(say, metadata));
  const connection = connectToken(context, { crew, personId: context.person.id, token: token.value });
  const quick = await Promise.race([connection, delay(MAX_WAIT_MS, null, { ref: false })]);
  if (quick) return ack(quickAnswer(say, quick, crew));
  await ack({ response_action: 'update', view: tokenModal(say, checkingText(say, crew)) });
  const late = await connection;
  if (
    await updateModal(
      context,
      { viewId: view.id },
      lateView(say, late, { ...metadata, crew, crews: [...context.crews.keys()] }),
    )
  )
    return;
  const message = answerMessage(lateText(say, late, crew));
  await tellPerson(context, { channel: metadata.channel, user: context.person.id }, message);
};

const BAD_TOKEN = { 'bad-character': 'token.bad-character', 'too-short': 'token.too-short' } as const;

function tokenModal(say: Say, text: string): ModalView {
  return answerModal(say, { title: say('token.title'), text });
}

/** An error at the field keeps what was typed. */
function quickAnswer(say: Say, connection: Connection, crew: string): ViewAnswer {
  return connection.kind === 'connected'
    ? { response_action: 'update', view: tokenModal(say, connectedText(say, crew)) }
    : atToken(connectionSentence(say, connection, crew));
}

/** What was typed is gone by now: it is asked again. */
function lateView(
  say: Say,
  connection: Connection,
  { crews, ...metadata }: ConnectMetadata & { crew: string; crews: string[] },
): ModalView {
  if (connection.kind === 'connected') return tokenModal(say, connectedText(say, metadata.crew));
  const problem = connectionSentence(say, connection, metadata.crew);
  return connectModal(say, metadata, { crews, problem });
}

function lateText(say: Say, connection: Connection, crew: string): string {
  return connection.kind === 'connected'
    ? connectedText(say, crew)
    : `⚠️ ${escapeMrkdwn(connectionSentence(say, connection, crew))}`;
}

function atToken(problem: string): ViewAnswer {
  return { response_action: 'errors', errors: { [TOKEN_BLOCK]: problem } };
}

/** It has left the crews file since the window was opened. */
function noSuchCrew(say: Say, metadata: ConnectMetadata | null): ViewAnswer {
  const block = metadata && metadata.crew === null ? CREW_BLOCK : TOKEN_BLOCK;
  return { response_action: 'errors', errors: { [block]: say('token.crew-gone') } };
}
