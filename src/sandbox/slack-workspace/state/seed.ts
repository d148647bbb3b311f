import type { Team, UserGroup } from '../people-api.ts';
import { nextTs } from './identifiers.ts';
import { type SeedMember, storedMember } from './seed-member.ts';
import type { WorkspaceState } from './workspace-state.ts';

type SeedChannel = {
  id: string;
  name: string;
  kind?: 'public' | 'private';
  topic?: string;
  isArchived?: boolean;
  isShared?: boolean;
  /** Handles or ids; `@app` is the installed app's bot. Default: every full member and the app. */
  members?: string[];
};

/** The initial content of a workspace. */
export type Seed = {
  team: Team;
  members: SeedMember[];
  groups: UserGroup[];
  channels: SeedChannel[];
  /** A message from Slackbot on what to try first. */
  welcome?: { channel: string; text: string };
};

export const SLACKBOT_ID = 'USLACKBOT';

/** The default workspace: a small company. */
export const DEFAULT_SEED: Seed = {
  team: { id: 'T0SANDBOX1', name: 'Sandbox', domain: 'sandbox' },
  members: [
    {
      id: 'UMARIA001',
      name: 'maria',
      realName: 'Maria Alvarez',
      title: 'Release manager',
      timeZone: 'Europe/Madrid',
      role: 'primary-owner',
    },
    { id: 'UJON00002', name: 'jon', realName: 'Jon Bell', title: 'Engineer', timeZone: 'America/New_York' },
    {
      id: 'UAIKO0003',
      name: 'aiko',
      realName: 'Aiko Tanaka',
      title: 'Head of research',
      timeZone: 'Asia/Tokyo',
      role: 'admin',
    },
    { id: 'UPRIYA004', name: 'priya', realName: 'Priya Nair', title: 'Legal', timeZone: 'Asia/Kolkata' },
    {
      id: 'UGUEST005',
      name: 'gina',
      realName: 'Gina Rossi',
      title: 'Contractor',
      kind: 'guest',
      timeZone: 'Europe/Rome',
    },
    { id: 'USTRANGE6', name: 'sam', realName: 'Sam Okafor', title: 'Partner', kind: 'stranger' },
  ],
  groups: [
    { id: 'SRELEASE1', handle: 'release-managers', name: 'Release managers', memberIds: ['UMARIA001', 'UAIKO0003'] },
    { id: 'SLEGAL002', handle: 'legal', name: 'Legal', memberIds: ['UPRIYA004'] },
  ],
  channels: [
    { id: 'C0GENERAL1', name: 'general', topic: 'Company-wide' },
    { id: 'C0RELEASE2', name: 'releases', topic: 'What we ship', members: ['maria', 'jon', 'aiko', 'gina', '@app'] },
    { id: 'C0INCIDNT3', name: 'incidents', kind: 'private', members: ['maria', 'jon', '@app'] },
    {
      id: 'C0PARTNER4',
      name: 'partners',
      topic: 'Shared with Northwind',
      isShared: true,
      members: ['maria', 'jon', 'sam', '@app'],
    },
    { id: 'C0RANDOM05', name: 'random', topic: 'No app here', members: ['maria', 'jon', 'aiko', 'priya'] },
    { id: 'C0SECRET06', name: 'leadership', kind: 'private', topic: 'No app here', members: ['maria', 'priya'] },
    { id: 'C0LAUNCH07', name: 'launch-2025', topic: 'Done', isArchived: true },
  ],
  welcome: {
    channel: 'general',
    text: 'Welcome! Type */* in the message box below to see what the installed app can do.',
  },
};

/** The initial state of a workspace with an installed app. */
export function seededState(
  seed: Seed,
  app: { botUserId: string; name: string; handle: string },
  nowMs: number,
): WorkspaceState {
  const people = seed.members.map((member, index) => storedMember(seed.team, member, index));
  const bot = storedMember(
    seed.team,
    { id: app.botUserId, name: app.handle, realName: app.name, kind: 'app', color: '#444b5a' },
    0,
  );
  const slackbot = storedMember(
    seed.team,
    { id: SLACKBOT_ID, name: 'slackbot', realName: 'Slackbot', kind: 'slackbot', color: '#5a6270' },
    0,
  );
  const isGone = (id: string) => people.some((member) => member.id === id && member.isDeactivated === true);
  const everyone = [...people.filter((member) => member.kind === 'member').map((member) => member.id), bot.id];
  const idOf = (reference: string) =>
    reference === '@app'
      ? bot.id
      : (people.find((member) => member.id === reference || member.name === reference)?.id ?? reference);
  const created = Math.floor(nowMs / 1000);
  const state: WorkspaceState = {
    team: { ...seed.team },
    members: [...people, bot, slackbot],
    groups: seed.groups.map((group) => ({ ...group, memberIds: group.memberIds.filter((id) => !isGone(id)) })),
    channels: seed.channels.map((channel) => ({
      id: channel.id,
      name: channel.name,
      kind: channel.kind ?? 'public',
      topic: channel.topic ?? '',
      isArchived: channel.isArchived ?? false,
      isShared: channel.isShared ?? false,
      memberIds: (channel.members?.map(idOf) ?? everyone).filter((id) => !isGone(id)),
      created,
    })),
    messages: [],
    views: [],
    files: [],
    reads: {},
    lastTs: nowMs * 1000,
    idsMade: 0,
  };
  welcome(state, seed, nowMs);
  return state;
}

function welcome(state: WorkspaceState, seed: Seed, nowMs: number): void {
  const channel = seed.channels.find((candidate) => candidate.name === seed.welcome?.channel);
  if (!seed.welcome || !channel) return;
  state.messages.push({
    channel: channel.id,
    ts: nextTs(state, nowMs),
    userId: SLACKBOT_ID,
    text: seed.welcome.text,
    blocks: [],
    fileIds: [],
    broadcast: false,
    tombstone: false,
    notifies: [],
    inputs: {},
  });
}
