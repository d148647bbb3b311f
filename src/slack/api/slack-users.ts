import type { WebClient } from '@slack/web-api';
import { z } from 'zod';
import type { Millis } from '../../core/time.ts';
import { slackErrorName } from './errors.ts';
import { RecentAnswers } from './recent-answers.ts';

const MAX_USERS = 5_000;

/** What Slack says about a user. https://docs.slack.dev/reference/objects/user-object */
export interface SlackUser {
  id: string;
  /** The display name, or the full one. */
  name: string | null;
  teamId: string;
  /** The workspaces of an Enterprise Grid organisation that the user is in. */
  teamIds: readonly string[];
  /** The id in the whole Enterprise Grid organisation. */
  enterpriseUserId: string | null;
  /** Only with the scope users:read.email. */
  email: string | null;
  isBot: boolean;
  isDeactivated: boolean;
  isRestricted: boolean;
  isStranger: boolean;
  /** The language that the person has chosen in Slack, such as `de-DE`. */
  locale: string | null;
  /** The person's time zone, such as `Europe/Berlin`. */
  timeZone: string | null;
}

export interface SlackUsers {
  /** What Slack said less than `mostAgeMs` ago; null if there is no such user. Rejects if Slack can't tell. */
  find(userId: string, mostAgeMs: Millis): Promise<SlackUser | null>;
}

/** @param client one that doesn't retry: what it throws means that Slack can't tell */
export function createSlackUsers(client: WebClient, { now }: { now?: () => Millis } = {}): SlackUsers {
  return new RecentAnswers((userId) => fetchUser(client, userId), { most: MAX_USERS, now });
}

/** Deactivated users and those of other organisations lack many fields. */
const FLAG = z.boolean().default(false);
const USER = z.object({
  id: z.string().min(1),
  team_id: z.string().min(1),
  name: z.string().nullish(),
  real_name: z.string().nullish(),
  profile: z
    .object({ display_name: z.string().nullish(), real_name: z.string().nullish(), email: z.string().nullish() })
    .default({}),
  deleted: z.boolean(),
  is_bot: FLAG,
  is_workflow_bot: FLAG,
  is_connector_bot: FLAG,
  is_restricted: FLAG,
  is_ultra_restricted: FLAG,
  is_stranger: FLAG,
  locale: z.string().nullish(),
  tz: z.string().nullish(),
  enterprise_user: z.object({ id: z.string().optional(), teams: z.array(z.string()).default([]) }).nullish(),
});

/** Slack doesn't mark it as a bot. */
const SLACKBOT_ID = 'USLACKBOT';

async function fetchUser(client: WebClient, userId: string): Promise<SlackUser | null> {
  try {
    const answer = await client.users.info({ user: userId, include_locale: true });
    return userOf(USER.parse(answer.user));
  } catch (error) {
    if (slackErrorName(error) === 'user_not_found') return null;
    throw error;
  }
}

function userOf(user: z.infer<typeof USER>): SlackUser {
  const { id, team_id: teamId, profile, enterprise_user: enterpriseUser } = user;
  return {
    id,
    name: profile.display_name || profile.real_name || user.real_name || user.name || null,
    teamId,
    teamIds: enterpriseUser?.teams ?? [],
    enterpriseUserId: enterpriseUser?.id ?? null,
    email: profile.email || null,
    isBot: user.is_bot || user.is_workflow_bot || user.is_connector_bot || id === SLACKBOT_ID,
    isDeactivated: user.deleted,
    isRestricted: user.is_restricted || user.is_ultra_restricted,
    isStranger: user.is_stranger,
    locale: user.locale || null,
    timeZone: user.tz || null,
  };
}
