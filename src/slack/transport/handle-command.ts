import { STRANGERS_MAY_NOT } from '../approval/refusal-text.ts';
import { isMember } from '../interaction/actor.ts';
import type { AckCommand } from '../interaction/handlers.ts';
import type { ListenerContext } from '../interaction/listener-context.ts';
import { readCommand } from '../interaction/slash-command.ts';
import { onKickoffCommand } from '../kickoff/command.ts';
import { answerMessage } from '../ui/answer-modal.ts';

/** Answers a slash command. @throws {UnreadableRequest} */
export async function handleCommand(context: ListenerContext, payload: unknown, ack: AckCommand): Promise<void> {
  const command = readCommand(payload);
  if (await isMember(context, command.actor)) return onKickoffCommand(context, command, ack);
  await ack({ response_type: 'ephemeral', ...answerMessage(STRANGERS_MAY_NOT) });
}
