import { z } from 'zod';
import type { AskThreads } from '../core/ports.ts';
import { DAY_MS } from '../core/values/time.ts';
import { answerDeadline, defineScript, type RedisClient, runScript } from './call.ts';
import { createChannelMoves } from './channel-moves.ts';
import { askThreadKey } from './keys.ts';

// The asks of each program's thread, under one key for each thread, in a shard of its own because the asks lie in many.

/** No more asks than this are searched for the one before. */
const MOST_ASKS = 100;
const REF_LENGTH = 26;

const JOIN = defineScript(
  'join-ask-thread',
  z.tuple([z.string(), z.string(), z.string()]),
  `
  -- KEYS: thread. ARGV: ref, its channel, an older id of that channel ('' = none), milliseconds to live, most asks in characters.
  -- Returns the channel of the thread, the ask that begins it ('' = none), and all asks, newest first, no separators.
  local channel = redis.call('HGET', KEYS[1], 'channel') or ARGV[2]
  if channel ~= ARGV[2] and channel ~= ARGV[3] then return {channel, '', ''} end
  local asks = redis.call('HGET', KEYS[1], 'asks') or ''
  if not string.find(asks, ARGV[1], 1, true) then asks = string.sub(ARGV[1] .. asks, 1, tonumber(ARGV[5])) end
  redis.call('HSET', KEYS[1], 'channel', ARGV[2], 'asks', asks)
  if redis.call('PTTL', KEYS[1]) < tonumber(ARGV[4]) then redis.call('PEXPIRE', KEYS[1], ARGV[4]) end
  return {ARGV[2], redis.call('HGET', KEYS[1], 'first') or '', asks}`,
);

const BEGIN = defineScript(
  'begin-ask-thread',
  z.string().nullable(),
  `
  -- KEYS: thread. ARGV: the ask that begins it as far as the caller knows ('' = none), the one that does from now on.
  -- Returns the one that begins it (nil = there is no such thread).
  if redis.call('EXISTS', KEYS[1]) == 0 then return false end
  local first = redis.call('HGET', KEYS[1], 'first') or ''
  if first ~= ARGV[1] then return first end
  redis.call('HSET', KEYS[1], 'first', ARGV[2])
  return ARGV[2]`,
);

/** Keeps each thread as long as the longest-kept record of its asks. */
export function createAskThreads(redis: RedisClient, { retentionDays }: { retentionDays: number }): AskThreads {
  const { latest } = createChannelMoves(redis);
  return {
    async join({ crew, thread }, { ref, channel, waitMs }) {
      const until = answerDeadline();
      const join = (olderChannel: string) =>
        runScript(redis, JOIN, {
          keys: [askThreadKey(crew, thread)],
          args: [ref, channel, olderChannel, waitMs + retentionDays * DAY_MS, MOST_ASKS * REF_LENGTH],
          until,
        });
      let joined = await join('');
      // Slack may have given the channel another id since.
      if (joined[0] !== channel && (await latest(joined[0])) === channel) joined = await join(joined[0]);
      const [threadChannel, first, asks] = joined;
      if (threadChannel !== channel) return { kind: 'other-channel' };
      const refs = Array.from({ length: asks.length / REF_LENGTH }, (_, i) =>
        asks.slice(i * REF_LENGTH, (i + 1) * REF_LENGTH),
      );
      return { kind: 'joined', first: first || null, earlier: refs.slice(refs.indexOf(ref) + 1) };
    },
    begin: ({ crew, thread }, { instead, ref }) =>
      runScript(redis, BEGIN, { keys: [askThreadKey(crew, thread)], args: [instead ?? '', ref] }),
  };
}
