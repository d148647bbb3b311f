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

const compress = promisify(brotliCompress);
const decompress = promisify(brotliDecompress);
const { BROTLI_PARAM_QUALITY: QUALITY, BROTLI_PARAM_LGWIN: WINDOW_BITS } = constants;

/**
 * A text of at most this many bytes is compressed at once: 4 KB take 0.1 ms, less than handing them to another thread and
 * back. It is also sent without asking first whether it is stored already.
 */
const SHORT_BYTES = 8_192;
// Five megabytes of prose take 100 ms at this quality, and seconds at the next one that pays, 10, which saves a tenth more.
const LONG = { params: { [QUALITY]: 5 } };
// A window that holds all of it, since a larger one takes longer to set up.
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
 * Texts of any size, compressed, each under its hash beside the record in the same Redis hash, so that they expire together:
 * a key of their own would take another 200 bytes. A lone surrogate can't be stored and becomes U+FFFD, which keeps the
 * length.
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
      // A button may carry any text: the record itself is a field of the same Redis hash.
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
/** Longer ones are shown as files, which are posted once. */
const LONGEST = 16_384;

/**
 * The same store, which keeps the outputs that were stored or read last: a card is rendered from its output when it is posted
 * and when it is decided. Only for messages: people may read what is stored at that moment, and nothing else.
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
      const known = recent.get(keyOf(ref, hash));
      if (known !== undefined) return known;
      const text = await outputs.get(ref, hash);
      if (text !== null) keep(ref, hash, text);
      return text;
    },
  };
}

/** An output belongs to its execution, even where another one has the same. */
function keyOf(ref: string, hash: string): string {
  return createHash('sha256').update(`${ref} ${hash}`).digest('base64url');
}
