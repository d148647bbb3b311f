import { expect, it } from 'vitest';
import type { Entry } from '../../src/core/ledger/entry.ts';
import { deriveSigners } from '../../src/ledger/checkpoint.ts';
import { sealNew } from '../../src/ledger/seal.ts';
import { ledgerKey, setAsideKey, tileKey } from '../../src/redis/keys.ts';
import { appendToChain } from '../../src/redis/ledger/chain.ts';
import { storedEntry } from '../../src/redis/ledger/entries.ts';
import { sealedRuns } from '../../src/tools/sealed-chains.ts';
import {
  AUDIT_DAYS,
  append,
  asked,
  confirmed,
  DAY_MS,
  decided,
  NOW,
  refOf,
  STORY,
  seed,
  sent,
  signers,
  voted,
} from '../ledger/ledger-under-test.ts';
import { redisForTests } from '../redis/store-under-test.ts';

const { redis } = redisForTests();
const TODAY = Date.now();
const EXPIRED = TODAY + (AUDIT_DAYS + 1) * DAY_MS;
const seal = (now = TODAY) => sealNew(redis(), { signers, auditDays: AUDIT_DAYS, now });

/** The ref of each run, and how many entries it has. */
async function read(
  period: { since?: number; until?: number } = {},
  { now = TODAY, others = signers } = {},
): Promise<[ref: string | undefined, entries: number][]> {
  const { since = NOW, until = null } = period;
  const options = { signers: others, auditDays: AUDIT_DAYS, now };
  const found: (readonly Entry[])[] = [];
  for await (const entries of sealedRuns(redis(), { since, until }, options)) found.push(entries);
  return found.map((entries): [string | undefined, number] => [entries[0]?.ref, entries.length]).sort();
}

it('what nobody has sealed yet is sealed, and each run is read once, with all of its entries', async () => {
  await seed(redis(), 150);
  const all = Array.from({ length: 150 }, (_, i) => [refOf(i), STORY.length]);
  expect(await read()).toEqual(all);
  expect(await read()).toEqual(all);
});

it('an empty ledger has no runs', async () => {
  expect(await read()).toEqual([]);
});

it('runs without an entry in the time are left out, as far as whole tiles of 256 entries are', async () => {
  const later = NOW + 10 * DAY_MS;
  await seed(redis(), 60);
  await seal();
  await append(redis(), 'late', [asked({}, later)]);
  const found = await read({ since: later });
  expect(found).toContainEqual(['late', 1]);
  expect(found.length).toBeLessThan(15);
  expect(await read({ since: later + 1 })).toEqual([]);
  expect(await read({ until: NOW })).toEqual([]);
});

it('what a bot with another secret has written is left out', async () => {
  await append(redis(), 'run', [asked(), voted()]);
  await seal();
  const entryKeys = deriveSigners(['another secret of at least thirty-two']).map(({ entryKey }) => entryKey);
  await appendToChain(redis(), 'run', { events: [decided()], auditDays: AUDIT_DAYS, entryKeys });
  await appendToChain(redis(), 'foreign', { events: STORY, auditDays: AUDIT_DAYS, entryKeys });
  expect(await read()).toEqual([['run', 2]]);
  expect(await redis().llen(setAsideKey)).toBe(6);
});

it('what was only put into Redis is left out', async () => {
  await append(redis(), 'run', [asked(), voted()]);
  await seal();
  await redis().rpush(ledgerKey('run'), storedEntry(decided()));
  expect(await read()).toEqual([['run', 2]]);
});

it.each([0, 1, 4])('a run in whose sealed entries no. %d was changed is not told', async (index) => {
  await append(redis(), 'run');
  await seal();
  const changed = [asked({ crew: 'other' }), voted(undefined, NOW), decided(), sent, { ...confirmed, at: NOW + 9_000 }];
  await redis().lset(ledgerKey('run'), index, storedEntry(changed[index] ?? sent));
  await expect(read()).rejects.toThrow('Entry 5 of run was sealed, and is gone from Redis or changed there.');
});

it('one that lacks its last entry is not told either', async () => {
  await append(redis(), 'run');
  await seal();
  await redis().rpop(ledgerKey('run'));
  await expect(read()).rejects.toThrow('Entry 5 of run was sealed, and is gone from Redis or changed there.');
});

it('a run is empty once it has expired, and can’t be gone before', async () => {
  await append(redis(), 'run');
  await seal();
  await append(redis(), 'young');
  await seal(TODAY + 10 * DAY_MS);
  await redis().del(ledgerKey('run'));
  expect(await read({}, { now: EXPIRED })).toEqual([
    [undefined, 0],
    ['young', 5],
  ]);
  await expect(read({}, { now: TODAY + 20 * DAY_MS })).rejects.toThrow('Entry 5 of run was sealed');
});

it('a run that has not gone can’t be changed, however old it is', async () => {
  await append(redis(), 'run');
  await seal();
  await append(redis(), 'young');
  await seal(TODAY + 10 * DAY_MS);
  await redis().lset(ledgerKey('run'), 4, storedEntry(sent));
  await expect(read({}, { now: EXPIRED })).rejects.toThrow('Entry 5 of run was sealed');
});

it('leaves can’t be gone before they have expired', async () => {
  await seed(redis(), 60);
  await seal();
  await append(redis(), 'young');
  await seal(TODAY + 10 * DAY_MS);
  await redis().del(tileKey(0));
  await expect(read()).rejects.toThrow('The leaves 0 to 255 of the ledger are gone from Redis');
  expect(await read({}, { now: EXPIRED })).toContainEqual([undefined, 0]);
});

it('a run that has expired and begun anew has its new entries', async () => {
  await append(redis(), 'run');
  await seal();
  await redis().del(ledgerKey('run'));
  await append(redis(), 'run', [asked({}, EXPIRED), voted(undefined, EXPIRED + 1_000)]);
  expect(await read({}, { now: EXPIRED + 2_000 })).toEqual([['run', 2]]);
});

it('a ledger that another secret has sealed is not read', async () => {
  await append(redis(), 'run');
  await seal();
  const others = deriveSigners(['another secret of at least thirty-two']);
  await expect(read({}, { others })).rejects.toThrow('not signed by a key of APP_SECRET');
});
