import { isMember } from '../interaction/actor.ts';
import type { AckCommand } from '../interaction/handlers.ts';
import type { ListenerContext } from '../interaction/listener-context.ts';
import type { SlashCommand } from '../interaction/slash-command.ts';
import { channelStatus } from '../run/channel-status.ts';
import { onConnectCommand, onDisconnectCommand } from '../tokens/commands.ts';
import { answerMessage } from '../ui/answer-modal.ts';
import { carryOut } from './carry-out.ts';
import { parseCommandLine } from './command-line.ts';
import { commandProblemMessage } from './command-problem-message.ts';
import { onHelpCommand } from './help-command.ts';
import { privately } from './privately.ts';
import { onStatsCommand } from './stats/stats-command.ts';
import { whoCan } from './who/who-can.ts';

/** Answers `/kickoff`: with a message right away, or by working out how a start goes on. */
export async function onKickoffCommand(
  context: ListenerContext,
  command: SlashCommand,
  ack: AckCommand,
): Promise<void> {
  const crews = [...context.crews.keys()];
  const line = parseCommandLine(command.text, crews);
  const isStart = line.ok && (line.value.kind === 'form' || line.value.kind === 'start');
  // A crew may name people from outside the workspace as its starters; nothing else is for them.
  const say = await context.say();
  if (!isStart && !(await isMember(context, command.actor)))
    return ack(privately(answerMessage(say('denial.stranger'))));
  if (!line.ok) return ack(privately(commandProblemMessage(line.refusal, crews, say)));
  const where = { channel: command.channel, by: command.actor.person };
  switch (line.value.kind) {
    case 'help':
      return onHelpCommand(context, command, { crew: line.value.crew, ack, say });
    case 'status':
      return ack(privately(await channelStatus(context, where.channel)));
    case 'who':
      return ack(privately(await whoCan(context, { crew: line.value.crew, ...where })));
    case 'stats':
      return onStatsCommand(context, command, { crew: line.value.crew, ack, say });
    case 'connect':
      return onConnectCommand(context, command, { crew: line.value.crew, ack });
    case 'disconnect':
      return onDisconnectCommand(context, command, { crew: line.value.crew, ack });
    case 'form':
    case 'start':
      return carryOut(context, command, { line: line.value, ack, say });
  }
}
