import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ledgerKey, recordKeys, shardOf, unsealedKey } from '../../src/redis/keys.ts';
import { WRITE_ID_LENGTH } from '../../src/redis/local/write-ids.ts';
import { audit } from '../support/audit-program.ts';
import { type PolicyWorld, startPolicyWorld } from '../support/policy-world.ts';
import { TEST_SECRET } from '../support/world.ts';

let world: PolicyWorld;
let redis: Redis;
let folder: string;

beforeAll(async () => {
  world = await startPolicyWorld({ crews: { earlier: {} } });
  redis = new Redis({ path: world.redis.socketPath });
  folder = await mkdtemp(join(tmpdir(), 'signoff-audit-'));
});
afterAll(async () => {
  await redis.quit();
  await world.stop();
  await rm(folder, { recursive: true });
});

it('a request from before the ledger is decided, and exported with all else', async () => {
  const run = await world.run('earlier');
  await world.slack.as('maria').seesChanged(run.root, 'Open the approval');
  const ref = await onlyRef();
  await forgetLedger(ref);
  await world.restart();
  await world.slack.as('jon').click('Approve', { in: run.card });
  expect(await run.told()).toEqual(['approved: Approved.']);
  await run.shows('Jon Bell approved');
  const env = { REDIS_URL: world.redis.url, APP_SECRET: TEST_SECRET };
  const file = join(folder, 'earlier.jsonl');
  await writeFile(file, (await audit(['export'], env)).out);
  expect(await audit(['verify', file])).toMatchObject({ code: 0, out: expect.stringContaining('OK: ') });
  expect((await audit(['who', ref], env)).out).toContain('This is request 1.');
});

async function onlyRef(): Promise<string> {
  const [key = '', ...others] = await redis.keys('signoff:{*}:execution:*');
  expect(others).toEqual([]);
  return key.split(':').at(-1) ?? '';
}

/** Leaves a run as a bot of the record version 4 would have: without times, votes, and entries. */
async function forgetLedger(ref: string): Promise<void> {
  const key = recordKeys(ref).record;
  const { ap, ...record } = JSON.parse((await redis.hget(key, 'record')) ?? '{}');
  const asked = ap.map(({ tm: _, ...approval }: { tm: unknown }) => approval);
  delete record.le;
  // With another write id, or a running bot would store what it still holds over it.
  const writes = '0'.repeat(WRITE_ID_LENGTH);
  await redis.hset(key, 'record', JSON.stringify({ ...record, ap: asked, version: 4 }), 'writes', writes);
  await redis.del(ledgerKey(ref));
  const unsealed = await redis.lrange(unsealedKey(shardOf(ref)), 0, -1);
  for (const entry of unsealed.filter((each) => each.includes(ref)))
    await redis.lrem(unsealedKey(shardOf(ref)), 0, entry);
}
