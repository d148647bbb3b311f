import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, expect, it } from 'vitest';
import { createDueQueue } from '../../src/redis/due-queue.ts';
import { processKey } from '../../src/redis/keys.ts';
import { createLocalState } from '../../src/redis/local-state.ts';
import { registerProcess } from '../../src/redis/processes.ts';
import { silent } from '../crew/crew-values.ts';
import { eventually, redisForTests } from './store-under-test.ts';

const { redis, another } = redisForTests();

/** A heart that beats often enough for a test, with as much room for a busy machine as the real one has. */
const TIMING = { livesMs: 2_000, beatEveryMs: 100 };

const running: { close(): Promise<void> | void }[] = [];
const register = (client = redis(), local = createLocalState(), timing = TIMING) => {
  const registry = registerProcess(client, silent, { ...timing, local });
  running.push(registry);
  return registry;
};
afterEach(() => Promise.all(running.splice(0).map((each) => each.close())));

/** A process that hears the others, and for how long it had heard nothing of each one that it found to be gone. */
function listening(timing = TIMING) {
  const local = createLocalState();
  const [registry, due] = [register(redis(), local, timing), createDueQueue(redis(), local)];
  running.push(due);
  due.listen({ onDue() {}, onMissed() {}, onUnsure() {} });
  const gone: number[] = [];
  registry.onGone((silentMs) => gone.push(silentMs));
  const hears = (id: string) => local.others.silentFor(0).some((other) => other.id === id);
  return { registry, gone, heard: (id: string) => eventually(async () => hears(id)), hears };
}

it('a process that beats is alive, for itself and for others', async () => {
  const [one, other] = [register(), register(another())];
  expect(one.id).not.toBe(other.id);
  for (let times = 0; times < 20; times++) {
    expect(await other.isGone(one.id)).toBe(false);
    expect(await one.isGone(one.id)).toBe(false);
    await pause(TIMING.beatEveryMs / 4);
  }
});

it('a process that was killed is gone once its heartbeat has expired', async () => {
  const [killed, other] = [another(), register()];
  const { id } = register(killed);
  await eventually(async () => (await redis().exists(processKey(id))) > 0);
  killed.disconnect();
  await eventually(() => other.isGone(id));
});

it('a process that ended says so', async () => {
  const [ending, other] = [register(another()), register()];
  await ending.close();
  expect(await redis().exists(processKey(ending.id))).toBe(0);
  await eventually(() => other.isGone(ending.id));
});

it('a process whose heartbeat was lost with Redis’ data is not gone, since it beats again first', async () => {
  const [one, other] = [register(another()), register()];
  for (let times = 0; times < 5; times++) {
    await redis().del(processKey(one.id));
    expect(await other.isGone(one.id)).toBe(false);
    await eventually(async () => (await redis().exists(processKey(one.id))) > 0);
    expect(await other.isGone(one.id)).toBe(false);
  }
});

it('reports once a process that was killed, or that ended in the middle of something', async () => {
  const { gone, heard, hears } = listening();
  const [killed, ended] = [another(), register(another())];
  const { id } = register(killed);
  await Promise.all([heard(id), heard(ended.id)]);
  killed.disconnect();
  await eventually(async () => gone.length === 1);
  await ended.close('calls');
  await eventually(async () => gone.length === 2);
  expect([hears(id), hears(ended.id)]).toEqual([false, false]);
  expect(gone.every((silentMs) => silentMs >= 3 * TIMING.beatEveryMs)).toBe(true);
});

it('reports no process that was done with everything when it ended, and none that lives', async () => {
  const { gone, heard, hears } = listening();
  const [ended, living] = [register(another()), register(another())];
  await Promise.all([heard(ended.id), heard(living.id)]);
  await ended.close();
  await eventually(async () => !hears(ended.id));
  await pause(8 * TIMING.beatEveryMs);
  expect([gone, hears(living.id)]).toEqual([[], true]);
});

it('a process that begins to listen hears at once of those that do, and knows that it is alone only once nobody has answered', async () => {
  const seldom = { livesMs: 120_000, beatEveryMs: 60_000 };
  const first = listening(seldom);
  expect(first.registry.isAlone()).toBe(false);
  await eventually(async () => first.registry.isAlone());
  const late = listening(seldom);
  await Promise.all([late.heard(first.registry.id), first.heard(late.registry.id)]);
  expect([first, late].map(({ registry }) => registry.isAlone())).toEqual([false, false]);
});
