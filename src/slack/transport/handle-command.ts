import type { AckCommand } from '../interaction/handlers.ts';
import type { ListenerContext } from '../interaction/listener-context.ts';
import { readCommand } from '../interaction/slash-command.ts';
import { onKickoffCommand } from '../kickoff/command.ts';

/** Answers a slash command. @throws {UnreadableRequest} */
export async function handleCommand(context: ListenerContext, payload: unknown, ack: AckCommand): Promise<void> {
  const command = readCommand(payload);
  context.addToLog({ by: command.actor.person.id, pressed: 'kickoff' });
  await onKickoffCommand(context, command, ack);
}
