import type { WebClient } from '@slack/web-api';
import { z } from 'zod';
import type { Millis } from '../../core/time.ts';
import { slackErrorName } from '../api/errors.ts';
import { RecentAnswers } from '../api/recent-answers.ts';
import type { SlackUser, SlackUsers } from '../api/slack-users.ts';
import { fetchChannelMembers } from './channel-members.ts';
import { fetchIsPublic } from './channel-privacy.ts';
import { fetchGroupMembers, fetchGroups, type UserGroup } from './user-groups.ts';

/** What a policy rests on is never older. */
const FACT_MS = 60_000;
/** What is only shown may be. */
const SHOWN_MS = 10 * 60_000;

const MAX_ADDRESSES = 1_000;
const MAX_GROUPS = 500;
const MAX_CHANNELS = 200;

/** Whether a policy rests on the answer, or it is only shown. */
type Purpose = 'fact' | 'shown';

/** What Slack says, recently. Every method rejects if Slack can't tell. */
export interface LookUps {
  /** Null if there is no such user. */
  user(userId: string, purpose: Purpose): Promise<SlackUser | null>;
  /** The id of the user with an e-mail address; null if there is none. */
  idByEmail(address: string, purpose: Purpose): Promise<string | null>;
  groups(purpose: Purpose): Promise<readonly UserGroup[]>;
  /** None if there is no such group, or if it is disabled. */
  groupMembers(groupId: string): Promise<ReadonlySet<string>>;
  channelMembers(channel: string): Promise<ReadonlySet<string>>;
  /** Whether all full members of the workspace can open it; at most ten minutes old. */
  isPublicChannel(channel: string): Promise<boolean>;
}

/** @param client one that doesn't retry: what it throws means that Slack can't tell */
export function createLookUps(
  client: WebClient,
  { slackUsers, now }: { slackUsers: SlackUsers; now?: () => Millis },
): LookUps {
  const addresses = new RecentAnswers((address) => fetchIdByEmail(client, address), { most: MAX_ADDRESSES, now });
  const groups = new RecentAnswers(() => fetchGroups(client), { most: 1, now });
  const groupMembers = new RecentAnswers((id) => fetchGroupMembers(client, id), { most: MAX_GROUPS, now });
  const channels = new RecentAnswers((channel) => fetchChannelMembers(client, channel), { most: MAX_CHANNELS, now });
  const privacies = new RecentAnswers((channel) => fetchIsPublic(client, channel), { most: MAX_CHANNELS, now });
  return {
    user: (userId, purpose) => slackUsers.find(userId, MOST_AGE_MS[purpose]),
    idByEmail: (address, purpose) => addresses.find(address.toLowerCase(), MOST_AGE_MS[purpose]),
    groups: (purpose) => groups.find('all', MOST_AGE_MS[purpose]),
    groupMembers: (groupId) => groupMembers.find(groupId, FACT_MS),
    channelMembers: (channel) => channels.find(channel, FACT_MS),
    isPublicChannel: (channel) => privacies.find(channel, SHOWN_MS),
  };
}

const MOST_AGE_MS: Record<Purpose, Millis> = { fact: FACT_MS, shown: SHOWN_MS };

const USER = z.object({ id: z.string().min(1) });

async function fetchIdByEmail(client: WebClient, email: string): Promise<string | null> {
  try {
    const answer = await client.users.lookupByEmail({ email });
    return USER.parse(answer.user).id;
  } catch (error) {
    if (slackErrorName(error) === 'users_not_found') return null;
    throw error;
  }
}
