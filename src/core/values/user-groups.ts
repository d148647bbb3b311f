// The user groups of the workspace, and what Slack tells of them between two readings of all of them.

/** A group as Slack described it last. */
export interface UserGroup {
  id: string;
  /** In lower case, without the `@`. */
  handle: string;
  isDisabled: boolean;
  /** When it was last changed, in seconds by Slack's clock. */
  updatedAt: number;
  /** The ids of its members; null if they have changed, or were too many to be listed. */
  members: readonly string[] | null;
}

/** `group`: all that is known about one now. `members`: somebody was added or removed. */
export type GroupChange = { kind: 'group'; group: UserGroup } | { kind: 'members'; groupId: string; updatedAt: number };

/** The group after a change; null if it isn't known. Slack may tell of changes late, and in any order: an old one changes nothing. */
export function changeGroup(known: UserGroup | null, change: GroupChange): UserGroup | null {
  switch (change.kind) {
    case 'group': {
      const { group } = change;
      if (known === null || group.updatedAt > known.updatedAt) return group;
      return group.updatedAt === known.updatedAt && group.members !== null ? group : known;
    }
    case 'members':
      if (known === null || change.updatedAt <= known.updatedAt) return known;
      return { ...known, updatedAt: change.updatedAt, members: null };
  }
}
