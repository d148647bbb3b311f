import { expect, it } from 'vitest';
import { createAskThreads } from '../../src/redis/ask-threads.ts';
import { createChannelMoves } from '../../src/redis/channel-moves.ts';
import { askThreadKey } from '../../src/redis/keys.ts';
import { redisForTests } from './store-under-test.ts';

const { redis, another } = redisForTests();
const DAY_MS = 86_400_000;
const KEY = { crew: 'deploys', thread: 'release 1.4' };
const threads = (client = redis()) => createAskThreads(client, { retentionDays: 30 });
const refOf = (number: number) => `ask${'abcdefghij'[number % 10]}${String(number).padStart(22, '2')}`;
const joins = (number: number, { channel = 'C1', waitMs = 0, key = KEY, client = redis() } = {}) =>
  threads(client).join(key, { ref: refOf(number), channel, waitMs });
const earlier = async (number: number) => {
  const joined = await joins(number);
  return joined.kind === 'joined' ? joined.earlier : null;
};

it('An ask joins a thread once, and learns of those before it, the newest first', async () => {
  expect(await earlier(1)).toEqual([]);
  expect(await earlier(2)).toEqual([refOf(1)]);
  expect(await earlier(3)).toEqual([refOf(2), refOf(1)]);
  expect(await earlier(2)).toEqual([refOf(1)]);
  expect(await earlier(3)).toEqual([refOf(2), refOf(1)]);
});

it('Only the last hundred asks are remembered', async () => {
  for (let number = 1; number <= 120; number++) await joins(number);
  expect(await earlier(120)).toHaveLength(99);
});

it('A thread is one crew’s alone', async () => {
  await joins(1);
  expect(await joins(2, { key: { ...KEY, crew: 'others' } })).toMatchObject({ earlier: [] });
});

it('A thread stays in its channel, also where Slack gives that another id', async () => {
  await joins(1, { channel: 'G1' });
  expect(await joins(2, { channel: 'C1' })).toEqual({ kind: 'other-channel' });
  await createChannelMoves(redis()).add('G1', 'C1');
  expect(await joins(2, { channel: 'C1' })).toMatchObject({ kind: 'joined', earlier: [refOf(1)] });
  expect(await joins(3, { channel: 'G1' })).toEqual({ kind: 'other-channel' });
});

it('Of asks that begin a thread at the same time, one does, and the others learn which', async () => {
  await Promise.all([joins(1), joins(2, { client: another() })]);
  const begun = await Promise.all([
    threads().begin(KEY, { instead: null, ref: refOf(1) }),
    threads(another()).begin(KEY, { instead: null, ref: refOf(2) }),
  ]);
  expect(begun[0]).toBe(begun[1]);
  expect(await joins(3)).toMatchObject({ first: begun[0] });
  expect(await threads().begin(KEY, { instead: refOf(9), ref: refOf(3) })).toBe(begun[0]);
  expect(await threads().begin(KEY, { instead: begun[0] ?? '', ref: refOf(3) })).toBe(refOf(3));
});

it('Nothing begins a thread that is no longer known', async () => {
  expect(await threads().begin(KEY, { instead: null, ref: refOf(1) })).toBeNull();
  expect(await redis().exists(askThreadKey(KEY.crew, KEY.thread))).toBe(0);
});

it('A thread is kept as long as the ask that is kept longest', async () => {
  const liveMs = () => redis().pttl(askThreadKey(KEY.crew, KEY.thread));
  await joins(1, { waitMs: 10 * DAY_MS });
  await joins(2);
  expect(await liveMs()).toBeGreaterThan(39 * DAY_MS);
  await joins(3, { waitMs: 20 * DAY_MS });
  expect(await liveMs()).toBeGreaterThan(49 * DAY_MS);
});
