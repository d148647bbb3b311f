import { answerCommand } from '../interaction/answer-command.ts';
import type { ListenerContext } from '../interaction/listener-context.ts';
import type { CommandArgs } from '../interaction/listeners.ts';
import { openModal } from '../interaction/modals.ts';
import { privately } from '../interaction/privately.ts';
import { answerMessage } from '../ui/answer-modal.ts';
import { connectModal } from './connect-modal.ts';
import { disconnectedText, notConnectedText, whichTokenText } from './token-texts.ts';

/** Answers `/kickoff connect`; the crew is null if it was left out. */
export async function onConnectCommand(args: CommandArgs, crew: string | null): Promise<void> {
  const { ack, command, context } = args;
  const crews = [...context.crews.keys()];
  const [only] = crews;
  const say = await context.say();
  if (only === undefined) return ack(privately(answerMessage(say('token.no-crews'))));
  await ack();
  const metadata = { crew: crew ?? (crews.length === 1 ? only : null), channel: command.channel_id };
  const opened = await openModal(context, command.trigger_id, connectModal(say, metadata, { crews }));
  if (opened.kind === 'too-late') await answerCommand(args, answerMessage(say('token.too-late')));
}

/** Answers `/kickoff disconnect`; the crew is null if it was left out. */
export async function onDisconnectCommand({ ack, context }: CommandArgs, crew: string | null): Promise<void> {
  await ack(privately(answerMessage(await disconnect(context, crew, context.person.id))));
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
