import type { WebClient } from '@slack/web-api';
import type { Crew } from '../core/crew.ts';
import { findChannel } from '../slack/api/channels.ts';
import { slackErrorName } from '../slack/api/errors.ts';
import type { Identity } from '../slack/api/identity.ts';
import { doubtful, type Finding, fine, wrong } from './finding.ts';

/** Checks that the channel of a crew exists and that the bot can post there. */
export async function checkChannel(crew: Crew, client: WebClient, identity: Identity): Promise<Finding> {
  const about = `Channel of ${crew.name}`;
  if (crew.channel === null) return fine(about, 'none: runs that are started elsewhere are not followed.');
  const invite = `Type /invite @${identity.botName} in it, or correct its name or id.`;
  try {
    const id = await findChannel(client, crew.channel);
    if (id === null) return wrong(about, `the bot can't see a channel called ${crew.channel}.`, invite);
    const { channel } = await client.conversations.info({ channel: id });
    if (channel?.is_archived) return wrong(about, `${crew.channel} is archived.`, 'Choose another one.');
    if (channel?.is_member) return fine(about, `${crew.channel}, and the bot is in it.`);
    if (identity.scopes.has('chat:write.public') && !channel?.is_private)
      return fine(about, `${crew.channel}, a public channel that the bot can post in.`);
    return wrong(about, `the bot isn't in ${crew.channel}.`, invite);
  } catch (error) {
    const name = slackErrorName(error);
    if (name === 'channel_not_found')
      return wrong(about, `${crew.channel} doesn't exist, or is private and the bot isn't in it.`, invite);
    return doubtful(about, `couldn't ask Slack (${name ?? 'no answer'}).`, 'Run this again.');
  }
}
