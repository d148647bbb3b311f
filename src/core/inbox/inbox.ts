// What concerns one person of all that goes on: what they may decide, what they wait for, their runs, and what was decided.

import type { Account } from '../approval/policy/permits.ts';
import type { RulesOf } from '../crew.ts';
import type { EndedRun } from '../history.ts';
import type { Millis } from '../time.ts';
import { createJudge, type Judge, type Judged, type Viewer } from './judgement.ts';
import type { OpenRequest, OpenRun, PastDecision, Snapshot } from './snapshot.ts';

/** What concerns one person. */
export interface PersonalInbox {
  at: Millis;
  /**
   * What the person may decide now and hasn't voted for, oldest first, with the rule that permits it. Also what lacks only a
   * token of their own.
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

export interface WaitingRequest {
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

const MOST_DECISIONS = 100;

/** What concerns a person, by judging each request. */
export function inboxOf(snapshot: Snapshot, viewer: Viewer, rulesOf: RulesOf): PersonalInbox {
  const { account } = viewer;
  const judge = createJudge(viewer, rulesOf);
  const runs = ownRuns(snapshot, account);
  return {
    at: viewer.now,
    ...openRequests(snapshot, account, judge),
    runs,
    decided: pastDecisions(snapshot, account, { runs, judge }),
  };
}

function openRequests(
  { requests }: Snapshot,
  { identities }: Account,
  { judge }: Judge,
): Pick<PersonalInbox, 'waiting' | 'waitingForOthers' | 'unsure'> {
  const waiting: WaitingRequest[] = [];
  const waitingForOthers: OpenRequest[] = [];
  let unsure = 0;
  for (const request of requests) {
    const judged = judgedRequest(request);
    const judgement = judge(judged);
    const hasVoted = request.voters.some((id) => identities.includes(id));
    if (judgement.kind === 'unsure' && !hasVoted) unsure += 1;
    if (judgement.kind === 'permitted' && !hasVoted) waiting.push({ request, rule: judgement.rule });
    else if (hasVoted || isOneOf(identities, judged.starterId)) waitingForOthers.push(request);
  }
  return { waiting, waitingForOthers, unsure };
}

function pastDecisions(
  { decisions }: Snapshot,
  { identities }: Account,
  { runs, judge }: { runs: readonly OwnRun[]; judge: Judge },
): PastDecision[] {
  const ownRefs = new Set(runs.map((each) => (each.kind === 'open' ? each.run.ref : each.ended.ref)));
  const decided: PastDecision[] = [];
  for (const decision of decisions) {
    const judged = judgedDecision(decision);
    const isOwn =
      decision.by.some((id) => identities.includes(id)) ||
      ownRefs.has(decision.ref) ||
      (judged !== null && isOneOf(identities, judged.starterId));
    if (!isOwn && (!judged || judge.judge(judged).kind !== 'permitted')) continue;
    if (decided.push(decision) === MOST_DECISIONS) break;
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

/** All that is judged for a list: the open requests, and the decisions of which enough is known. */
export function judgedIn({ requests, decisions }: Snapshot): Judged[] {
  return [...requests.map(judgedRequest), ...decisions.map(judgedDecision).filter((each) => each !== null)];
}

function judgedRequest({ run, taskId, taskName, isEscalated, handedOver }: OpenRequest): Judged {
  const { crew, channel, starter } = run;
  return { crew, channel, starterId: starter?.id ?? null, taskId, taskName, isEscalated, handedOver };
}

function judgedDecision({ crew, record }: PastDecision): Judged | null {
  return record && { crew, ...record };
}

function isOneOf(identities: readonly string[], id: string | null): boolean {
  return id !== null && identities.includes(id);
}
