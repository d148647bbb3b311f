import type { WebClient } from '@slack/web-api';
import type { Config } from '../config/config.ts';
import { findChannel } from '../slack/api/channels.ts';
import { slackErrorName } from '../slack/api/errors.ts';
import type { Identity } from '../slack/api/identity.ts';
import { doubtful, type Finding, fine, unchecked, wrong } from './finding.ts';

/** Checks that the channels of the crews and that of checkpoints exist, and that the bot can post there. */
export async function checkChannels(
  { crews, audit }: Pick<Config, 'crews' | 'audit'>,
  client: WebClient,
  identity: Identity,
): Promise<Finding[]> {
  const check = (about: string, channel: string) => checkChannel({ about, channel }, client, identity);
  const ofCrews = crews.map(({ name, channel }) => {
    const about = `Channel of ${name}`;
    return channel === null
      ? unchecked(about, 'none set: runs that are started elsewhere are not followed.')
      : check(about, channel);
  });
  const ofAudit = audit.channel === null ? [] : [check('Audit channel', audit.channel)];
  return Promise.all([...ofCrews, ...ofAudit]);
}

async function checkChannel(
  { about, channel: idOrName }: { about: string; channel: string },
  client: WebClient,
  identity: Identity,
): Promise<Finding> {
  const invite = `Type /invite @${identity.botName} in it, or correct its name or id.`;
  try {
    const id = await findChannel(client, idOrName);
    if (id === null) return wrong(about, `the bot can't see a channel called ${idOrName}.`, invite);
    const { channel } = await client.conversations.info({ channel: id });
    if (channel?.is_archived) return wrong(about, `${idOrName} is archived.`, 'Choose another one.');
    if (channel?.is_member) return fine(about, `${idOrName}, and the bot is in it.`);
    if (identity.scopes.has('chat:write.public') && !channel?.is_private)
      return fine(about, `${idOrName}, a public channel that the bot can post in.`);
    return wrong(about, `the bot isn't in ${idOrName}.`, invite);
  } catch (error) {
    const name = slackErrorName(error);
    if (name === 'channel_not_found')
      return wrong(about, `${idOrName} doesn't exist, or is private and the bot isn't in it.`, invite);
    return doubtful(about, `couldn't ask Slack (${name ?? 'no answer'}).`, 'Run this again.');
  }
}
