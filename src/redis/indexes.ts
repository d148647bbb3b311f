import { dueAt } from '../core/due-actions.ts';
import { type Execution, hasEnded, leftWaiting } from '../core/execution/execution.ts';
import { decidedIn, endedRunOf } from '../core/history.ts';
import { refusedMessages } from '../core/messages/delivery.ts';
import { writeDecided, writeEnded } from './history.ts';
import {
  decidedKey,
  endedKey,
  openKey,
  pendingKey,
  refusedKey,
  runsKey,
  shardOf,
  unansweredKey,
  undeliveredKey,
} from './keys.ts';

// What follows from the state of an execution for the keys beside its record: its places in the indexes, and whether all of it expires.

/** A member of an index with its score; a null score removes it. */
interface IndexEntry {
  key: string;
  member: string;
  score: number | null;
}

/** The statuses of running executions that are counted, by their score in the index of runs. */
export const COUNTED_RUNS = ['starting', 'running', 'waiting'] as const;
/** The failures of decisions that a person can send again, by their score in that index. */
export const UNDELIVERED = ['refused', 'unconfirmed'] as const;

/** The entries of an execution and its approvals, including those to remove. */
export function indexesOf(execution: Execution): IndexEntry[] {
  const { ref, channel, crew, createdAt, run } = execution;
  const shard = shardOf(ref);
  const calls = unansweredCalls(execution);
  const status = (COUNTED_RUNS as readonly string[]).indexOf(run.status);
  return [
    { key: openKey(shard, channel), member: ref, score: isListed(execution) ? createdAt : null },
    { key: refusedKey(shard), member: `${channel} ${ref}`, score: refusedMessages(execution).length > 0 ? 0 : null },
    { key: unansweredKey(shard, crew), member: ref, score: calls === 0 ? null : calls },
    { key: runsKey(shard), member: ref, score: status === -1 || mayExpire(execution) ? null : status },
    ...approvalEntries(execution),
    ...historyEntries(execution),
  ];
}

/** The entries to write when an execution changes, with removals for the entries it no longer has. */
export function indexChanges(before: Execution | null, after: Execution): IndexEntry[] {
  const [earlier, now] = [
    before ? indexesOf(before).filter(isListedEntry) : [],
    indexesOf(after).filter(isListedEntry),
  ];
  const left = earlier.filter((entry) => !now.some((each) => isSameMember(each, entry)));
  const changed = now.filter(
    (entry) => !earlier.some((each) => isSameMember(each, entry) && each.score === entry.score),
  );
  return [...left.map((entry) => ({ ...entry, score: null })), ...changed];
}

function isListedEntry({ score }: IndexEntry): boolean {
  return score !== null;
}

function isSameMember(one: IndexEntry, other: IndexEntry): boolean {
  return one.key === other.key && one.member === other.member;
}

/** The approvals that wait for a person. A record that may expire has none: an expired one couldn't remove them. */
function approvalEntries(execution: Execution): IndexEntry[] {
  if (mayExpire(execution)) return [];
  const shard = shardOf(execution.ref);
  return execution.approvals.flatMap((approval): IndexEntry[] => {
    const member = `${execution.ref}:${approval.id}`;
    if (approval.status === 'pending') return [{ key: pendingKey(shard), member, score: approval.askedAt }];
    if (approval.status !== 'failed') return [];
    return [{ key: undeliveredKey(shard), member, score: UNDELIVERED.indexOf(approval.failure.kind) }];
  });
}

/** What was decided and what has ended, which is remembered for a while after the record has expired. */
function historyEntries(execution: Execution): IndexEntry[] {
  const shard = shardOf(execution.ref);
  const decided = decidedIn(execution).map((request) => ({
    ...{ key: decidedKey(shard), member: writeDecided(request), score: request.decidedAt },
  }));
  const ended = endedRunOf(execution);
  if (!ended) return decided;
  return [...decided, { key: endedKey(shard), member: writeEnded(ended), score: ended.endedAt }];
}

/** The execution of a pending approval, by its name in the index. */
export function refOfPending(member: string): string {
  return member.slice(0, member.lastIndexOf(':'));
}

/**
 * Whether its channel lists it as running or waiting. An unconfirmed one is listed: a person has to look after it. So is one
 * that nobody tracks any more although it waits for an answer.
 */
function isListed(execution: Execution): boolean {
  if (execution.unfollowed) return leftWaiting(execution) !== null;
  switch (execution.run.status) {
    case 'starting':
    case 'running':
    case 'waiting':
    case 'unconfirmed':
      return true;
    case 'completed':
    case 'failed':
    case 'lost':
    case 'not-started':
      return false;
  }
}

/**
 * Whether the record expires, counted from the change that made it so: once the run has ended, or once nothing more is
 * expected and nothing is due; what is due while it expires doesn't stop that. A record that awaits an answer of the crew never expires.
 */
export function mayExpire(execution: Execution): boolean {
  if (unansweredCalls(execution) > 0) return false;
  return hasEnded(execution) || (isQuiet(execution) && (execution.expiry !== null || dueAt(execution) === null));
}

/** The number of kickoffs and resumes that await their answer. */
function unansweredCalls({ kickoff, approvals }: Execution): number {
  const kickoffs = kickoff.status === 'settled' ? 0 : 1;
  return kickoffs + approvals.filter(({ status }) => status === 'sending').length;
}

/** Whether nothing more is expected of it, although a webhook might still revive it. */
function isQuiet({ run, unfollowed }: Execution): boolean {
  if (unfollowed) return true;
  switch (run.status) {
    case 'not-started':
    case 'unconfirmed':
    case 'lost':
    case 'completed':
    case 'failed':
      return true;
    case 'starting':
    case 'running':
    case 'waiting':
      return false;
  }
}
