// Finds who is in a channel: lists the members of a small channel, and looks up the channels of each person for a large one.
import type { WebClient } from '@slack/web-api';
import { z } from 'zod';
import type { Millis } from '../../core/values/time.ts';
import { slackErrorName } from '../api/errors.ts';
import { RecentAnswers } from '../api/recent-answers.ts';
import { inEach, type Workspaces } from '../api/workspaces.ts';
import { GIVE_UP_MS, MOST_AGE_MS } from './purpose.ts';

/** Members of channels. Every method rejects if Slack can't tell, or the bot sees no such channel. */
export interface ChannelMembers {
  all(channel: string): Promise<ReadonlySet<string>>;
  /** Resolves to a set with all members among these people, and perhaps other members. */
  among(people: readonly string[], channel: string): Promise<ReadonlySet<string>>;
  /** Resolves to true if all full members of the workspace can open the channel; ten minutes old at most. */
  isPublic(channel: string): Promise<boolean>;
}

const MAX_CHANNELS = 200;
const MAX_PEOPLE = 500;

/** The page size that Slack recommends. https://docs.slack.dev/reference/methods/conversations.members */
const PAGE = 200;

/**
 * The most members for each person in question of a channel that is listed. A person's own channels mostly fill one page, but Slack allows
 * half as many calls for them. https://docs.slack.dev/reference/methods/users.conversations
 */
const LISTED_EACH = 2 * PAGE;

/** @param client must not retry: what it throws means that Slack can't tell */
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
    // A channel is open only to members of its own workspace, so with several workspaces none is public.
    isPublic: async (channel) =>
      (await workspaces()).length < 2 && (await channels.find(channel, MOST_AGE_MS.shown)).isPublic,
    async among(ids, channel) {
      const persons = [...new Set(ids)];
      if (persons.length === 0) return new Set();
      const { size } = await channels.find(channel, MOST_AGE_MS.shown);
      if (size === null || size <= persons.length * LISTED_EACH) return all(channel);
      const members = await Promise.all(persons.map(async (id) => ((await channelsOf(id)).has(channel) ? [id] : [])));
      return new Set(members.flat());
    },
  };
}

/** Direct messages lack `is_private` and `num_members`. https://docs.slack.dev/reference/objects/conversation-object */
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
  const answer = await client.conversations.info({ channel, include_num_members: true });
  const { is_channel: isChannel, is_private: isPrivate, num_members: size = null } = CHANNEL.parse(answer.channel);
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

/** Fetches the channels of a person, private ones only if the bot is in them. https://docs.slack.dev/reference/methods/users.conversations */
async function fetchChannelsOf(
  { client, workspaces }: { client: WebClient; workspaces: Workspaces },
  user: string,
): Promise<ReadonlySet<string>> {
  const types = 'public_channel,private_channel';
  try {
    const channels = await inEach(workspaces, async (workspace) => [
      ...(await fetchPages(async (cursor) => {
        const page = CHANNELS.parse(
          await client.users.conversations({ user, types, limit: PAGE, ...workspace, ...cursor }),
        );
        return { ids: page.channels.map(({ id }) => id), next: page.response_metadata.next_cursor };
      })),
    ]);
    return new Set(channels);
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
