// A person's inbox, which Home shows: what they may decide, what they wait for, their runs, and past decisions.

import type { RulesOf } from '../policy/crew.ts';
import type { Account } from '../policy/permits.ts';
import { policiesOfListed } from '../policy/rules.ts';
import { DAY_MS, type Millis } from '../values/time.ts';
import type { EndedRun } from './history.ts';
import { createJudge, type Judge, type Judged, type Viewer } from './judgement.ts';
import { askedOf, type OpenRequest, type OpenRun, type PastDecision, type Snapshot } from './snapshot.ts';

export interface PersonalInbox {
  at: Millis;
  /**
   * Requests that the person may decide and hasn't voted for, also those for which they still lack a token of their own. Requests
   * that expire within a day come first, by their expiry; the others follow, oldest first.
   */
  waiting: readonly WaitingRequest[];
  /** Requests that others have to decide, on runs that the person started or that they voted for, oldest first. */
  waitingForOthers: readonly OpenRequest[];
  /** The person's runs: those in progress, then those that ended lately, newest first in each. */
  runs: readonly OwnRun[];
  /** Decisions by the person, on their runs, or on requests that they could have decided; newest first, at most 100. */
  decided: readonly PastDecision[];
  /** The number of requests that can't be judged, because Slack can't tell who is in a group or channel. */
  unsure: number;
}

interface WaitingRequest {
  request: OpenRequest;
  rule: string;
}

export type OwnRun = { kind: 'open'; run: OpenRun } | { kind: 'ended'; ended: EndedRun };

export const EMPTY_INBOX: Omit<PersonalInbox, 'at'> = {
  waiting: [],
  waitingForOthers: [],
  runs: [],
  decided: [],
  unsure: 0,
};

/** A snapshot with the rules of everything in it, which are looked up once for all who view it. */
export interface PreparedSnapshot {
  snapshot: Snapshot;
  requests: readonly { request: OpenRequest; judged: Judged }[];
  /** Decisions whose run still has a record. */
  decisions: ReadonlyMap<PastDecision, Judged>;
}

export function prepare(snapshot: Snapshot, rulesOf: RulesOf): PreparedSnapshot {
  const requests = snapshot.requests.map((request) => ({ request, judged: judgedRequest(request, rulesOf) }));
  const decisions = new Map<PastDecision, Judged>();
  for (const decision of snapshot.decisions) {
    const judged = judgedDecision(decision, rulesOf);
    if (judged) decisions.set(decision, judged);
  }
  return { snapshot, requests, decisions };
}

function judgedRequest({ run, handedOver, ...request }: OpenRequest, rulesOf: RulesOf): Judged {
  const { crew, channel, starter } = run;
  const policies = policiesOfListed(rulesOf(crew).policy, askedOf(run, request));
  return { policies, channel, starterId: starter?.id ?? null, handedOver };
}

function judgedDecision({ crew, record }: PastDecision, rulesOf: RulesOf): Judged | null {
  if (!record) return null;
  const { channel, starter, handedOver } = record;
  const policies = policiesOfListed(rulesOf(crew).policy, askedOf(record, record));
  return { policies, channel, starterId: starter?.id ?? null, handedOver };
}

/** Returns everything in the snapshot that is judged for each viewer. */
export function judgedIn({ requests, decisions }: PreparedSnapshot): Judged[] {
  return [...requests.map(({ judged }) => judged), ...decisions.values()];
}

const MOST_DECISIONS = 100;

/** Returns a person's inbox, for which each request is judged. */
export function inboxOf(prepared: PreparedSnapshot, viewer: Viewer): PersonalInbox {
  const { account, now } = viewer;
  const judge = createJudge(viewer);
  const runs = ownRuns(prepared.snapshot, account);
  const { waiting, ...open } = openRequests(prepared, account, judge);
  return {
    at: now,
    ...open,
    waiting: byUrgency(waiting, now),
    runs,
    decided: pastDecisions(prepared, account, { runs, judge }),
  };
}

function openRequests(
  { requests }: PreparedSnapshot,
  { identities }: Account,
  { judge }: Judge,
): Pick<PersonalInbox, 'waiting' | 'waitingForOthers' | 'unsure'> {
  const waiting: WaitingRequest[] = [];
  const waitingForOthers: OpenRequest[] = [];
  let unsure = 0;
  for (const { request, judged } of requests) {
    const judgement = judge(judged);
    const hasVoted = [...request.voters, ...request.votersBefore].some((id) => identities.includes(id));
    if (judgement.kind === 'unsure' && !hasVoted) unsure += 1;
    if (judgement.kind === 'permitted' && !hasVoted) waiting.push({ request, rule: judgement.rule });
    else if (hasVoted || isOneOf(identities, judged.starterId)) waitingForOthers.push(request);
  }
  return { waiting, waitingForOthers, unsure };
}

/** Returns the requests that expire soon first, by their expiry. The others stay in their order behind them. */
function byUrgency(waiting: readonly WaitingRequest[], now: Millis): WaitingRequest[] {
  const expiresAt = ({ request }: WaitingRequest) => expiresSoonAt(request, now) ?? Number.MAX_SAFE_INTEGER;
  return waiting.toSorted((one, other) => expiresAt(one) - expiresAt(other));
}

/** Returns the time when a request expires, or null if that isn't within a day. */
export function expiresSoonAt({ expireAt }: Pick<OpenRequest, 'expireAt'>, now: Millis): Millis | null {
  return expireAt !== null && expireAt <= now + DAY_MS ? expireAt : null;
}

function pastDecisions(
  { snapshot, decisions }: PreparedSnapshot,
  { identities }: Account,
  { runs, judge: { judge } }: { runs: readonly OwnRun[]; judge: Judge },
): PastDecision[] {
  const ownRefs = new Set(runs.map((each) => (each.kind === 'open' ? each.run.ref : each.ended.ref)));
  const decided: PastDecision[] = [];
  for (const decision of snapshot.decisions) {
    const isOwn = decision.by.some((id) => identities.includes(id)) || ownRefs.has(decision.ref);
    const judged = decisions.get(decision);
    const isConcerned = judged && (isOneOf(identities, judged.starterId) || judge(judged).kind === 'permitted');
    if (isOwn || isConcerned) decided.push(decision);
    if (decided.length === MOST_DECISIONS) break;
  }
  return decided;
}

function ownRuns({ runs, ended }: Snapshot, { identities }: Account): OwnRun[] {
  const open = runs.filter(({ starter }) => isOneOf(identities, starter?.id ?? null));
  const over = ended.filter(({ startedBy }) => isOneOf(identities, startedBy));
  return [
    ...open.map((run) => ({ kind: 'open', run }) as const),
    ...over.map((each) => ({ kind: 'ended', ended: each }) as const),
  ];
}

function isOneOf(identities: readonly string[], id: string | null): boolean {
  return id !== null && identities.includes(id);
}
