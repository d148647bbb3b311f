import type { Member, UserGroup } from '../../people-api.ts';

/** A person's title, role and user groups: "Release manager · in @release-managers". */
export function roleOf(member: Member, groups: readonly UserGroup[]): string {
  const handles = groups
    .filter(({ memberIds, disabledAt }) => disabledAt === undefined && memberIds.includes(member.id))
    .map(({ handle }) => `@${handle.replace(/^@/, '')}`);
  const inGroups = handles.length > 0 ? `in ${handles.join(' and ')}` : '';
  return [member.title, accountOf(member), inGroups].filter(Boolean).join(' · ');
}

/** The names of a group's members, or why it has none. */
export function membersOf(group: UserGroup, memberName: (id: string) => string): string {
  if (group.disabledAt !== undefined) return 'This group is disabled.';
  return group.memberIds.map(memberName).join(', ') || 'Nobody is in this group.';
}

/** Namesakes from other organisations must differ in a list. */
export function nameInList({ realName, organisation }: Member): string {
  return organisation === undefined ? realName : `${realName} (${organisation})`;
}

const ROLES = { admin: 'Admin', owner: 'Owner', 'primary-owner': 'Primary owner' };

function accountOf({ kind, role, organisation = '', isDeactivated }: Member): string {
  if (isDeactivated) return 'Deactivated';
  switch (kind) {
    case 'member':
      return role === undefined ? '' : ROLES[role];
    case 'guest':
      return 'Guest';
    case 'channel-guest':
      return 'Guest in one channel';
    case 'stranger':
      return `${organisation} (another organisation)`.trim();
    case 'app':
    case 'slackbot':
      return 'App';
  }
}

/** It says how many people a channel has. */
export function memberCount({ memberIds: { length } }: { memberIds: readonly string[] }): string {
  return length === 1 ? '1 member' : `${length} members`;
}
