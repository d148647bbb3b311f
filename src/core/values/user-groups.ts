// User groups of the workspace, and the changes that Slack reports between two readings of all groups.

/** A group as Slack last described it. */
export interface UserGroup {
  id: string;
  /** Lower case, without the `@`. */
  handle: string;
  isDisabled: boolean;
  /** Time of the last change, in seconds by Slack's clock. */
  updatedAt: number;
  /** The ids of the members; null if they have changed since, or are too many to list. */
  members: readonly string[] | null;
}

/** `group` describes the whole group. `members` says only that somebody was added or removed. */
export type GroupChange = { kind: 'group'; group: UserGroup } | { kind: 'members'; groupId: string; updatedAt: number };

/** Returns the group after a change; null if it isn't known. Slack may report changes late and in any order: old ones change nothing. */
export function changeGroup(current: UserGroup | null, change: GroupChange): UserGroup | null {
  switch (change.kind) {
    case 'group': {
      const { group } = change;
      if (current === null || group.updatedAt > current.updatedAt) return group;
      return group.updatedAt === current.updatedAt && group.members !== null ? group : current;
    }
    case 'members':
      if (current === null || change.updatedAt <= current.updatedAt) return current;
      return { ...current, updatedAt: change.updatedAt, members: null };
  }
}
