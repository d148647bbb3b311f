import { wantedFor } from '../../../src/core/messages/due-messages.ts';
import { CLAIM_MS, type Claimed } from '../../../src/core/state/claim.ts';
import type { Execution, WorkflowStep } from '../../../src/core/state/execution.ts';
import type { Message } from '../../../src/core/state/message.ts';
import type { Notice } from '../../../src/core/state/notices.ts';
import type { Post } from '../../../src/core/state/post.ts';
import { finalNo, type HumanRequest } from '../../../src/core/state/request.ts';

/**
 * When an execution has something due, written a second time and in other words than in the core, so that one checks the
 * other: all instants at which an action is due.
 */
export function dueInstants(execution: Execution): number[] {
  const { origin, requests, kickoff, starterNotice, activity, poll, unfollowed } = execution;
  if (origin.kind === 'elsewhere' && origin.adoptionHold) return [origin.adoptionHold.checkAt];
  const knowsCrew = !isCrewMissing(execution);
  const awaitsCrew = unfollowed === null || requests.some(({ state: { status } }) => status === 'decided');
  const instants: (number | null | false)[] = [
    !knowsCrew && awaitsCrew && (execution.missingCrew?.checkAt ?? null),
    knowsCrew && kickoff.status === 'due' && kickoff.notBefore,
    kickoff.status === 'sending' && endOrCheck(kickoff),
    starterNotice.status === 'due' && (!isStarted(execution) || isThere(execution, 'root')) && starterNotice.notBefore,
    activity.refreshAt,
    ...execution.privateAnswers.map(({ notBefore }) => notBefore),
    knowsCrew && poll.nextAt,
    ...requests.map((request) => knowsCrew && request.state.status === 'decided' && request.state.sendAt),
    ...requests.map((request) => request.state.status === 'sending' && endOrCheck(request.state)),
    ...(unfollowed || !knowsCrew ? [] : requests).flatMap((each) => [
      recipientsInstant(execution, each),
      decidersInstant(execution, each),
    ]),
    ...(knowsCrew ? requests : []).flatMap(({ state: { status }, discussion: { times, judging } }) =>
      status === 'pending' ? [times.remindAt, times.escalateAt, times.expireAt, judging?.notBefore ?? null] : [],
    ),
    ...messages(execution).map(([message, post]) => messageInstant(execution, message, post)),
    ...execution.possibleRepeats.map(({ due }) => knowsCrew && (due?.at ?? null)),
    ...execution.workflowSteps.map((step) => stepInstant(execution, step)),
  ];
  return instants.filter((instant) => typeof instant === 'number');
}

/** A message by its key. */
function postAt({ messages }: Execution, key: string): Post | null {
  return messages[key]?.post ?? null;
}

/** Posted, or deleted since. */
function isThere(execution: Execution, key: string): boolean {
  const post = postAt(execution, key);
  return post?.status === 'posted' || post?.status === 'gone';
}

function isPlaced(execution: Execution, key: string): boolean {
  const post = postAt(execution, key);
  return (post?.status === 'posted' || post?.status === 'gone') && post.ts !== null;
}

/** Slack is told of a start once the thread is there, and of an end once there is nothing more to wait for. */
function stepInstant(execution: Execution, { awaits, completion }: WorkflowStep): number | null {
  const { run, unfollowed, requests } = execution;
  if (completion.status === 'sending') return endOrCheck(completion);
  if (completion.status !== 'due') return null;
  if (run.status === 'starting' && awaits === 'start') return null;
  // A webhook may still tell that an unanswered kickoff worked.
  if (run.status === 'not-confirmed') return Math.max(run.since + 60_000, completion.notBefore);
  const hasThread = isThere(execution, 'root');
  const isOver = ['completed', 'failed', 'lost'].includes(run.status) || unfollowed !== null || isDeclined(requests);
  const isReady = run.status === 'not-started' || (awaits === 'start' ? hasThread : isOver);
  return isReady ? completion.notBefore : null;
}

function isDeclined(requests: readonly HumanRequest[]): boolean {
  return requests.some((each) => finalNo(each) !== null);
}

/** Its run is in progress. */
function isCrewMissing({ missingCrew, run }: Execution): boolean {
  return missingCrew !== null && ['starting', 'running', 'waiting'].includes(run.status);
}

/** A claim is checked for as long as a process holds it. */
function endOrCheck({ claim, until }: Claimed): number {
  return claim !== null && claim.checkAt < until ? claim.checkAt : until;
}

function isStarted({ run }: Execution): boolean {
  return run.status !== 'not-started' && run.status !== 'not-confirmed';
}

/** The messages that this execution should have; everything but the root lies in the thread that the root begins. */
function messages(execution: Execution): [Message, Post][] {
  const { requests, tasks, unfollowed } = execution;
  const root = postAt(execution, 'root');
  const cards = requests.filter((each) => needsCard(execution, each));
  const files = cards.filter((each) => isAttached(execution, each));
  const thread: [Message, string][] = [
    ...cards.map(({ id }): [Message, string] => [{ kind: 'card', approvalId: id }, `card:${id}`]),
    ...files.map(({ id }): [Message, string] => [{ kind: 'file', approvalId: id }, `file:${id}`]),
    ...(unfollowed || isCrewMissing(execution) ? [] : requests).flatMap(alertsOf),
    ...(unfollowed ? [] : tasks).map(({ id }): [Message, string] => [{ kind: 'task', taskId: id }, `task:${id}`]),
    ...(unfollowed ? [] : ([[{ kind: 'ending' }, 'ending']] as [Message, string][])),
  ];
  const copies = Object.keys(execution.messages).flatMap((key): [Message, string][] => {
    const [kind, approvalId = '', ts = ''] = key.split(':');
    return kind === 'copy' ? [[{ kind, approvalId, ts }, key]] : [];
  });
  const isShown =
    root?.status !== 'due' || (execution.run.status !== 'starting' && execution.run.status !== 'not-started');
  const beginning: [Message, string][] = isShown ? [[{ kind: 'root' }, 'root']] : [];
  const direct = requests.flatMap((request) => directMessagesOf(execution, request));
  const notices = execution.notices
    .filter((notice) => isStillSo(execution, notice))
    .map(({ id }): [Message, string] => [{ kind: 'notice', noticeId: id }, `notice:${id}`]);
  const all = [...beginning, ...copies, ...direct, ...notices, ...(isPlaced(execution, 'root') ? thread : [])];
  return all.flatMap(([message, key]): [Message, Post][] => {
    const post = postAt(execution, key);
    return post ? [[message, post]] : [];
  });
}

function isStillSo(execution: Execution, { about }: Notice): boolean {
  if (about.kind === 'ended') return true;
  const status = execution.requests.find(({ id }) => id === about.approvalId)?.state.status;
  if (about.kind === 'unsent') return status === 'failed';
  return status === 'pending' && !execution.unfollowed && !isCrewMissing(execution);
}

/** Once for each text, and even though nobody tracks the run if it is an approved one that is kept. */
function isAttached(
  execution: Execution,
  { id, question: { output, keepsText }, state: { status } }: HumanRequest,
): boolean {
  const file = postAt(execution, `file:${id}`);
  if (file === null || (execution.unfollowed && !(keepsText && status === 'delivered'))) return false;
  const [first] = execution.requests.filter((each) => {
    const other = postAt(execution, `file:${each.id}`);
    return (
      each.question.output.hash === output.hash && other !== null && !(other.status === 'gone' && other.ts === null)
    );
  });
  return file.status !== 'due' || first === undefined || first.id === id;
}

/** Direct messages link to the card. */
function recipientsInstant(execution: Execution, request: HumanRequest): number | null {
  const {
    discussion: { directMessages },
  } = request;
  return isAskedByCard(execution, request) && directMessages.status === 'due' ? directMessages.notBefore : null;
}

/** Nobody misses people before they see the card, nor in its first seconds. */
function decidersInstant(execution: Execution, request: HumanRequest): number | null {
  const {
    question: { askedAt },
    discussion: { times },
  } = request;
  return isAskedByCard(execution, request) && times.lookAt !== null ? Math.max(times.lookAt, askedAt + 3_000) : null;
}

function isAskedByCard(execution: Execution, { id, state: { status } }: HumanRequest): boolean {
  return status === 'pending' && isPlaced(execution, `card:${id}`);
}

/** Nobody is asked any more about a request that isn't pending. */
function alertsOf({ id: approvalId, state: { status }, discussion: { alerts } }: HumanRequest): [Message, string][] {
  if (status !== 'pending') return [];
  return alerts.map(({ id: alertId }) => [{ kind: 'alert', approvalId, alertId }, `alert:${approvalId}:${alertId}`]);
}

/** They need the card alone, which a click may tell of before the thread is known. One that has been posted says what became of it. */
function directMessagesOf(execution: Execution, request: HumanRequest): [Message, string][] {
  const {
    id: approvalId,
    state: { status },
    discussion: { directMessages },
  } = request;
  const hasCard = isPlaced(execution, `card:${approvalId}`);
  const isAsked = hasCard && status === 'pending' && !execution.unfollowed && !isCrewMissing(execution);
  const keyed = directMessages.list.map(({ to }) => [to, `direct:${approvalId}:${to}`] as const);
  const sent = keyed.filter(([, key]) => {
    const post = postAt(execution, key);
    return isAsked || (post?.status !== 'due' && post?.status !== 'unsure');
  });
  return sent.map(([to, key]) => [{ kind: 'direct-message', approvalId, to }, key]);
}

/** People need no card of a request that closed unseen, unless a decision of it reached the crew. */
function needsCard(execution: Execution, { id, state: { status } }: HumanRequest): boolean {
  return (status !== 'superseded' && status !== 'expired') || postAt(execution, `card:${id}`)?.status !== 'due';
}

function messageInstant(execution: Execution, message: Message, post: Post): number | null {
  if (post.status === 'gone') return null;
  if (post.status === 'posting') return endOrCheck(post);
  if (post.status === 'due' && message.kind === 'card')
    return Math.max(post.notBefore, repliesInstant(execution, message.approvalId));
  if (post.status !== 'posted') return post.notBefore;
  const wanted = wantedFor(execution, message);
  if (post.shown === wanted) return null;
  if (post.tries > 0) return post.notBefore;
  if (message.kind === 'root')
    return Math.max(rootInstant(execution), post.notBefore + progressDelay(post.shown, wanted));
  const request = 'approvalId' in message && execution.requests.find(({ id }) => id === message.approvalId);
  return Math.max(post.notBefore, request ? crewInstant(request, 400) : 0);
}

/** What happened before stands above a card, if it is posted within two seconds. */
function repliesInstant(execution: Execution, approvalId: string): number {
  const { tasks, requests, unfollowed } = execution;
  const asked = requests.find(({ id }) => id === approvalId);
  if (!asked || unfollowed) return 0;
  const posts = tasks.map(({ id }) => postAt(execution, `task:${id}`));
  const isPosted = posts.every(
    (post) =>
      post?.status !== 'posting' &&
      !(post?.status === 'due' && post.tries === 0 && post.notBefore <= asked.question.askedAt),
  );
  return isPosted ? 0 : asked.question.askedAt + 2_000;
}

/** Ten seconds after the last update, which itself is followed by a second of rest. */
function progressDelay(shown: string, wanted: string): number {
  return shown.split(' ')[0] === wanted.split(' ')[0] ? 9_000 : 0;
}

/** The root tells of the newest request that a person is asked, or else of the newest open one. */
function rootInstant(execution: Execution): number {
  const { requests, run } = execution;
  const ending = postAt(execution, 'ending');
  const open = requests.filter(
    ({ state: { status } }) => !['delivered', 'superseded', 'declined', 'expired'].includes(status),
  );
  const asking = open.filter(({ state: { status } }) => status === 'pending' || status === 'failed');
  const told = asking.at(-1) ?? open.at(-1);
  const isResultNear = ending !== null && ['due', 'posting'].includes(ending.status);
  if (!told) return isResultNear && 'endedAt' in run && run.status !== 'not-started' ? run.endedAt + 3_000 : 0;
  if (told.state.status !== 'pending') return crewInstant(told, 2_000);
  const card = postAt(execution, `card:${told.id}`);
  const linked = card?.status === 'posted' ? card.notBefore + 2_000 : Number.POSITIVE_INFINITY;
  return Math.min(linked, told.question.askedAt + 3_000);
}

/** The first answer of the crew to a decision is awaited for a while. */
function crewInstant(request: HumanRequest, ms: number): number {
  if ((request.state.status !== 'decided' && request.state.status !== 'sending') || request.state.tries > 0) return 0;
  if (request.state.status === 'sending') return request.state.claim ? request.state.until - CLAIM_MS + ms : 0;
  return request.state.undoUntil === null ? request.state.decision.at + ms : 0;
}
