import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, expect, it } from 'vitest';
import { processKey } from '../../src/redis/keys.ts';
import { registerProcess } from '../../src/redis/processes.ts';
import { silent } from '../crew/crew-values.ts';
import { eventually, redisForTests } from './store-under-test.ts';

const { redis, another } = redisForTests();

/** A heart that beats often enough for a test, with as much room for a busy machine as the real one has. */
const TIMING = { livesMs: 2_000, beatEveryMs: 100 };

const running: { close(): Promise<void> }[] = [];
const register = (client = redis()) => {
  const registry = registerProcess(client, silent, TIMING);
  running.push(registry);
  return registry;
};
afterEach(() => Promise.all(running.splice(0).map((each) => each.close())));

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
