import { z } from 'zod';
import type { Execution } from '../core/state/execution.ts';
import { answerDeadline, defineScript, type RedisClient, runScript } from './call.ts';
import { refOfPending } from './indexes.ts';
import {
  openKey,
  pendingKey,
  recordKeyPrefix,
  recordKeys,
  refusedKey,
  type Shard,
  shardOf,
  unansweredKey,
} from './keys.ts';
import type { LocalState } from './local-state.ts';
import { runPerNode, shardKeys } from './per-node.ts';
import { UnreadableRecord } from './record.ts';
import { LEAVE_IF_ABSENT, loadRecord } from './stored-record.ts';

// Lists of executions from the indexes of all shards.

const LIST = defineScript(
  'list',
  z.array(z.string()),
  `
  -- KEYS and ARGV: the same index of each shard.
  -- Returns all members.
  ${shardKeys(0)}
  local members = {}
  for _, key in ipairs(shardKeys) do
    for _, member in ipairs(redis.call('ZRANGE', key, 0, -1)) do members[#members + 1] = member end
  end
  return members`,
);

const SUM = defineScript(
  'sum',
  z.number(),
  `
  -- KEYS and ARGV: the same index of each shard.
  -- Returns the sum of all scores.
  ${shardKeys(0)}
  local sum = 0
  for _, key in ipairs(shardKeys) do
    for i, score in ipairs(redis.call('ZRANGE', key, 0, -1, 'WITHSCORES')) do
      if i % 2 == 0 then sum = sum + score end
    end
  end
  return sum`,
);

/** Returns the executions of a channel that have not ended, newest first. */
export async function openIn(redis: RedisClient, local: LocalState, channel: string): Promise<Execution[]> {
  const refs = await runPerNode(redis, LIST, { keysOf: (shard) => [openKey(shard, channel)] });
  const until = answerDeadline();
  const executions = await Promise.all(refs.flat().map((ref) => loadListed(ref)));
  return executions.filter((execution) => execution !== null).sort((a, b) => b.createdAt - a.createdAt);

  async function loadListed(ref: string): Promise<Execution | null> {
    try {
      const { execution } = await loadRecord(redis, local, ref, until);
      if (!execution) await leave(ref);
      return execution;
    } catch (error) {
      // The worker reports an unreadable record. A list of the others is better than none.
      if (error instanceof UnreadableRecord) return null;
      throw error;
    }
  }

  async function leave(ref: string): Promise<void> {
    const keys = [recordKeys(ref).record, openKey(shardOf(ref), channel)];
    await runScript(redis, LEAVE_IF_ABSENT, { keys, args: [ref], until });
  }
}

const REFUSED = defineScript(
  'refused',
  z.array(z.string()),
  `
  -- KEYS: refused of each shard, and the names of its records up to their refs. ARGV: the first and the last member, then more of
  --       the KEYS. Returns the refs. Forgets those whose records have expired.
  ${shardKeys(2)}
  local refs = {}
  for i = 1, #shardKeys, 2 do
    for _, member in ipairs(redis.call('ZRANGEBYLEX', shardKeys[i], ARGV[1], ARGV[2])) do
      local ref = string.match(member, '^%S+ (.+)$')
      -- While their slot moves to another node of a Cluster, nobody can tell.
      if redis.pcall('EXISTS', shardKeys[i + 1] .. ref) == 0 then redis.call('ZREM', shardKeys[i], member)
      else refs[#refs + 1] = ref end
    end
  end
  return refs`,
);

/** Returns executions with messages that Slack hasn't taken into a channel yet; null means all channels. */
export async function refsRefused(redis: RedisClient, channel: string | null): Promise<string[]> {
  const args = channel === null ? ['-', '+'] : [`[${channel} `, `[${channel} \u{10ffff}`];
  const keysOf = (shard: Shard) => [refusedKey(shard), recordKeyPrefix(shard)];
  return (await runPerNode(redis, REFUSED, { keysOf, args })).flat();
}

/** Returns the executions with a pending request. */
export async function refsWithPending(redis: RedisClient): Promise<string[]> {
  const members = await runPerNode(redis, LIST, { keysOf: (shard) => [pendingKey(shard)] });
  return [...new Set(members.flat().map(refOfPending))];
}

/** Returns the number of calls to a crew that await their answer. */
export async function countUnanswered(redis: RedisClient, crew: string): Promise<number> {
  const sums = await runPerNode(redis, SUM, { keysOf: (shard) => [unansweredKey(shard, crew)] });
  return sums.reduce((sum, each) => sum + each, 0);
}
