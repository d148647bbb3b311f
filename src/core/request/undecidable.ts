// Requests that too few people can decide: the worker looks now and then whether enough are left, and the thread says so once.

import { type DecisionRules, findRules } from '../policy/rules.ts';
import { isLeftToNobody } from '../policy/shortage.ts';
import { type Execution, findRequest, starterOf, withRequest } from '../state/execution.ts';
import { cardTsOf } from '../state/message.ts';
import { type HumanRequest, hasStatus, type Pending } from '../state/request.ts';
import type { Shortage, Undecidable } from '../state/shortage.ts';
import { fingerprint } from '../values/text.ts';
import { DAY_MS, type Millis } from '../values/time.ts';
import { mentionsFor, withAlert } from './alerts.ts';

/** The card goes first, and a request that is decided at once needs no look. */
const FIRST_LOOK_MS = 3_000;

/** Returns when to look whether enough people can decide: never before the card is posted, so as not to delay it. */
export function decidersDueAt(execution: Execution, request: HumanRequest): Millis | null {
  const { askedAt } = request.question;
  const { status } = request.state;
  const { times } = request.discussion;
  if (status !== 'pending' || execution.unfollowed !== null || times.lookAt === null) return null;
  if (cardTsOf(execution, request) === null) return null;
  return Math.max(times.lookAt, askedAt + FIRST_LOOK_MS);
}

export const LOOK_AGAIN_MS = 10 * 60_000;
const LOOK_SELDOM_MS = 60 * 60_000;

/** The shortages of a request as it was when they were looked up. */
export interface DeciderShortages {
  judged: HumanRequest;
  shortages: readonly Shortage[] | 'unsure';
  lookAgainMs?: Millis | undefined;
}

/** Says in the thread once that a request can't be completed, and once that it can again. While Slack can't tell, nothing changes. */
export function recordShortages(
  execution: Execution,
  { judged, shortages, lookAgainMs = LOOK_AGAIN_MS }: DeciderShortages,
  rules: DecisionRules,
  now: Millis,
): Execution {
  const request = findRequest(execution, judged.id);
  if (!hasStatus(request, 'pending')) return execution;
  if (viewOf(request) !== viewOf(judged))
    return withRequest(execution, {
      ...request,
      discussion: { ...request.discussion, times: { ...request.discussion.times, lookAt: now } },
    });
  const pauseMs = now - request.question.askedAt < DAY_MS ? lookAgainMs : Math.max(lookAgainMs, LOOK_SELDOM_MS);
  const rescheduled = {
    ...request,
    discussion: { ...request.discussion, times: { ...request.discussion.times, lookAt: now + pauseMs } },
  };
  if (shortages === 'unsure') return withRequest(execution, rescheduled);
  return withShortages(execution, rescheduled, { shortages, rules, now });
}

/** Changes with everything on which the shortages depend. */
function viewOf({ discussion: { times, votes, stages } }: HumanRequest): string {
  return fingerprint([times.rules, times.escalations, votes, stages]);
}

function withShortages(
  execution: Execution,
  request: Pending,
  { shortages, rules, now }: { shortages: readonly Shortage[]; rules: DecisionRules; now: Millis },
): Execution {
  const inForce = findRules(rules, { execution, request, now });
  const { undecidable } = request.discussion;
  if (shortages.length === 0) {
    if (undecidable === null) return withRequest(execution, request);
    const alert = { kind: 'decidable', by: null, mentions: mentionsFor(inForce) } as const;
    return withAlert(execution, { ...request, discussion: { ...request.discussion, undecidable: null } }, alert, now)
      .execution;
  }
  const after: Undecidable = {
    since: undecidable?.since ?? now,
    shortages,
    isLeftToNobody: isLeftToNobody(inForce, shortages),
    isReported: undecidable?.isReported ?? false,
  };
  if (undecidable !== null)
    return withRequest(
      execution,
      fingerprint(after) === fingerprint(undecidable)
        ? request
        : { ...request, discussion: { ...request.discussion, undecidable: after } },
    );
  const starterId = starterOf(execution)?.id;
  const mentions = starterId === undefined ? [] : [starterId];
  const alert = { kind: 'undecidable', by: null, mentions } as const;
  return withAlert(execution, { ...request, discussion: { ...request.discussion, undecidable: after } }, alert, now)
    .execution;
}

/** Records that the operators were notified of a request that can't be completed. */
export function reportedUndecidable(execution: Execution, approvalId: string): Execution {
  const request = findRequest(execution, approvalId);
  if (!request?.discussion.undecidable) return execution;
  return withRequest(execution, {
    ...request,
    discussion: { ...request.discussion, undecidable: { ...request.discussion.undecidable, isReported: true } },
  });
}
