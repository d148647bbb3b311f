import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, brotliCompressSync, brotliDecompress, constants } from 'node:zlib';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import type { OutputStore } from '../core/ports.ts';
import { DAY_MS } from '../core/values/time.ts';
import { answerDeadline, defineScript, insist, type RedisClient, runScript } from './call.ts';
import { recordKeys } from './keys.ts';
import type { Replication } from './replication.ts';

// The texts of crews in Redis, compressed, and a cache of them.

const compress = promisify(brotliCompress);
const decompress = promisify(brotliDecompress);
const { BROTLI_PARAM_QUALITY: QUALITY, BROTLI_PARAM_LGWIN: WINDOW_BITS } = constants;

/**
 * Up to this length, compressing in place (0.1 ms for 4 KB) is faster than another thread, and the text is sent without asking
 * first whether it is stored.
 */
const SHORT_BYTES = 8_192;
// Five megabytes of prose take 100 ms at this quality, and seconds at 10, which saves only a tenth more.
const LONG = { params: { [QUALITY]: 5 } };
// The window holds the whole text; a larger one takes longer to set up.
const SHORT = { params: { [QUALITY]: 5, [WINDOW_BITS]: 16 } };

const SHA_256 = /^[0-9a-f]{64}$/;

const PUT = defineScript(
  'put-output',
  z.number(),
  `
  -- KEYS: record. ARGV: hash, compressed text, milliseconds to wait for the record.
  local isFirst = redis.call('EXISTS', KEYS[1]) == 0
  redis.call('HSETNX', KEYS[1], ARGV[1], ARGV[2])
  if isFirst then redis.call('PEXPIRE', KEYS[1], ARGV[3]) end
  return 1`,
);

/**
 * Stores texts of any size compressed, each as a field of the record's own Redis hash, so that they expire together; a key of
 * their own would take another 200 bytes. A lone surrogate becomes U+FFFD, which keeps the length.
 */
export function createOutputStore(
  redis: RedisClient,
  { retentionDays, replication = null }: { retentionDays: number; replication?: Replication | null },
): OutputStore {
  return {
    async put(ref, text) {
      const bytes = Buffer.from(text, 'utf8');
      const hash = createHash('sha256').update(bytes).digest('hex');
      const output = { hash, length: text.length };
      const { record } = recordKeys(ref);
      const isShort = bytes.length <= SHORT_BYTES;
      if (!isShort && (await insist(redis, answerDeadline(), () => redis.hexists(record, hash)))) return output;
      const compressed = isShort ? brotliCompressSync(bytes, SHORT) : await compress(bytes, LONG);
      const args = [hash, compressed, retentionDays * DAY_MS];
      await runScript(redis, PUT, { keys: [record], args });
      return output;
    },

    async get(ref, hash) {
      // A button may carry any text, and the record itself is a field of the same Redis hash.
      if (!SHA_256.test(hash)) return null;
      const { record } = recordKeys(ref);
      const stored = await insist(redis, answerDeadline(), () => redis.hgetBuffer(record, hash));
      if (stored) return (await decompress(stored)).toString('utf8');
      await replication?.confirmAbsent({ key: record, field: hash });
      return null;
    },
  };
}

const MOST_CHARACTERS = 4 * 1_048_576;
/** Longer texts are posted once, as files. */
const LONGEST = 16_384;

/**
 * Caches the outputs that were stored or read last: a card is rendered when it is posted and again when it is decided. Only for
 * messages; windows must read what is stored at that moment.
 */
export function createRecentOutputs(outputs: OutputStore): OutputStore {
  const recent = new LRUCache<string, string>({
    maxSize: MOST_CHARACTERS,
    sizeCalculation: ({ length }) => Math.max(1, length),
  });
  const keep = (ref: string, hash: string, text: string) => {
    if (text.length <= LONGEST) recent.set(keyOf(ref, hash), text);
  };
  return {
    async put(ref, text) {
      const output = await outputs.put(ref, text);
      if (text.isWellFormed()) keep(ref, output.hash, text);
      return output;
    },

    async get(ref, hash) {
      const cached = recent.get(keyOf(ref, hash));
      if (cached !== undefined) return cached;
      const text = await outputs.get(ref, hash);
      if (text !== null) keep(ref, hash, text);
      return text;
    },
  };
}

/** Returns the key of an output in a cache. It names the execution, even if another one has the same text. */
function keyOf(ref: string, hash: string): string {
  return createHash('sha256').update(`${ref} ${hash}`).digest('base64url');
}
