import type { Logger } from 'pino';
import type { Approver } from '../../core/approval/policy/approver.ts';
import type { Account } from '../../core/approval/policy/facts.ts';
import type { Millis } from '../../core/time.ts';
import type { Identity } from '../api/identity.ts';
import { accountOf } from './account.ts';
import type { LookUps } from './look-ups.ts';
import type { ListDirectory } from './slack-directory.ts';
import { groupOfHandle } from './user-groups.ts';
import { MOST_WAIT_MS, within } from './within.ts';

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
