import { randomBytes, randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import type { LedgerEvent } from '../../../src/core/ledger/event.ts';
import { sealNew } from '../../../src/ledger/seal.ts';
import type { RedisClient } from '../../../src/redis/call.ts';
import {
  AUDIT_DAYS,
  append,
  asked,
  decided,
  NOW,
  recordPolicy,
  STORY,
  signers,
  voted,
} from '../../ledger/ledger-under-test.ts';
import { redisForTests } from '../store-under-test.ts';

const { redis } = redisForTests();
const RUNS = 400;
const MOST_BYTES = 400;

async function memory(redis: RedisClient): Promise<number> {
  const sizes = (await redis.keys('*')).map((key) => redis.memory('USAGE', key, 'SAMPLES', 0));
  return (await Promise.all(sizes)).reduce<number>((sum, size) => sum + Number(size ?? 0), 0);
}

/** As different from each other as runs are. */
function storyOf(run: number): LedgerEvent[] {
  const text = { sha256: randomBytes(32).toString('hex'), length: 1_000 + run * 7 };
  const task = { id: randomUUID(), name: `write part ${run} of the report` };
  const at = NOW + run * 61_234;
  const [, , , sent, confirmed] = STORY;
  return [
    asked({ output: text, task, starter: `U0${run}ANNA` }, at),
    voted(undefined, at + 4_321),
    decided({ text }, at + 9_876),
  ].concat([sent, confirmed].flatMap((event) => event ?? []));
}

it(`takes at most ${MOST_BYTES} bytes of Redis an entry, with what seals it`, async () => {
  await recordPolicy(redis());
  const before = await memory(redis());
  let entries = 0;
  for (let run = 0; run < RUNS; run++) {
    const ref = randomBytes(32)
      .toString('base64url')
      .toLowerCase()
      .replace(/[^a-z2-7]/g, 'a')
      .slice(0, 26);
    entries += (await append(redis(), ref, storyOf(run))).length;
    // As it is when they come in one minute after the other.
    if (run % 10 === 0) await sealNew(redis(), { signers, auditDays: AUDIT_DAYS });
  }
  await sealNew(redis(), { signers, auditDays: AUDIT_DAYS });
  const each = ((await memory(redis())) - before) / entries;
  expect(each).toBeLessThanOrEqual(MOST_BYTES);
});
