import { isTimeZone } from '../block-kit/time-zone.ts';
import type { MemberKind, UserGroup } from '../people-api.ts';
import { type Features, memberById, type Workspace } from '../runtime/workspace.ts';
import { addMember, findChannel, removeMember } from '../state/channels.ts';
import type { StoredChannel, StoredMember } from '../state/workspace-state.ts';

/** What a person of this workspace can be. */
const PERSON_KINDS = ['member', 'guest', 'channel-guest'] as const satisfies MemberKind[];

type PersonKind = (typeof PERSON_KINDS)[number];

/**
 * What a workspace admin can change at any time. The app is not told. People are given by id or handle, groups and
 * channels by id or name; every call throws if there is no such thing.
 */
export type Administration = {
  setGroupMembers(group: string, people: readonly string[]): void;
  /** Its members stay, for when it is enabled again. */
  disableGroup(group: string): void;
  enableGroup(group: string): void;
  addToChannel(channel: string, person: string): void;
  removeFromChannel(channel: string, person: string): void;
  /** They can't act any more or be found by e-mail. Channels and groups still have them. */
  deactivate(person: string): void;
  reactivate(person: string): void;
  /** Turns a person into a guest, or into a member again. Their channels and groups stay. */
  changeKind(person: string, kind: PersonKind): void;
  /** As if the person had chosen another language, such as `de-DE`. */
  changeLocale(person: string, locale: string): void;
  /** As if the person had chosen another time zone, such as `Asia/Tokyo`. Throws if there is no such zone. */
  changeTimeZone(person: string, timeZone: string): void;
  /** Whether messages may have data visualization blocks from now on. */
  setCharts(charts: Features['charts']): void;
};

export function createAdministration(workspace: Workspace): Administration {
  const idOf = (person: string) => memberId(workspace, person);
  const inGroup = (name: string, change: (group: UserGroup) => void) => {
    change(groupOf(workspace, name));
    workspace.touch();
  };
  const inChannel = (name: string, change: (channel: StoredChannel) => void) => {
    change(channelNamed(workspace, name));
    workspace.touch();
  };
  const ofPerson = (person: string, change: (member: StoredMember) => void) => {
    change(memberById(workspace, idOf(person)));
    workspace.touch();
  };
  return {
    setGroupMembers: (name, people) =>
      inGroup(name, (group) => {
        group.memberIds = people.map(idOf);
      }),
    disableGroup: (name) =>
      inGroup(name, (group) => {
        group.disabledAt = Math.floor(workspace.now() / 1000);
      }),
    enableGroup: (name) => inGroup(name, (group) => delete group.disabledAt),
    addToChannel: (name, person) => inChannel(name, (channel) => addMember(channel, idOf(person))),
    removeFromChannel: (name, person) => inChannel(name, (channel) => removeMember(channel, idOf(person))),
    deactivate: (person) =>
      ofPerson(person, (member) => {
        member.isDeactivated = true;
      }),
    reactivate: (person) => ofPerson(person, (member) => delete member.isDeactivated),
    changeKind: (person, kind) =>
      ofPerson(person, (member) => {
        if (!isPersonKind(member.kind)) throw new Error(`${person} is not a person of this workspace`);
        member.kind = kind;
      }),
    changeLocale: (person, locale) =>
      ofPerson(person, (member) => {
        member.locale = locale;
      }),
    changeTimeZone: (person, timeZone) => ofPerson(person, (member) => setTimeZone(member, timeZone)),
    setCharts: (charts) => {
      workspace.features.charts = charts;
    },
  };
}

function setTimeZone(member: StoredMember, timeZone: string): void {
  if (!isTimeZone(timeZone)) throw new Error(`no time zone ${timeZone}`);
  member.timeZone = timeZone;
}

export function isPersonKind(kind: unknown): kind is PersonKind {
  return PERSON_KINDS.some((one) => one === kind);
}

/** The id of a member given by id or handle. Throws if there is none. */
export function memberId({ state }: Workspace, reference: string): string {
  const found = state.members.find(({ id, name }) => id === reference || name === reference);
  if (!found) throw new Error(`no member ${reference}; members: ${state.members.map(({ name }) => name).join(', ')}`);
  return found.id;
}

function groupOf({ state }: Workspace, reference: string): UserGroup {
  const handle = reference.replace(/^@/, '');
  const found = state.groups.find((group) => group.id === reference || group.handle === handle);
  if (!found) throw new Error(`no group ${reference}; groups: ${state.groups.map((group) => group.handle).join(', ')}`);
  return found;
}

function channelNamed({ state }: Workspace, reference: string): StoredChannel {
  const found = findChannel(state, reference);
  if (!found) throw new Error(`no channel ${reference}`);
  return found;
}
