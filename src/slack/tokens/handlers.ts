import { setTimeout as delay } from 'node:timers/promises';
import type { ModalView } from '@slack/types';
import { showModal } from '../interaction/answers.ts';
import type { OnClick, OnSubmit, SubmissionAnswer } from '../interaction/handlers.ts';
import type { ListenerContext } from '../interaction/listener-context.ts';
import { updateModal } from '../interaction/modals.ts';
import { tellPerson } from '../interaction/tell-person.ts';
import { answerMessage, answerModal, OUT_OF_DATE } from '../ui/answer-modal.ts';
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

const TITLE = 'Connect your token';

/** Opens the window that asks for a token. The value of the button is the name of the crew. */
export const onConnectAgain: OnClick = async (context, click, ack) => {
  await ack();
  const metadata = { crew: click.value, channel: click.message?.channel ?? null };
  if (!context.crews.has(click.value)) return showModal(context, click, answerModal(TITLE, OUT_OF_DATE));
  await showModal(context, click, connectModal(metadata, { crews: [] }));
};

/** Asks the crew whether it accepts the token, and stores it if so. */
export const onConnectForm: OnSubmit = async (context, { view, actor }, ack) => {
  const metadata = parseConnectMetadata(view.metadata);
  const crew = metadata?.crew ?? readCrew(view.values);
  const token = readToken(view.values);
  if (!token.ok) return ack(atToken(token.refusal));
  if (!metadata || crew === null || !context.crews.has(crew)) return ack(noSuchCrew(metadata));
  const connection = connectToken(context, { crew, personId: actor.person.id, token: token.value });
  const quick = await Promise.race([connection, delay(MAX_WAIT_MS, null, { ref: false })]);
  if (quick) return ack(quickAnswer(quick, crew));
  await ack({ kind: 'update', view: answerModal(TITLE, checkingText(crew)) });
  const late = await connection;
  if (await updateModal(context, { viewId: view.id }, lateView(context, late, { ...metadata, crew }))) return;
  const message = answerMessage(lateText(late, crew));
  await tellPerson(context, { channel: metadata.channel, user: actor.person.id }, message);
};

/** An error at the field keeps what was typed. */
function quickAnswer(connection: Connection, crew: string): SubmissionAnswer {
  return connection.kind === 'connected'
    ? { kind: 'update', view: answerModal(TITLE, connectedText(crew)) }
    : atToken(connectionSentence(connection, crew));
}

/** What was typed is gone by now: it is asked again. */
function lateView(
  { crews }: ListenerContext,
  connection: Connection,
  metadata: ConnectMetadata & { crew: string },
): ModalView {
  if (connection.kind === 'connected') return answerModal(TITLE, connectedText(metadata.crew));
  const problem = connectionSentence(connection, metadata.crew);
  return connectModal(metadata, { crews: [...crews.keys()], problem });
}

function lateText(connection: Connection, crew: string): string {
  return connection.kind === 'connected'
    ? connectedText(crew)
    : `⚠️ ${escapeMrkdwn(connectionSentence(connection, crew))}`;
}

function atToken(problem: string): SubmissionAnswer {
  return { kind: 'errors', errors: { [TOKEN_BLOCK]: problem } };
}

/** It has left the crews file since the window was opened. */
function noSuchCrew(metadata: ConnectMetadata | null): SubmissionAnswer {
  const block = metadata && metadata.crew === null ? CREW_BLOCK : TOKEN_BLOCK;
  return { kind: 'errors', errors: { [block]: 'This crew is no longer set up here.' } };
}
