import { answerCommand } from '../interaction/answer-command.ts';
import type { AckCommand } from '../interaction/handlers.ts';
import type { ListenerContext } from '../interaction/listener-context.ts';
import { openModal } from '../interaction/modals.ts';
import type { SlashCommand } from '../interaction/slash-command.ts';
import { answerMessage } from '../ui/answer-modal.ts';
import { connectModal } from './connect-modal.ts';
import { disconnectedText, notConnectedText, whichTokenText } from './token-texts.ts';

interface Asked {
  /** Null if it was left out. */
  crew: string | null;
  ack: AckCommand;
}

/** Answers `/kickoff connect`. */
export async function onConnectCommand(context: ListenerContext, command: SlashCommand, { crew, ack }: Asked) {
  const crews = [...context.crews.keys()];
  const [only] = crews;
  const say = await context.say();
  if (only === undefined) return ack(privately(say('token.no-crews')));
  await ack();
  const metadata = { crew: crew ?? (crews.length === 1 ? only : null), channel: command.channel };
  const opened = await openModal(context, command.triggerId, connectModal(say, metadata, { crews }));
  if (opened.kind === 'too-late') await answerCommand(context, command, answerMessage(say('token.too-late')));
}

/** Answers `/kickoff disconnect`. */
export async function onDisconnectCommand(context: ListenerContext, { actor }: SlashCommand, { crew, ack }: Asked) {
  await ack(privately(await disconnect(context, crew, actor.person.id)));
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
    // What isn't the name of a crew may be a token by mistake.
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

function privately(text: string): Parameters<AckCommand>[0] {
  return { response_type: 'ephemeral', ...answerMessage(text) };
}
