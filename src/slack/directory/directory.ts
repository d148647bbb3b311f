import type { WebClient } from '@slack/web-api';
import type { Logger } from 'pino';
import { z } from 'zod';
import type { Account, Facts } from '../../core/policy/permits.ts';
import { type Approver, mustBeLookedUp } from '../../core/policy/policy.ts';
import type { Directory } from '../../core/ports.ts';
import type { Millis } from '../../core/values/time.ts';
import type { UserGroup } from '../../core/values/user-groups.ts';
import { slackErrorName } from '../api/errors.ts';
import type { Identity } from '../api/identity.ts';
import { RecentAnswers } from '../api/recent-answers.ts';
import { isInside, type SlackUser, type SlackUsers } from '../api/users.ts';
import type { Workspaces } from '../api/workspaces.ts';
import type { ApproverName, NamedMention } from '../ui/person.ts';
import { type ChannelMembers, createChannelMembers } from './channel-members.ts';
import { MOST_AGE_MS, type Purpose } from './purpose.ts';
import { createUserGroups, type UserGroups } from './user-groups.ts';

/** @param waitMs how long a question may take with all its calls */
export function createDirectory(
  lookUps: LookUps,
  { identity, log, waitMs = MOST_WAIT_MS }: { identity: Pick<Identity, 'installation'>; log: Logger; waitMs?: Millis },
): ListDirectory {
  /** Accounts by Slack's answers, each of which belongs to one id. */
  const accounts = new WeakMap<SlackUser, Account | null>();
  async function findAccount(person: string, purpose: Purpose): Promise<Account | null> {
    const user = await lookUps.user(person, purpose);
    if (user === null) return noAccount(person);
    const cached = accounts.get(user);
    if (cached !== undefined) return cached;
    const account = accountOf(user, { personId: person, identity });
    accounts.set(user, account);
    return account;
  }
  const account = async (person: string, purpose: Purpose) =>
    within(waitMs, findAccount(person, purpose), { log, about: { person } });
  const membersOf =
    (purpose: Purpose): Directory['membersOf'] =>
    (approver, channel, among) =>
      within(waitMs, findMembers(lookUps, { approver, channel, among, purpose }), {
        log,
        about: { approver: approver.name, channel },
      });
  return {
    account: (person) => account(person, 'fact'),
    accountInLists: (person) => account(person, 'shown'),
    isPublic: (channel) => within(waitMs, lookUps.channelMembers.isPublic(channel), { log, about: { channel } }),
    membersOf: membersOf('fact'),
    membersInLists: membersOf('shown'),
  };
}

/** Returns the account of a person whom Slack doesn't know here. That is final: Slack knows every member. */
function noAccount(person: string): Account {
  return { identities: [person], isBot: false, isDeactivated: false, isGuest: false, isStranger: true };
}

interface MembersQuestion {
  approver: Approver;
  channel: string;
  among: readonly string[] | undefined;
  purpose: Purpose;
}

async function findMembers(
  { idByEmail, userGroups, channelMembers }: LookUps,
  { approver: { kind, name }, channel, among, purpose }: MembersQuestion,
): Promise<ReadonlySet<string> | null> {
  switch (kind) {
    case 'person':
      return new Set([name]);
    case 'email': {
      const id = await idByEmail(name, purpose);
      return new Set(id === null ? [] : [id]);
    }
    case 'group':
      return userGroups.membersOf(name, purpose);
    case 'handle': {
      const group = groupOfHandle(await userGroups.all(purpose), name);
      return group === null ? new Set() : userGroups.membersOf(group.id, purpose);
    }
    case 'channel':
      return among ? channelMembers.among(among, channel) : channelMembers.all(channel);
    case 'input':
      return new Set();
    // Everybody in the workspace is meant, so nobody needs the list.
    case 'workspace':
      return null;
  }
}

/** Slack's answers about people and groups, and the names and mentions of approvers. */
export interface SlackDirectory extends Directory {
  /**
   * Resolves to the people and groups to mention for some approvers. A channel, the workspace, and addresses and groups that don't exist
   * have none. Null if Slack can't tell. Never throws.
   */
  mentionsOf(approvers: readonly Approver[]): Promise<NamedMention[] | null>;
  /**
   * Resolves to the names of approvers as people know them, ten minutes old at most: a person's name for an id or e-mail address, the
   * handle for a group's id. Names are plain text, which has to be escaped. An approver whom Slack can't tell keeps the name in the crews
   * file. Never throws.
   */
  approverNames(approvers: readonly Approver[]): Promise<ApproverName>;
}

/** Answers for lists, on which no decision rests; ten minutes old at most. No method throws. */
export interface ListDirectory extends Directory {
  accountInLists(personId: string): Promise<Account | null>;
  /** Works like `membersOf`, but waits for decisions where Slack limits calls. */
  membersInLists: Directory['membersOf'];
  /** Resolves to true if everybody in the workspace can open a channel. Null if Slack can't tell. */
  isPublic(channel: string): Promise<boolean | null>;
}

/** Returns the people who aren't members of a channel; null if Slack can't tell. Never throws. */
export async function nonMembersOf(
  directory: Pick<Directory, 'membersOf'>,
  people: readonly string[],
  channel: string,
): Promise<string[] | null> {
  if (people.length === 0) return [];
  const members = await directory.membersOf({ kind: 'channel', name: 'channel' }, channel, people);
  return members && people.filter((person) => !members.has(person));
}

/** Returns a user as policies see them; null if nobody knows whether they belong to the workspace. */
export function accountOf(
  user: SlackUser,
  { personId, identity: { installation } }: { personId: string; identity: Pick<Identity, 'installation'> },
): Account | null {
  const isOurs = isInside(user, installation);
  if (isOurs === null) return null;
  const isStranger = !isOurs;
  // Slack may answer with another id than it was asked about.
  const identities = [personId, user.id, user.enterpriseUserId, user.email?.toLowerCase() ?? null];
  return {
    identities: [...new Set(identities.filter((identity) => identity !== null))],
    isBot: user.isBot,
    isDeactivated: user.isDeactivated,
    isGuest: user.isRestricted && !isStranger,
    isStranger,
  };
}

/**
 * Asks Slack at once for everything that a policy needs to know about some people. Answers that aren't there at the deadline are null. The
 * caller adds whose token is connected.
 */
export async function gatherFacts(
  directory: Directory,
  {
    people,
    approvers,
    starters = [],
    channel,
    deadline,
  }: {
    people: readonly string[];
    approvers: readonly Approver[];
    /** People who may not decide because they started the run. */
    starters?: readonly Approver[];
    channel: string;
    deadline?: AbortSignal;
  },
): Promise<Facts> {
  const late = deadline ? aborted(deadline) : null;
  const inTime = <Answer>(answer: Promise<Answer>) => (late ? Promise.race([answer, late]) : answer);
  const lookedUp = [...approvers, ...starters].filter(mustBeLookedUp);
  const byName = new Map(lookedUp.map((approver) => [approver.name, approver]));
  const ids = starters.filter(({ kind }) => kind === 'person').map(({ name }) => name);
  const among = [...new Set([...people, ...ids])];
  const accounts = among.map(async (id) => [id, await inTime(directory.account(id))] as const);
  const members = Array.from(
    byName.values(),
    async (approver) => [approver.name, await inTime(directory.membersOf(approver, channel, among))] as const,
  );
  return {
    accounts: Object.fromEntries(await Promise.all(accounts)),
    members: Object.fromEntries(await Promise.all(members)),
    connected: null,
  };
}

/** Returns everybody whom approvers stand for, by the approvers' names. Lists a channel however large it is. Null if Slack can't tell. */
export async function gatherMembers(
  directory: Directory,
  approvers: readonly Approver[],
  channel: string,
): Promise<Facts['members']> {
  const members = approvers
    .filter(mustBeLookedUp)
    .map(async (approver) => [approver.name, await directory.membersOf(approver, channel)] as const);
  return Object.fromEntries(await Promise.all(members));
}

/** Resolves to null once the time is over. */
export function aborted(deadline: AbortSignal): Promise<null> {
  if (deadline.aborted) return Promise.resolve(null);
  return new Promise((resolve) => deadline.addEventListener('abort', () => resolve(null), { once: true }));
}

const MAX_ADDRESSES = 1_000;

/** Slack's recent answers. Every method rejects if Slack can't tell. */
export interface LookUps {
  user(userId: string, purpose: Purpose): Promise<SlackUser | null>;
  /** Resolves to the id of the user with an e-mail address; null if there is none. */
  idByEmail(address: string, purpose: Purpose): Promise<string | null>;
  userGroups: UserGroups;
  channelMembers: ChannelMembers;
}

/** @param client must not retry: what it throws means that Slack can't tell */
export function createLookUps(
  client: WebClient,
  {
    slackUsers,
    workspaces,
    userGroups = createUserGroups(client, { workspaces }),
    now,
  }: { slackUsers: SlackUsers; workspaces: Workspaces; userGroups?: UserGroups; now?: () => Millis },
): LookUps {
  const addresses = new RecentAnswers((address) => fetchIdByEmail(client, address), { most: MAX_ADDRESSES, now });
  return {
    user: (userId, purpose) => slackUsers.find(userId, MOST_AGE_MS[purpose]),
    idByEmail: (address, purpose) => addresses.find(address.toLowerCase(), MOST_AGE_MS[purpose]),
    userGroups,
    channelMembers: createChannelMembers(client, { workspaces, now }),
  };
}

const USER = z.object({ id: z.string().min(1) });

/** Fetches the id of the person with an e-mail address; null if there is none. Rejects if Slack can't tell. */
export async function fetchIdByEmail(client: WebClient, email: string): Promise<string | null> {
  try {
    const answer = await client.users.lookupByEmail({ email });
    return USER.parse(answer.user).id;
  } catch (error) {
    if (slackErrorName(error) === 'users_not_found') return null;
    throw error;
  }
}

/** Returns the group with a handle, such as `@leads`. Null if several workspaces have one, because either may be meant. */
export function groupOfHandle(groups: readonly UserGroup[], name: string): UserGroup | null {
  const [group = null, ...others] = groupsOfHandle(groups, name);
  return others.length === 0 ? group : null;
}

/** Returns the groups with a handle, the disabled ones only if there are no others. Each workspace of an organisation may have one. */
export function groupsOfHandle(groups: readonly UserGroup[], name: string): readonly UserGroup[] {
  const handle = name.replace(/^@/, '').toLowerCase();
  const all = groups.filter((group) => group.handle === handle);
  const enabled = all.filter(({ isDisabled }) => !isDisabled);
  return enabled.length > 0 ? enabled : all;
}

/** A click has to be acknowledged within three seconds, so a question may take no longer with all its calls. */
export const MOST_WAIT_MS = 2_000;

/** Resolves to Slack's answer, or to null if it fails or takes longer, which is logged. Never throws. */
export async function within<Answer>(
  waitMs: Millis,
  answer: Promise<Answer>,
  { log, about }: { log: Logger; about: object },
): Promise<Answer | null> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${waitMs} ms`)), waitMs);
  });
  try {
    return await Promise.race([answer, late]);
  } catch (error) {
    log.warn({ ...about, err: error }, 'could not ask Slack about people');
    return null;
  } finally {
    clearTimeout(timer);
  }
}
