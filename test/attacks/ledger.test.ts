import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { beforeEach, expect, it, onTestFinished } from 'vitest';
import { chainEntries, NO_ENTRIES } from '../../src/core/ledger/entry.ts';
import { deriveSigners, signNote } from '../../src/ledger/checkpoint.ts';
import { sealNew } from '../../src/ledger/seal.ts';
import { startSealer } from '../../src/ledger/sealer.ts';
import {
  dailyKey,
  ledgerKey,
  placesKey,
  sealingTurnKey,
  shardOf,
  tileKey,
  tileRootsKey,
  treeKey,
  unsealedKey,
} from '../../src/redis/keys.ts';
import { appendToChain } from '../../src/redis/ledger/chain.ts';
import { storedEntry } from '../../src/redis/ledger/entries.ts';
import { AUDIT_DAYS, append, decided, refOf, SECRET, STORY, seed, sent, signers } from '../ledger/ledger-under-test.ts';
import { eventually, redisForTests } from '../redis/store-under-test.ts';
import { audit } from '../support/audit-program.ts';

// Each attacker can do anything in Redis, and has no secret of ours.

const { redis, another, server } = redisForTests();
const OTHER_SECRET = 'the secret of another bot, as long as ours is';
const TREE = [treeKey, tileRootsKey, dailyKey, tileKey(0), placesKey(0)];
const seal = (secret = SECRET) => sealNew(redis(), { signers: deriveSigners([secret]), auditDays: AUDIT_DAYS });
const sealedSize = async () => Number(await redis().hget(treeKey, 'size'));

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'signoff-attack-'));
  onTestFinished(() => rm(folder, { recursive: true }));
});

/** What an auditor is told in the end: by the export, if it is refused, or by verifying it. */
async function told(options: { export?: string[]; verify?: string[] } = {}): Promise<string> {
  const { out, errors, code } = await audit(['export', ...(options.export ?? [])], {
    REDIS_URL: server().url,
    APP_SECRET: SECRET,
  });
  if (code !== 0) return `refused: ${errors}`;
  const file = join(folder, 'audit.jsonl');
  await writeFile(file, out);
  return (await audit(['verify', file, '--key', signers[0]?.vkey ?? '', ...(options.verify ?? [])])).out;
}

async function keptCheckpoint(): Promise<string> {
  const file = join(folder, 'checkpoint');
  await writeFile(file, (await redis().hget(treeKey, 'note')) ?? '');
  return file;
}

it('An export doesn’t verify after a run and the daily checkpoints were deleted', async () => {
  await seed(redis(), 3);
  await seal();
  expect(await told()).toMatch(/^OK/);
  await redis().del(ledgerKey(refOf(1)), dailyKey);
  expect(await told()).not.toMatch(/^OK/);
});

it('An auditor who kept a checkpoint notices that a run and the daily checkpoints were deleted', async () => {
  await seed(redis(), 3);
  await seal();
  const checkpoint = await keptCheckpoint();
  await redis().del(ledgerKey(refOf(1)), dailyKey);
  expect(await told({ verify: ['--after', checkpoint] })).not.toContain('Nothing that was sealed by');
});

it('A checkpoint of years ago that another key signed explains no deleted run', async () => {
  await seed(redis(), 3);
  await seal();
  const [, size, root] = ((await redis().hget(treeKey, 'note')) ?? '').split('\n');
  const text = `signoff\n${size}\n${root}\ntime 1000\naudit_days 1\nplaces ${root}\n`;
  await redis().del(ledgerKey(refOf(1)), dailyKey);
  const daily = JSON.stringify({ at: 1_000, note: signNote(text, deriveSigners([OTHER_SECRET])) });
  await redis().hset(dailyKey, '1970-01-01', daily);
  expect(await told()).not.toMatch(/^OK/);
});

it('An export doesn’t verify after the leaves of a full tile were deleted', async () => {
  await seed(redis(), 60);
  await seal();
  await redis().del(tileKey(0), placesKey(0), dailyKey);
  expect(await told()).not.toMatch(/^OK/);
});

it('A selection shows that the last entry of a run was removed', async () => {
  await seed(redis(), 3);
  await seal();
  await redis().rpop(ledgerKey(refOf(1)));
  expect(await told({ export: ['--ref', refOf(1)] })).not.toMatch(/^OK/);
});

it('A selection shows that an entry and its place were removed', async () => {
  await seed(redis(), 3);
  await seal();
  await redis().rpop(ledgerKey(refOf(1)));
  const places = JSON.parse((await redis().get(placesKey(0))) ?? '{}');
  const stretches = places.stretches.map(([ref, seq, count]: [string, number, number]) =>
    ref === refOf(1) ? [ref, seq, count - 1] : [ref, seq, count],
  );
  await redis().set(placesKey(0), JSON.stringify({ ...places, stretches }));
  expect(await told({ export: ['--ref', refOf(1)] })).not.toMatch(/^OK/);
});

it('A selection shows that the place of an entry was given to a run that never was', async () => {
  await seed(redis(), 3);
  await seal();
  await redis().rpop(ledgerKey(refOf(1)));
  const places = JSON.parse((await redis().get(placesKey(0))) ?? '{}');
  const stretches = places.stretches.flatMap(([ref, seq, count]: [string, number, number]) =>
    ref === refOf(1)
      ? [
          [ref, seq, count - 1],
          ['another', 1, 1],
        ]
      : [[ref, seq, count]],
  );
  await redis().set(placesKey(0), JSON.stringify({ ...places, stretches }));
  expect(await told({ export: ['--ref', refOf(1)] })).not.toMatch(/^OK/);
});

it('A selection of nothing doesn’t verify without the index of places', async () => {
  await seed(redis(), 3);
  await seal();
  await redis().del(placesKey(0));
  for (const filter of [
    ['--ref', refOf(1)],
    ['--crew', 'research'],
    ['--since', '2020-01-01'],
  ])
    expect(await told({ export: filter })).not.toMatch(/^OK/);
});

it('An export of nothing doesn’t verify after the tree was deleted', async () => {
  await seed(redis(), 3);
  await seal();
  await redis().del(TREE);
  expect(await told()).not.toMatch(/^OK/);
});

it('Forged entries are not sealed after the tree was deleted', async () => {
  await seed(redis(), 1);
  await seal();
  await redis().del(...TREE, ledgerKey('crew:research'), ledgerKey(refOf(0)));
  await forge(refOf(9));
  await seal().catch(() => {});
  expect(await sealedSize()).toBe(0);
});

it('A forged story is not sealed, and later entries of others are', async () => {
  await seed(redis(), 1);
  await seal();
  const size = await sealedSize();
  await forge(refOf(9));
  await seal();
  expect(await sealedSize()).toBe(size);
  await append(redis(), refOf(2));
  await seal();
  expect(await sealedSize()).toBe(size + STORY.length);
});

/** A whole story that never happened. */
async function forge(ref: string): Promise<void> {
  const entries = chainEntries(ref, NO_ENTRIES, STORY);
  await redis().rpush(ledgerKey(ref), ...entries.map(storedEntry));
  const queued = entries.map(({ seq, at, hash, prev }) => JSON.stringify({ ref, seq, at, hash, prev, codes: [''] }));
  await redis().rpush(unsealedKey(shardOf(ref)), ...queued);
}

it('A second decision is not sealed after an older state of a run was put back', async () => {
  await seed(redis(), 1);
  const chain = await redis().lrangeBuffer(ledgerKey(refOf(0)), 0, 1);
  await seal();
  const size = await sealedSize();
  await redis().del(ledgerKey(refOf(0)));
  await redis().rpush(ledgerKey(refOf(0)), ...chain);
  await append(redis(), refOf(0), [decided({ verdict: 'reject' })]);
  await seal();
  expect(await sealedSize()).toBe(size);
  expect(await told()).not.toMatch(/^OK/);
});

it('An entry that follows on a changed one is not sealed', async () => {
  await append(redis(), 'crew:research', [sent]);
  await seal();
  const forged = chainEntries('crew:research', NO_ENTRIES, [decided()]).map(storedEntry);
  const chain = ledgerKey('crew:research');
  await redis().del(chain, chain.replace(':ledger:', ':ledger-head:'));
  await redis().rpush(chain, ...forged);
  await append(redis(), 'crew:research', [sent]);
  await seal();
  expect(await sealedSize()).toBe(1);
});

it('An entry is sealed once, though it is queued again', async () => {
  await seed(redis(), 1);
  const queue = await redis().lrange(unsealedKey(shardOf(refOf(0))), 0, -1);
  await seal();
  const size = await sealedSize();
  await redis().rpush(unsealedKey(shardOf(refOf(0))), ...queue);
  await seal();
  expect(await sealedSize()).toBe(size);
});

it('Entries of a bot with another secret are not sealed as ours', async () => {
  await seed(redis(), 1);
  await seal();
  const size = await sealedSize();
  const entryKeys = deriveSigners([OTHER_SECRET]).map(({ entryKey }) => entryKey);
  await appendToChain(redis(), refOf(5), { events: STORY, auditDays: AUDIT_DAYS, entryKeys });
  await seal();
  expect(await sealedSize()).toBe(size);
});

it('A bot with another secret can’t go on with our tree, nor we with its', async () => {
  await seed(redis(), 1);
  await seal();
  const size = await sealedSize();
  await append(redis(), refOf(5));
  await seal(OTHER_SECRET).catch(() => {});
  expect(await sealedSize()).toBe(size);
  await seal();
  const text = ((await redis().hget(treeKey, 'note')) ?? '').split('\n\n')[0] ?? '';
  await redis().hset(treeKey, 'note', signNote(`${text}\n`, deriveSigners([OTHER_SECRET])));
  expect(await told()).not.toMatch(/^OK/);
});

it('A running bot seals nothing more after an earlier state of all of Redis was put back', async () => {
  const errors: string[] = [];
  const log = pino({ level: 'error' }, { write: (line) => void errors.push(JSON.parse(line).msg) });
  const options = {
    secrets: [SECRET],
    auditDays: AUDIT_DAYS,
    auditLog: 'off' as const,
    post: null,
  };
  await seed(redis(), 1);
  const sealer = startSealer(another(), log, { ...options, everyMs: 20 });
  onTestFinished(() => sealer.stop());
  await eventually(async () => (await sealedSize()) === 6);
  const keys = (await redis().keys('signoff:*')).filter((key) => key !== sealingTurnKey);
  const earlier = await Promise.all(keys.map(async (key) => ({ key, value: await redis().dumpBuffer(key) })));
  await append(redis(), refOf(2));
  await eventually(async () => (await sealedSize()) === 11);
  await redis().flushall();
  for (const { key, value } of earlier) if (value) await redis().restore(key, 0, value, 'REPLACE');
  await append(redis(), refOf(3));
  await eventually(async () => (await sealedSize()) === 11 || errors.length > 0);
  expect(await sealedSize()).toBe(6);
});
