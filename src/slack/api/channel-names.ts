import { setTimeout as delay } from 'node:timers/promises';
import type { WebClient } from '@slack/web-api';
import pLimit from 'p-limit';
import { slackErrorName } from './errors.ts';
import { RecentAnswers } from './recent-answers.ts';

const KEEP_MS = 10 * 60_000;
const MAX_CHANNELS = 2_000;
/** Leaves most of Slack's limit to others. https://docs.slack.dev/reference/methods/conversations.info */
const AT_ONCE = 2;
/** A person waits. */
const PATIENCE_MS = 400;

/**
 * The names of channels, without #, by their ids; not those that Slack doesn't tell soon, which the next who
 * asks may find. Never throws.
 */
export type ChannelNames = (ids: readonly string[]) => Promise<ReadonlyMap<string, string>>;

export function createChannelNames(client: WebClient): ChannelNames {
  const limit = pLimit(AT_ONCE);
  const names = new RecentAnswers((id) => limit(() => fetchName(client, id)), { most: MAX_CHANNELS });
  return async (ids) => {
    const found = new Map<string, string>();
    const look = async (id: string) => {
      const name = await names.find(id, KEEP_MS).catch(() => null);
      if (name !== null) found.set(id, name);
    };
    await Promise.race([Promise.all([...new Set(ids)].map(look)), delay(PATIENCE_MS, null, { ref: false })]);
    return new Map(found);
  };
}

/** Null if the bot can't see the channel. */
async function fetchName(client: WebClient, channel: string): Promise<string | null> {
  try {
    const { channel: found } = await client.conversations.info({ channel });
    return found?.name ?? null;
  } catch (error) {
    if (slackErrorName(error) === 'channel_not_found') return null;
    throw error;
  }
}
