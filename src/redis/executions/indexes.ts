import { dueAt } from '../../core/due-actions.ts';
import { type Execution, hasEnded } from '../../core/execution/execution.ts';
import { openKey, pendingKey, runsKey, shardOf, unansweredKey, undeliveredKey } from '../keys.ts';

/** A place in an index: a member with its score; null where it has to leave. */
export interface IndexEntry {
  key: string;
  member: string;
  score: number | null;
}

/** The runs that are counted while they go on, by their score in the index of runs. */
export const COUNTED_RUNS = ['starting', 'running', 'waiting'] as const;
/** The decisions that wait for a person to send them again, by their score in the index of those. */
export const UNDELIVERED = ['refused', 'unconfirmed'] as const;

/** The places that an execution and its requests have in the indexes, and those that it may have left. */
export function indexesOf(execution: Execution): IndexEntry[] {
  const { ref, channel, crew, createdAt, run } = execution;
  const shard = shardOf(ref);
  const calls = unansweredCalls(execution);
  const status = (COUNTED_RUNS as readonly string[]).indexOf(run.status);
  return [
    { key: openKey(shard, channel), member: ref, score: isListed(execution) ? createdAt : null },
    { key: unansweredKey(shard, crew), member: ref, score: calls === 0 ? null : calls },
    { key: runsKey(shard), member: ref, score: status === -1 || mayExpire(execution) ? null : status },
    ...requestsOf(execution),
  ];
}

/** What has to be said of the indexes when an execution changes: where it was and no longer is, it leaves. */
export function indexChanges(before: Execution | null, after: Execution): IndexEntry[] {
  const stays = indexesOf(after);
  const left = before ? indexesOf(before).filter((entry) => !stays.some((each) => isSamePlace(each, entry))) : [];
  return [...left.map((entry) => ({ ...entry, score: null })), ...stays];
}

function isSamePlace(one: IndexEntry, other: IndexEntry): boolean {
  return one.key === other.key && one.member === other.member;
}

/** The requests that wait for a person. Those of a record that may expire are in no index, which they couldn't leave. */
function requestsOf(execution: Execution): IndexEntry[] {
  if (mayExpire(execution)) return [];
  const shard = shardOf(execution.ref);
  return execution.approvals.flatMap((approval): IndexEntry[] => {
    const member = `${execution.ref}:${approval.id}`;
    if (approval.status === 'pending') return [{ key: pendingKey(shard), member, score: approval.askedAt }];
    if (approval.status !== 'failed') return [];
    return [{ key: undeliveredKey(shard), member, score: UNDELIVERED.indexOf(approval.failure.kind) }];
  });
}

/** Whether the record may be forgotten some time after this change. One that awaits an answer is never forgotten. */
export function mayExpire(execution: Execution): boolean {
  if (unansweredCalls(execution) > 0) return false;
  return hasEnded(execution) || (isQuiet(execution) && dueAt(execution) === null);
}

/** Starts and resumes that await their answer. */
function unansweredCalls({ kickoff, approvals }: Execution): number {
  const starts = kickoff.status === 'settled' ? 0 : 1;
  return starts + approvals.filter(({ status }) => status === 'sending').length;
}

/** Whether it is among what runs and waits in its channel. An unconfirmed one is: somebody has to look after it. */
function isListed({ run, unfollowed }: Execution): boolean {
  if (unfollowed) return false;
  switch (run.status) {
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
