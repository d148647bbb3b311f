import type { WebClient } from '@slack/web-api';
import { PAGE_LIMIT } from '../ui/limits.ts';
import { slackErrorName } from './errors.ts';
import type { Identity } from './identity.ts';

/** Why the bot can't post where it was called. */
export type PostingTrouble = 'not-in-channel' | 'archived' | 'direct-message' | 'read-only' | 'other';

const TROUBLES: Record<string, PostingTrouble> = {
  channel_not_found: 'not-in-channel',
  not_in_channel: 'not-in-channel',
  is_archived: 'archived',
  method_not_supported_for_channel_type: 'direct-message',
};

/**
 * Why the bot can't post in a channel; null where it can. Asked before a run starts, so that no crew works with nowhere to
 * report. Where Slack can't tell (an outage, a scope that is missing) nothing is assumed to be wrong: the root message
 * will show it.
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
    // An id that begins with D is a conversation of two people, to which nobody can be invited.
    return trouble === 'not-in-channel' && channel.startsWith('D') ? 'direct-message' : trouble;
  }
}

/** Ids as Slack makes them: https://docs.slack.dev/reference/objects/conversation-object */
const CHANNEL_ID = /^[CGD][A-Z0-9]{2,}$/;

/**
 * The id of a channel that the operator named by id or by name (with or without #); null when the bot sees none of that
 * name. Throws what the client throws.
 */
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
