import type { WebClient } from '@slack/web-api';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import type { Language } from '../../core/policy/crew.ts';
import type { Person } from '../../core/state/request.ts';
import type { Millis } from '../../core/values/time.ts';
import { isTimeZone } from '../../core/values/working-hours.ts';
import { languageOf } from '../language/say.ts';
import type { NameOf } from '../ui/person.ts';
import { slackErrorName } from './errors.ts';
import type { Installation } from './identity.ts';
import { RecentAnswers } from './recent-answers.ts';
import { soon } from './soon.ts';

// Looks up people in Slack: names, languages, and whether they belong to the workspace. Answers are kept for some minutes.

const KEEP_MS = 10 * 60_000;
/** A failed look-up is repeated, but not for every message. */
const KEEP_UNKNOWN_MS = 60_000;
const MAX_UNKNOWN = 5_000;
/** A person waits, and their modal can be opened for three seconds only. */
const LANGUAGE_MS = 500;
const TIME_ZONE_MS = 60_000;

export interface People {
  /** Resolves to the person's name in Slack, or to the one that came with their own action. Never throws. */
  nameOf(person: Person): Promise<string>;
  /** Resolves to true for people of the workspace or organisation; null if Slack can't tell. Never throws. */
  isInside(userId: string): Promise<boolean | null>;
  /** Resolves to the person's language in Slack, or to English after half a second. Never throws. */
  languageOf(userId: string): Promise<Language>;
  /** Resolves to the person's time zone, a minute old at most; UTC if Slack has none, null if it can't tell. Never throws. */
  timeZoneOf(userId: string): Promise<string | null>;
}

/** Looks up people's names before a view is rendered, since views are pure. */
export type NamesOf = (...people: (Person | null | undefined)[]) => Promise<NameOf>;

export function createPeople(slackUsers: SlackUsers, installation: Installation): People {
  const unknown = new LRUCache<string, true>({ max: MAX_UNKNOWN, ttl: KEEP_UNKNOWN_MS });
  async function find(userId: string): Promise<SlackUser | null> {
    if (unknown.has(userId)) return null;
    const user = await slackUsers.find(userId, KEEP_MS).catch(() => null);
    if (!user) unknown.set(userId, true);
    return user;
  }
  return {
    nameOf: async ({ id, name }) => (await find(id))?.name ?? name,
    async isInside(userId) {
      const user = await find(userId);
      return user && isInside(user, installation);
    },
    languageOf: async (userId) => languageOf((await soon(LANGUAGE_MS, find(userId), null))?.locale ?? null),
    timeZoneOf: (userId) =>
      slackUsers.find(userId, TIME_ZONE_MS).then(
        (user) => (user?.timeZone && isTimeZone(user.timeZone) ? user.timeZone : 'UTC'),
        () => null,
      ),
  };
}

export function createNamesOf(people: People): NamesOf {
  return async (...persons) => {
    const personById = new Map(persons.flatMap((person) => (person ? [[person.id, person]] : [])));
    const names = Array.from(personById.values(), async (person) => [person.id, await people.nameOf(person)] as const);
    const nameById = new Map(await Promise.all(names));
    return (person) => nameById.get(person.id) ?? person.name;
  };
}

const MAX_USERS = 5_000;

/** A user as Slack describes them. https://docs.slack.dev/reference/objects/user-object */
export type SlackUser = ReturnType<typeof userOf>;

export interface SlackUsers {
  /** Resolves to what Slack said less than `mostAgeMs` ago; null if there is no such user. Rejects if Slack can't tell. */
  find(userId: string, mostAgeMs: Millis): Promise<SlackUser | null>;
}

/**
 * Returns true for a user of the workspace or organisation, guests included; null if Slack says too little. The home workspace of a person
 * in an organisation may be one that the app isn't in.
 */
export function isInside(user: SlackUser, installation: Installation): boolean | null {
  const { teamId, teamIds, enterpriseId, isStranger } = user;
  if (isStranger) return false;
  if (teamId === null && teamIds.length === 0 && enterpriseId === null) return null;
  switch (installation.kind) {
    case 'workspace':
      return installation.teamId === '' ? null : [teamId, ...teamIds].includes(installation.teamId);
    case 'organisation':
      return installation.enterpriseId === '' ? null : enterpriseId === installation.enterpriseId;
  }
}

/** @param client must not retry: what it throws means that Slack can't tell */
export function createSlackUsers(client: WebClient, { now }: { now?: () => Millis } = {}): SlackUsers {
  return new RecentAnswers((userId) => fetchUser(client, userId), { most: MAX_USERS, now });
}

/**
 * Deactivated users and users of other organisations lack many fields, such as `deleted` (https://docs.slack.dev/apis/slack-connect). Users
 * of an Enterprise Grid organisation lack `team_id` (https://github.com/looker/lookerbot/issues/184).
 */
const FLAG = z.boolean().default(false);
const USER = z.object({
  id: z.string().min(1),
  team_id: z.string().min(1).nullish(),
  name: z.string().nullish(),
  real_name: z.string().nullish(),
  profile: z
    .object({ display_name: z.string().nullish(), real_name: z.string().nullish(), email: z.string().nullish() })
    .default({}),
  deleted: FLAG,
  is_bot: FLAG,
  is_workflow_bot: FLAG,
  is_connector_bot: FLAG,
  is_restricted: FLAG,
  is_ultra_restricted: FLAG,
  is_stranger: FLAG,
  locale: z.string().nullish(),
  tz: z.string().nullish(),
  enterprise_user: z
    .object({ id: z.string().optional(), enterprise_id: z.string().optional(), teams: z.array(z.string()).default([]) })
    .nullish(),
});

/** Slackbot, which Slack doesn't mark as a bot. */
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

function userOf(user: z.infer<typeof USER>) {
  const { id, team_id: teamId, profile, enterprise_user: enterpriseUser } = user;
  return {
    id,
    name: profile.display_name || profile.real_name || user.real_name || user.name || null,
    /** The home workspace; null if Slack doesn't say. */
    teamId: teamId ?? null,
    /** The Enterprise Grid organisation, the user's workspaces in it, and the user's id in it; null if Slack names none. */
    enterpriseId: enterpriseUser?.enterprise_id ?? null,
    teamIds: enterpriseUser?.teams ?? [],
    enterpriseUserId: enterpriseUser?.id ?? null,
    /** Null without the scope users:read.email. */
    email: profile.email || null,
    isBot: user.is_bot || user.is_workflow_bot || user.is_connector_bot || id === SLACKBOT_ID,
    isDeactivated: user.deleted,
    isRestricted: user.is_restricted || user.is_ultra_restricted,
    isStranger: user.is_stranger,
    locale: user.locale || null,
    timeZone: user.tz || null,
  };
}
