import type { WebClient } from '@slack/web-api';
import { PAGE_LIMIT } from '../ui/limits.ts';
import { slackErrorName } from './errors.ts';
import type { Identity } from './identity.ts';

/** Why the bot can't post in a channel. */
export type PostingTrouble = 'not-in-channel' | 'archived' | 'direct-message' | 'read-only' | 'other';

const TROUBLES: Record<string, PostingTrouble> = {
  channel_not_found: 'not-in-channel',
  not_in_channel: 'not-in-channel',
  is_archived: 'archived',
  method_not_supported_for_channel_type: 'direct-message',
};

/**
 * Why the bot can't post in a channel, or null if it can. Checked before a run starts, so that no crew works with nowhere to
 * report. If Slack can't tell (an outage, a missing scope), the answer is null: posting the root message will show.
 */
export async function postingTrouble(
  client: WebClient,
  identity: Identity,
  channel: string,
): Promise<PostingTrouble | null> {
  try {
    const { channel: found } = await client.conversations.info({ channel });
    if (found?.is_archived) return 'archived';
    if (found?.is_im || found?.is_member !== false) return null;
    const mayPostPublicly = identity.scopes.has('chat:write.public') && !found.is_private;
    return mayPostPublicly ? null : 'not-in-channel';
  } catch (error) {
    const trouble = TROUBLES[slackErrorName(error) ?? ''] ?? null;
    // An id that begins with D is a direct message between two people, to which the bot can't be invited.
    return trouble === 'not-in-channel' && channel.startsWith('D') ? 'direct-message' : trouble;
  }
}

/** Ids as Slack makes them: https://docs.slack.dev/reference/objects/conversation-object */
const CHANNEL_ID = /^[CGD][A-Z0-9]{2,}$/;

/** The id of a channel given by id or name (with or without #), or null if the bot sees none. Throws what the client throws. */
export async function findChannel(client: WebClient, idOrName: string): Promise<string | null> {
  if (CHANNEL_ID.test(idOrName)) return idOrName;
  const name = idOrName.replace(/^#/, '');
  let cursor: string | undefined;
  do {
    const page = await client.conversations.list({
      types: 'public_channel,private_channel',
      exclude_archived: true,
      limit: PAGE_LIMIT,
      ...(cursor ? { cursor } : {}),
    });
    const found = page.channels?.find((channel) => channel.name === name);
    if (found?.id) return found.id;
    cursor = page.response_metadata?.next_cursor || undefined;
  } while (cursor);
  return null;
}
