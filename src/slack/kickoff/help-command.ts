import { setTimeout as delay } from 'node:timers/promises';
import { answerCommand } from '../interaction/answer-command.ts';
import type { CommandArgs } from '../interaction/listeners.ts';
import { privately } from '../interaction/privately.ts';
import type { Say } from '../language/say.ts';
import { crewHelp } from './crew-help.ts';
import { helpMessage } from './help-message.ts';

/** Leaves time for the answer within Slack's three seconds. */
const ANSWER_WITHIN_MS = 1_500;

/** Answers `/kickoff help`, and for a crew as soon as it has said what it needs. */
export async function onHelpCommand(
  args: CommandArgs,
  { crew: name, say }: { crew: string | null; say: Say },
): Promise<void> {
  const { ack, context } = args;
  const crew = name === null ? undefined : context.crews.get(name);
  if (!crew) return ack(privately(helpMessage([...context.crews.keys()], say)));
  const help = crewHelp(context, crew, say);
  const isSoon = await Promise.race([help.then(() => true), delay(ANSWER_WITHIN_MS, false, { ref: false })]);
  if (isSoon) return ack(privately(await help));
  await ack();
  await answerCommand(args, await help);
}
