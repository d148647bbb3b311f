// Whether a person may decide requests that they have not clicked on: each of a list, or a new one that they are to be told of.
import { passedOver } from '../approval/alerts.ts';
import {
  type Account,
  type Facts,
  HANDED_OVER,
  hasStarted,
  isSamePerson,
  permits,
  type Rules,
  type Subject,
} from '../policy/evaluate.ts';
import type { PossibleRules } from '../policy/in-force.ts';
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
import type { HandOver } from '../state/approval.ts';
import type { Recipients } from '../state/post.ts';
import type { Millis } from '../values/time.ts';

/**
 * `unsure`: Slack can't tell. Those who lack only a token of their own count as permitted: they can connect one. What all of the
 * workspace may decide is for those who see the channel.
 */
type Judgement = { kind: 'permitted'; rule: string } | { kind: 'denied' } | { kind: 'unsure' };

/** What bears on who may decide a request, the same for all people. */
export interface Judged extends Pick<RequestRules, 'policies'> {
  channel: string;
  /** The id of the person; null if the run was started elsewhere. */
  starterId: string | null;
  handedOver: readonly HandOver[];
}

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
  /** The ids of those in question who are its members; null also if nobody has asked. */
  members: ReadonlySet<string> | null;
}

const DENIED: Judgement = { kind: 'denied' };
const UNSURE: Judgement = { kind: 'unsure' };

export interface Judge {
  judge(request: Judged): Judgement;
  /** As if others had started its run. */
  judgeUnlessStarted(request: Judged): Judgement;
}

/**
 * Judges requests for one person. What is found out about a usual one is kept for those with the same policy and channel: clicks
 * wait while thousands are judged.
 */
export function createJudge(viewer: Viewer): Judge {
  const known = new Map<PossibleRules, Map<string, Judgement>>();

  function judgeAsOthers(policy: PossibleRules, request: Judged): Judgement {
    const isUsual = !policy.isEscalated && request.handedOver.length === 0;
    const found = isUsual ? known.get(policy)?.get(request.channel) : undefined;
    if (found) return found;
    const judgement = judgeRequest({ ...policy, selfApproval: true }, request, viewer);
    if (isUsual) known.set(policy, (known.get(policy) ?? new Map()).set(request.channel, judgement));
    return judgement;
  }

  function judgeBy(policy: PossibleRules, request: Judged): Judgement {
    const { starterId } = request;
    if (starterId === null && barredStarters(policy, null).length > 0) return judgeRequest(policy, request, viewer);
    const judgement = judgeAsOthers(policy, request);
    const isOpen = starterId === null || startersToKnow(policy, starterId).length === 0;
    if (judgement.kind === 'denied' || isOpen) return judgement;
    // They may decide, but not since their inputs name them.
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

/** A person may decide who may by one of the rules that may turn out to apply. */
function firstOf(judgements: readonly Judgement[]): Judgement {
  const permitted = judgements.find(({ kind }) => kind === 'permitted');
  return permitted ?? judgements.find(({ kind }) => kind === 'unsure') ?? DENIED;
}

/** @param starterId of the run, where that bears on who may decide */
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

/** A policy, but for those whom it names only as members of the workspace: whoever takes over what another had is one. */
function withoutWorkspace(rules: Rules): Rules {
  const { approvers, allOf, escalateTo, delegation } = rules;
  const named = (all: Rules['approvers']) => all.filter((each) => !isWorkspace(each));
  const isAnyNamed = delegation === 'approvers' && everNamed(rules).some(isWorkspace);
  return {
    ...rules,
    approvers: named(approvers),
    allOf: named(allOf),
    escalateTo: named(escalateTo),
    delegation: isAnyNamed ? 'anyone' : delegation,
  };
}

function isWorkspace({ kind }: Approver): boolean {
  return kind === 'workspace';
}

/** A person who has handed it over may decide it as one of the workspace: so may the person, who then needn't see the channel. */
function isHandedTo({ delegation }: Rules, { handedOver }: Subject, { identities }: Account): boolean {
  return handOversUnder([{ delegation }], handedOver).some(({ to }) => identities.includes(to));
}

/** Null if Slack can't tell. */
function seesChannel(channel: string, { account, facts }: Viewer): boolean | null {
  const known = facts.channels.get(channel);
  if (known?.isPublic) return true;
  if (!known?.members) return null;
  const { members } = known;
  if (account.identities.some((identity) => members.has(identity))) return true;
  return known.isPublic === null ? null : false;
}

interface Asked {
  facts: Facts;
  /**
   * The members of a private channel, to whom a request that all of the workspace may decide is nothing to be told; `all` of a
   * public one. Null if Slack can't tell.
   */
  insiders: ReadonlySet<string> | 'all' | null;
}

/** Of people who are told at once, those who may decide a request and haven't voted. Only a token of their own may be missing. */
export function awaitedOf(people: readonly string[], rules: RequestRules, asked: Asked): Recipients {
  const verdicts = people.map((id) => ({ id, verdict: verdictOn(id, rules, asked) }));
  return {
    people: verdicts.flatMap(({ id, verdict }) =>
      verdict === 'awaited' ? [{ to: id, reason: 'setting' as const }] : [],
    ),
    untold: 0,
    isComplete: verdicts.every(({ verdict }) => verdict !== 'unsure'),
  };
}

type Verdict = 'awaited' | 'not-awaited' | 'unsure';

function verdictOn(id: string, rules: RequestRules, asked: Asked): Verdict {
  if (passedOver(rules).some((each) => isSamePerson(each, id, asked.facts))) return 'not-awaited';
  const verdicts = rules.policies.map((policy) => verdictBy(policy, rules.subject, { id, ...asked }));
  return verdicts.find((each) => each === 'awaited') ?? verdicts.find((each) => each === 'unsure') ?? 'not-awaited';
}

function verdictBy(policy: PossibleRules, subject: Subject, { id, facts, insiders }: Asked & { id: string }): Verdict {
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
