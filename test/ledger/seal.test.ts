import { randomInt } from 'node:crypto';
import pino from 'pino';
import { expect, it } from 'vitest';
import type { Entry } from '../../src/core/ledger/entry.ts';
import { deriveSigners, parseCheckpoint } from '../../src/ledger/checkpoint.ts';
import { sealNew } from '../../src/ledger/seal.ts';
import { printSealed, startSealer } from '../../src/ledger/sealer.ts';
import type { RedisClient } from '../../src/redis/call.ts';
import { ledgerKey, SHARDS, setAsideKey, tileKey, treeKey, unsealedKey } from '../../src/redis/keys.ts';
import { beginPrinting, type StoredCheckpoint } from '../../src/redis/ledger/tree.ts';
import { eventually, redisForTests } from '../redis/store-under-test.ts';
import { everyNth } from '../support/sample.ts';
import { killedClient, overtakenClient } from './intercepted-client.ts';
import {
  AUDIT_DAYS,
  append,
  DAY_MS,
  exported,
  recordPolicy,
  refOf,
  SECRET,
  seed,
  sent,
  signers,
  verified,
} from './ledger-under-test.ts';

const { redis, another } = redisForTests();
const seal = (client: RedisClient) => sealNew(client, { signers, auditDays: AUDIT_DAYS });
const silent = pino({ level: 'silent' });
const sealerOptions = { secrets: [SECRET], auditDays: AUDIT_DAYS, auditLog: 'off' as const, post: null };

/** Every entry is sealed, exactly once. */
async function expectAllSealed(entries: number): Promise<void> {
  const told = await verified(await exported(redis()));
  expect(told).toContain(`OK: ${entries} entries`);
  expect(told).toContain(`over ${entries} entries`);
  expect(told).toContain('Complete: every sealed entry is here.');
  expect(await redis().hexists(treeKey, 'sealed')).toBe(0);
  for (const shard of SHARDS) expect(await redis().llen(unsealedKey(shard))).toBe(0);
}

/** How many commands a seal takes, in which it could be killed. */
const STEPS = Array.from({ length: 32 }, (_, i) => i + 1);
const KILLS = STEPS.flatMap((step) => [
  { step, when: 'before' as const },
  { step, when: 'after' as const },
]);

it.each(everyNth(4, KILLS, randomInt(4)))(
  'a process killed $when its command $step leaves all to the next one',
  async ({ step, when }) => {
    await seed(redis(), 4);
    await seal(redis());
    for (const number of [5, 6]) await append(redis(), refOf(number));
    await seal(killedClient(redis(), step, when)).catch(() => {});
    await append(redis(), refOf(7));
    await expectAllSealed(36);
  },
);

it.each(everyNth(4, STEPS, randomInt(4)))(
  'a process overtaken before its command %i seals nothing twice',
  async (step) => {
    await seed(redis(), 4);
    const others = another();
    const slow = overtakenClient(redis(), step, async () => {
      await seal(others);
      await append(others, refOf(5));
    });
    await seal(slow);
    await append(redis(), refOf(6));
    if ((await redis().exists(ledgerKey(refOf(5)))) === 0) await append(redis(), refOf(5));
    await expectAllSealed(31);
  },
);

it('any number of processes seal each entry once, while others append', async () => {
  const clients = [redis(), another(), another(), another()];
  await recordPolicy(redis());
  const appending = Promise.all(
    Array.from({ length: 100 }, (_, i) => append(clients[i % clients.length] ?? redis(), refOf(i))),
  );
  await Promise.all(clients.flatMap((client) => [seal(client), seal(client)]));
  await appending;
  await Promise.all(clients.map(seal));
  await expectAllSealed(501);
});

it('keeps leaves for the time of their entries, and can do without them', async () => {
  await seed(redis(), 60);
  const first = await sealNew(redis(), { signers, auditDays: AUDIT_DAYS });
  const leftMs = await redis().pttl(tileKey(0));
  expect(leftMs).toBeGreaterThan((AUDIT_DAYS + 29) * 24 * 60 * 60_000);
  expect(await redis().pttl(tileKey(1))).toBe(-1);
  await redis().del(tileKey(0));
  for (const number of [61, 62]) await append(redis(), refOf(number));
  const told = await verified(
    await exported(redis(), { after: first?.note ?? '', now: Date.now() + (AUDIT_DAYS + 30) * DAY_MS }),
    {
      after: parseCheckpoint(first?.note ?? '', [])?.head ?? null,
    },
  );
  expect(told).toContain('every sealed entry is here but 256, which have expired');
  expect(told).toContain('over 311 entries');
});

/** A log at a level at which little is logged, which keeps its lines until it is flushed, and what it has printed. */
function printing() {
  const printed: { entry?: Entry; checkpoint?: StoredCheckpoint }[] = [];
  const kept: string[] = [];
  const write = (line: string) => void kept.push(line);
  const flush = (flushed: () => void) => {
    printed.push(...kept.splice(0).map((line) => JSON.parse(line)));
    flushed();
  };
  return { log: pino({ level: 'error' }, Object.assign({ write }, { flush })), printed };
}

it('seals and prints on its own, in one of several processes', async () => {
  const { log, printed } = printing();
  await seed(redis(), 1);
  await seal(redis());
  await beginPrinting(redis());
  const entries = [...(await append(redis(), refOf(1))), ...(await append(redis(), refOf(2)))];
  const options = { ...sealerOptions, auditLog: 'stdout' as const, everyMs: 20 };
  const sealers = [redis(), another(), another()].map((client) => startSealer(client, log, options));
  await eventually(async () => (await redis().hget(treeKey, 'printed')) === '16');
  await Promise.all(sealers.map((sealer) => sealer.stop()));
  await expectAllSealed(16);
  // At this pace one may begin to print before another has told that it did.
  const hashes = new Set(printed.flatMap(({ entry }) => entry?.hash ?? []));
  expect(hashes).toEqual(new Set(entries.map(({ hash }) => hash)));
  expect(printed.at(-1)?.checkpoint?.note).toMatch(/^signoff\n16\n/);
});

it('a process killed while it prints leaves nothing out', async () => {
  await beginPrinting(redis());
  await append(redis(), 'crew:long', Array(300).fill(sent));
  const note = (await seal(redis()))?.note;
  const commands = ['read', 'first tile', 'chain', 'move', 'last tile', 'chain', 'move'];
  for (const [i] of commands.entries())
    for (const when of ['before', 'after'] as const) {
      await redis().hset(treeKey, 'printed', 0);
      const { log, printed } = printing();
      await expect(printSealed(killedClient(redis(), i + 1, when), log)).rejects.toThrow('killed');
      await printSealed(redis(), log);
      const seqs = printed.flatMap(({ entry }) => entry?.seq ?? []);
      expect([...new Set(seqs)].sort((a, b) => a - b)).toEqual(Array.from({ length: 300 }, (_, seq) => seq + 1));
      expect(printed.at(-1)?.checkpoint?.note).toBe(note);
    }
});

it('two processes that print at the same time go on as one, also in a Redis that was emptied', async () => {
  await append(redis(), 'crew:long', Array(600).fill(sent));
  await seal(redis());
  const { log, printed } = printing();
  await printSealed(
    overtakenClient(redis(), 4, () => printSealed(another(), log)),
    log,
  );
  // Both have printed the first tile, and then the checkpoint comes once.
  expect(printed).toHaveLength(600 + 256 + 1);
});

it('posts a checkpoint once a day, from one process', async () => {
  const posts: string[] = [];
  const post = async (text: string) => void posts.push(text);
  const start = (client: RedisClient) => startSealer(client, silent, { ...sealerOptions, post, everyMs: 20 });
  const sealers = [redis(), another()].map(start);
  await recordPolicy(redis());
  await eventually(async () => (await redis().hexists(treeKey, 'posted')) === 1);
  await append(redis(), refOf(1));
  await eventually(async () => (await redis().hget(treeKey, 'size')) === '6');
  await Promise.all(sealers.map((sealer) => sealer.stop()));
  expect(posts).toHaveLength(1);
  await redis().hset(treeKey, 'posted', '2000-01-01');
  await append(redis(), refOf(2));
  const nextDay = [redis(), another()].map(start);
  await eventually(async () => posts.length > 1);
  await Promise.all(nextDay.map((sealer) => sealer.stop()));
  expect(posts).toHaveLength(2);
  expect(posts[1]).toContain('11 entries');
});

it('tries again when a post fails, and goes on when Redis is away', async () => {
  const warnings: string[] = [];
  const log = pino({ level: 'warn' }, { write: (line) => void warnings.push(JSON.parse(line).msg) });
  const troubles = ['channel_not_found', 'ratelimited'];
  const posts: string[] = [];
  const post = async (text: string) => {
    const trouble = troubles.shift();
    if (trouble) throw new Error(trouble);
    posts.push(text);
  };
  const dead = killedClient(redis(), 1, 'before');
  const sealers = [redis(), another(), dead].map((client) =>
    startSealer(client, log, { ...sealerOptions, post, everyMs: 20 }),
  );
  await recordPolicy(redis());
  await eventually(async () => (await redis().hexists(treeKey, 'posted')) === 1);
  await Promise.all(sealers.map((sealer) => sealer.stop()));
  expect(posts).toHaveLength(1);
  const failed = 'could not post the checkpoint of the ledger; trying again in a minute';
  expect(warnings.filter((each) => each === failed)).toHaveLength(2);
  expect(new Set(warnings)).toEqual(new Set([failed, 'could not seal the ledger; trying again in a minute']));
});

it('costs one command a turn while there is nothing new, and one more for all processes together', async () => {
  await seed(redis(), 1);
  await seal(redis());
  const callsOf = async (name: string) =>
    Number(new RegExp(`cmdstat_${name}:calls=(\\d+)`).exec(await redis().info('commandstats'))?.[1] ?? 0);
  await redis().config('RESETSTAT');
  const sealers = [redis(), another(), another()].map((client) =>
    startSealer(client, silent, { ...sealerOptions, everyMs: 100 }),
  );
  // Each looks once at what there is.
  await eventually(async () => (await callsOf('hmget')) === 3);
  await redis().config('RESETSTAT');
  await eventually(async () => (await callsOf('evalsha')) > 20);
  await Promise.all(sealers.map((sealer) => sealer.stop()));
  const [scripts, attempts, looks] = [await callsOf('evalsha'), await callsOf('set'), await callsOf('exists')];
  expect(scripts + (await callsOf('eval'))).toBe(attempts + looks);
  expect(looks).toBeLessThan(attempts);
  expect([await callsOf('lrange'), await callsOf('hmget')]).toEqual([0, 0]);
});

it('tells once that Redis has another ledger, and goes on once it has ours again', async () => {
  const [errors, posts, states]: [string[], string[], boolean[]] = [[], [], []];
  const log = pino({ level: 'error' }, { write: (line) => void errors.push(JSON.parse(line).msg) });
  await seed(redis(), 1);
  await seal(redis());
  const sealer = startSealer(redis(), log, {
    ...sealerOptions,
    post: async (text) => void posts.push(text),
    observe: ({ isStopped }) => void states.push(isStopped),
    everyMs: 20,
  });
  await eventually(async () => posts.length === 1);
  const note = (await redis().hget(treeKey, 'note')) ?? '';
  await redis().hset(treeKey, 'note', note.replace('signoff\n6\n', 'signoff\n5\n'));
  await eventually(async () => states.filter((isStopped) => isStopped).length > 2);
  await redis().hset(treeKey, 'note', note);
  await append(redis(), refOf(2));
  await eventually(async () => (await redis().hget(treeKey, 'size')) === '11');
  await sealer.stop();
  expect(states.at(-1)).toBe(false);
  expect(errors).toEqual(['could not seal the ledger; trying again every minute']);
  expect(posts).toEqual([
    expect.stringContaining('Audit checkpoint'),
    expect.stringMatching(
      /The ledger is no longer sealed\. The last checkpoint .* is not signed by a key of APP_SECRET\./,
    ),
  ]);
});

it('sets aside what it cannot seal, tells of it, and seals all else', async () => {
  const posts: string[] = [];
  let setAside = 0;
  await seed(redis(), 1);
  const forged = 'no entry at all';
  for (const shard of SHARDS) await redis().rpush(unsealedKey(shard), forged);
  await append(redis(), refOf(2));
  const sealer = startSealer(redis(), silent, {
    ...sealerOptions,
    post: async (text) => void posts.push(text),
    observe: (state) => {
      setAside = state.setAside;
    },
    everyMs: 20,
  });
  await eventually(async () => setAside > 0);
  await sealer.stop();
  await expectAllSealed(11);
  expect(setAside).toBe(SHARDS.length);
  expect(posts.filter((text) => text.includes('64 entries of the ledger could not be sealed'))).toHaveLength(1);
  expect(JSON.parse((await redis().lindex(setAsideKey, 0)) ?? '')).toMatchObject({ reason: 'foreign', entry: forged });
});

it('still proves age when the secret that signed a checkpoint has gone', async () => {
  const newer = 'a newer secret of at least thirty-two';
  const sealWith = (secrets: string[]) => sealNew(redis(), { signers: deriveSigners(secrets), auditDays: AUDIT_DAYS });
  await seed(redis(), 1);
  await sealWith([SECRET]);
  await sealWith([newer, SECRET]);
  await redis().del(ledgerKey(refOf(0)));
  const now = Date.now() + (AUDIT_DAYS + 1) * DAY_MS;
  expect(await verified(await exported(redis(), { now, secrets: [newer] }))).toContain('but 5, which have expired');
});
