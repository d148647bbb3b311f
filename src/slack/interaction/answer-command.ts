import type { WebClient } from '@slack/web-api';
import { postInChannel } from '../api/post-in-channel.ts';
import { postPrivately } from '../api/post-privately.ts';
import type { Rendered } from '../ui/blocks.ts';
import type { ListenerContext } from './listener-context.ts';
import type { SlashCommand } from './slash-command.ts';

type Ports = Pick<ListenerContext, 'respond' | 'client' | 'log'>;

/** Answers only the person, after a command was acknowledged. Never throws, so that it doesn't hide how the command ended. */
export async function answerCommand(ports: Ports, command: SlashCommand, answer: Rendered): Promise<void> {
  if (await isTaken(ports, command, answer)) return;
  try {
    await answerInSlack(ports.client, command, answer);
  } catch (error) {
    ports.log.warn({ err: error }, 'could not answer a command at all');
  }
}

async function isTaken({ respond, log }: Ports, { responseUrl }: SlashCommand, answer: Rendered): Promise<boolean> {
  if (responseUrl === null) return false;
  const taken = await respond(responseUrl, answer);
  if (!taken.ok) log.warn(taken.refusal, 'Slack did not take the answer to a command');
  return taken.ok;
}

/** In the channel, or where the bot isn't in it, by a direct message. */
async function answerInSlack(client: WebClient, { channel, actor }: SlashCommand, answer: Rendered): Promise<void> {
  const user = actor.person.id;
  try {
    await postPrivately(client, { channel, user }, answer);
  } catch {
    // Fails with messages_tab_disabled for an app that isn't set up by our manifest.
    await postInChannel(client, user, answer);
  }
}
