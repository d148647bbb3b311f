import { delegationsOf } from '../approval/permission.ts';
import { type Account, type Facts, HANDED_OVER, permits, type Subject } from '../approval/policy/permits.ts';
import { WORKSPACE } from '../approval/policy/policy.ts';
import type { Millis } from '../time.ts';
import type { RequestClass } from './request-classes.ts';

/** A person for whom requests are judged, and what is known about them, the groups and the channels. */
export interface Viewer {
  id: string;
  account: Account;
  facts: InboxFacts;
  now: Millis;
}

/** Whatever Slack couldn't tell is null, or isn't there. */
export interface InboxFacts {
  /** Of the person, of those who started runs and of those who handed requests over, by their ids. */
  accounts: Facts['accounts'];
  /** The ids of the people whom a group, a handle or an address stands for, by its name. */
  members: Facts['members'];
  channels: ReadonlyMap<string, ChannelFacts>;
}

export interface ChannelFacts {
  isPublic: boolean | null;
  /** The ids of its members; null also if nobody has asked. */
  members: ReadonlySet<string> | null;
}

/** Whether a person may decide requests, and by which rule. `unsure`: Slack can't tell. */
export type Judgement = { kind: 'permitted'; rule: string } | { kind: 'denied' } | { kind: 'unsure' };

export const DENIED: Judgement = { kind: 'denied' };
const UNSURE: Judgement = { kind: 'unsure' };

/**
 * Judges the requests of a class, as if others had started the runs that were started here. Those who lack only a token of their own count as permitted:
 * they can connect one. What all of the workspace may decide is for those who see the channel.
 */
export function judgeClass(judged: RequestClass, viewer: Viewer): Judgement {
  const { channel, approvers, isElsewhere } = judged;
  const policy = isElsewhere ? judged.policy : { ...judged.policy, selfApproval: true };
  const { id, account, now } = viewer;
  const subject: Subject = {
    starterId: null,
    isEscalated: judged.isEscalated,
    handedOver: delegationsOf(judged, now),
  };
  const facts = factsIn(channel, viewer);
  const byName = permits(withoutWorkspace(policy), subject, id, facts);
  if (byName.kind === 'permitted') return byName;
  const otherwise = byName.denial.kind === 'unsure' ? UNSURE : DENIED;
  if (!approvers.some(isWorkspace) || permits(policy, subject, id, facts).kind === 'denied') return otherwise;
  if (isHandedTo(subject, account)) return { kind: 'permitted', rule: HANDED_OVER };
  const sees = seesChannel(channel, viewer);
  if (sees === null) return UNSURE;
  return sees ? { kind: 'permitted', rule: WORKSPACE.name } : otherwise;
}

/** A person who has handed it over may decide it as one of the workspace: so may the person, who then needn't see the channel. */
export function isHandedTo({ handedOver }: Subject, { identities }: Account): boolean {
  return handedOver.some(({ to }) => identities.includes(to));
}

/** What remains of a judgement where those who started a run may not decide; `hasStarted` is null if Slack can't tell. */
export function judgeStarter(judgement: Judgement, hasStarted: boolean | null): Judgement {
  if (judgement.kind === 'denied' || hasStarted === true) return DENIED;
  return hasStarted === null ? UNSURE : judgement;
}

function factsIn(channel: string | null, { facts: { accounts, members, channels } }: Viewer): Facts {
  const inChannel = channel === null ? null : (channels.get(channel)?.members ?? null);
  return { accounts, members: { ...members, channel: inChannel }, connected: null };
}

type Named = Pick<RequestClass['policy'], 'approvers' | 'escalateTo' | 'guests' | 'selfApproval' | 'startedElsewhere'>;

/** A policy, but for those whom it names only as members of the workspace. */
export function withoutWorkspace({ approvers, escalateTo, ...rules }: Named): Named {
  const named = (all: Named['approvers']) => all.filter((each) => !isWorkspace(each));
  return { approvers: named(approvers), escalateTo: named(escalateTo), ...rules };
}

function isWorkspace({ kind }: { kind: string }): boolean {
  return kind === 'workspace';
}

/** Null if Slack can't tell. */
function seesChannel(channel: string | null, { account, facts }: Viewer): boolean | null {
  const known = channel === null ? undefined : facts.channels.get(channel);
  if (known?.isPublic) return true;
  if (!known?.members) return null;
  const { members } = known;
  if (account.identities.some((identity) => members.has(identity))) return true;
  return known.isPublic === null ? null : false;
}
