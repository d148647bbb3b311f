import { setTimeout as delay } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import type { Person } from '../../core/approval/approval.ts';
import type { Language } from '../../core/language.ts';
import { isTimeZone } from '../../core/zone-offset.ts';
import { languageOf } from '../language/say.ts';
import type { NameOf } from '../ui/person.ts';
import type { SlackUser, SlackUsers } from './slack-users.ts';

const KEEP_MS = 10 * 60_000;
/** A failed lookup is retried, but not with every message. */
const KEEP_UNKNOWN_MS = 60_000;
const MAX_UNKNOWN = 5_000;
const LANGUAGE_MS = 500;
const TIME_ZONE_MS = 60_000;

/** Who people are in Slack. */
export interface People {
  /** The name shown in Slack, or the one that came with the person's own action. Never throws. */
  nameOf(person: Person): Promise<string>;
  /** The workspace a person belongs to, or null if Slack doesn't say. Never throws. */
  teamOf(userId: string): Promise<string | null>;
  /** The language that the person has chosen in Slack, or English if Slack doesn't say within half a second. Never throws. */
  languageOf(userId: string): Promise<Language>;
  /** The time zone that a person is in, at most a minute ago; UTC if Slack has none, null if it can't tell. Never throws. */
  timeZoneOf(userId: string): Promise<string | null>;
}

/** Looks up the names of some people before a view is rendered, since views are pure. */
export type NamesOf = (...people: (Person | null | undefined)[]) => Promise<NameOf>;

export function createPeople(slackUsers: SlackUsers): People {
  const unknown = new LRUCache<string, true>({ max: MAX_UNKNOWN, ttl: KEEP_UNKNOWN_MS });
  async function find(userId: string): Promise<SlackUser | null> {
    if (unknown.has(userId)) return null;
    const user = await slackUsers.find(userId, KEEP_MS).catch(() => null);
    if (!user) unknown.set(userId, true);
    return user;
  }
  return {
    nameOf: async ({ id, name }) => (await find(id))?.name ?? name,
    teamOf: async (userId) => (await find(userId))?.teamId ?? null,
    languageOf: async (userId) => languageOf((await soon(find(userId)))?.locale ?? null),
    timeZoneOf: (userId) =>
      slackUsers.find(userId, TIME_ZONE_MS).then(
        (user) => (user?.timeZone && isTimeZone(user.timeZone) ? user.timeZone : 'UTC'),
        () => null,
      ),
  };
}

/** A person waits for the answer, and their modal can be opened for three seconds only. */
function soon<Value>(wanted: Promise<Value>): Promise<Value | null> {
  return Promise.race([wanted, delay(LANGUAGE_MS, null, { ref: false })]);
}

export function createNamesOf(people: People): NamesOf {
  return async (...wanted) => {
    const asked = new Map(wanted.flatMap((person) => (person ? [[person.id, person]] : [])));
    const named = Array.from(asked.values(), async (person) => [person.id, await people.nameOf(person)] as const);
    const found = new Map(await Promise.all(named));
    return (person) => found.get(person.id) ?? person.name;
  };
}
