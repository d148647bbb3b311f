import type { ModalView } from '@slack/types';
import { namesOfDeployed } from '../../../core/policy/crew.ts';
import type { CrewRefusal } from '../../../core/state/approval.ts';
import { ok, type Result, refuse } from '../../../core/values/result.ts';
import type { Say } from '../../language/say.ts';
import { answerCommand, ephemeral, showModal, tellPerson } from '../../listening/answers.ts';
import { clickOf } from '../../listening/click.ts';
import type {
  ActionListener,
  CommandArgs,
  ListenerContext,
  ViewAnswer,
  ViewListener,
} from '../../listening/context.ts';
import { fieldError, openModal, updateModal } from '../../listening/modals.ts';
import { soon } from '../../listening/soon.ts';
import { type FormValues, typedText } from '../../ui/button-value.ts';
import { answerMessage, answerModal } from '../../ui/modal.ts';
import { cutLine, escapeMrkdwn } from '../../ui/text/escape.ts';
import {
  type ConnectMetadata,
  CREW_BLOCK,
  checkingText,
  connectedText,
  connectMetadata,
  connectModal,
  disconnectedText,
  notConnectedText,
  readCrew,
  TOKEN_BLOCK,
  whichTokenText,
} from './modal.ts';

/** Answers `/kickoff connect`; the crew is null if it was left out. */
export async function onConnectCommand(args: CommandArgs, crew: string | null): Promise<void> {
  const { ack, command, context } = args;
  const crews = namesOfDeployed(context.crews);
  const [only] = crews;
  const say = await context.say();
  if (only === undefined) return ack(ephemeral(answerMessage(say('help.no-crews'))));
  if (crew !== null && !crews.includes(crew)) return ack(ephemeral(answerMessage(say('start.only-asks', { crew }))));
  await ack();
  const metadata = { crew: crew ?? (crews.length === 1 ? only : null), channel: command.channel_id };
  const opened = await openModal(context, command.trigger_id, connectModal(say, metadata, { crews }));
  if (opened.kind === 'too-late') await answerCommand(args, answerMessage(say('token.too-late')));
}

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

/**
 * Slack allows a submission three seconds; a slower crew's answer replaces a loading view.
 * https://docs.slack.dev/interactivity/handling-user-interaction#acknowledgment_response
 */
const MAX_WAIT_MS = 1_500;

/** Asks the crew whether it accepts the token, and stores it if so. */
export const onConnectForm: ViewListener = async ({ ack, context, view }) => {
  const metadata = connectMetadata.read(view.private_metadata);
  const crew = metadata?.crew ?? readCrew(view.state.values);
  const token = readToken(view.state.values);
  const say = await context.say();
  if (!token.ok) return ack(fieldError(TOKEN_BLOCK, say(`token.${token.refusal}`)));
  if (!metadata || crew === null || !context.crews.has(crew)) return ack(noSuchCrew(say, metadata));
  const connection = connectToken(context, { crew, personId: context.person.id, token: token.value });
  const quick = await soon(MAX_WAIT_MS, connection, null);
  if (quick) return ack(quickAnswer(say, quick, crew));
  await ack({ response_action: 'update', view: tokenModal(say, checkingText(say, crew)) });
  const late = await connection;
  const answer = lateView(say, late, { ...metadata, crew, crews: namesOfDeployed(context.crews) });
  if (await updateModal(context, { viewId: view.id }, answer)) return;
  const message = answerMessage(lateText(say, late, crew));
  await tellPerson(context, { channel: metadata.channel, user: context.person.id }, message);
};

function tokenModal(say: Say, text: string): ModalView {
  return answerModal(say, { title: say('token.title'), text });
}

/** An error at the field keeps what was typed. */
function quickAnswer(say: Say, connection: Connection, crew: string): ViewAnswer {
  return connection.kind === 'connected'
    ? { response_action: 'update', view: tokenModal(say, connectedText(say, crew)) }
    : fieldError(TOKEN_BLOCK, connectionSentence(say, connection, crew));
}

/** What was typed is gone by now, so the modal asks again. */
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

/** The crew has left the crews file since the window was opened. */
function noSuchCrew(say: Say, metadata: ConnectMetadata | null): ViewAnswer {
  const block = metadata && metadata.crew === null ? CREW_BLOCK : TOKEN_BLOCK;
  return fieldError(block, say('token.crew-gone'));
}

/** How connecting a token went; only `connected` has stored it. */
type Connection =
  | { kind: 'connected' }
  | { kind: 'refused'; code: CrewRefusal }
  | { kind: 'unreachable' }
  | { kind: 'not-stored' };

interface NewToken {
  crew: string;
  personId: string;
  token: string;
}

/** Asks the crew whether it accepts the token, and stores it if so. Never throws. */
async function connectToken(
  { tokenCheck, userTokens, log }: Pick<ListenerContext, 'tokenCheck' | 'userTokens' | 'log'>,
  { crew, personId, token }: NewToken,
): Promise<Connection> {
  const answer = await tokenCheck.checkToken(crew, token);
  if (answer.kind !== 'accepted') {
    log.info({ crew, by: personId, answer: answer.kind }, 'did not connect a token');
    return answer;
  }
  try {
    await userTokens.put(crew, personId, token);
  } catch (error) {
    log.warn({ crew, by: personId, err: error }, 'could not store a token');
    return { kind: 'not-stored' };
  }
  log.info({ crew, by: personId }, 'connected a token');
  return { kind: 'connected' };
}

/** Why a token was not connected; plain text. */
function connectionSentence(
  say: Say,
  connection: Exclude<Connection, { kind: 'connected' }>,
  crewName: string,
): string {
  const crew = cutLine(crewName, 80);
  switch (connection.kind) {
    case 'refused':
      return say(connection.code === 'unauthorized' ? 'token.not-accepted' : 'token.unclear', { crew });
    case 'unreachable':
      return say('token.crew-unreachable', { crew });
    case 'not-stored':
      return say('token.not-stored');
  }
}

/** A shorter token couldn't be recognised in a service's answers, where it is left out wherever they are shown. */
const SHORTEST = 8;

/** The token as it belongs into the `Authorization` header, or what is wrong with it. */
function readToken(values: FormValues): Result<string, 'bad-character' | 'too-short'> {
  const token = typedText(values, TOKEN_BLOCK)
    .trim()
    .replace(/^bearer\s+/i, '');
  if (!/^[\x21-\x7e]*$/.test(token)) return refuse('bad-character');
  return token.length < SHORTEST ? refuse('too-short') : ok(token);
}

/** Answers `/kickoff disconnect`; the crew is null if it was left out. */
export async function onDisconnectCommand({ ack, context }: CommandArgs, crew: string | null): Promise<void> {
  await ack(ephemeral(answerMessage(await disconnect(context, crew, context.person.id))));
}

async function disconnect(context: ListenerContext, crew: string | null, personId: string): Promise<string> {
  const { userTokens, log } = context;
  const say = await context.say();
  try {
    const connected = crew === null ? await connectedCrews(context, personId) : [crew];
    const [only] = connected;
    if (only === undefined) return say('token.none');
    if (connected.length > 1) return whichTokenText(say, connected);
    const removed = await userTokens.remove(only, personId);
    // A word that isn't the name of a crew may be a token that was typed by mistake.
    if (removed === 'absent') return notConnectedText(say, context.crews.has(only) ? only : null);
    log.info({ crew: only, by: personId }, 'disconnected a token');
    return disconnectedText(say, only);
  } catch (error) {
    log.warn({ by: personId, err: error }, 'could not disconnect a token');
    return say('token.cannot-disconnect');
  }
}

async function connectedCrews({ crews, userTokens }: ListenerContext, personId: string): Promise<string[]> {
  const names = [...crews.keys()];
  const tokens = await Promise.all(names.map((name) => userTokens.find(name, personId)));
  return names.filter((_, i) => tokens[i] !== null);
}
