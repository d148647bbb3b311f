import type { WebClient } from '@slack/web-api';
import { z } from 'zod';
import { PAGE_LIMIT } from '../ui/limits.ts';

/** A look-up goes on after nobody waits for it any more, so that a person who tries again finds its answer. */
const GIVE_UP_MS = 10_000;

const PAGE = z.object({
  members: z.array(z.string()),
  response_metadata: z.object({ next_cursor: z.string().default('') }).default({ next_cursor: '' }),
});

/** The ids of a channel's members. Rejects if Slack can't tell, and if there is no such channel for the bot. */
export async function fetchChannelMembers(client: WebClient, channel: string): Promise<ReadonlySet<string>> {
  const giveUpAt = performance.now() + GIVE_UP_MS;
  const members = new Set<string>();
  let cursor = '';
  do {
    if (performance.now() > giveUpAt) throw new Error('the members of a channel take too long to list');
    const page = PAGE.parse(
      await client.conversations.members({ channel, limit: PAGE_LIMIT, ...(cursor !== '' && { cursor }) }),
    );
    for (const member of page.members) members.add(member);
    cursor = page.response_metadata.next_cursor;
  } while (cursor !== '');
  return members;
}
