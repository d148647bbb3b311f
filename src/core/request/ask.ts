// Opening requests: the webhooks call `ask` for each notification, which tells a repeated one from a new round. `followRules` makes
// waiting requests follow changed rules.

import type { HumanInputRequest } from '../execution/events.ts';
import { type LimitMet, refuseRequest } from '../execution/limits.ts';
import { pollSoon, postponePoll } from '../execution/poll-schedule.ts';
import { attachKeptTexts, recordEvidence, revive, withRunStatus } from '../execution/run.ts';
import { postRepliesSoon, withoutReply } from '../execution/task-replies.ts';
import type { CrewRules } from '../policy/crew-rules.ts';
import { findRules } from '../policy/rules.ts';
import { recordEvent } from '../state/events.ts';
import {
  askThreadOf,
  CHECK_SOON_MS,
  declineOf,
  type Execution,
  hasEnded,
  missCrew,
  requestOfAsk,
  type Transition,
  taskNameOf,
  withRequest,
  withTaskName,
} from '../state/execution.ts';
import { addMessage, attachText } from '../state/message.ts';
import { duePost } from '../state/post.ts';
import {
  asEarlierRound,
  askedText,
  type DirectMessages,
  type EarlierRound,
  type HumanRequest,
  hasStatus,
  isInDoubt,
  isOpen,
  NO_TIMES,
  type Pending,
  provenBy,
  type Question,
  supersede,
} from '../state/request.ts';
import { ok, refuse } from '../values/result.ts';
import type { Millis } from '../values/time.ts';
import { closeDeclined } from './decline.ts';
import { askedFacts } from './ledger-facts.ts';
import { nameRequests } from './name-task.ts';
import { restartTimes, underRules } from './planned-times.ts';

/**
 * Opens a new round for a task that asks for human input, and settles the task's earlier open rounds. In an untracked run the round
 * closes at once, and waits if the run is tracked again; after a decline it stays closed. Repeated requests and those of a run that
 * has ended get no card, which isn't the sender's error. Where a program or workflow has asked, no second request is opened: its answer
 * would go to that program.
 */
export function ask(
  execution: Execution,
  request: HumanInputRequest,
  now: Millis,
  rules: CrewRules,
): ReturnType<Transition<'duplicate' | 'ended' | 'asks-once' | LimitMet>> {
  if (requestOfAsk(execution)) return refuse('asks-once');
  if (hasEnded(execution)) return refuse('ended');
  const placement = placeRequest(execution, request);
  switch (placement.kind) {
    case 'duplicate':
      return refuse('duplicate');
    case 'unproven':
      return keepRepeat(execution, request, placement, { rules, now });
    case 'new-round':
      return open(execution, request, placement, { rules, now });
  }
}

/** Keeps a possible repetition until a status tells whether the crew waits. If no status can tell, opens the request at once. */
function keepRepeat(
  execution: Execution,
  request: HumanInputRequest,
  placement: Extract<Placement, { kind: 'unproven' }>,
  { rules, now }: { rules: CrewRules; now: Millis },
): ReturnType<typeof ask> {
  const { taskId, output, taskName, hop, kickoffId, executionId, heading, attachesFile } = request;
  const alive = revive(execution, now);
  const isPolled = alive.poll.nextAt !== null && (alive.kickoffIds.length > 0 || alive.executionId !== null);
  if (!isPolled) return open(execution, request, { ...placement, kind: 'new-round' }, { rules, now });
  const isKept = alive.possibleRepeats.some((each) => each.taskId === taskId && each.output.hash === output.hash);
  if (isKept) return refuse('duplicate');
  const ids = { hop, kickoffId, executionId, taskId, taskName };
  const repeat = { ...ids, output, heading, attachesFile, heardAt: now, due: null };
  const next = { ...alive, possibleRepeats: [...alive.possibleRepeats, repeat] };
  // An open request explains a status of "waiting"; after its answer the run is polled often anyway.
  return ok(next.requests.some(isOpen) ? next : { ...next, poll: pollSoon(next, now) });
}

/** Opens a request that may be a repetition, since the crew's status suggests a new one or tells nothing. */
export function askRepeat(execution: Execution, rules: CrewRules, now: Millis): Execution {
  const repeat = execution.possibleRepeats.findLast(({ due }) => due !== null && due.at <= now);
  if (!repeat || hasEnded(execution)) return execution;
  const others = execution.possibleRepeats.filter((each) => each !== repeat);
  const { heardAt: _, due, ...request } = repeat;
  // A request that opened meanwhile explains the status as well.
  if (execution.requests.some(isOpen)) return { ...execution, possibleRepeats: [...others, { ...repeat, due: null }] };
  const { rounds, last } = roundsOf(execution, repeat);
  const placement = {
    kind: 'new-round',
    round: (last?.question.round ?? 0) + 1,
    repeatsRound: sameText(rounds, repeat)?.question.round ?? null,
    isConfirmedRepeat: due?.isConfirmed === true,
  } as const;
  const without = { ...execution, possibleRepeats: others };
  const opened = open(without, request, placement, { rules, now });
  if (opened.ok) return opened.value;
  return 'after' in opened ? opened.after : without;
}

function open(
  execution: Execution,
  request: HumanInputRequest,
  placement: NewRound,
  { rules, now }: { rules: CrewRules; now: Millis },
): ReturnType<typeof ask> {
  const refused = refuseRequest(execution, request);
  if (refused) return refused;
  const signed = recordEvidence(revive(execution, now), request, now);
  const evidenced = withTaskName(signed, { taskId: request.taskId, name: request.taskName });
  const settled = closeEarlier(evidenced, request.taskId, now);
  // A run that returns after its record expired continues its ledger, in which each number stands for one request.
  const id = String(Number(settled.requests.at(-1)?.id ?? settled.ledger.asked) + 1);
  const taskName = taskNameOf(settled, request.taskId);
  const fresh = requestFrom({ ...request, taskName }, { id, placement, rules, now });
  const opened = underRules(findRules(rules, { execution: settled, request: fresh, now }));
  const newRequest = execution.unfollowed ? supersede(opened, 'unfollowed', now) : opened;
  const { origin } = settled;
  const posts = postRepliesSoon(withoutReply(settled, request.output), now);
  const card = addMessage(posts, { kind: 'card', approvalId: id }, duePost(now));
  const next: Execution = {
    ...(request.attachesFile ? attachText(card, id, now) : card),
    origin: origin.kind === 'ask' ? { ...origin, approvalId: id } : origin,
    requests: [...settled.requests, newRequest],
    // Repetitions at older addresses are dropped: the run now asks at newer ones.
    possibleRepeats: settled.possibleRepeats.filter(({ hop }) => hop >= request.hop),
  };
  const waiting = underCrew(closeDeclined(withRunStatus(postponePoll(next, now)), now), rules, now);
  const facts = askedFacts(findRules(rules, { execution: waiting, request: newRequest, now }));
  return ok(recordEvent(waiting, { kind: 'asked', at: newRequest.question.askedAt, facts }));
}

/** Records that the crew isn't configured, in which case it may ask all the same; or that it is back, if it was missing before. */
function underCrew(execution: Execution, rules: CrewRules, now: Millis): Execution {
  if (rules.policy === null) return missCrew(execution, now, CHECK_SOON_MS);
  return execution.missingCrew === null ? execution : followRules(execution, rules, now);
}

function requestFrom(
  {
    executionId: _executionId,
    attachesFile: _attachesFile,
    isTitled,
    fields,
    why,
    outcomes,
    destination,
    limitMs,
    requestId,
    inputs,
    ...request
  }: HumanInputRequest,
  { id, placement, rules, now }: { id: string; placement: NewRound; rules: CrewRules; now: Millis },
): Pending {
  return {
    id,
    question: {
      ...request,
      isTitled: isTitled ?? false,
      round: placement.round,
      edited: null,
      repeatsRound: placement.repeatsRound,
      isConfirmedRepeat: placement.isConfirmedRepeat ?? false,
      fields: fields ?? null,
      why: why ?? null,
      outcomes: outcomes ?? null,
      destination: destination ?? null,
      limitMs: limitMs ?? null,
      requestId: requestId ?? null,
      inputs: inputs ?? null,
      askedAt: now,
      keepsText: rules.keepTexts === 'attach',
    },
    state: { status: 'pending' },
    discussion: {
      votes: [],
      stages: [],
      takenBack: 0,
      retractions: [],
      handedOver: [],
      alerts: [],
      mentioned: null,
      directMessages: directMessagesOf(rules, now),
      untold: 0,
      times: NO_TIMES,
      judging: null,
      undecidable: null,
    },
  };
}

/**
 * Returns the direct messages of a new request. They are due while the crew isn't configured: its rules decide about them once it is
 * back.
 */
function directMessagesOf({ policy, notify }: CrewRules, now: Millis): DirectMessages {
  const areWanted = notify === 'dm' || policy === null;
  return areWanted ? { status: 'due', tries: 0, notBefore: now, list: [] } : { status: 'listed', list: [] };
}

function closeEarlier(execution: Execution, taskId: string, now: Millis): Execution {
  const rounds = execution.requests.filter((request) => request.question.taskId === taskId);
  return attachKeptTexts(rounds.reduce((each, round) => withRequest(each, closeForNewer(round, now)), execution));
}

function closeForNewer(request: HumanRequest, now: Millis): HumanRequest {
  if (!isOpen(request)) {
    // A request that closed only because tracking stopped would wait again once the run is tracked again.
    const isUntracked = request.state.status === 'superseded' && request.state.by === 'unfollowed';
    return isUntracked ? supersede(request, 'newer-round', now) : request;
  }
  const hasArrived = hasStatus(request, 'decided', 'sending', 'failed') && isInDoubt(request);
  return hasArrived ? provenBy(request, now) : supersede(request, 'newer-round', now);
}

/** Returns the request to which the root message links: the newest that waits for a person, or the newest open one. */
export function openRequest({ requests }: Execution): HumanRequest | null {
  const waiting = requests.findLast(({ state: { status } }) => status === 'pending' || status === 'failed');
  return waiting ?? requests.findLast(isOpen) ?? null;
}

/**
 * Makes waiting requests follow these rules: plans their times anew, and their cards are due for an update. Without a policy, the run
 * waits until its crew is configured again. Returns the same execution if nothing changes.
 */
export function followRules(execution: Execution, rules: CrewRules, now: Millis): Execution {
  if (rules.policy === null) return missCrew(execution, now);
  const regained = execution.missingCrew === null ? execution : regainCrew(execution, now);
  const current = nameRequests(regained, rules, now);
  return current.requests
    .filter((request) => hasStatus(request, 'pending'))
    .reduce(
      (each, request) => withRequest(each, underRules(findRules(rules, { execution: each, request, now }))),
      current,
    );
}

/** Restarts the clocks: meanwhile nobody could decide, and nobody polled the crew. */
function regainCrew(execution: Execution, now: Millis): Execution {
  const requests = execution.requests.map((each) =>
    hasStatus(each, 'pending')
      ? { ...each, discussion: { ...each.discussion, times: restartTimes(each.discussion.times, now) } }
      : each,
  );
  return { ...execution, missingCrew: null, requests, poll: { ...execution.poll, notFoundSince: null } };
}

/** The place of an incoming request: a repetition, or the next round of its task. `unproven`: it may be either. */
type Placement =
  | { kind: 'duplicate'; of: HumanRequest }
  | NewRound
  | { kind: 'unproven'; round: number; repeatsRound: number };

interface NewRound {
  kind: 'new-round';
  round: number;
  repeatsRound: number | null;
  isConfirmedRepeat?: boolean;
}

/**
 * Tells a repeated notification from a new round. A rejected task comes back under the same task id, perhaps with the same
 * text, and any notification may arrive twice and late. A request's own id decides if it has one; kickoff id and hop decide if
 * they differ from what was seen before; otherwise the text does. After an approval, too, a task may ask again with the same text,
 * as a tool does that is called again: only an address of a lower hop than one at which the run has asked proves a repetition.
 */
export function placeRequest(execution: Execution, request: HumanInputRequest): Placement {
  const { requestId = null } = request;
  const of = requestId === null ? undefined : execution.requests.find((each) => each.question.requestId === requestId);
  if (of) return { kind: 'duplicate', of };
  const { rounds, last } = roundsOf(execution, request);
  if (!last) return { kind: 'new-round', round: (askThreadOf(execution)?.before?.round ?? 0) + 1, repeatsRound: null };
  const next = { kind: 'new-round', round: last.question.round + 1, repeatsRound: null } as const;
  if (requestId !== null) return next;
  const age = compareAge(execution, rounds, request);
  if (age === 'newer') return next;
  const same = sameText(rounds, request);
  if (!same) return age === 'older' ? { kind: 'duplicate', of: last } : next;
  const repeating = { round: last.question.round + 1, repeatsRound: same.question.round };
  // A rejection that the crew accepted makes it ask again, perhaps with the same text.
  const isSentBack = last.state.status === 'delivered' && last.state.decision.verdict === 'reject';
  if (isSentBack && age === 'same') return { kind: 'new-round', ...repeating };
  const isUnproven = !isSentBack && hasAnswer(last) && isAtNewestHop(execution, request);
  return isUnproven && declineOf(execution) === null
    ? { kind: 'unproven', ...repeating }
    : { kind: 'duplicate', of: same };
}

/** Returns true if the crew has, or may have, the answer to a request: only then can it ask again. */
function hasAnswer(request: HumanRequest): boolean {
  return request.question.destination === null && (request.state.status === 'delivered' || isInDoubt(request));
}

function isAtNewestHop({ requests }: Execution, { hop }: HumanInputRequest): boolean {
  return requests.every((each) => each.question.hop <= hop);
}

function roundsOf({ requests }: Execution, { taskId }: Pick<Question, 'taskId'>) {
  const rounds = requests.filter((request) => request.question.taskId === taskId);
  return { rounds, last: rounds.at(-1) };
}

/** Returns the previous round; for the ask of a program in a thread, the previous ask. */
export function roundBefore(execution: Execution, { question: { taskId, round } }: HumanRequest): EarlierRound | null {
  const before = execution.requests.findLast(
    (each) => each.question.taskId === taskId && each.question.round === round - 1,
  );
  return before ? asEarlierRound(before) : (askThreadOf(execution)?.before ?? null);
}

/** Returns the number of the latest earlier round with exactly the same text. */
export function roundOfSameText(execution: Execution, request: HumanRequest): number | null {
  const { taskId, round } = request.question;
  const before = execution.requests
    .filter((each) => each.question.taskId === taskId && each.question.round < round)
    .map(asEarlierRound);
  const ofThread = askThreadOf(execution)?.before;
  const rounds = ofThread ? [ofThread, ...before] : before;
  return rounds.findLast(({ text }) => text.hash === askedText(request.question).hash)?.round ?? null;
}

function sameText(rounds: HumanRequest[], request: Pick<Question, 'output'>): HumanRequest | undefined {
  return rounds.findLast((round) => askedText(round.question).hash === request.output.hash);
}

type Age = 'older' | 'same' | 'newer';

/**
 * Compares a notification with the task's rounds. A repeated notification carries the kickoff id and hop of a known round. If one of
 * the two is newer, the request is new, even if the service didn't change the other.
 */
function compareAge({ kickoffIds }: Execution, rounds: HumanRequest[], request: HumanInputRequest): Age {
  const ages = [ageByKickoffId(kickoffIds, rounds, request), ageByHop(rounds, request)];
  if (ages.includes('newer')) return 'newer';
  return ages.includes('older') ? 'older' : 'same';
}

/** Compares by the order in which kickoff ids became known. An unknown id counts as the newest. */
function ageByKickoffId(kickoffIds: string[], rounds: HumanRequest[], { kickoffId }: HumanInputRequest): Age {
  if (kickoffId === null) return 'same';
  const index = kickoffIds.indexOf(kickoffId);
  const position = index === -1 ? kickoffIds.length : index;
  const lastAsked = newest(
    kickoffIds,
    rounds.map((round) => round.question.kickoffId),
  );
  const resumed = newest(
    kickoffIds,
    rounds.map((round) => (round.state.status === 'delivered' ? round.state.resumedAs : null)),
  );
  if (lastAsked === -1) return 'same';
  if (position < Math.max(lastAsked, resumed)) return 'older';
  return position > lastAsked ? 'newer' : 'same';
}

function ageByHop(rounds: HumanRequest[], { hop }: HumanInputRequest): Age {
  const lastHop = Math.max(...rounds.map((round) => round.question.hop));
  if (hop < lastHop) return 'older';
  return hop > lastHop ? 'newer' : 'same';
}

function newest(kickoffIds: string[], ids: (string | null)[]): number {
  return Math.max(...ids.map((id) => (id === null ? -1 : kickoffIds.indexOf(id))));
}
