import { applyChange } from '../administration/apply-change.ts';
import type { Account, AdminChange, Role } from '../administration/change.ts';
import { changed, isPerson } from '../administration/people.ts';
import { isTimeZone } from '../block-kit/time-zone.ts';
import { accessChanged, appUninstalled, tokenRevoked } from '../interactions/workspace-events.ts';
import { type Features, memberById, type Workspace } from '../runtime/workspace.ts';
import { findChannel } from '../state/channels.ts';
import { SLACKBOT_ID } from '../state/seed.ts';
import type { StoredMember } from '../state/workspace-state.ts';
import { setPresence } from './act.ts';

/**
 * Changes that a workspace's primary owner can make at any time; the app gets events. People are named by id or handle,
 * groups and channels by id or name; every call throws if there is no such thing, or if Slack wouldn't allow it.
 */
export type Administration = {
  invite(invited: { name: string; realName: string; account?: Account; channels?: readonly string[] }): void;
  /** They leave all channels and groups, and can't act any more or be found by e-mail. */
  deactivate(person: string): void;
  /** They come back to no channel or group. */
  reactivate(person: string): void;
  /** Turns a person into a guest, or into a member again. Guests leave all groups. */
  changeKind(person: string, kind: Account): void;
  changeRole(person: string, role: Role): void;
  /** Sets another language, such as `de-DE`, like the person could. Throws if that is no locale. */
  changeLocale(person: string, locale: string): void;
  /** Sets another time zone, such as `Asia/Tokyo`, like the person could. Throws if there is no such zone. */
  changeTimeZone(person: string, timeZone: string): void;
  /** Sets the person away, or back, like they could. */
  changePresence(person: string, presence: 'auto' | 'away'): void;
  createGroup(group: { name: string; handle: string; members?: readonly string[] }): void;
  changeGroup(group: string, changed: { name?: string; handle?: string }): void;
  setGroupMembers(group: string, people: readonly string[]): void;
  /** Its members stay, for when it is enabled again. */
  disableGroup(group: string): void;
  enableGroup(group: string): void;
  createChannel(name: string, kind: 'public' | 'private'): void;
  renameChannel(channel: string, name: string): void;
  /** Shares it with another organisation; a private channel gets a new id. */
  shareChannel(channel: string): void;
  archiveChannel(channel: string): void;
  unarchiveChannel(channel: string): void;
  addToChannel(channel: string, person: string): void;
  removeFromChannel(channel: string, person: string): void;
  /** The blocks that the workspace refuses from now on, in messages and views. */
  setMissingBlocks(missing: Features['missingBlocks']): void;
  /** For how long messages can be edited from now on, as *Message Editing* in the workspace's settings; null for ever. */
  setEditWindow(milliseconds: number | null): void;
  /** Adds an organisation's app to one of its workspaces (by id or name), or removes it there. */
  setAccess(workspace: string, access: 'granted' | 'revoked'): void;
  /** Revokes the bot token (`token_revoked`) or uninstalls the app (`account_inactive`), of which it gets an event, or undoes that. */
  setBotToken(botToken: Features['botToken']): void;
};

export function createAdministration(workspace: Workspace): Administration {
  const idOf = (person: string) => memberId(workspace, person);
  const group = (name: string) => groupId(workspace, name);
  const channel = (name: string) => channelId(workspace, name);
  const change = (made: AdminChange) => {
    const refusal = applyChange(workspace, ownerOf(workspace), made);
    if (refusal !== undefined) throw new Error(refusal);
  };
  return {
    invite: ({ account = 'member', channels = [], ...who }) =>
      change({ kind: 'invite', ...who, account, channels: channels.map(channel) }),
    deactivate: (person) => change({ kind: 'deactivate', person: idOf(person) }),
    reactivate: (person) => change({ kind: 'reactivate', person: idOf(person) }),
    changeKind: (person, account) => change({ kind: 'change-account', person: idOf(person), account }),
    changeRole: (person, role) => change({ kind: 'change-role', person: idOf(person), role }),
    changeLocale(person, locale) {
      Intl.getCanonicalLocales(locale);
      ofPerson(workspace, person, { locale });
    },
    changeTimeZone(person, timeZone) {
      if (!isTimeZone(timeZone)) throw new Error(`no time zone ${timeZone}`);
      ofPerson(workspace, person, { timeZone });
    },
    changePresence: (person, presence) => void setPresence(workspace, idOf(person), presence),
    createGroup: ({ members = [], ...named }) => change({ kind: 'create-group', ...named, members: members.map(idOf) }),
    changeGroup: (name, changes) => change({ kind: 'change-group', group: group(name), ...changes }),
    setGroupMembers: (name, people) => change({ kind: 'change-group', group: group(name), members: people.map(idOf) }),
    disableGroup: (name) => change({ kind: 'disable-group', group: group(name) }),
    enableGroup: (name) => change({ kind: 'enable-group', group: group(name) }),
    createChannel: (name, kind) => change({ kind: 'create-channel', name, isPrivate: kind === 'private' }),
    renameChannel: (name, to) => change({ kind: 'rename-channel', channel: channel(name), name: to }),
    shareChannel: (name) => change({ kind: 'share-channel', channel: channel(name) }),
    archiveChannel: (name) => change({ kind: 'archive-channel', channel: channel(name) }),
    unarchiveChannel: (name) => change({ kind: 'unarchive-channel', channel: channel(name) }),
    addToChannel: (name, person) => change({ kind: 'add-to-channel', channel: channel(name), person: idOf(person) }),
    removeFromChannel: (name, person) =>
      change({ kind: 'remove-from-channel', channel: channel(name), person: idOf(person) }),
    setMissingBlocks: (missing) => {
      workspace.features.missingBlocks = missing;
    },
    setEditWindow(milliseconds) {
      workspace.features.editWindowMs = milliseconds;
    },
    setAccess(name, access) {
      const { organisation } = workspace.state;
      const team = organisation?.workspaces.find((one) => one.id === name || one.name === name);
      if (!organisation || !team) throw new Error(`no workspace ${name} in an organisation`);
      const others = organisation.granted.filter((id) => id !== team.id);
      organisation.granted = access === 'granted' ? [...others, team.id] : others;
      workspace.touch();
      accessChanged(workspace, team.id, access);
    },
    setBotToken(botToken) {
      workspace.features.botToken = botToken;
      if (botToken === 'token_revoked') tokenRevoked(workspace);
      if (botToken === 'account_inactive') appUninstalled(workspace);
    },
  };
}

function ownerOf({ state }: Workspace): string {
  return state.members.find(({ role }) => role === 'primary-owner')?.id ?? SLACKBOT_ID;
}

function ofPerson(workspace: Workspace, reference: string, changes: Partial<StoredMember>): void {
  const member = memberById(workspace, memberId(workspace, reference));
  Object.assign(member, changes);
  if (isPerson(member)) changed(workspace, member);
  else workspace.touch();
}

/** The id of a member given by id or handle. Throws if there is none. */
export function memberId({ state }: Workspace, reference: string): string {
  const member = state.members.find(({ id, name }) => id === reference || name === reference);
  if (!member) throw new Error(`no member ${reference}; members: ${state.members.map(({ name }) => name).join(', ')}`);
  return member.id;
}

function groupId({ state }: Workspace, reference: string): string {
  const handle = reference.replace(/^@/, '');
  const match = state.groups.find((group) => group.id === reference || group.handle === handle);
  if (!match) throw new Error(`no group ${reference}; groups: ${state.groups.map((group) => group.handle).join(', ')}`);
  return match.id;
}

function channelId({ state }: Workspace, reference: string): string {
  const channel = findChannel(state, reference);
  if (!channel) throw new Error(`no channel ${reference}`);
  return channel.id;
}
