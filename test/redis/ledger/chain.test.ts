import { expect, it } from 'vitest';
import { chainEntries, type LedgerEvent, NO_ENTRIES } from '../../../src/core/ledger/entry.ts';
import { ledgerKey, shardOf, unsealedKey } from '../../../src/redis/keys.ts';
import { appendToChain, readChain, readHead } from '../../../src/redis/ledger/chain.ts';
import { isOurs, readUnsealed } from '../../../src/redis/ledger/entries.ts';
import { redisForTests } from '../store-under-test.ts';

const { redis, another } = redisForTests();
const entryKeys = [Buffer.from('a key')];
const DAY_MS = 24 * 60 * 60_000;
const sent = (attempt: number): LedgerEvent => ({
  kind: 'sent',
  at: 1_795_000_000_000 + attempt,
  facts: { approval: '1', attempt },
});

it('chains entries, and tells the sealer of each', async () => {
  const first = await appendToChain(redis(), 'crew:tea', { events: [sent(1), sent(2)], auditDays: 3, entryKeys });
  const second = await appendToChain(redis(), 'crew:tea', { events: [sent(3)], auditDays: 3, entryKeys });
  const all = [...first, ...second];
  expect(all).toEqual(chainEntries('crew:tea', NO_ENTRIES, [sent(1), sent(2), sent(3)]));
  expect(await readChain(redis(), 'crew:tea')).toEqual(all);
  expect(await readHead(redis(), 'crew:tea')).toMatchObject({ seq: 3, hash: all[2]?.hash });
  const unsealed = await redis().lrange(unsealedKey(shardOf('crew:tea')), 0, -1);
  expect(unsealed.map(readUnsealed)).toEqual(all.map(({ ref, seq, at, hash, prev }) => ({ ref, seq, at, hash, prev })));
  expect(unsealed.every((text) => isOurs(text, entryKeys))).toBe(true);
  expect(unsealed.some((text) => isOurs(text, [Buffer.from('another key')]))).toBe(false);
  const leftMs = await redis().pttl(ledgerKey('crew:tea'));
  // Until there is a checkpoint that proves that they are that old.
  expect(leftMs).toBeGreaterThan(5 * DAY_MS - 60_000);
  expect(leftMs).toBeLessThanOrEqual(5 * DAY_MS);
});

it('loses no entry and forks no chain when many processes append at once', async () => {
  const clients = [redis(), another(), another(), another()];
  await Promise.all(
    Array.from({ length: 12 }, (_, i) =>
      appendToChain(clients[i % clients.length] ?? redis(), 'crew:tea', { events: [sent(i)], auditDays: 1, entryKeys }),
    ),
  );
  const chain = await readChain(redis(), 'crew:tea');
  const attempts = chain.map(({ facts }) => ('attempt' in facts ? facts.attempt : -1));
  expect(attempts.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 12 }, (_, i) => i));
  expect(await redis().llen(unsealedKey(shardOf('crew:tea')))).toBe(12);
});
