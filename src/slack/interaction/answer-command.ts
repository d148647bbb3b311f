import { respondPrivately } from '../api/response-url.ts';
import type { Rendered } from '../ui/blocks.ts';
import type { CommandArgs } from './listeners.ts';
import { tellPerson } from './tell-person.ts';

/** Answers only the person, after a command was acknowledged. Never rejects, so that it doesn't hide how the command ended. */
export async function answerCommand(
  { command, context, respond }: Pick<CommandArgs, 'command' | 'context' | 'respond'>,
  answer: Rendered,
): Promise<void> {
  const taken = await respondPrivately(respond, answer);
  if (taken.ok) return;
  context.log.warn(taken.refusal, 'Slack did not take the answer to a command');
  await tellPerson(context, { channel: command.channel_id, user: context.person.id }, answer);
}
