import type { WebClient } from '@slack/web-api';
import { z } from 'zod';
import { slackErrorName } from '../api/errors.ts';

/** https://docs.slack.dev/reference/objects/usergroup-object */
export interface UserGroup {
  id: string;
  /** In lower case, without the `@`. */
  handle: string;
  isDisabled: boolean;
}

const GROUPS = z.array(z.object({ id: z.string().min(1), handle: z.string(), date_delete: z.number().nullish() }));
const MEMBERS = z.array(z.string());

/** All groups of the workspace, the disabled ones, too. Rejects if Slack can't tell. */
export async function fetchGroups(client: WebClient): Promise<UserGroup[]> {
  const { usergroups } = await client.usergroups.list({ include_disabled: true });
  const groups = GROUPS.parse(usergroups);
  return groups.map(({ id, handle, date_delete }) => ({
    id,
    handle: handle.toLowerCase(),
    isDisabled: Boolean(date_delete),
  }));
}

/** The group with a handle, such as `@leads`. A disabled one only if no other has it. */
export function groupOfHandle(groups: readonly UserGroup[], name: string): UserGroup | null {
  const handle = name.replace(/^@/, '').toLowerCase();
  const found = groups.filter((group) => group.handle === handle);
  return found.find(({ isDisabled }) => !isDisabled) ?? found[0] ?? null;
}

/** The ids of a group's members; none if it doesn't exist or is disabled. Rejects if Slack can't tell. */
export async function fetchGroupMembers(client: WebClient, groupId: string): Promise<ReadonlySet<string>> {
  try {
    const answer = await client.usergroups.users.list({ usergroup: groupId });
    return new Set(MEMBERS.parse(answer.users));
  } catch (error) {
    if (slackErrorName(error) === 'no_such_subteam') return new Set();
    throw error;
  }
}
