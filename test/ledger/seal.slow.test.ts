import { expect, it, onTestFinished } from 'vitest';
import { sealNew } from '../../src/ledger/seal.ts';
import { closeRedis, connectRedis, pingRedis } from '../../src/redis/connection/connect.ts';
import { SHARDS, unsealedKey } from '../../src/redis/keys.ts';
import { startRedisCluster } from '../support/redis-cluster.ts';
import { killedClient } from './intercepted-client.ts';
import { AUDIT_DAYS, append, exported, recordPolicy, refOf, signers, verified } from './ledger-under-test.ts';

const options = { signers, auditDays: AUDIT_DAYS };

it('seals and exports what lies on all nodes of a Redis Cluster, also when a process is killed', async () => {
  const cluster = await startRedisCluster();
  onTestFinished(cluster.stop);
  const redis = connectRedis(cluster.url, { onTrouble: () => {} });
  onTestFinished(() => closeRedis(redis));
  await pingRedis(redis);
  await recordPolicy(redis);
  const refs = Array.from({ length: 80 }, (_, i) => refOf(i));
  for (const ref of refs) await append(redis, ref);
  for (let step = 1; step < 30; step++) await sealNew(killedClient(redis, step, 'after'), options).catch(() => {});
  await append(redis, refOf(90));
  const told = await verified(await exported(redis));
  expect(told).toContain('OK: 406 entries of 81 runs');
  expect(told).toContain('Complete: every sealed entry is here.');
  for (const shard of SHARDS) expect(await redis.llen(unsealedKey(shard))).toBe(0);
});
