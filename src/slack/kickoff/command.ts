import type { CommandListener } from '../interaction/listeners.ts';
import { privately } from '../interaction/privately.ts';
import { channelStatus } from '../run/channel-status.ts';
import { onConnectCommand, onDisconnectCommand } from '../tokens/commands.ts';
import { answerMessage } from '../ui/answer-modal.ts';
import { carryOut } from './carry-out.ts';
import { parseCommandLine } from './command-line.ts';
import { commandProblemMessage } from './command-problem-message.ts';
import { onHelpCommand } from './help-command.ts';
import { onStatsCommand } from './stats/stats-command.ts';
import { whoCan } from './who/who-can.ts';

/** Answers `/kickoff`: with a message right away, or by working out how a start goes on. */
export const onKickoffCommand: CommandListener = async (args) => {
  const { ack, command, context } = args;
  const crews = [...context.crews.keys()];
  const line = parseCommandLine(command.text, crews);
  const isStart = line.ok && (line.value.kind === 'form' || line.value.kind === 'start');
  // A crew may name people from outside the workspace as its starters; nothing else is for them.
  const say = await context.say();
  if (!isStart && !(await context.isMember())) return ack(privately(answerMessage(say('denial.stranger'))));
  if (!line.ok) return ack(privately(commandProblemMessage(line.refusal, crews, say)));
  const where = { channel: command.channel_id, by: context.person };
  switch (line.value.kind) {
    case 'help':
      return onHelpCommand(args, { crew: line.value.crew, say });
    case 'status':
      return ack(privately(await channelStatus(context, where.channel)));
    case 'who':
      return ack(privately(await whoCan(context, { crew: line.value.crew, ...where })));
    case 'stats':
      return onStatsCommand(args, { crew: line.value.crew, say });
    case 'connect':
      return onConnectCommand(args, line.value.crew);
    case 'disconnect':
      return onDisconnectCommand(args, line.value.crew);
    case 'form':
    case 'start':
      return carryOut(args, { line: line.value, say });
  }
};
