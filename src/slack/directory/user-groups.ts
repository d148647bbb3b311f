// The user groups of the workspace: read all at once, and kept by the events that tell of changes.
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
  /** All groups, the disabled ones, too. Rejects if Slack can't tell. */
  all(purpose: Purpose): Promise<readonly UserGroup[]>;
  /** The ids of a group's members; none if it doesn't exist or is disabled. Rejects if Slack can't tell. */
  membersOf(groupId: string, purpose: Purpose): Promise<ReadonlySet<string>>;
}

/** A decision doesn't wait behind lists, and part of the burst is left to it. */
const RANKS: Record<Purpose, Rank> = { fact: 'card', shown: 'status' };

/** What Slack answered when it was asked for all groups, with the changes of which it has told since. */
interface Reading {
  groups: Map<string, UserGroup>;
  askedAt: Millis;
  /** Of the last change that is in it. */
  position: string;
  /** The next look for more of them, until it begins: a decision about twenty groups needs one. */
  look: Promise<void> | null;
}

/**
 * A reading on which a decision rests is a minute old at most, so that an event that was missed is made good; one that is only
 * shown, ten minutes. What events tell counts at once, in every process.
 * @param client one that doesn't retry: what it throws means that Slack can't tell
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
  /** In which workspace each group was found. */
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
      // A decision may have been faster.
      const found = recent(purpose);
      if (found) {
        await limiter.leave();
        return found;
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

  /** Who asks at the same time shares one call, but no decision waits for the turn of a list. */
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
      const told = await changes.after(reading.position);
      for (const change of told.changes) {
        const id = change.kind === 'group' ? change.group.id : change.groupId;
        const group = changeGroup(reading.groups.get(id) ?? null, change);
        if (group) reading.groups.set(id, group);
      }
      reading.position = told.position;
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

/** Where no events come in. */
export const NO_CHANGES: GroupChanges = {
  add: async () => {},
  latest: async () => '',
  after: async (position) => ({ changes: [], position }),
};

/** https://docs.slack.dev/reference/objects/usergroup-object, where the number of members is a text */
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
  const wanted = { include_disabled: true, include_users: true, include_count: true };
  const answer = await client.usergroups.list({ ...wanted, ...workspace });
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

/** What an event tells of a group; null if it makes no sense. */
export function parseGroupEvent(event: unknown): GroupChange | null {
  return EVENT.safeParse(event).data ?? null;
}
