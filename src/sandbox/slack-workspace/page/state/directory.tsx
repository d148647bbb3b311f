import { createContext, useContext, useMemo } from 'react';
import type { Channel, Member, Snapshot, UserGroup } from '../../people-api.ts';
import { membersOf, roleOf } from './person-words.ts';

export type NamedChannel = Pick<Channel, 'id' | 'name' | 'kind' | 'isShared' | 'isArchived'>;

/** Looks up names for ids, as the viewing member knows them. */
export type Directory = {
  meId: string;
  /** The viewing member's. */
  timeZone: string;
  /** The viewing member's. */
  locale: string;
  members: Member[];
  channels: NamedChannel[];
  member(id: string): Member | undefined;
  memberName(id: string): string;
  channelName(id: string): string | undefined;
  groupHandle(id: string): string;
  groupMembers(id: string): string | undefined;
  role(id: string): string | undefined;
  isInGroup(id: string): boolean;
};

const DirectoryContext = createContext<Directory | undefined>(undefined);
export const DirectoryProvider = DirectoryContext.Provider;

export function useDirectory(): Directory {
  const directory = useContext(DirectoryContext);
  if (!directory) throw new Error('useDirectory needs a DirectoryProvider');
  return directory;
}

/** Changes identity only when a name changes, not with every message. */
export function useNewDirectory({ me, locale, members, groups, channels }: Snapshot): Directory {
  const { id: meId, timeZone } = me;
  const channelsJson = JSON.stringify(
    channels.map(
      ({ id, name, kind, isShared, isArchived }): NamedChannel => ({ id, name, kind, isShared, isArchived }),
    ),
  );
  return useMemo(
    () => createDirectory({ meId, timeZone, locale, members, groups, channels: JSON.parse(channelsJson) }),
    [meId, timeZone, locale, members, groups, channelsJson],
  );
}

type Known = Pick<Directory, 'meId' | 'timeZone' | 'locale' | 'members' | 'channels'> & { groups: UserGroup[] };

function createDirectory({ meId, timeZone, locale, members, groups, channels }: Known): Directory {
  const memberById = new Map(members.map((member) => [member.id, member]));
  const group = (id: string) => groups.find((candidate) => candidate.id === id);
  const memberName = (id: string) => memberById.get(id)?.realName ?? id;
  return {
    meId,
    timeZone,
    locale,
    members,
    channels,
    member: (id) => memberById.get(id),
    memberName,
    channelName: (id) => channels.find((channel) => channel.id === id)?.name,
    groupHandle: (id) => group(id)?.handle.replace(/^@/, '') ?? id,
    groupMembers: (id) => {
      const mentionedGroup = group(id);
      return mentionedGroup && membersOf(mentionedGroup, memberName);
    },
    role: (id) => {
      const member = memberById.get(id);
      return member && (roleOf(member, groups) || undefined);
    },
    isInGroup: (id) => group(id)?.memberIds.includes(meId) ?? false,
  };
}
