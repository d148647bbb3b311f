// Who is in a channel: a small one is listed, and of a large one its few people in question are asked about.
import type { WebClient } from '@slack/web-api';
import { z } from 'zod';
import type { Millis } from '../../core/values/time.ts';
import { slackErrorName } from '../api/errors.ts';
import { RecentAnswers } from '../api/recent-answers.ts';
import { inEach, type Workspaces } from '../api/workspaces.ts';
import { GIVE_UP_MS, MOST_AGE_MS } from './purpose.ts';

/** Every method rejects if Slack can't tell, and if there is no such channel for the bot. */
export interface ChannelMembers {
  all(channel: string): Promise<ReadonlySet<string>>;
  /** The ids of at least those of some people who are members. */
  among(people: readonly string[], channel: string): Promise<ReadonlySet<string>>;
  /** Whether all full members of the workspace can open it; at most ten minutes old. */
  isPublic(channel: string): Promise<boolean>;
}

const MAX_CHANNELS = 200;
const MAX_PEOPLE = 500;

/** As Slack recommends. https://docs.slack.dev/reference/methods/conversations.members */
const PAGE = 200;

/**
 * A channel is listed if it has no more members than this for each person in question. A person's own channels mostly fill one
 * page, but Slack allows half as many calls for them. https://docs.slack.dev/reference/methods/users.conversations
 */
const LISTED_EACH = 2 * PAGE;

/** @param client one that doesn't retry: what it throws means that Slack can't tell */
export function createChannelMembers(
  client: WebClient,
  { workspaces = async () => [{}], now }: { workspaces?: Workspaces; now?: (() => Millis) | undefined } = {},
): ChannelMembers {
  const channels = new RecentAnswers((channel) => fetchChannel(client, channel), { most: MAX_CHANNELS, now });
  const lists = new RecentAnswers((channel) => fetchMembers(client, channel), { most: MAX_CHANNELS, now });
  const people = new RecentAnswers((person) => fetchChannelsOf({ client, workspaces }, person), {
    most: MAX_PEOPLE,
    now,
  });
  const channelsOf = (person: string) => people.find(person, MOST_AGE_MS.fact);
  const all = (channel: string) => lists.find(channel, MOST_AGE_MS.fact);
  return {
    all,
    // With several workspaces, no channel is open to everybody: each is open to the members of its own.
    isPublic: async (channel) =>
      (await workspaces()).length < 2 && (await channels.find(channel, MOST_AGE_MS.shown)).isPublic,
    async among(wanted, channel) {
      const asked = [...new Set(wanted)];
      if (asked.length === 0) return new Set();
      const { size } = await channels.find(channel, MOST_AGE_MS.shown);
      if (size === null || size <= asked.length * LISTED_EACH) return all(channel);
      const found = await Promise.all(asked.map(async (id) => ((await channelsOf(id)).has(channel) ? [id] : [])));
      return new Set(found.flat());
    },
  };
}

/**
 * https://docs.slack.dev/reference/objects/conversation-object. Direct messages say nothing of being private, or how many are in
 * them.
 */
const CHANNEL = z.object({
  is_channel: z.boolean().default(false),
  is_private: z.boolean().nullish(),
  num_members: z.number().nullish(),
});

interface Channel {
  isPublic: boolean;
  /** Null if Slack doesn't say. */
  size: number | null;
}

async function fetchChannel(client: WebClient, channel: string): Promise<Channel> {
  const { channel: found } = await client.conversations.info({ channel, include_num_members: true });
  const { is_channel: isChannel, is_private: isPrivate, num_members: size = null } = CHANNEL.parse(found);
  return { isPublic: isChannel && isPrivate === false, size };
}

const CURSOR = z.object({ next_cursor: z.string().default('') }).default({ next_cursor: '' });
const MEMBERS = z.object({ members: z.array(z.string()), response_metadata: CURSOR });
const CHANNELS = z.object({ channels: z.array(z.object({ id: z.string() })), response_metadata: CURSOR });

function fetchMembers(client: WebClient, channel: string): Promise<ReadonlySet<string>> {
  return fetchPages(async (cursor) => {
    const page = MEMBERS.parse(await client.conversations.members({ channel, limit: PAGE, ...cursor }));
    return { ids: page.members, next: page.response_metadata.next_cursor };
  });
}

/** The channels of a person, of the private ones those that the bot is in, too. https://docs.slack.dev/reference/methods/users.conversations */
async function fetchChannelsOf(
  { client, workspaces }: { client: WebClient; workspaces: Workspaces },
  user: string,
): Promise<ReadonlySet<string>> {
  const types = 'public_channel,private_channel';
  try {
    const found = await inEach(workspaces, async (workspace) => [
      ...(await fetchPages(async (cursor) => {
        const asked = { user, types, limit: PAGE, ...workspace, ...cursor };
        const page = CHANNELS.parse(await client.users.conversations(asked));
        return { ids: page.channels.map(({ id }) => id), next: page.response_metadata.next_cursor };
      })),
    ]);
    return new Set(found);
  } catch (error) {
    if (slackErrorName(error) === 'user_not_found') return new Set();
    throw error;
  }
}

async function fetchPages(
  fetchPage: (cursor: { cursor?: string }) => Promise<{ ids: readonly string[]; next: string }>,
): Promise<ReadonlySet<string>> {
  const giveUpAt = performance.now() + GIVE_UP_MS;
  const all = new Set<string>();
  let cursor = '';
  do {
    if (performance.now() > giveUpAt) throw new Error('a list takes too long');
    const { ids, next } = await fetchPage(cursor === '' ? {} : { cursor });
    for (const id of ids) all.add(id);
    cursor = next;
  } while (cursor !== '');
  return all;
}
