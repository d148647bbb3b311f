import { z } from 'zod';
import { dueAt } from '../core/due-actions.ts';
import { type DecidedRequest, decidedIn, type EndedRun, endedRunOf } from '../core/inbox/history.ts';
import { refusedMessages } from '../core/messages/delivery.ts';
import { declineOf, type Execution, hasEnded, leftWaiting, type Run, threadTsOf } from '../core/state/execution.ts';
import { cutEnd } from '../core/values/cut.ts';
import { parseJson } from '../core/values/json.ts';
import { DAY_MS, type Millis } from '../core/values/time.ts';
import { answerDeadline, defineScript, NOW, pairsIn, type RedisClient, runScript } from './call.ts';
import {
  decidedKey,
  endedKey,
  openKey,
  pendingKey,
  refusedKey,
  runNamesKey,
  runsKey,
  SHARDS,
  type Shard,
  shardOf,
  unansweredKey,
  undeliveredKey,
} from './keys.ts';
import { writeRunNames } from './run-names.ts';

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
export const UNDELIVERED = ['refused', 'not-confirmed'] as const;

/** Entries that follow from the same part of an execution. */
interface EntryGroup {
  entriesOf: (execution: Execution) => IndexEntry[];
  /** Whether a change has left that part alone, so that the entries are the same. They aren't computed then. */
  isSame: (before: Execution, after: Execution) => boolean;
}

const GROUPS: readonly EntryGroup[] = [
  { entriesOf: stateEntries, isSame: () => false },
  {
    entriesOf: refusedEntries,
    isSame: (before, after) => hasSameChannel(before, after) && before.messages === after.messages,
  },
  {
    entriesOf: nameEntries,
    isSame: (before, after) =>
      hasSameChannel(before, after) &&
      threadTsOf(before) === threadTsOf(after) &&
      before.kickoffIds === after.kickoffIds,
  },
];

/** The entries of an execution and its approvals, including those to remove. */
export function indexesOf(execution: Execution): IndexEntry[] {
  return GROUPS.flatMap(({ entriesOf }) => entriesOf(execution));
}

/** The entries to write when an execution changes, with removals for the entries it no longer has. */
export function indexChanges(before: Execution | null, after: Execution): IndexEntry[] {
  const changes = new Map<string, IndexEntry>();
  for (const { entriesOf, isSame } of GROUPS) {
    if (before !== null && isSame(before, after)) continue;
    const earlier = new Map<string, number>();
    for (const entry of before === null ? [] : entriesOf(before)) {
      if (entry.score === null) continue;
      earlier.set(placeOf(entry), entry.score);
      changes.set(placeOf(entry), { ...entry, score: null });
    }
    for (const entry of entriesOf(after)) {
      if (entry.score === null) continue;
      if (earlier.get(placeOf(entry)) === entry.score) changes.delete(placeOf(entry));
      else changes.set(placeOf(entry), entry);
    }
  }
  return [...changes.values()];
}

/** Keys contain no spaces. */
function placeOf({ key, member }: IndexEntry): string {
  return `${key} ${member}`;
}

function hasSameChannel(before: Execution, after: Execution): boolean {
  return before.channel === after.channel;
}

function stateEntries(execution: Execution): IndexEntry[] {
  const { ref, channel, crew, createdAt, run } = execution;
  const shard = shardOf(ref);
  const calls = unansweredCalls(execution);
  const status = (COUNTED_RUNS as readonly string[]).indexOf(run.status);
  return [
    { key: openKey(shard, channel), member: ref, score: isListed(execution) ? createdAt : null },
    { key: unansweredKey(shard, crew), member: ref, score: calls === 0 ? null : calls },
    { key: runsKey(shard), member: ref, score: status === -1 || mayExpire(execution) ? null : status },
    ...approvalEntries(execution),
    ...historyEntries(execution),
  ];
}

/** Nothing else would post again what Slack hasn't taken: so this index is part of the record's script, too. */
function refusedEntries(execution: Execution): IndexEntry[] {
  const { ref, channel } = execution;
  const score = refusedMessages(execution).length > 0 ? 0 : null;
  return [{ key: refusedKey(shardOf(ref)), member: `${channel} ${ref}`, score }];
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
    key: decidedKey(shard),
    member: writeDecided(request),
    score: request.decidedAt,
  }));
  const ended = endedRunOf(execution);
  if (!ended) return decided;
  const { endedAt: score, ...run } = ended;
  return [...decided, { key: endedKey(shard), member: JSON.stringify(ENDED.encode(run)), score }];
}

/** By what it is found in the ledger, for as long as it is there. */
function nameEntries(execution: Execution): IndexEntry[] {
  const member = writeRunNames(execution);
  return member === null ? [] : [{ key: runNamesKey(shardOf(execution.ref)), member, score: execution.createdAt }];
}

/** The execution of a pending approval, by its name in the index. */
export function refOfPending(member: string): string {
  return member.slice(0, member.lastIndexOf(':'));
}

/**
 * Whether its channel lists it as running or waiting. An unconfirmed one is listed: a person has to look after it. So is one
 * that nobody tracks any more although it waits for an answer; one that was declined as long as it is polled.
 */
function isListed(execution: Execution): boolean {
  if (execution.unfollowed) return leftWaiting(execution) !== null;
  if (declineOf(execution) && execution.poll.nextAt === null) return false;
  return RUNS[execution.run.status].isListed;
}

/** Says for each status of a run whether its channel lists it, and whether nothing more is expected of it. */
const RUNS: Record<Run['status'], { isListed: boolean; isQuiet: boolean }> = {
  starting: { isListed: true, isQuiet: false },
  running: { isListed: true, isQuiet: false },
  waiting: { isListed: true, isQuiet: false },
  'not-confirmed': { isListed: true, isQuiet: true },
  completed: { isListed: false, isQuiet: true },
  failed: { isListed: false, isQuiet: true },
  lost: { isListed: false, isQuiet: true },
  'not-started': { isListed: false, isQuiet: true },
};

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
function isQuiet(execution: Execution): boolean {
  return execution.unfollowed !== null || declineOf(execution) !== null || RUNS[execution.run.status].isQuiet;
}

// What was decided and what has ended, kept for a week in indexes by time: each member is JSON, its score the time.
/** How far back lists of what was decided and has ended go. */
export const SHOWN_DAYS = 7;

/** Processes may be behind the clock of Redis, so the indexes keep a day more than lists show. */
const KEPT_DAYS = SHOWN_DAYS + 1;

const TRIM = defineScript(
  'trim-history',
  z.number(),
  `
  -- KEYS: decided, ended. ARGV: milliseconds to keep them.
  ${NOW}
  local removed = 0
  for _, key in ipairs(KEYS) do removed = removed + redis.call('ZREMRANGEBYSCORE', key, '-inf', now - ARGV[1]) end
  return removed`,
);

/** Forgets what is older than eight days. Any process may do it at any time. @throws {StoreUnavailable} */
export async function trimHistory(redis: RedisClient): Promise<void> {
  const until = answerDeadline();
  const trim = (shard: Shard) =>
    runScript(redis, TRIM, { keys: [decidedKey(shard), endedKey(shard)], args: [KEPT_DAYS * DAY_MS], until });
  await Promise.all(SHARDS.map(trim));
}

/** There may be hundreds of thousands of them, and a name is only shown. */
const MOST_OF_TASK = 40;

const DECIDED = z.object({
  ref: z.string(),
  approvalId: z.string(),
  crew: z.string(),
  task: z.string(),
  round: z.number(),
  outcome: z.enum(['approve', 'reject', 'decline', 'closed']),
  by: z.array(z.string()),
  askedAt: z.number(),
}) satisfies z.ZodType<Omit<DecidedRequest, 'decidedAt'>>;

const ENDED = z.object({
  ref: z.string(),
  startedBy: z.string().nullable(),
}) satisfies z.ZodType<Omit<EndedRun, 'endedAt'>>;

/** The member of a decided request in its index, whose score is the time of the decision. */
export function writeDecided({ decidedAt: _, ...request }: DecidedRequest): string {
  const { task: name } = request;
  const task = name.length > MOST_OF_TASK ? name.slice(0, cutEnd(name, MOST_OF_TASK)) : name;
  return JSON.stringify(DECIDED.encode({ ...request, task, by: [...request.by] }));
}

/** Null for one that isn't as it is written here. */
export function readDecided(member: string, decidedAt: Millis): DecidedRequest | null {
  const { data } = DECIDED.safeParse(parseJson(member));
  return data ? { ...data, decidedAt } : null;
}

/** Null for one that isn't as it is written here. */
export function readEnded(member: string, endedAt: Millis): EndedRun | null {
  const { data } = ENDED.safeParse(parseJson(member));
  return data ? { ...data, endedAt } : null;
}

/** What Redis replies of an index: each member and then its score. */
export function membersIn(reply: readonly string[]): [string, Millis][] {
  return pairsIn(reply).map(([member, score]) => [member, Number(score)]);
}
