import type { WebClient } from '@slack/web-api';
import type { Crew } from '../core/crew.ts';
import { findChannel } from '../slack/api/channels.ts';
import { slackErrorName } from '../slack/api/errors.ts';
import type { Identity } from '../slack/api/identity.ts';
import { doubtful, type Finding, fine, wrong } from './finding.ts';

/** Whether the channel of a crew is there and the bot can post in it. */
export async function checkChannel(crew: Crew, client: WebClient, identity: Identity): Promise<Finding> {
  const about = `Channel of ${crew.name}`;
  if (crew.channel === null) return fine(about, 'none: executions that are started elsewhere are not followed.');
  const invite = `Write /invite @${identity.botName} in it, or correct its name or id.`;
  try {
    const id = await findChannel(client, crew.channel);
    if (id === null) return wrong(about, `no channel that the bot can see is called ${crew.channel}.`, invite);
    const { channel } = await client.conversations.info({ channel: id });
    if (channel?.is_archived) return wrong(about, `${crew.channel} is archived.`, 'Choose another one.');
    if (channel?.is_member) return fine(about, `${crew.channel}, and the bot is in it.`);
    if (identity.scopes.has('chat:write.public') && !channel?.is_private)
      return fine(about, `${crew.channel}, where the bot may post as everybody can.`);
    return wrong(about, `the bot is not in ${crew.channel}.`, invite);
  } catch (error) {
    const name = slackErrorName(error);
    if (name === 'channel_not_found')
      return wrong(about, `${crew.channel} is not there, or is private and without the bot.`, invite);
    return doubtful(about, `Slack does not say (${name ?? 'no answer'}).`, 'Run this again.');
  }
}
