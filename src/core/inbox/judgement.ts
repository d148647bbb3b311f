// Judges whether a person may decide requests that they haven't clicked on: those of a list, or a new one that they are notified
// of.

import type { PossibleRules } from '../policy/in-force.ts';
import {
  type Account,
  type Facts,
  HANDED_OVER,
  hasStarted,
  isSamePerson,
  permits,
  type Rules,
  type Subject,
} from '../policy/permits.ts';
import {
  type Approver,
  approversNow,
  barredStarters,
  everNamed,
  handOversUnder,
  startersToKnow,
  WORKSPACE,
} from '../policy/policy.ts';
import { delegationsOf, type RequestRules } from '../policy/rules.ts';
import { unmentionedIds } from '../request/alerts.ts';
import type { Recipients } from '../state/post.ts';
import type { HandOver } from '../state/request.ts';
import type { Millis } from '../values/time.ts';

/**
 * `unsure`: Slack can't tell. A person who only lacks a token of their own counts as permitted, because they can connect one. A
 * request that the whole workspace may decide is only for people who can see its channel.
 */
type Judgement = { kind: 'permitted'; rule: string } | { kind: 'denied' } | { kind: 'unsure' };

/** The rules and facts by which a request is judged, the same for all people. */
export interface Judged extends Pick<RequestRules, 'policies'> {
  channel: string;
  /** Null if the run was started elsewhere. */
  starterId: string | null;
  handedOver: readonly HandOver[];
}

/** The person for whom requests are judged, with the facts about people, groups and channels that this takes. */
export interface Viewer {
  id: string;
  account: Account;
  facts: InboxFacts;
  now: Millis;
}

/** A fact that Slack couldn't tell is null or missing. */
export interface InboxFacts {
  /** Accounts of the viewer, of people who started runs and of people who handed requests over, by id. */
  accounts: Facts['accounts'];
  /** Ids of the people in a group, or behind a handle or an address, by its name. */
  members: Facts['members'];
  channels: ReadonlyMap<string, ChannelFacts>;
}

export interface ChannelFacts {
  isPublic: boolean | null;
  /** Ids of the members, as far as they matter here; null if Slack can't tell or wasn't asked. */
  members: ReadonlySet<string> | null;
}

const DENIED: Judgement = { kind: 'denied' };
const UNSURE: Judgement = { kind: 'unsure' };

export interface Judge {
  judge(request: Judged): Judgement;
  /** Judges the request as if the viewer hadn't started its run. */
  judgeUnlessStarted(request: Judged): Judgement;
}

/** Returns a judge for one person, which caches by policy and channel: clicks wait while thousands are judged. */
export function createJudge(viewer: Viewer): Judge {
  const cache = new Map<PossibleRules, Map<string, Judgement>>();

  function judgeAsOthers(policy: PossibleRules, request: Judged): Judgement {
    const isUsual = !policy.isEscalated && request.handedOver.length === 0;
    const cached = isUsual ? cache.get(policy)?.get(request.channel) : undefined;
    if (cached) return cached;
    const judgement = judgeRequest({ ...policy, selfApproval: true }, request, viewer);
    if (isUsual) cache.set(policy, (cache.get(policy) ?? new Map()).set(request.channel, judgement));
    return judgement;
  }

  function judgeBy(policy: PossibleRules, request: Judged): Judgement {
    const { starterId } = request;
    if (starterId === null && barredStarters(policy, null).length > 0) return judgeRequest(policy, request, viewer);
    const judgement = judgeAsOthers(policy, request);
    const isOpen = starterId === null || startersToKnow(policy, starterId).length === 0;
    if (judgement.kind === 'denied' || isOpen) return judgement;
    // They may decide by these rules, but perhaps not as a person whom only the inputs name.
    if (policy.selfApproval) return judgeRequest(policy, request, viewer, starterId);
    const { accounts } = viewer.facts;
    const isTheirs = hasStarted(starterId, viewer.id, { accounts, members: {}, connected: null });
    if (isTheirs === null) return UNSURE;
    return isTheirs ? DENIED : judgement;
  }

  return {
    judge: (request) => firstOf(request.policies.map((policy) => judgeBy(policy, request))),
    judgeUnlessStarted: (request) => firstOf(request.policies.map((policy) => judgeAsOthers(policy, request))),
  };
}

/** Returns the most favourable judgement: each policy here may turn out to apply, so that one permission suffices. */
function firstOf(judgements: readonly Judgement[]): Judgement {
  const permitted = judgements.find(({ kind }) => kind === 'permitted');
  return permitted ?? judgements.find(({ kind }) => kind === 'unsure') ?? DENIED;
}

/** @param starterId who started the run, if that matters for who may decide */
function judgeRequest(rules: Rules, request: Judged, viewer: Viewer, starterId: string | null = null): Judgement {
  const { id, account, now } = viewer;
  const { channel } = request;
  const subject: Subject = { starterId, handedOver: delegationsOf(request, now) };
  const facts = factsIn(channel, viewer);
  const byName = permits(withoutWorkspace(rules), subject, id, facts);
  if (byName.kind === 'permitted') return byName;
  const otherwise = byName.denial.kind === 'unsure' ? UNSURE : DENIED;
  if (!approversNow(rules).some(isWorkspace)) return otherwise;
  if (permits(rules, subject, id, facts).kind === 'denied') return otherwise;
  if (isHandedTo(rules, subject, account)) return { kind: 'permitted', rule: HANDED_OVER };
  const sees = seesChannel(channel, viewer);
  if (sees === null) return UNSURE;
  return sees ? { kind: 'permitted', rule: WORKSPACE.name } : otherwise;
}

function factsIn(channel: string, { facts: { accounts, members, channels } }: Viewer): Facts {
  return { accounts, members: { ...members, channel: channels.get(channel)?.members ?? null }, connected: null };
}

/** Returns the rules without the approver `workspace`. Where approvers can take over requests and it was one, anyone can. */
function withoutWorkspace(rules: Rules): Rules {
  const { approvers, allOf, escalateTo, delegation } = rules;
  const nonWorkspace = (all: Rules['approvers']) => all.filter((each) => !isWorkspace(each));
  const isAnyNamed = delegation === 'approvers' && everNamed(rules).some(isWorkspace);
  return {
    ...rules,
    approvers: nonWorkspace(approvers),
    allOf: nonWorkspace(allOf),
    escalateTo: nonWorkspace(escalateTo),
    delegation: isAnyNamed ? 'anyone' : delegation,
  };
}

function isWorkspace({ kind }: Approver): boolean {
  return kind === 'workspace';
}

/** Returns true if the request was handed over to the person: then they can decide it, and needn't see the channel. */
function isHandedTo({ delegation }: Rules, { handedOver }: Subject, { identities }: Account): boolean {
  return handOversUnder([{ delegation }], handedOver).some(({ to }) => identities.includes(to));
}

/** Returns true if a person can see a channel; null if Slack can't tell. */
function seesChannel(channel: string, { account, facts }: Viewer): boolean | null {
  const channelFacts = facts.channels.get(channel);
  if (channelFacts?.isPublic) return true;
  if (!channelFacts?.members) return null;
  const { members } = channelFacts;
  if (account.identities.some((identity) => members.has(identity))) return true;
  return channelFacts.isPublic === null ? null : false;
}

interface PeopleFacts {
  facts: Facts;
  /**
   * Members of a private channel, the only people to notify of a request that the whole workspace may decide. `all` for a public
   * channel; null if Slack can't tell.
   */
  insiders: ReadonlySet<string> | 'all' | null;
}

/** Returns people who may decide a request and haven't voted; they may still lack a token of their own. */
export function awaitedOf(people: readonly string[], rules: RequestRules, about: PeopleFacts): Recipients {
  const verdicts = people.map((id) => ({ id, verdict: verdictOn(id, rules, about) }));
  return {
    people: verdicts.flatMap(({ id, verdict }) =>
      verdict === 'awaited' ? [{ to: id, reason: 'setting' as const }] : [],
    ),
    untold: 0,
    isComplete: verdicts.every(({ verdict }) => verdict !== 'unsure'),
  };
}

type Verdict = 'awaited' | 'not-awaited' | 'unsure';

function verdictOn(id: string, rules: RequestRules, about: PeopleFacts): Verdict {
  if (unmentionedIds(rules).some((each) => isSamePerson(each, id, about.facts))) return 'not-awaited';
  const verdicts = rules.policies.map((policy) => verdictBy(policy, rules.subject, { id, ...about }));
  return verdicts.find((each) => each === 'awaited') ?? verdicts.find((each) => each === 'unsure') ?? 'not-awaited';
}

function verdictBy(
  policy: PossibleRules,
  subject: Subject,
  { id, facts, insiders }: PeopleFacts & { id: string },
): Verdict {
  const byName = permits(withoutWorkspace(policy), subject, id, facts);
  if (byName.kind === 'permitted') return 'awaited';
  const otherwise = byName.denial.kind === 'unsure' ? 'unsure' : 'not-awaited';
  if (permits(policy, subject, id, facts).kind === 'denied') return otherwise;
  const account = facts.accounts[id];
  if (account && isHandedTo(policy, subject, account)) return 'awaited';
  if (insiders === null) return 'unsure';
  const isInsider = insiders === 'all' || account?.identities.some((identity) => insiders.has(identity));
  return isInsider ? 'awaited' : otherwise;
}
