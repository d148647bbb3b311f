import type { ModalView } from '@slack/types';
import { namesOfDeployed } from '../../../core/policy/crew.ts';
import { ok, type Result, refuse } from '../../../core/values/result.ts';
import { ANSWER_WITHIN_MS, soon } from '../../api/soon.ts';
import type { Say } from '../../language/say.ts';
import { answerCommand, ephemeral, messagePerson, showModal } from '../../listening/answers.ts';
import { clickOf } from '../../listening/click.ts';
import type { ActionListener, CommandArgs, ListenerContext, ViewListener } from '../../listening/context.ts';
import { fieldError, findTooLate, openModal, tooLateText, updateModal } from '../../listening/modals.ts';
import { type FormValues, typedText } from '../../ui/button-value.ts';
import { answerMessage, answerModal } from '../../ui/modal.ts';
import { cutLine, escapeMrkdwn } from '../../ui/text/escape.ts';
import {
  CREW_BLOCK,
  checkingText,
  connectedText,
  connectMetadata,
  connectModal,
  disconnectedText,
  notConnectedText,
  TOKEN_BLOCK,
  whichTokenText,
} from './modal.ts';

// Listeners of `/kickoff connect` and `disconnect`: a person's own token for a crew.

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
  const tooLate = findTooLate(opened);
  if (tooLate) await answerCommand(args, answerMessage(tooLateText(tooLate, say)));
}

/** Opens the window that asks for a token. The button's value is the name of the crew. */
export const onConnectAgain: ActionListener = async ({ ack, body, context }) => {
  const click = clickOf(body);
  await ack();
  const metadata = { crew: click.value, channel: click.message?.channel ?? null };
  const say = await context.say();
  const isKnown = context.crews.has(click.value);
  const view = isKnown ? connectModal(say, metadata, { crews: [] }) : tokenModal(say, say('answer.newer-message'));
  await showModal(context, click, view);
};

/** Asks the crew whether it accepts the token, and stores it if so. The answer of a slow crew replaces a loading view. */
export const onConnectForm: ViewListener = async ({ ack, context, view }) => {
  const metadata = connectMetadata.read(view.private_metadata);
  const crew = metadata?.crew ?? (typedText(view.state.values, CREW_BLOCK) || null);
  const token = readToken(view.state.values);
  const say = await context.say();
  if (!token.ok) return ack(fieldError(TOKEN_BLOCK, say(`token.${token.refusal}`)));
  if (!metadata || crew === null || !context.crews.has(crew))
    return ack(fieldError(metadata?.crew === null ? CREW_BLOCK : TOKEN_BLOCK, say('token.crew-gone')));
  const connection = connectToken(context, { crew, token: token.value, say });
  const quick = await soon(ANSWER_WITHIN_MS, connection, null);
  // An error at the field keeps the typed token.
  if (quick && !quick.ok) return ack(fieldError(TOKEN_BLOCK, quick.refusal));
  const connected = connectedText(say, crew);
  await ack({ response_action: 'update', view: tokenModal(say, quick ? connected : checkingText(say, crew)) });
  if (quick) return;
  const late = await connection;
  // The typed token is gone by now, so the modal asks again.
  const answer = late.ok
    ? tokenModal(say, connected)
    : connectModal(say, { ...metadata, crew }, { crews: [], problem: late.refusal });
  if (await updateModal(context, { viewId: view.id }, answer)) return;
  const message = answerMessage(late.ok ? connected : `⚠️ ${escapeMrkdwn(late.refusal)}`);
  await messagePerson(context, { channel: metadata.channel, user: context.person.id }, message);
};

function tokenModal(say: Say, text: string): ModalView {
  return answerModal(say, { title: say('token.title'), text });
}

/** Stores the token if the crew accepts it, or returns why it isn't connected; plain text. Never throws. */
async function connectToken(
  { tokenCheck, userTokens, log, person: { id: by } }: ListenerContext,
  { crew, token, say }: { crew: string; token: string; say: Say },
): Promise<Result<null, string>> {
  const answer = await tokenCheck.checkToken(crew, token);
  if (answer.kind !== 'accepted') {
    log.info({ crew, by, answer: answer.kind }, 'did not connect a token');
    const name = { crew: cutLine(crew, 80) };
    if (answer.kind === 'unreachable') return refuse(say('token.crew-unreachable', name));
    if (answer.kind === 'busy') return refuse(say('token.crew-busy', name));
    return refuse(
      say(answer.kind === 'refused' && answer.code === 'unauthorized' ? 'token.not-accepted' : 'token.unclear', name),
    );
  }
  try {
    await userTokens.put(crew, by, token);
  } catch (error) {
    log.warn({ crew, by, err: error }, 'could not store a token');
    return refuse(say('token.not-stored'));
  }
  log.info({ crew, by }, 'connected a token');
  return ok(null);
}

/** A shorter token couldn't be recognised in a service's answers, where it has to be masked. */
const SHORTEST = 8;

/** Returns the token as the `Authorization` header needs it, or what is wrong with it. */
function readToken(values: FormValues): Result<string, 'bad-character' | 'too-short'> {
  const token = typedText(values, TOKEN_BLOCK)
    .trim()
    .replace(/^bearer\s+/i, '');
  if (!/^[\x21-\x7e]*$/.test(token)) return refuse('bad-character');
  return token.length < SHORTEST ? refuse('too-short') : ok(token);
}

export async function onDisconnectCommand({ ack, context }: CommandArgs, crew: string | null): Promise<void> {
  await ack(ephemeral(answerMessage(await disconnect(context, crew))));
}

async function disconnect(context: ListenerContext, crew: string | null): Promise<string> {
  const { userTokens, log } = context;
  const personId = context.person.id;
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
