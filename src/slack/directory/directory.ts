import type { Logger } from 'pino';
import type { Account } from '../../core/approval/policy/evaluate.ts';
import type { Approver } from '../../core/approval/policy/policy.ts';
import type { Directory } from '../../core/ports.ts';
import type { Millis } from '../../core/time.ts';
import type { Identity } from '../api/identity.ts';
import type { SlackUser } from '../api/users.ts';
import type { ApproverName, Mention } from '../ui/person.ts';
import { groupOfHandle, type LookUps, MOST_WAIT_MS, within } from './facts.ts';

/** @param waitMs how long a question may take, with all calls that it needs */
export function createDirectory(
  lookUps: LookUps,
  { identity, log, waitMs = MOST_WAIT_MS }: { identity: Pick<Identity, 'teamId'>; log: Logger; waitMs?: Millis },
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
  { person, purpose, identity }: { person: string; purpose: 'fact' | 'shown'; identity: Pick<Identity, 'teamId'> },
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
  /** Whether all full members of the workspace can open a channel. Null if Slack can't tell. */
  isPublic(channel: string): Promise<boolean | null>;
}

/** A user as policies see them; null if it isn't known which workspace is ours. */
export function accountOf(
  user: SlackUser,
  { personId, identity: { teamId } }: { personId: string; identity: Pick<Identity, 'teamId'> },
): Account | null {
  if (teamId === '') return null;
  const isStranger = user.isStranger || !isIn(user, teamId);
  return {
    identities: identitiesOf(user, personId),
    isBot: user.isBot,
    isDeactivated: user.isDeactivated,
    isGuest: user.isRestricted && !isStranger,
    isStranger,
  };
}

/** In an Enterprise Grid organisation, people have one home workspace, and may be in several. */
function isIn(user: SlackUser, teamId: string): boolean {
  return user.teamId === teamId || user.teamIds.includes(teamId);
}

/** Slack may answer with another id than it was asked for. */
function identitiesOf({ id, enterpriseUserId, email }: SlackUser, personId: string): string[] {
  const identities = [personId, id, enterpriseUserId, email?.toLowerCase() ?? null];
  return [...new Set(identities.filter((identity) => identity !== null))];
}
