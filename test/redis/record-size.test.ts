import { describe, expect, it } from 'vitest';
import { ask } from '../../src/core/request/ask.ts';
import { ok } from '../../src/core/values/result.ts';
import { createExecutionStore } from '../../src/redis/executions.ts';
import { createOutputStore } from '../../src/redis/outputs.ts';
import { prose } from '../bench/harness/prose.ts';
import { BESIDE_LEDGER } from '../bench/harness/redis-counts.ts';
import { request, withRequests } from '../support/executions.ts';
import { posted, RULES } from '../support/requests.ts';
import { redisForTests, started } from './store-under-test.ts';

describe('what Redis keeps for a pending approval', () => {
  const { redis } = redisForTests();
  const RUNS = 200;
  const MOST_BYTES = 3_800;
  const id = (n: number) => `3f8e2a0a-56d2-4a0f-9a5b-${String(n).padStart(12, '0')}`;

  it(`with a text of 4 KB takes at most ${MOST_BYTES} bytes, without its entries in the ledger`, async () => {
    const store = createExecutionStore(redis(), { retentionDays: 30, auditDays: 400, replication: null });
    const outputs = createOutputStore(redis(), { retentionDays: 30 });
    const card = posted({ ts: '1795349314.101299', shown: '16qerm1y3gw', notBefore: Date.now() });
    for (let n = 0; n < RUNS; n++) {
      const ref = `3zk5c7q2ma4xv6tnyewb${String(n).padStart(6, 'a')}`;
      await store.create(ref, (now) => started(ref, now, { kickoff: { status: 'settled' }, root: card }));
      await store.linkId('research', id(n), ref);
      const asked = {
        kickoffId: id(n),
        executionId: id(n),
        taskId: id(n),
        output: await outputs.put(ref, prose(4_096, n)),
      };
      await store.change(ref, (execution, now) => ask(execution, request(asked), now, RULES));
      await store.change(ref, (execution) => {
        const requests = execution.requests.map((approval) => ({
          ...approval,
          card,
          discussion: { ...approval.discussion, mentioned: [] },
        }));
        return ok(withRequests(execution, requests));
      });
    }
    const keys = (await redis().keys('*')).filter((key) => BESIDE_LEDGER.test(key));
    const sizes = await Promise.all(keys.map((key) => redis().memory('USAGE', key, 'SAMPLES', 0)));
    const bytes = sizes.reduce<number>((sum, size) => sum + Number(size ?? 0), 0) / RUNS;
    expect(bytes).toBeLessThanOrEqual(MOST_BYTES);
  });
});
