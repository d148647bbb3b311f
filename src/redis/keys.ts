import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';

/** Fixed for ever: with another number, no stored execution would be found. */
const SHARD_COUNT = 64;

/** The hash tag that all keys of an execution share, '00' to '63', so that they lie in one slot of a Redis Cluster. */
export type Shard = string;

export const SHARDS: readonly Shard[] = Array.from({ length: SHARD_COUNT }, (_, i) => String(i).padStart(2, '0'));

/** Each call to Redis asks for the shard of its execution several times in a row. */
const KNOWN_SHARDS = new LRUCache<string, Shard>({ max: 8 });

/** The shard of an execution, always the same for the same ref. */
export function shardOf(ref: string): Shard {
  const known = KNOWN_SHARDS.get(ref);
  if (known !== undefined) return known;
  const [first = 0] = createHash('sha256').update(ref).digest();
  const shard = String(first % SHARD_COUNT).padStart(2, '0');
  KNOWN_SHARDS.set(ref, shard);
  return shard;
}

/** The keys of a record, its due time, and everything that expires with it. */
export function recordKeys(ref: string) {
  const shard = shardOf(ref);
  return { record: key(shard, 'execution', ref), due: dueKey(shard), activity: key(shard, 'activity', ref) };
}

/** How many changes of a shard's records a process has stored. */
export const writesKey = (shard: Shard, processId: string) => key(shard, 'writes', processId);

/** Exists while somebody has just been told that Redis has lost a run. */
export const lostRunKey = (ref: string) => key(shardOf(ref), 'lost-run', ref);

/** The names of a shard's records, up to the ref. */
export const recordKeyPrefix = (shard: Shard) => key(shard, 'execution', '');

/** Due times by ref. */
export const dueKey = (shard: Shard) => key(shard, 'due');

/** The entries of a run in the ledger, oldest first. */
export const ledgerKey = (ref: string) => key(shardOf(ref), 'ledger', ref);

/** A pattern that all of these match. */
export const ALL_LEDGER_KEYS = key('??', 'ledger', '*');

export function refOfLedgerKey(key: string): string {
  return key.split(':').slice(3).join(':');
}

/** The last of these entries, and the last policy that they put in force: so nobody has to read all of them. */
export const ledgerHeadKey = (ref: string) => key(shardOf(ref), 'ledger-head', ref);

/** Exists for a while after a refused request has become an entry, or was counted. */
export const refusedRequestKey = (ref: string, requestId: string) => key(shardOf(ref), 'ledger-refused', requestId);

/** How often each refusal of the last minute has been repeated, until that is an entry. */
export const repeatsKey = (shard: Shard) => key(shard, 'ledger-repeats');

/** Exists while a person's Home has just been published. */
export const homeTurnKey = (personId: string) => key(shardOf(personId), 'home', personId);

/** How much of a rate limit of Slack is used up. */
export const rateKey = (limit: string) => key(shardOf(limit), 'rate', limit);

/** What the sealer has to know of a shard's entries that are not sealed yet, in the order in which they were written. */
export const unsealedKey = (shard: Shard) => key(shard, 'ledger-unsealed');

/** What is sealed is one tree, all in one slot, so that it changes in one step. */
const TREE_SHARD: Shard = '00';

/** The size of the tree, its last checkpoint, and what is under way. */
export const treeKey = key(TREE_SHARD, 'ledger-tree');

/** The roots of its full tiles, one after the other. */
export const tileRootsKey = key(TREE_SHARD, 'ledger-roots');

/** The hashes of the leaves of a tile, one after the other. */
export const tileKey = (tile: number) => key(TREE_SHARD, 'ledger-tile', String(tile));

/** Which entries the leaves of a tile are. */
export const placesKey = (tile: number) => key(TREE_SHARD, 'ledger-places', String(tile));

/** The last checkpoint of each day. */
export const dailyKey = key(TREE_SHARD, 'ledger-days');

/** What was found among the entries to be sealed, and can't be. */
export const setAsideKey = key(TREE_SHARD, 'ledger-set-aside');

/** Exists while it is too soon to look for new entries again. */
export const sealingTurnKey = key(TREE_SHARD, 'ledger-turn');

/** How far a sink has got, by the id of its address. */
export const sinkKey = (sink: string) => key(TREE_SHARD, 'ledger-sink', sink);

/** All policies that the ledger names, by their hash. */
export const policiesKey = key(TREE_SHARD, 'ledger-policies');

/**
 * Where each change announces when its execution is due next: the process, the due time ('' = none), and the ref. A heartbeat
 * announces its process alone; one that begins to listen, or that ends and leaves nothing behind, says so after its name.
 */
export const DUE_CHANNEL = 'signoff:due';
export const BEGUN = 'begun';
export const ENDED = 'ended';

/** The executions of a channel that have not ended, by the time of their start. */
export const openKey = (shard: Shard, channel: string) => key(shard, 'open', channel);

/** The executions with messages that Slack hasn't taken yet: the channel of each, and its ref. */
export const refusedKey = (shard: Shard) => key(shard, 'refused');

/** The number of unanswered calls to a crew, by ref. */
export const unansweredKey = (shard: Shard, crew: string) => key(shard, 'unanswered', crew);

/** The status of running executions, by ref. */
export const runsKey = (shard: Shard) => key(shard, 'runs');

/** Since when approvals are pending, by ref and approval id. */
export const pendingKey = (shard: Shard) => key(shard, 'pending');

/** Why decisions weren't delivered, by ref and approval id. */
export const undeliveredKey = (shard: Shard) => key(shard, 'undelivered');

/** When requests were decided, by everything that is remembered of them. */
export const decidedKey = (shard: Shard) => key(shard, 'decided');

/** When runs ended, by their ref and who started them. */
export const endedKey = (shard: Shard) => key(shard, 'ended');

/** By what else than its ref each run is known, by the time of its start. */
export const runNamesKey = (shard: Shard) => key(shard, 'run-names');

/** Exists while a process of the bot is alive. */
export const processKey = (id: string) => key(shardOf(id), 'process', id);

/** Written now and then to see whether the shard can be. */
export const writableKey = (shard: Shard) => key(shard, 'writable');

/** What a crew or a run has done within the hour. */
export const hourlyCountKey = (kind: string, owner: string) => key(shardOf(owner), 'hour', kind, owner);

/** A person's own tokens, encrypted, by crew. */
export const userTokensKey = (personId: string) => key(shardOf(personId), 'user-tokens', personId);

/** How all of this is laid out. */
export const formatKey = key(TREE_SHARD, 'format');

/** The new ids of channels, by their old ones. */
export const channelMovesKey = key(TREE_SHARD, 'channel-moves');

/** What people have chosen in the Home tab, by their id. */
export const personSettingsKey = key(TREE_SHARD, 'person-settings');

/** What Slack has told of user groups lately. */
export const groupChangesKey = key(TREE_SHARD, 'group-changes');

/** An approval that waits for a sign-in, by what its link is known by. */
export const signInLinkKey = (linkId: string) => key(shardOf(linkId), 'sign-in', linkId);

/** The latest feedback of a person for a crew. */
export const recentFeedbackKey = (crew: string, personId: string) =>
  key(shardOf(personId), 'recent-feedback', personId, crew);

/** The asks of a program's thread. */
export function askThreadKey(crew: string, thread: string): string {
  const name = JSON.stringify([crew, thread]);
  return key(shardOf(name), 'ask-thread', createHash('sha256').update(name).digest('base64url'));
}

/** The length of what `linkOf` returns. */
export const LINK_LENGTH = 18;

/** A short name for an id of a crew service: its shard, and the beginning of a hash. */
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

/** The ref for an id. It lies in the shard of the id, which is all that is known when looking it up. */
export function linkKey(link: string): string {
  return key(link.slice(0, 2), 'id', link.slice(2));
}

/** The shard that a key names. */
export function shardOfKey(name: string): Shard {
  return name.slice(name.indexOf('{') + 1, name.indexOf('}'));
}

function key(shard: Shard, ...parts: string[]): string {
  return ['signoff', `{${shard}}`, ...parts].join(':');
}
