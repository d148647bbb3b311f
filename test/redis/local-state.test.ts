import { describe, expect, it } from 'vitest';
import { recordTask } from '../../src/core/execution/run.ts';
import type { ExecutionStore } from '../../src/core/ports.ts';
import type { Execution } from '../../src/core/state/execution.ts';
import { ok, refuse } from '../../src/core/values/result.ts';
import { createDueQueue } from '../../src/redis/due-queue.ts';
import { createExecutionStore } from '../../src/redis/executions.ts';
import { createLocalState } from '../../src/redis/local-state.ts';
import { eventually, redisForTests, started } from './store-under-test.ts';

const { redis, another } = redisForTests();

const task = { hop: 0, kickoffId: 'k1', agent: null, summary: '', output: null };
const addTask = (name: string) => (execution: Execution, now: number) =>
  ok(recordTask(execution, { ...task, name }, now));
const namesIn = (execution: Execution | undefined) => execution?.tasks.map(({ name }) => name);
const HELD = { mostAgeMs: Number.POSITIVE_INFINITY };

const processes = (count: number) =>
  Array.from({ length: count }, () =>
    createExecutionStore(another(), { retentionDays: 30, auditDays: 400, replication: null }),
  );

/** Two processes; the first holds an execution as it was before the second changed it. */
async function withOldRecord(): Promise<{ old: ExecutionStore; other: ExecutionStore }> {
  const [old, other] = processes(2);
  if (!old || !other) throw new Error('There are two.');
  await old.create('r1', (now) => started('r1', now));
  await other.change('r1', addTask('by another process'));
  expect(namesIn((await old.load('r1', HELD))?.execution)).toEqual([]);
  return { old, other };
}

const scripts = async () => Number(/cmdstat_evalsha:calls=(\d+)/.exec(await redis().info('commandstats'))?.[1] ?? 0);

describe('a process that holds an old record', () => {
  it('adds its change to what another process has stored', async () => {
    const { old } = await withOldRecord();
    const changed = await old.change('r1', addTask('mine'));
    expect(changed).toMatchObject({ kind: 'changed', before: { tasks: [{ name: 'by another process' }] } });
    expect(namesIn((await old.load('r1'))?.execution)).toEqual(['by another process', 'mine']);
  });

  it('refuses nothing because of it', async () => {
    const { old } = await withOldRecord();
    const changed = await old.change('r1', (execution) =>
      execution.tasks.length === 0 ? refuse('nothing done yet') : ok({ ...execution, executionId: 'e1' }),
    );
    expect(changed.kind).toBe('changed');
  });

  it('calls nothing unchanged because of it', async () => {
    const { old } = await withOldRecord();
    const changed = await old.change('r1', (execution) =>
      ok(execution.tasks.length === 0 ? execution : { ...execution, executionId: 'e1' }),
    );
    expect(changed.kind).toBe('changed');
  });

  it('loads the new one', async () => {
    const { old } = await withOldRecord();
    expect(namesIn((await old.load('r1'))?.execution)).toEqual(['by another process']);
  });

  it('keeps none that was removed', async () => {
    const { old, other } = await withOldRecord();
    await other.remove('r1', () => true);
    expect(await old.change('r1', addTask('mine'))).toEqual({ kind: 'absent' });
    expect(await old.load('r1', HELD)).toBeNull();
  });

  it('forgets it when it hears of the change', async () => {
    const local = createLocalState();
    const client = another();
    const queue = createDueQueue(client, local);
    const due: string[] = [];
    queue.listen({ onDue: (ref) => due.push(ref), onMissed: () => {}, onUnsure: () => {} });
    const store = createExecutionStore(client, { retentionDays: 30, auditDays: 400, replication: null, local });
    const [other] = processes(1);
    await store.create('r1', (now) => started('r1', now));
    await eventually(async () => {
      await other?.change('r1', addTask(`by another process, ${due.length}, ${Date.now()}`));
      return due.includes('r1');
    });
    expect(namesIn((await store.load('r1', HELD))?.execution)).not.toEqual([]);
    queue.close();
  });
});

it('every change is made to the state that the one before left, by any number of processes', async () => {
  const stores = processes(3);
  await stores[0]?.create('r1', (now) => started('r1', now));
  const counted = await Promise.all(
    stores.flatMap((store) =>
      Array.from({ length: 40 }, async (_, i) => {
        // So that some are made together and others one by one.
        if (i % 3 === 0) await store.load('r1');
        const changed = await store.change<never>('r1', (execution) => {
          const { completed } = execution.progress;
          return ok({ ...execution, progress: { ...execution.progress, completed: completed + 1 } });
        });
        return changed.kind === 'changed' ? changed.after.progress.completed : null;
      }),
    ),
  );
  expect(counted.sort((a, b) => Number(a) - Number(b))).toEqual(Array.from({ length: 120 }, (_, i) => i + 1));
});

describe('changes that one process makes at the same time', () => {
  it('are stored in a few writes', async () => {
    const [store] = processes(1);
    await store?.create('r1', (now) => started('r1', now));
    await store?.change('r1', addTask('first'));
    const before = await scripts();
    await Promise.all(Array.from({ length: 50 }, (_, i) => store?.change('r1', addTask(`task ${i}`))));
    expect((await scripts()) - before).toBeLessThanOrEqual(3);
    expect((await store?.load('r1'))?.execution.tasks).toHaveLength(51);
  });

  it('do not fail together when one of them throws', async () => {
    const [store] = processes(1);
    await store?.create('r1', (now) => started('r1', now));
    const fault = store?.change('r1', () => {
      throw new RangeError('our own fault');
    });
    const fine = store?.change('r1', addTask('fine'));
    await expect(fault).rejects.toThrow(RangeError);
    expect(await fine).toMatchObject({ kind: 'changed' });
  });
});

it('a change is made for the time of Redis, even by a process whose idea of it is wrong', async () => {
  const local = createLocalState();
  local.clock.learn(Date.now() + 600_000, performance.now());
  const store = createExecutionStore(redis(), { retentionDays: 30, auditDays: 400, replication: null, local });
  await store.create('r1', (now) => started('r1', now));
  const [seconds] = await redis().time();
  const found = await store.load('r1');
  expect(Math.abs((found?.execution.createdAt ?? 0) / 1_000 - Number(seconds))).toBeLessThan(3);
});
