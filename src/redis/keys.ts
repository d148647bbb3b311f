import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';

// The names of all keys in Redis. "Sorted set: a → b" has the members a with the scores b; "Hash: a → b", the fields a.

/** This number never changes: with another one, no stored execution would be found. */
const SHARD_COUNT = 64;

/** The hash tag that all keys of an execution share, '00' to '63', so that they lie in one slot of a Redis Cluster. */
export type Shard = string;

export const SHARDS: readonly Shard[] = Array.from({ length: SHARD_COUNT }, (_, i) => String(i).padStart(2, '0'));

/** Each call to Redis needs the shard of its execution several times in a row. */
const KNOWN_SHARDS = new LRUCache<string, Shard>({ max: 8 });

/** Returns the shard of an execution, always the same for the same ref. */
export function shardOf(ref: string): Shard {
  const cached = KNOWN_SHARDS.get(ref);
  if (cached !== undefined) return cached;
  const [first = 0] = createHash('sha256').update(ref).digest();
  const shard = String(first % SHARD_COUNT).padStart(2, '0');
  KNOWN_SHARDS.set(ref, shard);
  return shard;
}

/** Returns the keys of a record, its due time, and everything that expires with it. */
export function recordKeys(ref: string) {
  const shard = shardOf(ref);
  return { record: key(shard, 'execution', ref), due: dueKey(shard), activity: key(shard, 'activity', ref) };
}

/** Number of changes that a process has stored in a shard. */
export const writesKey = (shard: Shard, processId: string) => key(shard, 'writes', processId);

/** Exists after somebody was notified that Redis has lost a run, so that nobody else is. */
export const lostRunKey = (ref: string) => key(shardOf(ref), 'lost-run', ref);

/** Beginning of the names of a shard's records, before the ref. */
export const recordKeyPrefix = (shard: Shard) => key(shard, 'execution', '');

/** Sorted set: ref → due time. */
export const dueKey = (shard: Shard) => key(shard, 'due');

/** Ledger entries of a run, oldest first. */
export const ledgerKey = (ref: string) => key(shardOf(ref), 'ledger', ref);

/** Pattern that all ledger keys match. */
export const ALL_LEDGER_KEYS = key('??', 'ledger', '*');

export function refOfLedgerKey(key: string): string {
  return key.split(':').slice(3).join(':');
}

/** Head of a run's ledger and its last policy, so that nobody has to read all entries. */
export const ledgerHeadKey = (ref: string) => key(shardOf(ref), 'ledger-head', ref);

/** Exists for a while after a refused request was entered or counted. */
export const refusedRequestKey = (ref: string, requestId: string) => key(shardOf(ref), 'ledger-refused', requestId);

/** Repetitions of each refusal of the last minute, until they become an entry. */
export const repeatsKey = (shard: Shard) => key(shard, 'ledger-repeats');

/** Exists shortly after a person's Home was published. */
export const homeTurnKey = (personId: string) => key(shardOf(personId), 'home', personId);

/** Used part of a rate limit of Slack. */
export const rateKey = (limit: string) => key(shardOf(limit), 'rate', limit);

/** Facts for the sealer about a shard's unsealed entries, oldest first. */
export const unsealedKey = (shard: Shard) => key(shard, 'ledger-unsealed');

/** The tree of sealed entries lies in one slot, so that it changes in one step. */
const TREE_SHARD: Shard = '00';

/** Size of the tree, its last checkpoint, and an unfinished seal. */
export const treeKey = key(TREE_SHARD, 'ledger-tree');

/** Roots of the full tiles, one after the other. */
export const tileRootsKey = key(TREE_SHARD, 'ledger-roots');

/** Leaf hashes of a tile, one after the other. */
export const tileKey = (tile: number) => key(TREE_SHARD, 'ledger-tile', String(tile));

/** The entries that the leaves of a tile stand for. */
export const placesKey = (tile: number) => key(TREE_SHARD, 'ledger-places', String(tile));

/** Last checkpoint of each day. */
export const dailyKey = key(TREE_SHARD, 'ledger-days');

/** Unsealed entries that can't be sealed. */
export const setAsideKey = key(TREE_SHARD, 'ledger-set-aside');

/** Exists while it is too soon to look for new entries again. */
export const sealingTurnKey = key(TREE_SHARD, 'ledger-turn');

/** Progress of a sink, by the id of its address. */
export const sinkKey = (sink: string) => key(TREE_SHARD, 'ledger-sink', sink);

/** Hash: hash of a policy → its document. Has all policies that the ledger names. */
export const policiesKey = key(TREE_SHARD, 'ledger-policies');

/**
 * Channel on which each change announces the next due time of its execution: process, due time ('' = none), ref. A heartbeat
 * announces the process alone. A process adds `BEGUN` as a last word when it begins to listen, and `ENDED` when it ends with nothing
 * in progress.
 */
export const DUE_CHANNEL = 'signoff:due';
export const BEGUN = 'begun';
export const ENDED = 'ended';

/** Sorted set: ref → start time of an execution of the channel that has not ended. */
export const openKey = (shard: Shard, channel: string) => key(shard, 'open', channel);

/** Sorted set: channel and ref of an execution with messages that Slack hasn't taken yet → 0. */
export const refusedKey = (shard: Shard) => key(shard, 'refused');

/** Sorted set: ref → number of unanswered calls to the crew. */
export const unansweredKey = (shard: Shard, crew: string) => key(shard, 'unanswered', crew);

/** Sorted set: ref → status of a running execution, as its position in `COUNTED_RUNS`. */
export const runsKey = (shard: Shard) => key(shard, 'runs');

/** Sorted set: ref and request id → time since when the request is pending. */
export const pendingKey = (shard: Shard) => key(shard, 'pending');

/** Sorted set: ref and request id → reason why the decision wasn't delivered, as its position in `UNDELIVERED`. */
export const undeliveredKey = (shard: Shard) => key(shard, 'undelivered');

/** Sorted set: decided request as JSON → time of the decision. */
export const decidedKey = (shard: Shard) => key(shard, 'decided');

/** Sorted set: ended run as JSON → time of the end. */
export const endedKey = (shard: Shard) => key(shard, 'ended');

/** Sorted set: other names of a run → its start time. */
export const runNamesKey = (shard: Shard) => key(shard, 'run-names');

/** Exists while a process of the bot is alive. */
export const processKey = (id: string) => key(shardOf(id), 'process', id);

/** Written now and then to check that the shard can be written. */
export const writableKey = (shard: Shard) => key(shard, 'writable');

/** Count of what a crew or a run has done within the hour. */
export const hourlyCountKey = (kind: string, owner: string) => key(shardOf(owner), 'hour', kind, owner);

/** Hash: crew → the person's own token for it, encrypted. */
export const userTokensKey = (personId: string) => key(shardOf(personId), 'user-tokens', personId);

/** Version of the layout of all keys. */
export const formatKey = key(TREE_SHARD, 'format');

/** Hash: old id of a channel → its new id. */
export const channelMovesKey = key(TREE_SHARD, 'channel-moves');

/** Hash: person id → settings. */
export const personSettingsKey = key(TREE_SHARD, 'person-settings');

/** Recent changes of user groups. */
export const groupChangesKey = key(TREE_SHARD, 'group-changes');

/** A verdict that waits for a sign-in; the link that the person follows has this id. */
export const signInLinkKey = (linkId: string) => key(shardOf(linkId), 'sign-in', linkId);

/** Latest feedback of a person for a crew. */
export const recentFeedbackKey = (crew: string, personId: string) =>
  key(shardOf(personId), 'recent-feedback', personId, crew);

/** The asks of a program's thread. */
export function askThreadKey(crew: string, thread: string): string {
  const name = JSON.stringify([crew, thread]);
  return key(shardOf(name), 'ask-thread', createHash('sha256').update(name).digest('base64url'));
}

/** Length of the result of `linkOf`. */
export const LINK_LENGTH = 18;

/** Returns a short name for an id of a crew service: its shard, and the beginning of a hash. */
export function linkOf(crew: string, id: string): string {
  const name = JSON.stringify([crew, id]);
  return (
    shardOf(name) +
    createHash('sha256')
      .update(name)
      .digest('base64url')
      .slice(0, LINK_LENGTH - 2)
  );
}

/** Returns the key of the ref for an id, in the shard of the id. */
export function linkKey(link: string): string {
  return key(link.slice(0, 2), 'id', link.slice(2));
}

export function shardOfKey(name: string): Shard {
  return name.slice(name.indexOf('{') + 1, name.indexOf('}'));
}

function key(shard: Shard, ...parts: string[]): string {
  return ['signoff', `{${shard}}`, ...parts].join(':');
}
