// What concerns one person of all that goes on: what they may decide, what they wait for, their runs, and what was decided.

import type { RulesOf } from '../policy/crew.ts';
import type { Account } from '../policy/evaluate.ts';
import { policiesOfListed } from '../policy/rules.ts';
import { DAY_MS, type Millis } from '../values/time.ts';
import type { EndedRun } from './history.ts';
import { createJudge, type Judge, type Judged, type Viewer } from './judgement.ts';
import { askedOf, type OpenRequest, type OpenRun, type PastDecision, type Snapshot } from './snapshot.ts';

/** What concerns one person. */
export interface PersonalInbox {
  at: Millis;
  /**
   * What the person may decide now and hasn't voted for, with the rule that permits it, also what lacks only a token of their
   * own: first what expires within a day, the next to expire before the others, then the oldest.
   */
  waiting: readonly WaitingRequest[];
  /** Requests of runs that they started, or that they voted for, which others have to decide, oldest first. */
  waitingForOthers: readonly OpenRequest[];
  /** Their runs, newest first: in progress, then those that ended lately. */
  runs: readonly OwnRun[];
  /** Decided by them, on their runs, or by others where they could have decided; newest first, at most 100. */
  decided: readonly PastDecision[];
  /** How many requests can't be judged, since Slack can't tell who is in a group or channel. */
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

/** A snapshot with what bears on who may decide what is in it, found once for all who look at it. */
export interface PreparedSnapshot {
  snapshot: Snapshot;
  requests: readonly { request: OpenRequest; judged: Judged }[];
  /** Those of which enough is known. */
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

/** All that is judged for a list. */
export function judgedIn({ requests, decisions }: PreparedSnapshot): Judged[] {
  return [...requests.map(({ judged }) => judged), ...decisions.values()];
}

const MOST_DECISIONS = 100;

/** What concerns a person, by judging each request. */
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

/** What is older than all that expires within a day still comes after it. */
function byUrgency(waiting: readonly WaitingRequest[], now: Millis): WaitingRequest[] {
  const expiresAt = ({ request }: WaitingRequest) => expiresSoonAt(request, now) ?? Number.MAX_SAFE_INTEGER;
  return waiting.toSorted((one, other) => expiresAt(one) - expiresAt(other));
}

/** When a request closes by itself, if that is within a day; otherwise null. */
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
