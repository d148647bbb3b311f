import type { Rendered } from '../ui/blocks.ts';
import type { ListenerContext } from './listener-context.ts';
import type { SlashCommand } from './slash-command.ts';
import { tellPerson } from './tell-person.ts';

type Ports = Pick<ListenerContext, 'respond' | 'client' | 'log'>;

/** Answers only the person, after a command was acknowledged. Never throws, so that it doesn't hide how the command ended. */
export async function answerCommand(ports: Ports, command: SlashCommand, answer: Rendered): Promise<void> {
  if (await isTaken(ports, command, answer)) return;
  await tellPerson(ports, { channel: command.channel, user: command.actor.person.id }, answer);
}

async function isTaken({ respond, log }: Ports, { responseUrl }: SlashCommand, answer: Rendered): Promise<boolean> {
  if (responseUrl === null) return false;
  const taken = await respond(responseUrl, answer);
  if (!taken.ok) log.warn(taken.refusal, 'Slack did not take the answer to a command');
  return taken.ok;
}
