import { wantedFor } from '../../../src/core/messages/due-messages.ts';
import { type Approval, finalNo } from '../../../src/core/state/approval.ts';
import { CLAIM_MS, type Claimed } from '../../../src/core/state/claim.ts';
import type { Execution, WorkflowStep } from '../../../src/core/state/execution.ts';
import type { Message } from '../../../src/core/state/message.ts';
import type { Notice } from '../../../src/core/state/notices.ts';
import type { Post } from '../../../src/core/state/post.ts';

/**
 * When an execution has something due, written a second time and in other words than in the core, so that one checks the
 * other: all instants at which an action is due.
 */
export function dueInstants(execution: Execution): number[] {
  const { origin, approvals, kickoff, starterNotice, activity, poll, root, unfollowed } = execution;
  if (origin.kind === 'elsewhere' && origin.adoptionHold) return [origin.adoptionHold.checkAt];
  const knowsCrew = !isCrewMissing(execution);
  const awaitsCrew = unfollowed === null || approvals.some(({ status }) => status === 'decided');
  const instants: (number | null | false)[] = [
    !knowsCrew && awaitsCrew && (execution.missingCrew?.checkAt ?? null),
    knowsCrew && kickoff.status === 'due' && kickoff.notBefore,
    kickoff.status === 'sending' && endOrCheck(kickoff),
    starterNotice.status === 'due' &&
      (!isStarted(execution) || root.status === 'posted' || root.status === 'gone') &&
      starterNotice.notBefore,
    activity.refreshAt,
    ...execution.privateAnswers.map(({ notBefore }) => notBefore),
    knowsCrew && poll.nextAt,
    ...approvals.map((approval) => knowsCrew && approval.status === 'decided' && approval.sendAt),
    ...approvals.map((approval) => approval.status === 'sending' && endOrCheck(approval)),
    ...(unfollowed || !knowsCrew ? [] : approvals).flatMap((each) => [recipientsInstant(each), decidersInstant(each)]),
    ...(knowsCrew ? approvals : []).flatMap(({ status, times, judging }) =>
      status === 'pending' ? [times.remindAt, times.escalateAt, times.expireAt, judging?.notBefore ?? null] : [],
    ),
    ...messages(execution).map(([message, post]) => messageInstant(execution, message, post)),
    ...execution.possibleRepeats.map(({ due }) => knowsCrew && (due?.at ?? null)),
    ...execution.workflowSteps.map((step) => stepInstant(execution, step)),
  ];
  return instants.filter((instant) => typeof instant === 'number');
}

/** Slack is told of a start once the thread is there, and of an end once there is nothing more to wait for. */
function stepInstant(execution: Execution, { awaits, completion }: WorkflowStep): number | null {
  const { run, root, unfollowed, approvals } = execution;
  if (completion.status === 'sending') return endOrCheck(completion);
  if (completion.status !== 'due') return null;
  if (run.status === 'starting' && awaits === 'start') return null;
  // A webhook may still tell that an unanswered kickoff worked.
  if (run.status === 'not-confirmed') return Math.max(run.since + 60_000, completion.notBefore);
  const hasThread = root.status === 'posted' || root.status === 'gone';
  const isOver = ['completed', 'failed', 'lost'].includes(run.status) || unfollowed !== null || isDeclined(approvals);
  const isReady = run.status === 'not-started' || (awaits === 'start' ? hasThread : isOver);
  return isReady ? completion.notBefore : null;
}

function isDeclined(approvals: readonly Approval[]): boolean {
  return approvals.some((each) => finalNo(each) !== null);
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
  const { root, approvals, tasks, ending, unfollowed } = execution;
  const hasThread = (root.status === 'posted' || root.status === 'gone') && root.ts !== null;
  const cards = approvals.filter(needsCard);
  const files = cards.filter((each) => isAttached(execution, each));
  const thread: [Message, Post | null][] = [
    ...cards.map(({ id, card }): [Message, Post] => [{ kind: 'card', approvalId: id }, card]),
    ...files.map(({ id, file }): [Message, Post | null] => [{ kind: 'file', approvalId: id }, file]),
    ...(unfollowed || isCrewMissing(execution) ? [] : approvals).flatMap(alertsOf),
    ...(unfollowed ? [] : tasks).map(({ id, post }): [Message, Post] => [{ kind: 'task', taskId: id }, post]),
    [{ kind: 'ending' }, unfollowed ? null : ending],
  ];
  const copies = approvals.flatMap(({ id, copies }) =>
    copies.map(({ ts, post }): [Message, Post] => [{ kind: 'copy', approvalId: id, ts }, post]),
  );
  const isShown =
    root.status !== 'due' || (execution.run.status !== 'starting' && execution.run.status !== 'not-started');
  const beginning: [Message, Post][] = isShown ? [[{ kind: 'root' }, root]] : [];
  const direct = approvals.flatMap((approval) => directMessagesOf(execution, approval));
  const notices = execution.notices
    .filter((notice) => isStillSo(execution, notice))
    .map(({ id, post }): [Message, Post] => [{ kind: 'notice', noticeId: id }, post]);
  const all: [Message, Post | null][] = [...beginning, ...copies, ...direct, ...notices, ...(hasThread ? thread : [])];
  return all.filter((each): each is [Message, Post] => each[1] !== null);
}

function isStillSo(execution: Execution, { about }: Notice): boolean {
  if (about.kind === 'ended') return true;
  const status = execution.approvals.find(({ id }) => id === about.approvalId)?.status;
  if (about.kind === 'unsent') return status === 'failed';
  return status === 'pending' && !execution.unfollowed && !isCrewMissing(execution);
}

/** Once for each text, and even though nobody tracks the run if it is an approved one that is kept. */
function isAttached({ approvals, unfollowed }: Execution, { id, file, output, status, keepsText }: Approval): boolean {
  if (file === null || (unfollowed && !(keepsText && status === 'delivered'))) return false;
  const isThere = (each: Approval) => each.file !== null && !(each.file.status === 'gone' && each.file.ts === null);
  const [first] = approvals.filter((each) => each.output.hash === output.hash && isThere(each));
  return file.status !== 'due' || first === undefined || first.id === id;
}

/** Direct messages link to the card. */
function recipientsInstant(approval: Approval): number | null {
  const { directMessages } = approval;
  return isAskedByCard(approval) && directMessages.status === 'due' ? directMessages.notBefore : null;
}

/** Nobody misses people before they see the card, nor in its first seconds. */
function decidersInstant(approval: Approval): number | null {
  const { times, askedAt } = approval;
  return isAskedByCard(approval) && times.lookAt !== null ? Math.max(times.lookAt, askedAt + 3_000) : null;
}

function isAskedByCard({ status, card }: Approval): boolean {
  return status === 'pending' && (card.status === 'posted' || card.status === 'gone') && card.ts !== null;
}

/** Nobody is asked any more about a request that isn't pending. */
function alertsOf({ id: approvalId, status, alerts }: Approval): [Message, Post][] {
  if (status !== 'pending') return [];
  return alerts.map(({ id: alertId, post }): [Message, Post] => [{ kind: 'alert', approvalId, alertId }, post]);
}

/** They need the card alone, which a click may tell of before the thread is known. One that has been posted says what became of it. */
function directMessagesOf(execution: Execution, approval: Approval): [Message, Post][] {
  const { id: approvalId, status, card, directMessages } = approval;
  const hasCard = (card.status === 'posted' || card.status === 'gone') && card.ts !== null;
  const isAsked = hasCard && status === 'pending' && !execution.unfollowed && !isCrewMissing(execution);
  const sent = directMessages.list.filter(({ post }) => isAsked || (post.status !== 'due' && post.status !== 'unsure'));
  return sent.map(({ to, post }): [Message, Post] => [{ kind: 'direct-message', approvalId, to }, post]);
}

/** People need no card of a request that closed unseen, unless a decision of it reached the crew. */
function needsCard({ status, card }: Approval): boolean {
  return (status !== 'superseded' && status !== 'expired') || card.status !== 'due';
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
  const approval = 'approvalId' in message && execution.approvals.find(({ id }) => id === message.approvalId);
  return Math.max(post.notBefore, approval ? crewInstant(approval, 400) : 0);
}

/** What happened before stands above a card, if it is posted within two seconds. */
function repliesInstant({ tasks, approvals, unfollowed }: Execution, approvalId: string): number {
  const asked = approvals.find(({ id }) => id === approvalId);
  if (!asked || unfollowed) return 0;
  const posts = tasks.map(({ post }) => post);
  const isPosted = posts.every(
    (post) =>
      post.status !== 'posting' && !(post.status === 'due' && post.tries === 0 && post.notBefore <= asked.askedAt),
  );
  return isPosted ? 0 : asked.askedAt + 2_000;
}

/** Ten seconds after the last update, which itself is followed by a second of rest. */
function progressDelay(shown: string, wanted: string): number {
  return shown.split(' ')[0] === wanted.split(' ')[0] ? 9_000 : 0;
}

/** The root tells of the newest request that a person is asked, or else of the newest open one. */
function rootInstant({ approvals, run, ending }: Execution): number {
  const open = approvals.filter(({ status }) => !['delivered', 'superseded', 'declined', 'expired'].includes(status));
  const asking = open.filter(({ status }) => status === 'pending' || status === 'failed');
  const told = asking.at(-1) ?? open.at(-1);
  const isResultNear = ending !== null && ['due', 'posting'].includes(ending.status);
  if (!told) return isResultNear && 'endedAt' in run && run.status !== 'not-started' ? run.endedAt + 3_000 : 0;
  if (told.status !== 'pending') return crewInstant(told, 2_000);
  const linked = told.card.status === 'posted' ? told.card.notBefore + 2_000 : Number.POSITIVE_INFINITY;
  return Math.min(linked, told.askedAt + 3_000);
}

/** The first answer of the crew to a decision is awaited for a while. */
function crewInstant(approval: Approval, ms: number): number {
  if ((approval.status !== 'decided' && approval.status !== 'sending') || approval.tries > 0) return 0;
  if (approval.status === 'sending') return approval.claim ? approval.until - CLAIM_MS + ms : 0;
  return approval.undoUntil === null ? approval.decision.at + ms : 0;
}
