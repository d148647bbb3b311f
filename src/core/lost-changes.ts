// Puts an execution right after the store has lost changes that were acknowledged. A process that still remembers the execution knows
// what people, Slack and the crew were told. `redis/executions.ts` mends a record before anything else changes it.

import { EVIDENCE_MS, withKickoffId, withRunStatus } from './execution/run.ts';
import { recheckMessages } from './messages/delivery.ts';
import { closeDeclined } from './request/decline.ts';
import { recordEvent } from './state/events.ts';
import { directMessageOf, type Execution, findRequest, hasEnded, isConfirmed, withRequest } from './state/execution.ts';
import { addMessage, ENDING, type Message, messagesOf, postOf, postsOf, tsOf, withPosts } from './state/message.ts';
import type { Post } from './state/post.ts';
import {
  allVotes,
  askedText,
  type Decision,
  type HumanRequest,
  hasStatus,
  isInDoubt,
  type Person,
  type RequestIn,
  type RequestState,
  retract,
} from './state/request.ts';
import type { Millis } from './values/time.ts';

/** An execution as it was when this process last changed it, and the store had that. */
export interface Remembered {
  execution: Execution;
  /** True if no other process is known to have changed it since. */
  isNewest: boolean;
  /** True if no other process may have changed it. */
  isAlone: boolean;
}

/**
 * Puts back what the store has lost, as far as it matters outside. What the crew has, or may have, isn't sent again by machine.
 * A decision that certainly wasn't sent has to be made again, and the card says so. Slack gets no message twice, and all messages
 * are rendered anew. Returns the same execution if nothing shows that anything was lost.
 */
export function mendLost(execution: Execution, remembered: Remembered, now: Millis): Execution {
  const { execution: before, isNewest } = remembered;
  if (hasEnded(execution) || !(isNewest || lacksEntries(execution, before))) return execution;
  const restored = withMessages(withStart(execution, before), before);
  const mended = before.requests.reduce((each, request) => mendRequest(each, request, remembered, now), restored);
  const rechecked = recheckMessages(mended, messagesOf(mended), now);
  return closeDeclined(withRunStatus(rechecked), now);
}

/** Returns true if the store's ledger is behind ours. A longer one may lack an entry, too, but other processes have gone on from it. */
function lacksEntries({ ledger: stored }: Execution, { ledger: before }: Execution): boolean {
  return stored.seq < before.seq || (stored.seq === before.seq && stored.hash !== before.hash);
}

/** Restores what is known of the start: a start that was sent isn't sent again, and no addresses are given out twice. */
function withStart(execution: Execution, before: Execution): Execution {
  const { kickoff, run, poll, starterNotice } = before;
  const isForgotten = execution.kickoff.status !== 'settled' && kickoff.status !== 'due';
  const ending = postOf(before, ENDING);
  return {
    ...(isForgotten && ending ? addMessage(execution, ENDING, ending) : execution),
    ...(isForgotten && { kickoff, run, poll, starterNotice }),
    executionId: execution.executionId ?? before.executionId,
    kickoffIds: execution.kickoffIds.reduce(withKickoffId, before.kickoffIds),
    hop: Math.max(execution.hop, before.hop),
  };
}

function withMessages(execution: Execution, before: Execution): Execution {
  const placed = withPosts(execution, messagesOf(execution), (post, message) =>
    placedAs(post, postOf(before, message)),
  );
  return before.requests.reduce((each, earlier) => {
    const request = sameRequest(each, earlier);
    return request ? withLostMessages(withRequest(each, withAudience(request, earlier)), before, earlier) : each;
  }, placed);
}

/** Adds the copies and direct messages of a request that only this process still knows. */
function withLostMessages(execution: Execution, before: Execution, { id }: HumanRequest): Execution {
  const isLost = (message: Message) =>
    (message.kind === 'copy' || (message.kind === 'direct-message' && directMessageOf(execution, message))) &&
    message.approvalId === id &&
    postOf(execution, message) === null;
  const lost = postsOf(before).filter(({ message }) => isLost(message));
  return lost.reduce((each, { message, post }) => addMessage(each, message, post), execution);
}

/** Returns the post as it was before if the message was posted then: it stays where it is. */
function placedAs(post: Post, before: Post | null): Post {
  return before !== null && tsOf(before) !== null && tsOf(post) === null ? before : post;
}

/** Restores whom messages notified, so that nobody is notified twice. */
function withAudience(
  request: HumanRequest,
  { discussion: { mentioned, directMessages } }: HumanRequest,
): HumanRequest {
  const isLonger = directMessages.list.length > request.discussion.directMessages.list.length;
  return {
    ...request,
    discussion: {
      ...request.discussion,
      mentioned: request.discussion.mentioned ?? mentioned,
      directMessages: isLonger ? directMessages : request.discussion.directMessages,
    },
  };
}

/** Finds the stored request that is the same as one before the loss: the store may have given its number to another one since. */
function sameRequest(execution: Execution, before: HumanRequest): HumanRequest | null {
  const request = findRequest(execution, before.id);
  const isSame =
    request &&
    askedText(request.question).hash === askedText(before.question).hash &&
    request.question.askedAt === before.question.askedAt;
  return isSame ? request : null;
}

function mendRequest(execution: Execution, before: HumanRequest, remembered: Remembered, now: Millis): Execution {
  const request = sameRequest(execution, before);
  if (!request) return execution;
  if (hasStatus(before, 'sending', 'failed', 'delivered'))
    return isBehind(request, before) ? resumeAs(execution, { request, before }, now) : execution;
  if (hasStatus(before, 'pending') && hasStatus(request, 'decided'))
    return undoAgain(execution, { request, before }, now);
  if (!hasStatus(request, 'pending')) return execution;
  if (hasStatus(before, 'pending')) return loseVotes(execution, { request, before }, now);
  if (hasStatus(before, 'decided')) return mendDecided(execution, { request, before, remembered }, now);
  return hasStatus(before, 'declined') ? loseDecision(execution, { request, before }, now) : execution;
}

type Sent = RequestIn<'sending' | 'failed' | 'delivered'>;

interface Mended<Stored extends HumanRequest, Before extends HumanRequest> {
  /** The request as the store has it. */
  request: Stored;
  before: Before;
}

/** Statuses of a decision on its way to the crew, in their order. */
const PROGRESS: readonly RequestState['status'][] = ['pending', 'decided', 'sending', 'failed', 'delivered'];

/** Returns true if the store has an earlier status of this decision. */
function isBehind(stored: HumanRequest, before: Sent): boolean {
  const [at, to] = [PROGRESS.indexOf(stored.state.status), PROGRESS.indexOf(before.state.status)];
  const isSame = !('decision' in stored.state) || stored.state.decision?.at === before.state.decision.at;
  return at >= 0 && at < to && isSame;
}

/** Restores how far the decision was. */
function resumeAs(execution: Execution, { request, before }: Mended<HumanRequest, Sent>, now: Millis): Execution {
  const attempts = 'attempts' in before.state ? before.state.attempts.length : 1;
  const { output, edited } = before.question;
  const resumed: HumanRequest = {
    ...request,
    question: { ...request.question, output, edited },
    state: before.state,
  };
  const entered = recordLost(
    withRequest(execution, resumed),
    { request, decision: before.state.decision, attempts },
    now,
  );
  return recordOutcome(entered, resumed, attempts, now);
}

/** Enters what came of the last attempt, as far as that is known. */
function recordOutcome(execution: Execution, resumed: HumanRequest, attempt: number, at: Millis): Execution {
  const { id: approval } = resumed;
  if (resumed.state.status === 'delivered' && isConfirmed(execution, resumed))
    return recordEvent(execution, { kind: 'confirmed', at, facts: { approval, proof: resumed.state.proof } });
  if (resumed.state.status === 'failed' && resumed.state.failure.kind === 'not-confirmed')
    return recordEvent(execution, { kind: 'not-confirmed', at, facts: { approval, attempt } });
  return execution;
}

/** Restores a decision that another process may have sent: whether it did is found out as for a call that got no answer. */
function mendDecided(
  execution: Execution,
  { request, before, remembered }: Mended<RequestIn<'pending'>, RequestIn<'decided'>> & { remembered: Remembered },
  now: Millis,
): Execution {
  const { decision, attempts: earlier, tries, delayedBy, giveUpAt } = before.state;
  const { text } = decision;
  const isUnsent = remembered.isNewest && remembered.isAlone && !isInDoubt(before);
  if (isUnsent || text === null) return loseDecision(execution, { request, before }, now);
  const hop = remembered.execution.hop + 1;
  const attempts = [...earlier, { number: earlier.length + 1, hop, mayHaveArrived: true }];
  const sending: HumanRequest = {
    ...request,
    question: { ...request.question, output: before.question.output, edited: before.question.edited },
    state: {
      status: 'sending',
      decision: { ...decision, text },
      ...{ attempts, tries, delayedBy, giveUpAt, claim: null, until: now + EVIDENCE_MS },
    },
  };
  const restored = withRequest({ ...execution, hop: Math.max(execution.hop, hop) }, sending);
  return recordLost(restored, { request, decision, attempts: attempts.length }, now);
}

/** Records that a decision was lost before it was sent: people have to make it again. One that expiry made comes again by itself. */
function loseDecision(
  execution: Execution,
  { request, before }: Mended<RequestIn<'pending'>, RequestIn<'decided' | 'declined'>>,
  now: Millis,
): Execution {
  const { decision } = before.state;
  const { by, feedback: text, at } = decision;
  if (by !== null && isLossRecorded(request, by, at)) return execution;
  const waiting = by === null ? request : retract(request, { kind: 'lost', by, of: by, text, at: now });
  const entered = recordLost(withRequest(execution, waiting), { request, decision, attempts: 0 }, now);
  return loseVotes(entered, { request: waiting, before }, now);
}

/** Returns true if another process with the same memory has recorded the loss. */
function isLossRecorded({ discussion: { retractions } }: HumanRequest, { id }: Person, since: Millis): boolean {
  return retractions.some(({ kind, of, at }) => kind === 'lost' && of.id === id && at >= since);
}

/** Records which approvals of a waiting request the store has lost, so that these people approve again. */
function loseVotes(
  execution: Execution,
  { request, before }: Mended<RequestIn<'pending'>, HumanRequest>,
  now: Millis,
): Execution {
  const left = allVotes(request.discussion).map(({ by }) => by.id);
  // Votes from before the text was edited have lapsed.
  const since = request.question.edited?.at ?? 0;
  const gone = allVotes(before.discussion).filter(
    ({ by, at }) => at >= since && !left.includes(by.id) && !isLossRecorded(request, by, at),
  );
  return gone.reduce((each, { by, feedback: text }) => {
    const current = findRequest(each, request.id);
    if (!hasStatus(current, 'pending')) return each;
    const retracted = withRequest(each, retract(current, { kind: 'lost', by, of: by, text, at: now }));
    return recordLost(retracted, { request, decision: { by, verdict: 'approve' }, attempts: 0 }, now);
  }, execution);
}

/** Undoes a decision again whose undo the store has lost, so that it isn't sent. */
function undoAgain(
  execution: Execution,
  { request, before }: Mended<RequestIn<'decided'>, RequestIn<'pending'>>,
  now: Millis,
): Execution {
  const { decision, undoUntil } = request.state;
  const undone = before.discussion.retractions.findLast(({ kind, at }) => kind === 'decision' && at >= decision.at);
  if (undoUntil === null || !undone) return execution;
  const waiting = retract({ ...request, state: { status: 'pending' } }, undone);
  return recordLost(withRequest(execution, waiting), { request, decision, attempts: 0 }, now);
}

interface LostDecision {
  request: Pick<HumanRequest, 'id'>;
  decision: Pick<Decision, 'verdict'> & { by: Person | null };
  /** Least number of times that it was sent; 0 if certainly never. */
  attempts: number;
}

function recordLost(execution: Execution, { request, decision, attempts }: LostDecision, now: Millis): Execution {
  const facts = { approval: request.id, verdict: decision.verdict, by: decision.by?.id ?? null, attempts };
  return recordEvent(execution, { kind: 'lost', at: now, facts });
}
