// The people and things that are there when a workspace starts.

import type { AdminRole, MemberKind, Team, UserGroup } from '../people-api.ts';
import { nextTs } from './identifiers.ts';
import { mentionedMembers } from './mentions.ts';
import { haveInCommon } from './organisation.ts';
import type { StoredChannel, StoredMember, StoredMessage, WorkspaceState } from './workspace-state.ts';

type SeedChannel = {
  id: string;
  name: string;
  kind?: 'public' | 'private';
  topic?: string;
  isArchived?: boolean;
  isShared?: boolean;
  /** The workspaces of the organisation that it is in, by id. Default: the first. */
  workspaces?: string[];
  /** Handles or ids; `@app` is the installed app's bot. Default: every full member and the app. */
  members?: string[];
};

export type SeedMember = {
  id: string;
  /** The handle, as in `@maria`. */
  name: string;
  realName: string;
  title?: string;
  timeZone?: string;
  kind?: MemberKind;
  role?: AdminRole;
  color?: string;
  /** Default: the handle at the team's domain. */
  email?: string;
  /** The team of a stranger. Default: Northwind. */
  team?: { id: string; name: string };
  enterpriseUserId?: string;
  /** Their workspaces in the organisation, by id; the first is their home. Default: the first one. */
  workspaces?: string[];
  /** The language that they have chosen. Default: `en-US`. */
  locale?: string;
  isDeactivated?: boolean;
};

/** The initial content of a workspace. */
export type Seed = {
  team: Team;
  members: SeedMember[];
  groups: (UserGroup & { workspaceId?: string })[];
  channels: SeedChannel[];
  /** The organisation whose first workspace is `team`. The app is added to all of its workspaces. */
  organisation?: Team & { workspaces: Team[] };
  /** The first messages, oldest first. */
  messages?: SeedMessage[];
};

/** `from` is a handle, `slackbot`, or `@app` for the installed app's bot; `text` is mrkdwn. */
type SeedMessage = { channel: string; from: string; text: string; replies?: Pick<SeedMessage, 'from' | 'text'>[] };

export const SLACKBOT_ID = 'USLACKBOT';

/** The installed app's bot, in channels and messages of a seed. */
export const APP_REFERENCE = '@app';

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
  messages: [
    {
      channel: 'general',
      from: 'slackbot',
      text: 'Welcome! Type */* in the message box below to see what the installed app can do.',
    },
  ],
};

/** People whom a rule about permissions has to distinguish, besides those of the default workspace. */
const PEOPLE: SeedMember[] = [
  { id: 'ULUCA0007', name: 'luca', realName: 'Luca Bianchi', title: 'Translator', kind: 'channel-guest' },
  { id: 'UDORA0008', name: 'dora', realName: 'Dora Lindqvist', title: 'Engineer', isDeactivated: true },
  { id: 'UBUILDER9', name: 'builder', realName: 'Builder', kind: 'app' },
  {
    id: 'UMARIAN10',
    name: 'maria.northwind',
    realName: 'Maria Alvarez',
    title: 'Consultant',
    kind: 'stranger',
    email: 'maria@sandbox.example',
  },
  {
    id: 'UINES0011',
    name: 'ines',
    realName: 'Ines Duarte',
    title: 'Counsel',
    kind: 'stranger',
    team: { id: 'T0CONTOSO1', name: 'Contoso' },
    enterpriseUserId: 'W0INES0011',
  },
];

/**
 * Adds a single-channel guest, a deactivated person, a bot, a second account of Maria in another organisation and a
 * stranger known to an enterprise. The guest and the bot are in `#releases`, the strangers in `#partners`.
 */
export function withEveryKindOfPerson(seed: Seed): Seed {
  const added: { [channel: string]: string[] } = {
    releases: ['luca', 'builder'],
    partners: ['maria.northwind', 'ines'],
  };
  const channels = seed.channels.map((channel) => {
    const { members, name } = channel;
    return members ? { ...channel, members: [...members, ...(added[name] ?? [])] } : channel;
  });
  return { ...seed, members: [...seed.members, ...PEOPLE], channels };
}

const LABS: Team = { id: 'T0LABS0002', name: 'Labs', domain: 'labs' };

/**
 * Makes an organisation of two workspaces of it. Aiko is at home in the other one, *Labs*, with `#labs` and `@lab-leads`;
 * Priya and Maria are in both, and so is `#joint`.
 */
export function asOrganisation(seed: Seed): Seed {
  const here = seed.team.id;
  const aiko = 'UAIKO0003';
  const homes: { [name: string]: string[] } = { aiko: [LABS.id], priya: [LABS.id, here], maria: [here, LABS.id] };
  const together = ['maria', 'jon', 'aiko', 'priya', '@app'];
  return {
    ...seed,
    organisation: { id: 'E0SANDBOX1', name: 'Sandbox Group', domain: 'sandbox-group', workspaces: [seed.team, LABS] },
    members: seed.members.map((member) => ({ ...member, workspaces: homes[member.name] ?? [here] })),
    groups: [
      ...seed.groups.map((group) => ({ ...group, memberIds: group.memberIds.filter((id) => id !== aiko) })),
      { id: 'SLABLEAD3', handle: 'lab-leads', name: 'Lab leads', memberIds: [aiko], workspaceId: LABS.id },
    ],
    channels: [
      ...seed.channels,
      { id: 'C0LABS0008', name: 'labs', workspaces: [LABS.id], members: ['maria', 'aiko', 'priya', '@app'] },
      { id: 'C0JOINT009', name: 'joint', topic: 'Both workspaces', workspaces: [here, LABS.id], members: together },
    ],
  };
}

/** The initial state of a workspace with an installed app. */
export function seededState(
  seed: Seed,
  app: { botUserId: string; botId: string; name: string; handle: string },
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
  // Channels of ten thousand people name each of them.
  const byReference = new Map(
    [...people, slackbot].toReversed().flatMap((member) => [[member.name, member] as const, [member.id, member]]),
  );
  const isGone = (id: string) => byReference.get(id)?.isDeactivated === true;
  const everyone = [...people.filter((member) => member.kind === 'member').map((member) => member.id), bot.id];
  const idOf = (reference: string) =>
    reference === APP_REFERENCE ? bot.id : (byReference.get(reference)?.id ?? reference);
  const created = Math.floor(nowMs / 1000);
  const { organisation } = seed;
  /** People are in channels of their own workspaces; strangers are in those that are shared with them. */
  const mayBeIn = ({ workspaces = [seed.team.id] }: SeedChannel, id: string) => {
    const theirs = byReference.get(id)?.workspaceIds;
    return !organisation || theirs === undefined || haveInCommon(theirs, workspaces);
  };
  const state: WorkspaceState = {
    team: { ...seed.team },
    ...(organisation && {
      organisation: { ...organisation, granted: organisation.workspaces.map(({ id }) => id) },
    }),
    members: [...people, bot, slackbot],
    groups: seed.groups.map((group) => ({ ...group, memberIds: group.memberIds.filter((id) => !isGone(id)) })),
    channels: seed.channels.map((channel) => ({
      id: channel.id,
      name: channel.name,
      kind: channel.kind ?? 'public',
      topic: channel.topic ?? '',
      isArchived: channel.isArchived ?? false,
      isShared: channel.isShared ?? false,
      ...(channel.workspaces && { workspaceIds: channel.workspaces }),
      memberIds: (channel.members?.map(idOf) ?? everyone).filter((id) => !isGone(id) && mayBeIn(channel, id)),
      created,
    })),
    messages: [],
    views: [],
    files: [],
    workflows: [],
    workflowRuns: [],
    functionExecutions: [],
    reads: {},
    lastTs: nowMs * 1000,
    idsMade: 0,
  };
  const say = (channel: StoredChannel, { from, text }: Pick<SeedMessage, 'from' | 'text'>): StoredMessage => {
    const userId = idOf(from);
    const message: StoredMessage = {
      ...{ channel: channel.id, ts: nextTs(state, nowMs), userId, text },
      ...{ blocks: [], fileIds: [], broadcast: false, tombstone: false, inputs: {} },
      notifies: mentionedMembers(state, channel, { userId, text, blocks: [] }),
      ...(userId === bot.id && { botId: app.botId }),
    };
    state.messages.push(message);
    return message;
  };
  for (const { channel: name, replies = [], ...said } of seed.messages ?? []) {
    const channel = state.channels.find((candidate) => candidate.name === name);
    if (!channel) throw new Error(`There is no channel ${name} for a message of the seed.`);
    const root = say(channel, said);
    if (replies.length > 0) root.threadTs = root.ts;
    for (const reply of replies) say(channel, reply).threadTs = root.ts;
  }
  return state;
}

/** The other organisation in shared channels. */
export const OTHER_TEAM = { id: 'T0NORTHWND', name: 'Northwind' };

const COLORS = ['#3566c4', '#b3432b', '#2f7d5b', '#8a4fa3', '#a1641a', '#336f86', '#6b5fb5', '#7a6a2f'];

/** Returns the colour of the person who came after this number of others. */
export function avatarColor(index: number): string {
  return COLORS[index % COLORS.length] ?? '#3566c4';
}

/** A member as the workspace stores them; `index` is their place among the others. */
function storedMember(home: Team, member: SeedMember, index: number): StoredMember {
  const { kind = 'member', role, team = OTHER_TEAM, enterpriseUserId, workspaces, locale, isDeactivated } = member;
  const isStranger = kind === 'stranger';
  return {
    id: member.id,
    teamId: isStranger ? team.id : (workspaces?.[0] ?? home.id),
    name: member.name,
    realName: member.realName,
    title: member.title ?? '',
    timeZone: member.timeZone ?? 'Europe/London',
    kind,
    color: member.color ?? avatarColor(index),
    email: member.email ?? `${member.name}@${home.domain}.example`,
    ...(role !== undefined && { role }),
    ...(isStranger && { organisation: team.name }),
    ...(workspaces && !isStranger && { workspaceIds: workspaces }),
    ...(enterpriseUserId !== undefined && { enterpriseUserId }),
    ...(locale !== undefined && { locale }),
    ...(isDeactivated !== undefined && { isDeactivated }),
  };
}
