import type { LedgerEvent } from '../ledger/entry.ts';
import type { Millis } from '../values/time.ts';
import { type Execution, findRequest, isConfirmed, type Run } from './execution.ts';
import { type Message, messagesOf, postOf } from './message.ts';
import type { Post } from './post.ts';
import { allVotes, type Decision, type HumanRequest, hasStatus, type RequestIn, type Verdict } from './request.ts';

// Finds the events of an execution by a comparison of two states. Metrics count them, and the ledger takes the deliveries of
// decisions from them. Transitions record what people do themselves: a comparison can't see what allowed it.

/** Something that happened in a change. `request` is the request as the change left it. */
export type ExecutionEvent =
  /** The run is new, or has entered another status. */
  | { kind: 'run'; status: Run['status'] }
  /** A try to start the crew has begun; `tries` counts it. */
  | { kind: 'kickoff-sent'; tries: number }
  | { kind: 'asked'; request: HumanRequest }
  | { kind: 'card-posted'; request: HumanRequest; afterMs: Millis }
  /** Too few people are left who can decide. */
  | { kind: 'undecidable'; request: HumanRequest }
  /** There is a verdict, which may still be undone. */
  | { kind: 'decided'; request: RequestIn<'decided' | 'declined'> }
  /** The outcome can't be undone any more. */
  | { kind: 'final'; request: HumanRequest; outcome: RequestOutcome }
  | DeliveryEvent
  /** A message is posted or updated again after a try that failed. */
  | { kind: 'message-retried'; message: Message };

type DeliveryEvent =
  /** The last one in `attempts` has begun. */
  | { kind: 'sent'; request: RequestIn<'sending'> }
  | { kind: 'delivered'; request: RequestIn<'delivered'> }
  /** The decision has reached whatever asked: a program that fetches its answer only gets it after `delivered`. */
  | { kind: 'confirmed'; request: RequestIn<'delivered'> }
  /** The crew refused the decision, or nothing confirmed it in time. */
  | { kind: 'undelivered'; request: RequestIn<'failed'> };

/** Returns what a change did. `before` is null for a new execution; `now` is the time of the change by Redis' clock. */
export function eventsBetween(before: Execution | null, after: Execution, now: Millis): ExecutionEvent[] {
  const { run, kickoff } = after;
  const events: ExecutionEvent[] = [];
  if (before?.run.status !== run.status) events.push({ kind: 'run', status: run.status });
  if (kickoff.status === 'sending' && before?.kickoff.status !== 'sending')
    events.push({ kind: 'kickoff-sent', tries: kickoff.tries });
  for (const request of after.requests) {
    events.push(...requestEvents(before && findRequest(before, request.id), request));
    events.push(...deliveryEvents(before, after, request));
    if (hasCard(after, request) && !(before && hasCard(before, request)))
      events.push({ kind: 'card-posted', request, afterMs: now - request.question.askedAt });
  }
  return [...events, ...messageEvents(before, after)];
}

function hasCard(execution: Execution, { id: approvalId }: HumanRequest): boolean {
  return postOf(execution, { kind: 'card', approvalId })?.status === 'posted';
}

function requestEvents(before: HumanRequest | null, request: HumanRequest): ExecutionEvent[] {
  if (before === request) return [];
  const events: ExecutionEvent[] = [];
  if (before === null) events.push({ kind: 'asked', request });
  if (request.discussion.undecidable && !before?.discussion.undecidable) events.push({ kind: 'undecidable', request });
  if (before?.state.status === 'pending' && hasStatus(request, 'decided', 'declined'))
    events.push({ kind: 'decided', request });
  const outcome = finalOutcomeOf(request);
  if (outcome && !(before && finalOutcomeOf(before))) events.push({ kind: 'final', request, outcome });
  return events;
}

function deliveryEvents(before: Execution | null, after: Execution, request: HumanRequest): DeliveryEvent[] {
  const earlier = before && findRequest(before, request.id);
  const isNew = earlier?.state.status !== request.state.status;
  if (hasStatus(request, 'sending') && isNew) return [{ kind: 'sent', request }];
  if (hasStatus(request, 'failed') && isNew) return [{ kind: 'undelivered', request }];
  if (!hasStatus(request, 'delivered')) return [];
  const events: DeliveryEvent[] = isNew ? [{ kind: 'delivered', request }] : [];
  const wasConfirmed = before && earlier && isConfirmed(before, earlier);
  return isConfirmed(after, request) && !wasConfirmed ? [...events, { kind: 'confirmed', request }] : events;
}

function messageEvents(before: Execution | null, after: Execution): ExecutionEvent[] {
  if (before?.messages === after.messages) return [];
  return messagesOf(after).flatMap((message): ExecutionEvent[] => {
    const [earlier, post] = [before && postOf(before, message), postOf(after, message)];
    return post && isRetry(earlier, post) ? [{ kind: 'message-retried', message }] : [];
  });
}

function isRetry(before: Post | null, after: Post): boolean {
  if (after.status === 'posting') return before?.status !== 'posting' && after.attempt > 1;
  return after.status === 'posted' && before?.status === 'posted' && after.tries > before.tries;
}

/** The outcome of a request, the people who decided it, and the time. */
export interface RequestOutcome {
  /** The verdict for the crew. `closed`: nobody decided in time, and the crew gets nothing. */
  outcome: Verdict | 'closed';
  /** The ids of the people whose verdict it was, the one who completed it last; nobody if time decided. */
  by: readonly string[];
  decidedAt: Millis;
}

/** Returns null while the request waits, and for one that became void while it did. */
export function outcomeOf(request: HumanRequest): RequestOutcome | null {
  if (request.state.status === 'pending') return null;
  if (request.state.status === 'expired') return { outcome: 'closed', by: [], decidedAt: request.state.expiredAt };
  const { decision } = request.state;
  return decision && { outcome: decision.verdict, by: decidersOf(request, decision), decidedAt: decision.at };
}

function finalOutcomeOf(request: HumanRequest): RequestOutcome | null {
  return request.state.status === 'decided' && request.state.undoUntil !== null ? null : outcomeOf(request);
}

/** Returns the ids of the people who made a decision. A rejection or a decline decides by itself, against all votes. */
function decidersOf(request: HumanRequest, { verdict, by }: Decision): string[] {
  if (!by) return [];
  const voters = verdict === 'approve' ? allVotes(request.discussion).map((vote) => vote.by.id) : [];
  return [...voters.filter((id) => id !== by.id), by.id];
}

/** Puts an event into the ledger: its entry is written together with the execution, or not at all. */
export function recordEvent(execution: Execution, event: LedgerEvent): Execution {
  return { ...execution, ledgerEvents: [...execution.ledgerEvents, event] };
}

/** Puts into the ledger what a change did to the delivery of decisions. */
export function recordDeliveries(before: Execution, after: Execution, now: Millis): Execution {
  if (after.requests === before.requests && after.origin === before.origin) return after;
  return after.requests
    .flatMap((request) => deliveryEvents(before, after, request))
    .reduce((execution, event) => recordDelivery(execution, event, now), after);
}

function recordDelivery(execution: Execution, { kind, request }: DeliveryEvent, at: Millis): Execution {
  const { id: approval } = request;
  switch (kind) {
    case 'sent':
      return recordEvent(execution, { kind, at, facts: { approval, attempt: request.state.attempts.length } });
    case 'confirmed':
      return recordEvent(execution, { kind, at, facts: { approval, proof: request.state.proof } });
    case 'undelivered':
      if (request.state.failure.kind === 'refused') return execution;
      return recordEvent(execution, {
        kind: 'not-confirmed',
        at,
        facts: { approval, attempt: request.state.attempts.length },
      });
    case 'delivered':
      return execution;
  }
}
