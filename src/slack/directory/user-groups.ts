// Reads the user groups of the workspace all at once, and updates them by the events that report changes.
import { WebAPIRateLimitedError, type WebClient } from '@slack/web-api';
import pLimit from 'p-limit';
import { z } from 'zod';
import type { GroupChanges } from '../../core/ports.ts';
import type { Millis } from '../../core/values/time.ts';
import { changeGroup, type GroupChange, type UserGroup } from '../../core/values/user-groups.ts';
import { retryAfterMs, slackErrorName } from '../api/errors.ts';
import { createRateLimiters, type Rank, type RateLimiter } from '../api/rate-limiter.ts';
import { RecentAnswers } from '../api/recent-answers.ts';
import { inEach, type WorkspaceArguments, type Workspaces } from '../api/workspaces.ts';
import { GIVE_UP_MS, MOST_AGE_MS, type Purpose } from './purpose.ts';

export interface UserGroups {
  /** Resolves to all groups, disabled ones too. Rejects if Slack can't tell. */
  all(purpose: Purpose): Promise<readonly UserGroup[]>;
  /** Resolves to the ids of a group's members; none if it doesn't exist or is disabled. Rejects if Slack can't tell. */
  membersOf(groupId: string, purpose: Purpose): Promise<ReadonlySet<string>>;
}

/** Decisions don't wait behind lists, and part of the burst is left to them. */
const RANKS: Record<Purpose, Rank> = { fact: 'card', shown: 'status' };

/** Slack's list of all groups, with the changes that events have reported since. */
interface Reading {
  groups: Map<string, UserGroup>;
  askedAt: Millis;
  /** The position of the last change that was applied. */
  position: string;
  /** The next look for changes, until it begins, so that a decision about twenty groups needs only one. */
  look: Promise<void> | null;
}

/**
 * A reading for a decision is a minute old at most, so that a missed event does little harm; one that is only shown, ten minutes. Events
 * count at once, in every process.
 * @param client must not retry: what it throws means that Slack can't tell
 */
export function createUserGroups(
  client: WebClient,
  {
    workspaces = async () => [{}],
    changes = NO_CHANGES,
    limiter = createRateLimiters().userGroups,
    now = () => performance.now(),
  }: { workspaces?: Workspaces; changes?: GroupChanges; limiter?: RateLimiter; now?: (() => Millis) | undefined } = {},
): UserGroups {
  const homes = new Map<string, WorkspaceArguments>();
  const listMembers = async (id: string) => fetchMembers(client, id, homes.get(id) ?? (await workspaces())[0] ?? {});
  const begun = new Map<Purpose, Promise<Reading>>();
  const memberLists = {
    fact: new RecentAnswers((id) => callInTurn('fact', () => listMembers(id)), { most: MAX_LISTS, now }),
    shown: new RecentAnswers((id) => callInTurn('shown', () => listMembers(id)), { most: MAX_LISTS, now }),
  };
  const oneAtATime = pLimit(1);
  let last: Reading | null = null;

  async function callInTurn<Answer>(purpose: Purpose, call: () => Promise<Answer>): Promise<Answer> {
    if (!(await limiter.turn(RANKS[purpose], GIVE_UP_MS))) throw new Error('too many questions about user groups');
    try {
      return await call();
    } catch (error) {
      if (error instanceof WebAPIRateLimitedError) await limiter.backOff(retryAfterMs(error) ?? 0);
      throw error;
    }
  }

  const recent = (purpose: Purpose) => (last && now() - last.askedAt < MOST_AGE_MS[purpose] ? last : null);

  const read = (purpose: Purpose) =>
    callInTurn(purpose, async () => {
      // A decision may have read the groups in the meantime.
      const newer = recent(purpose);
      if (newer) {
        await limiter.leave();
        return newer;
      }
      const position = await changes.latest();
      const askedAt = now();
      const listed = await inEach(workspaces, async (workspace) =>
        (await fetchGroups(client, workspace)).map((group) => ({ group, workspace })),
      );
      for (const { group, workspace } of listed) homes.set(group.id, workspace);
      const groups = new Map(listed.map(({ group }) => [group.id, group]));
      const reading: Reading = { groups, askedAt, position, look: null };
      if (!last || last.askedAt <= askedAt) last = reading;
      return reading;
    });

  /** Shares one call among simultaneous readers, except that no decision (`fact`) waits for the turn of a list. */
  function readOnce(purpose: Purpose): Promise<Reading> {
    const shared = begun.get('fact') ?? begun.get(purpose);
    if (shared) return shared;
    const reading = read(purpose).finally(() => begun.delete(purpose));
    begun.set(purpose, reading);
    return reading;
  }

  async function current(purpose: Purpose): Promise<Reading['groups']> {
    const reading = recent(purpose) ?? (await readOnce(purpose));
    reading.look ??= oneAtATime(async () => {
      reading.look = null;
      const { changes: later, position } = await changes.after(reading.position);
      for (const change of later) {
        const id = change.kind === 'group' ? change.group.id : change.groupId;
        const group = changeGroup(reading.groups.get(id) ?? null, change);
        if (group) reading.groups.set(id, group);
      }
      reading.position = position;
    });
    await reading.look;
    return reading.groups;
  }

  return {
    all: async (purpose) => [...(await current(purpose)).values()],
    async membersOf(id, purpose) {
      const groups = await current(purpose);
      const group = groups.get(id);
      if (!group || group.isDisabled) return new Set();
      if (group.members) return new Set(group.members);
      const members = await memberLists[purpose].find(id, 0);
      if (groups.get(id) === group) groups.set(id, { ...group, members });
      return new Set(members);
    },
  };
}

const MAX_LISTS = 500;

/** Changes of a process that receives no events. */
export const NO_CHANGES: GroupChanges = {
  add: async () => {},
  latest: async () => '',
  after: async (position) => ({ changes: [], position }),
};

/** Slack sends the number of members as a text. https://docs.slack.dev/reference/objects/usergroup-object */
const GROUP = z
  .object({
    id: z.string().min(1),
    handle: z.string(),
    date_update: z.number().default(0),
    date_delete: z.number().nullish(),
    users: z.array(z.string()).nullish(),
    user_count: z.coerce.number().nullish(),
  })
  .transform(
    ({ id, handle, date_update: updatedAt, date_delete: deletedAt, users, user_count: count }): UserGroup => ({
      id,
      handle: handle.toLowerCase(),
      isDisabled: Boolean(deletedAt),
      updatedAt,
      // Events list 500 members at most: https://docs.slack.dev/reference/events/subteam_updated
      members: users && users.length >= (count ?? users.length) ? users : null,
    }),
  );

async function fetchGroups(client: WebClient, workspace: WorkspaceArguments): Promise<UserGroup[]> {
  const details = { include_disabled: true, include_users: true, include_count: true };
  const answer = await client.usergroups.list({ ...details, ...workspace });
  return z.array(GROUP).parse(answer.usergroups);
}

const MEMBERS = z.array(z.string());

async function fetchMembers(
  client: WebClient,
  usergroup: string,
  workspace: WorkspaceArguments,
): Promise<readonly string[]> {
  try {
    const answer = await client.usergroups.users.list({ usergroup, ...workspace });
    return MEMBERS.parse(answer.users);
  } catch (error) {
    if (slackErrorName(error) === 'no_such_subteam') return [];
    throw error;
  }
}

/** https://docs.slack.dev/reference/events/subteam_updated, https://docs.slack.dev/reference/events/subteam_members_changed */
const EVENT = z.union([
  z.object({ subteam: GROUP }).transform(({ subteam: group }): GroupChange => ({ kind: 'group', group })),
  z
    .object({ subteam_id: z.string(), date_update: z.number() })
    .transform(
      ({ subteam_id: groupId, date_update: updatedAt }): GroupChange => ({ kind: 'members', groupId, updatedAt }),
    ),
]);

/** Parses an event about a group; null if it makes no sense. */
export function parseGroupEvent(event: unknown): GroupChange | null {
  return EVENT.safeParse(event).data ?? null;
}
