import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, brotliDecompress, constants } from 'node:zlib';
import { z } from 'zod';
import type { OutputStore } from '../core/ports.ts';
import { answerDeadline, insist, type RedisClient, runScript } from './connection/call.ts';
import { defineScript } from './connection/script.ts';
import { daysInMs, liveLikeRecord } from './executions/retention.ts';
import { recordKeys } from './keys.ts';

const compress = promisify(brotliCompress);
const decompress = promisify(brotliDecompress);
// Five megabytes of prose take 50 ms at this quality, and ten seconds at the highest.
const COMPRESSION = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } };

const PUT = defineScript(
  'put-output',
  z.number(),
  `
  -- KEYS: outputs, record. ARGV: hash, compressed text, milliseconds to wait for the record.
  redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
  ${liveLikeRecord({ key: 'KEYS[1]', record: 'KEYS[2]', waitMs: 'ARGV[3]' })}
  return 1`,
);

/**
 * Texts of any size, compressed, in one hash per execution that expires with its record. A lone surrogate can't be stored
 * and becomes U+FFFD, which keeps the length.
 */
export function createOutputStore(redis: RedisClient, { retentionDays }: { retentionDays: number }): OutputStore {
  return {
    async put(ref, text) {
      const bytes = Buffer.from(text, 'utf8');
      const hash = createHash('sha256').update(bytes).digest('hex');
      const output = { hash, length: text.length };
      const { outputs, record } = recordKeys(ref);
      if (await insist(redis, answerDeadline(), () => redis.hexists(outputs, hash))) return output;
      const compressed = await compress(bytes, COMPRESSION);
      await runScript(redis, PUT, {
        keys: [outputs, record],
        args: [hash, compressed, daysInMs(retentionDays)],
        until: answerDeadline(),
      });
      return output;
    },

    async get(ref, hash) {
      const stored = await insist(redis, answerDeadline(), () => redis.hgetBuffer(recordKeys(ref).outputs, hash));
      return stored && (await decompress(stored)).toString('utf8');
    },
  };
}
