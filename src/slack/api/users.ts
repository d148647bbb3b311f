import type { WebClient } from '@slack/web-api';
import { LRUCache } from 'lru-cache';
import type { Person } from '../../core/approval/approval.ts';
import type { NameOf } from '../ui/person.ts';

const KEEP_MS = 10 * 60_000;
/** A failed lookup is retried, but not with every message. */
const KEEP_UNKNOWN_MS = 60_000;
const MAX_USERS = 5_000;

/** Who people are in Slack. */
export interface People {
  /** The name shown in Slack, or the one that came with the person's own action. Never throws. */
  nameOf(person: Person): Promise<string>;
  /** The workspace a person belongs to, or null if Slack doesn't say. Never throws. */
  teamOf(userId: string): Promise<string | null>;
}

/** Looks up the names of some people before a view is rendered, since views are pure. */
export type NamesOf = (...people: (Person | null | undefined)[]) => Promise<NameOf>;

interface User {
  name: string | null;
  teamId: string | null;
}

const UNKNOWN: User = { name: null, teamId: null };

export function createPeople(client: WebClient): People {
  const cache = new LRUCache<string, User>({
    max: MAX_USERS,
    ttl: KEEP_MS,
    fetchMethod: async (userId, _, { options }) => {
      const user = await fetchUser(client, userId);
      if (!user) options.ttl = KEEP_UNKNOWN_MS;
      return user ?? UNKNOWN;
    },
  });
  const find = async (userId: string) => (await cache.fetch(userId)) ?? UNKNOWN;
  return {
    nameOf: async ({ id, name }) => (await find(id)).name ?? name,
    teamOf: async (userId) => (await find(userId)).teamId,
  };
}

export function createNamesOf(people: People): NamesOf {
  return async (...wanted) => {
    const asked = new Map(wanted.flatMap((person) => (person ? [[person.id, person]] : [])));
    const named = Array.from(asked.values(), async (person) => [person.id, await people.nameOf(person)] as const);
    const found = new Map(await Promise.all(named));
    return (person) => found.get(person.id) ?? person.name;
  };
}

async function fetchUser(client: WebClient, userId: string): Promise<User | null> {
  try {
    const { user } = await client.users.info({ user: userId });
    const name = user?.profile?.display_name || user?.profile?.real_name || user?.real_name || user?.name || null;
    return { name, teamId: user?.team_id ?? null };
  } catch {
    return null;
  }
}
