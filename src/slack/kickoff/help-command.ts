import { setTimeout as delay } from 'node:timers/promises';
import { answerCommand } from '../interaction/answer-command.ts';
import type { AckCommand } from '../interaction/handlers.ts';
import type { ListenerContext } from '../interaction/listener-context.ts';
import type { SlashCommand } from '../interaction/slash-command.ts';
import type { Say } from '../language/say.ts';
import { crewHelp } from './crew-help.ts';
import { helpMessage } from './help-message.ts';
import { privately } from './privately.ts';

/** Leaves time for the answer within Slack's three seconds. */
const ANSWER_WITHIN_MS = 1_500;

/** Answers `/kickoff help`, and for a crew as soon as it has said what it needs. */
export async function onHelpCommand(
  context: ListenerContext,
  command: SlashCommand,
  { crew: name, ack, say }: { crew: string | null; ack: AckCommand; say: Say },
): Promise<void> {
  const crew = name === null ? undefined : context.crews.get(name);
  if (!crew) return ack(privately(helpMessage([...context.crews.keys()], say)));
  const help = crewHelp(context, crew, say);
  const isSoon = await Promise.race([help.then(() => true), delay(ANSWER_WITHIN_MS, false, { ref: false })]);
  if (isSoon) return ack(privately(await help));
  await ack();
  await answerCommand(context, command, await help);
}
