import type { WebClient } from '@slack/web-api';
import type { Person } from '../../core/approval/approval.ts';

const KEEP_MS = 10 * 60_000;
/** A name that can't be had is asked for again, but not with every message. */
const KEEP_UNKNOWN_MS = 60_000;
const MOST = 5_000;

/** The names that people go by in Slack, for texts that must not mention (and so notify) them. */
export interface People {
  /** The name shown in Slack, or the one that came with the person's own action. Never throws. */
  nameOf(person: Person): Promise<string>;
  /** The workspace a person belongs to; null when that can't be found out. */
  teamOf(userId: string): Promise<string | null>;
}

interface Known {
  name: string | null;
  teamId: string | null;
  until: number;
}

export function createPeople(client: WebClient): People {
  const known = new Map<string, Promise<Known>>();

  const fetched = async (userId: string): Promise<Known> => {
    try {
      const { user } = await client.users.info({ user: userId });
      const name = user?.profile?.display_name || user?.profile?.real_name || user?.real_name || user?.name || null;
      return { name, teamId: user?.team_id ?? null, until: performance.now() + KEEP_MS };
    } catch {
      return { name: null, teamId: null, until: performance.now() + KEEP_UNKNOWN_MS };
    }
  };

  const find = async (userId: string): Promise<Known> => {
    const cached = await known.get(userId);
    if (cached && cached.until > performance.now()) return cached;
    if (known.size >= MOST) known.clear();
    const asked = fetched(userId);
    known.set(userId, asked);
    return asked;
  };

  return {
    nameOf: async ({ id, name }) => (await find(id)).name ?? name,
    teamOf: async (userId) => (await find(userId)).teamId,
  };
}
