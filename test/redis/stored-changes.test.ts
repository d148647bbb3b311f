import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import {
  type ChangeSubscriber,
  type ExecutionStore,
  type StoredChange,
  StoreUnavailable,
} from '../../src/core/ports.ts';
import type { Execution } from '../../src/core/state/execution.ts';
import { ok, refuse } from '../../src/core/values/result.ts';
import { createExecutionStore } from '../../src/redis/executions.ts';
import { createReplication } from '../../src/redis/replication.ts';
import { StoredChanges } from '../../src/redis/stored-changes.ts';
import { readableLog, silent } from '../crew/crew-values.ts';
import { redisForTests, started } from './store-under-test.ts';

const { redis, another } = redisForTests();

const at = 1_000;
const change = (ref: string): StoredChange => ({ before: null, after: started(ref, at), at });

/** A store, and what its subscriber was told: one list for each time. */
function watchedStore({ minReplicas = 0 } = {}): { store: ExecutionStore; deliveries: (readonly StoredChange[])[] } {
  const deliveries: (readonly StoredChange[])[] = [];
  const storedChanges = new StoredChanges({ log: silent, onFault: () => {} });
  storedChanges.subscribe({ onStored: (changes) => deliveries.push(changes) });
  const client = another();
  const options = {
    retentionDays: 30,
    auditDays: 400,
    replication: createReplication(client, { minReplicas }),
    storedChanges,
  };
  return { store: createExecutionStore(client, options), deliveries };
}

const renamed = (crew: string) => (execution: Execution) => ok({ ...execution, crew });

it('A subscriber is told of each stored change once, on a later turn than its caller was answered', async () => {
  const { store, deliveries } = watchedStore();
  await store.create('r1', (now) => started('r1', now));
  expect(deliveries).toEqual([]);
  await nextTurn();
  expect(deliveries).toMatchObject([[{ before: null, after: { ref: 'r1', crew: 'research' } }]]);

  const changed = await store.change('r1', renamed('writing'));
  expect(deliveries).toHaveLength(1);
  await nextTurn();
  if (changed.kind !== 'changed') throw new Error('It is changed.');
  const { before, after } = changed;
  expect(deliveries.slice(1)).toEqual([[{ before, after, at: expect.any(Number) }]]);
  await nextTurn();
  expect(deliveries).toHaveLength(2);
});

it('Changes that are stored together are told together, each with what it found', async () => {
  const { store, deliveries } = watchedStore();
  await store.create('r1', (now) => started('r1', now));
  await nextTurn();
  await Promise.all(['one', 'two', 'three'].map((crew) => store.change('r1', renamed(crew))));
  await nextTurn();
  const steps = deliveries.slice(1).flatMap((each) => each.map(({ before, after }) => [before?.crew, after.crew]));
  expect(steps).toEqual([
    ['research', 'one'],
    ['one', 'two'],
    ['two', 'three'],
  ]);
  expect(deliveries.length).toBeLessThan(4);
});

it('A subscriber hears nothing of what was refused, changed nothing, failed or is absent', async () => {
  const { store, deliveries } = watchedStore();
  await store.create('r1', (now) => started('r1', now));
  await nextTurn();
  await store.create('r1', (now) => started('r1', now));
  await store.change('r1', () => refuse('no'));
  await store.change('r1', (execution) => ok(execution));
  await store.change('r2', (execution) => ok(execution));
  const fault = new Error('a fault of ours');
  const failing = store.change('r1', () => {
    throw fault;
  });
  await expect(failing).rejects.toBe(fault);
  await nextTurn();
  expect(deliveries).toHaveLength(1);
});

it('A subscriber is told what a refusal has left in the record', async () => {
  const { store, deliveries } = watchedStore();
  await store.create('r1', (now) => started('r1', now));
  await store.change('r1', (execution) => ({ ...refuse('no'), after: { ...execution, limitsMet: ['rounds'] } }));
  await nextTurn();
  expect(deliveries.flat().at(-1)).toMatchObject({ before: { limitsMet: [] }, after: { limitsMet: ['rounds'] } });
});

it('Of changes that conflict, the subscriber of each process is told of its own, as it was stored at last', async () => {
  const [one, other] = [watchedStore(), watchedStore()];
  await one.store.create('r1', (now) => started('r1', now, { inputs: { count: 0 } }));
  await other.store.load('r1');
  const countUp = (execution: Execution) => ok({ ...execution, inputs: { count: Number(execution.inputs.count) + 1 } });
  await Promise.all([one, other].flatMap(({ store }) => Array.from({ length: 5 }, () => store.change('r1', countUp))));
  await nextTurn();
  const counts = [one, other].flatMap(({ deliveries }) =>
    deliveries.flat().map(({ after }) => Number(after.inputs.count)),
  );
  expect(counts.toSorted((a, b) => a - b)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
});

it('A subscriber hears nothing of a write that is not durable', async () => {
  const { store, deliveries } = watchedStore({ minReplicas: 1 });
  await expect(store.create('r1', (now) => started('r1', now))).rejects.toThrow(StoreUnavailable);
  await createExecutionStore(redis(), { retentionDays: 30, auditDays: 400, replication: null }).create('r2', (now) =>
    started('r2', now),
  );
  await expect(store.change('r2', renamed('writing'))).rejects.toThrow(StoreUnavailable);
  await nextTurn();
  expect(deliveries).toEqual([]);
});

it('A subscriber that throws is logged and counted, and keeps nothing from the others', async () => {
  const { log, text } = readableLog();
  let faults = 0;
  const deliveries: string[] = [];
  const storedChanges = new StoredChanges({ log, onFault: () => (faults += 1) });
  storedChanges.subscribe({
    onStored() {
      throw new Error('it failed');
    },
  });
  storedChanges.subscribe({ onStored: (changes) => deliveries.push(...changes.map(({ after }) => after.ref)) });
  storedChanges.add([change('r1')]);
  await nextTurn();
  storedChanges.add([change('r2')]);
  await nextTurn();
  expect(deliveries).toEqual(['r1', 'r2']);
  expect(faults).toBe(2);
  expect(text()).toContain('a subscriber to stored changes failed');
});

it('A subscriber that only watches is told later than the others, once of all that was stored meanwhile', async () => {
  const deliveries: [string, string[]][] = [];
  const storedChanges = new StoredChanges({ log: silent, onFault: () => {} });
  const named = (name: string): ChangeSubscriber => ({
    onStored: (changes) => deliveries.push([name, changes.map(({ after }) => after.ref)]),
  });
  storedChanges.subscribe(named('watcher'), { afterMs: 50 });
  storedChanges.subscribe(named('worker'));
  storedChanges.add([change('r1')]);
  await nextTurn();
  storedChanges.add([change('r2')]);
  await expect.poll(() => deliveries.length).toBe(3);
  expect(deliveries).toEqual([
    ['worker', ['r1']],
    ['worker', ['r2']],
    ['watcher', ['r1', 'r2']],
  ]);
});

it('A process that stops delivers what waits at once, and none of it again', async () => {
  const deliveries: string[][] = [];
  const storedChanges = new StoredChanges({ log: silent, onFault: () => {} });
  const subscriber: ChangeSubscriber = {
    onStored: (changes) => deliveries.push(changes.map(({ after }) => after.ref)),
  };
  for (const afterMs of [0, 5]) storedChanges.subscribe(subscriber, { afterMs });
  storedChanges.add([change('r1'), change('r2')]);
  storedChanges.add([change('r3')]);
  storedChanges.deliver();
  const all = ['r1', 'r2', 'r3'];
  expect(deliveries).toEqual([all, all]);
  await delay(20);
  expect(deliveries).toHaveLength(2);
});
