import { afterEach, describe, expect, it } from 'vitest';
import { claimKickoff } from '../../src/core/execution/start.ts';
import { StoreUnavailable } from '../../src/core/ports.ts';
import { ok } from '../../src/core/values/result.ts';
import { closeRedis, connectRedis, pingRedis } from '../../src/redis/connection.ts';
import { createDueQueue } from '../../src/redis/due-queue.ts';
import { createExecutionStore } from '../../src/redis/executions.ts';
import { recordKeys } from '../../src/redis/keys.ts';
import { createLocalState } from '../../src/redis/local-state.ts';
import { registerProcess } from '../../src/redis/processes.ts';
import { createCallClaims } from '../../src/worker/change.ts';
import { Worker } from '../../src/worker/worker.ts';
import { silent } from '../crew/crew-values.ts';
import { startRedisInterceptor } from '../redis/redis-interceptor.ts';
import { eventually, redisForTests, started } from '../redis/store-under-test.ts';

const { server, redis } = redisForTests();
const endings: (() => Promise<unknown> | unknown)[] = [];
afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end();
});

const RETENTION = { retentionDays: 30, auditDays: 400, replication: null };
const KICKOFF = { kind: 'kickoff' } as const;
const LOOK = ':due';
const WRITE = '"version":';

const notYet = (now: number) => ({
  root: { status: 'gone', ts: null } as const,
  kickoff: { status: 'due', tries: 0, delayedBy: null, notBefore: now + 3_600_000 } as const,
});

/** A process that makes kickoffs, and to which answers of Redis can get lost. */
async function aProcess() {
  let lost: string | null = null;
  const proxy = await startRedisInterceptor(server().port, {
    isLost: (request) => lost !== null && request.includes(lost),
  });
  const client = connectRedis(proxy.url, { onTrouble: () => {} });
  await pingRedis(client);
  const local = createLocalState();
  const store = createExecutionStore(client, { ...RETENTION, local });
  const due = createDueQueue(client, local);
  const processes = registerProcess(client, silent, { local, beatEveryMs: 200 });
  const { claimCall, unmadeCalls } = createCallClaims(store, local.processId);
  const [calls, failed]: [string[], string[]] = [[], []];
  const worker = new Worker({
    ...{ store, due, log: silent },
    handler: {
      unmade: unmadeCalls,
      prepare: async () => true,
      hasMade: () => false,
      async handle({ ref }, { kind }) {
        // Whatever else becomes due has no part in this.
        if (kind !== 'kickoff') return new Promise(() => {});
        const claimed = await claimCall(ref, KICKOFF, claimKickoff).catch((error) => {
          failed.push(ref);
          throw error;
        });
        if (!claimed) return;
        calls.push(ref);
        await store.change(ref, (execution) => ok({ ...execution, kickoff: { status: 'settled' } }));
      },
    },
  });
  endings.push(
    () => proxy.close(),
    () => closeRedis(client),
    () => processes.close(),
    () => due.close(),
    () => worker.stop(1_000),
  );
  return {
    ...{ store, due, worker, calls, failed },
    lose: (requests: string | null) => {
      lost = requests;
    },
  };
}

const inRedis = () => createExecutionStore(redis(), RETENTION);

// All of this happens long before a lease or a claim ends.
describe('an answer of Redis that gets lost', () => {
  it('delays nothing that was claimed from the queue', async () => {
    const { worker, calls, lose } = await aProcess();
    await inRedis().create('r1', (now) => started('r1', now, { root: { status: 'gone', ts: null } }));
    lose(LOOK);
    worker.start();
    await eventually(async () => (await redis().hget(recordKeys('r1').record, 'lease')) !== null);
    lose(null);
    await eventually(async () => calls.length > 0);
    expect(calls).toEqual(['r1']);
  });

  it('delays no change that was stored, though nobody was told so', async () => {
    const { store, due, worker, calls, lose } = await aProcess();
    await store.create('r1', (now) => started('r1', now, notYet(now)));
    worker.start();
    // From then on the worker looks at the queue only twice a minute.
    await eventually(async () => due.isListening());
    lose(WRITE);
    const change = store.change('r1', (execution, now) =>
      ok({ ...execution, kickoff: { status: 'due', tries: 0, delayedBy: null, notBefore: now } }),
    );
    await expect(change).rejects.toThrow(StoreUnavailable);
    lose(null);
    await eventually(async () => calls.length > 0);
    expect(calls).toEqual(['r1']);
  });

  it('neither prevents nor repeats a call whose claim was stored', async () => {
    const { store, worker, calls, failed, lose } = await aProcess();
    await store.create('r1', (now) => started('r1', now, { root: { status: 'gone', ts: null } }));
    lose(WRITE);
    worker.start();
    await eventually(async () => failed.length > 0);
    expect((await inRedis().load('r1'))?.execution.kickoff.status).toBe('sending');
    lose(null);
    await eventually(async () => (await inRedis().load('r1'))?.execution.kickoff.status === 'settled');
    expect(calls).toEqual(['r1']);
  });
});
