import type { WebClient } from '@slack/web-api';
import type { Logger } from 'pino';
import { z } from 'zod';
import type { Account, Facts } from '../../core/approval/policy/evaluate.ts';
import { type Approver, mustBeLookedUp } from '../../core/approval/policy/policy.ts';
import type { Directory } from '../../core/ports.ts';
import type { Millis } from '../../core/time.ts';
import { slackErrorName } from '../api/errors.ts';
import type { Identity } from '../api/identity.ts';
import { RecentAnswers } from '../api/recent-answers.ts';
import { isInside, type SlackUser, type SlackUsers } from '../api/users.ts';
import { inEach, type WorkspaceArguments, type Workspaces } from '../api/workspaces.ts';
import { PAGE_LIMIT } from '../ui/limits.ts';
import type { ApproverName, Mention } from '../ui/person.ts';

/** @param waitMs how long a question may take, with all calls that it needs */
export function createDirectory(
  lookUps: LookUps,
  { identity, log, waitMs = MOST_WAIT_MS }: { identity: Pick<Identity, 'installation'>; log: Logger; waitMs?: Millis },
): ListDirectory {
  const account = async (person: string, purpose: 'fact' | 'shown') =>
    within(waitMs, findAccount(lookUps, { person, purpose, identity }), { log, about: { person } });
  return {
    account: (person) => account(person, 'fact'),
    accountInLists: (person) => account(person, 'shown'),
    isPublic: (channel) => within(waitMs, lookUps.isPublicChannel(channel), { log, about: { channel } }),
    membersOf: (approver, channel) =>
      within(waitMs, findMembers(lookUps, approver, channel), { log, about: { approver: approver.name, channel } }),
  };
}

async function findAccount(
  lookUps: LookUps,
  {
    person,
    purpose,
    identity,
  }: { person: string; purpose: 'fact' | 'shown'; identity: Pick<Identity, 'installation'> },
): Promise<Account | null> {
  const user = await lookUps.user(person, purpose);
  return user && accountOf(user, { personId: person, identity });
}

async function findMembers(
  lookUps: LookUps,
  { kind, name }: Approver,
  channel: string,
): Promise<ReadonlySet<string> | null> {
  switch (kind) {
    case 'person':
      return new Set([name]);
    case 'email': {
      const id = await lookUps.idByEmail(name, 'fact');
      return new Set(id === null ? [] : [id]);
    }
    case 'group':
      return lookUps.groupMembers(name);
    case 'handle': {
      const group = groupOfHandle(await lookUps.groups('fact'), name);
      return group === null || group.isDisabled ? new Set() : lookUps.groupMembers(group.id);
    }
    case 'channel':
      return lookUps.channelMembers(channel);
    // Nobody needs the list: every member of the workspace is meant.
    case 'workspace':
      return null;
  }
}

/** What Slack says about people and groups, and how messages name and notify those whom a policy names. */
export interface SlackDirectory extends Directory {
  /** Whom to mention for some approvers, at most one person or group for each; null if Slack can't tell. Never throws. */
  mentionsOf(approvers: readonly Approver[]): Promise<Mention[] | null>;
  /** What some approvers are called; where Slack can't tell, as the policy writes them. Never throws. */
  approverNames(approvers: readonly Approver[]): Promise<ApproverName>;
}

/** What lists need to know besides, on which no decision rests; ten minutes old at most. No method throws. */
export interface ListDirectory extends Directory {
  /** Null if Slack can't tell. */
  accountInLists(personId: string): Promise<Account | null>;
  /** Whether everybody who is meant by `workspace` can open a channel. Null if Slack can't tell. */
  isPublic(channel: string): Promise<boolean | null>;
}

/** A user as policies see them; null if it isn't known whether they are one of us. */
export function accountOf(
  user: SlackUser,
  { personId, identity: { installation } }: { personId: string; identity: Pick<Identity, 'installation'> },
): Account | null {
  const isOurs = isInside(user, installation);
  if (isOurs === null) return null;
  const isStranger = !isOurs;
  return {
    identities: identitiesOf(user, personId),
    isBot: user.isBot,
    isDeactivated: user.isDeactivated,
    isGuest: user.isRestricted && !isStranger,
    isStranger,
  };
}

/** Slack may answer with another id than it was asked for. */
function identitiesOf({ id, enterpriseUserId, email }: SlackUser, personId: string): string[] {
  const identities = [personId, id, enterpriseUserId, email?.toLowerCase() ?? null];
  return [...new Set(identities.filter((identity) => identity !== null))];
}

/**
 * Asks for all that a policy has to know about some people, at once, so that it takes no longer than one answer. What isn't
 * known at the deadline is null. Whose token is connected is left to the caller.
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
    /** People who may not decide since they started the run; by default, none. */
    starters?: readonly Approver[];
    channel: string;
    deadline?: AbortSignal;
  },
): Promise<Facts> {
  const late = aborted(deadline);
  const inTime = <Answer>(answer: Promise<Answer>) => (late ? Promise.race([answer, late]) : answer);
  const lookedUp = [...approvers, ...starters].filter(mustBeLookedUp);
  const named = new Map(lookedUp.map((approver) => [approver.name, approver]));
  const ids = starters.filter(({ kind }) => kind === 'person').map(({ name }) => name);
  const accounts = [...new Set([...people, ...ids])].map(
    async (id) => [id, await inTime(directory.account(id))] as const,
  );
  const members = Array.from(
    named.values(),
    async (approver) => [approver.name, await inTime(directory.membersOf(approver, channel))] as const,
  );
  return {
    accounts: Object.fromEntries(await Promise.all(accounts)),
    members: Object.fromEntries(await Promise.all(members)),
    connected: null,
  };
}

function aborted(deadline: AbortSignal | undefined): Promise<null> | null {
  if (!deadline) return null;
  if (deadline.aborted) return Promise.resolve(null);
  return new Promise((resolve) => deadline.addEventListener('abort', () => resolve(null), { once: true }));
}

/** What a policy rests on is never older. */
const FACT_MS = 60_000;
/** What is only shown may be. */
const SHOWN_MS = 10 * 60_000;

const MAX_ADDRESSES = 1_000;
const MAX_GROUPS = 500;
const MAX_CHANNELS = 200;

/** Whether a policy rests on the answer, or it is only shown. */
type Purpose = 'fact' | 'shown';

/** What Slack says, recently. Every method rejects if Slack can't tell. */
export interface LookUps {
  /** Null if there is no such user. */
  user(userId: string, purpose: Purpose): Promise<SlackUser | null>;
  /** The id of the user with an e-mail address; null if there is none. */
  idByEmail(address: string, purpose: Purpose): Promise<string | null>;
  groups(purpose: Purpose): Promise<readonly UserGroup[]>;
  /** None if there is no such group, or if it is disabled. */
  groupMembers(groupId: string): Promise<ReadonlySet<string>>;
  channelMembers(channel: string): Promise<ReadonlySet<string>>;
  /** Whether everybody who is meant by `workspace` can open it; at most ten minutes old. */
  isPublicChannel(channel: string): Promise<boolean>;
}

/** @param client one that doesn't retry: what it throws means that Slack can't tell */
export function createLookUps(
  client: WebClient,
  { slackUsers, workspaces, now }: { slackUsers: SlackUsers; workspaces: Workspaces; now?: () => Millis },
): LookUps {
  const addresses = new RecentAnswers((address) => fetchIdByEmail(client, address), { most: MAX_ADDRESSES, now });
  const groups = new RecentAnswers(() => fetchGroups(client, workspaces), { most: 1, now });
  async function membersOfGroup(id: string): Promise<ReadonlySet<string>> {
    const [only, ...others] = await workspaces();
    const workspace = others.length === 0 ? only : await workspaceOf(id);
    return workspace ? fetchGroupMembers(client, id, workspace) : new Set();
  }
  /** Undefined if there is no such group. */
  async function workspaceOf(id: string): Promise<WorkspaceArguments | undefined> {
    return (await groups.find('all', FACT_MS)).find((group) => group.id === id)?.workspace;
  }
  const groupMembers = new RecentAnswers(membersOfGroup, { most: MAX_GROUPS, now });
  const channels = new RecentAnswers((channel) => fetchChannelMembers(client, channel), { most: MAX_CHANNELS, now });
  // With several workspaces, no channel is open to everybody: each is open to the members of its own.
  const isOpen = async (channel: string) => (await workspaces()).length < 2 && (await fetchIsPublic(client, channel));
  const privacies = new RecentAnswers(isOpen, { most: MAX_CHANNELS, now });
  return {
    user: (userId, purpose) => slackUsers.find(userId, MOST_AGE_MS[purpose]),
    idByEmail: (address, purpose) => addresses.find(address.toLowerCase(), MOST_AGE_MS[purpose]),
    groups: (purpose) => groups.find('all', MOST_AGE_MS[purpose]),
    groupMembers: (groupId) => groupMembers.find(groupId, FACT_MS),
    channelMembers: (channel) => channels.find(channel, FACT_MS),
    isPublicChannel: (channel) => privacies.find(channel, SHOWN_MS),
  };
}

const MOST_AGE_MS: Record<Purpose, Millis> = { fact: FACT_MS, shown: SHOWN_MS };

const USER = z.object({ id: z.string().min(1) });

async function fetchIdByEmail(client: WebClient, email: string): Promise<string | null> {
  try {
    const answer = await client.users.lookupByEmail({ email });
    return USER.parse(answer.user).id;
  } catch (error) {
    if (slackErrorName(error) === 'users_not_found') return null;
    throw error;
  }
}

/** https://docs.slack.dev/reference/objects/usergroup-object */
export interface UserGroup {
  id: string;
  /** In lower case, without the `@`. */
  handle: string;
  isDisabled: boolean;
  /** What methods about it need. */
  workspace: WorkspaceArguments;
}

const GROUPS = z.array(z.object({ id: z.string().min(1), handle: z.string(), date_delete: z.number().nullish() }));
const MEMBERS = z.array(z.string());

/** All groups of all workspaces, the disabled ones, too. Rejects if Slack can't tell. */
async function fetchGroups(client: WebClient, workspaces: Workspaces): Promise<UserGroup[]> {
  return inEach(workspaces, async (workspace) => {
    const { usergroups } = await client.usergroups.list({ include_disabled: true, ...workspace });
    const groups = GROUPS.parse(usergroups);
    return groups.map(({ id, handle, date_delete }) => ({
      id,
      handle: handle.toLowerCase(),
      isDisabled: Boolean(date_delete),
      workspace,
    }));
  });
}

/** The group with a handle, such as `@leads`. A disabled one only if no other has it. */
export function groupOfHandle(groups: readonly UserGroup[], name: string): UserGroup | null {
  const handle = name.replace(/^@/, '').toLowerCase();
  const found = groups.filter((group) => group.handle === handle);
  return found.find(({ isDisabled }) => !isDisabled) ?? found[0] ?? null;
}

/** The ids of a group's members; none if it doesn't exist or is disabled. Rejects if Slack can't tell. */
async function fetchGroupMembers(
  client: WebClient,
  groupId: string,
  workspace: WorkspaceArguments,
): Promise<ReadonlySet<string>> {
  try {
    const answer = await client.usergroups.users.list({ usergroup: groupId, ...workspace });
    return new Set(MEMBERS.parse(answer.users));
  } catch (error) {
    if (slackErrorName(error) === 'no_such_subteam') return new Set();
    throw error;
  }
}

/** A look-up goes on after nobody waits for it any more, so that a person who tries again finds its answer. */
const GIVE_UP_MS = 10_000;

const PAGE = z.object({
  members: z.array(z.string()),
  response_metadata: z.object({ next_cursor: z.string().default('') }).default({ next_cursor: '' }),
});

/** The ids of a channel's members. Rejects if Slack can't tell, and if there is no such channel for the bot. */
async function fetchChannelMembers(client: WebClient, channel: string): Promise<ReadonlySet<string>> {
  const giveUpAt = performance.now() + GIVE_UP_MS;
  const members = new Set<string>();
  let cursor = '';
  do {
    if (performance.now() > giveUpAt) throw new Error('the members of a channel take too long to list');
    const page = PAGE.parse(
      await client.conversations.members({ channel, limit: PAGE_LIMIT, ...(cursor !== '' && { cursor }) }),
    );
    for (const member of page.members) members.add(member);
    cursor = page.response_metadata.next_cursor;
  } while (cursor !== '');
  return members;
}

/** https://docs.slack.dev/reference/objects/conversation-object. Direct messages say nothing of being private. */
const CHANNEL = z.object({ is_channel: z.boolean().default(false), is_private: z.boolean() });

/** Whether all full members of the workspace can open a channel. Rejects if Slack can't tell. */
async function fetchIsPublic(client: WebClient, channel: string): Promise<boolean> {
  const { channel: found } = await client.conversations.info({ channel });
  const parsed = CHANNEL.safeParse(found);
  return parsed.success && parsed.data.is_channel && !parsed.data.is_private;
}

/** How long a question may take with all the calls that it needs: a click has to be acknowledged within three seconds. */
export const MOST_WAIT_MS = 2_000;

/** An answer of Slack, or null if it fails or takes longer; logs which. Never throws. */
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
