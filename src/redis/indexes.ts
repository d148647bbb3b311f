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

// Computes from the state of an execution what is stored beside its record: its entries in the indexes, and whether its record expires.
// `stored-record.ts` writes both with the record.

/** A member of an index with its score; a null score removes it. */
interface IndexEntry {
  key: string;
  member: string;
  score: number | null;
}

/** Statuses of running executions that are counted. Stored by position: the order never changes. */
export const COUNTED_RUNS = ['starting', 'running', 'waiting'] as const;
/** Failures after which a person can send a decision again. Stored by position: the order never changes. */
export const UNDELIVERED = ['refused', 'not-confirmed'] as const;

/** Entries that depend on the same part of an execution. */
interface EntryGroup {
  entriesOf: (execution: Execution) => IndexEntry[];
  /** Returns true if a change has left that part alone. The entries then aren't computed. */
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

/** Returns all entries of an execution, including those to remove. */
export function indexesOf(execution: Execution): IndexEntry[] {
  return GROUPS.flatMap(({ entriesOf }) => entriesOf(execution));
}

/** Returns the entries to write when an execution changes, with removals for those that it no longer has. */
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

/** Identifies an entry by its key and member; keys contain no spaces. */
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

/**
 * Returns the entry of an execution with messages that Slack hasn't taken. Only by this index are they posted again, so it changes
 * with the record.
 */
function refusedEntries(execution: Execution): IndexEntry[] {
  const { ref, channel } = execution;
  const score = refusedMessages(execution).length > 0 ? 0 : null;
  return [{ key: refusedKey(shardOf(ref)), member: `${channel} ${ref}`, score }];
}

/** Returns entries for requests that wait for a person. An expired record couldn't remove them, so it has none. */
function approvalEntries(execution: Execution): IndexEntry[] {
  if (mayExpire(execution)) return [];
  const shard = shardOf(execution.ref);
  return execution.requests.flatMap((request): IndexEntry[] => {
    const member = `${execution.ref}:${request.id}`;
    if (request.state.status === 'pending')
      return [{ key: pendingKey(shard), member, score: request.question.askedAt }];
    if (request.state.status !== 'failed') return [];
    return [{ key: undeliveredKey(shard), member, score: UNDELIVERED.indexOf(request.state.failure.kind) }];
  });
}

/** Returns entries for the history, which outlives the record for a while. */
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

/** Returns the entry by which the ledger finds a run. */
function nameEntries(execution: Execution): IndexEntry[] {
  const member = writeRunNames(execution);
  return member === null ? [] : [{ key: runNamesKey(shardOf(execution.ref)), member, score: execution.createdAt }];
}

/** Returns the ref of a pending request, given its member in the index. */
export function refOfPending(member: string): string {
  return member.slice(0, member.lastIndexOf(':'));
}

/**
 * Returns true if the channel lists the run as running or waiting: also an unconfirmed one, which a person has to look after, an
 * untracked one that still waits for an answer, and a declined one as long as it is polled.
 */
function isListed(execution: Execution): boolean {
  if (execution.unfollowed) return leftWaiting(execution) !== null;
  if (declineOf(execution) && execution.poll.nextAt === null) return false;
  return RUNS[execution.run.status].isListed;
}

/** Each status says whether the channel lists the run, and whether nothing more is expected of it. */
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
 * Returns true if the record expires: once the run has ended, or once nothing more is expected and nothing is due. A record that
 * expires already goes on expiring when something falls due, such as the update that says so. One that awaits an answer of the crew
 * never expires.
 */
export function mayExpire(execution: Execution): boolean {
  if (unansweredCalls(execution) > 0) return false;
  return hasEnded(execution) || (isQuiet(execution) && (execution.expiry !== null || dueAt(execution) === null));
}

/** Returns the number of kickoffs and resumes that await their answer. */
function unansweredCalls({ kickoff, requests }: Execution): number {
  const kickoffs = kickoff.status === 'settled' ? 0 : 1;
  return kickoffs + requests.filter(({ state: { status } }) => status === 'sending').length;
}

/** Returns true if nothing more is expected, although a webhook might still revive the run. */
function isQuiet(execution: Execution): boolean {
  return execution.unfollowed !== null || declineOf(execution) !== null || RUNS[execution.run.status].isQuiet;
}

// The history: indexes by time of decided requests and ended runs. Each member is JSON, its score the time.

/** Days of the history that lists show. */
export const SHOWN_DAYS = 7;

/** One day more than lists show, because processes may be behind the clock of Redis. */
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

/** Removes history that is too old. Any process may call it at any time. @throws {StoreUnavailable} */
export async function trimHistory(redis: RedisClient): Promise<void> {
  const until = answerDeadline();
  const trim = (shard: Shard) =>
    runScript(redis, TRIM, { keys: [decidedKey(shard), endedKey(shard)], args: [KEPT_DAYS * DAY_MS], until });
  await Promise.all(SHARDS.map(trim));
}

/** Lists only show the name, and there may be hundreds of thousands. */
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

/** Returns the member of a decided request in its index; the score is the time of the decision. */
export function writeDecided({ decidedAt: _, ...request }: DecidedRequest): string {
  const { task: name } = request;
  const task = name.length > MOST_OF_TASK ? name.slice(0, cutEnd(name, MOST_OF_TASK)) : name;
  return JSON.stringify(DECIDED.encode({ ...request, task, by: [...request.by] }));
}

/** Returns null for a member of another format. */
export function readDecided(member: string, decidedAt: Millis): DecidedRequest | null {
  const { data } = DECIDED.safeParse(parseJson(member));
  return data ? { ...data, decidedAt } : null;
}

/** Returns null for a member of another format. */
export function readEnded(member: string, endedAt: Millis): EndedRun | null {
  const { data } = ENDED.safeParse(parseJson(member));
  return data ? { ...data, endedAt } : null;
}

/** Returns the members in a reply, with their scores. */
export function membersIn(reply: readonly string[]): [string, Millis][] {
  return pairsIn(reply).map(([member, score]) => [member, Number(score)]);
}
