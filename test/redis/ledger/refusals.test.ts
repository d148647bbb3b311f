import { expect, it } from 'vitest';
import type { LedgerFacts } from '../../../src/core/ledger/entry.ts';
import { DEFAULT_POLICY } from '../../../src/core/policy/policy.ts';
import type { RedisClient } from '../../../src/redis/call.ts';
import { repeatsKey, shardOf } from '../../../src/redis/keys.ts';
import { appendToChain, readChain, readHead } from '../../../src/redis/ledger/chain.ts';
import { crewChain, recordPolicies } from '../../../src/redis/ledger/policies.ts';
import { enterRepeats, recordRefusal, recordRefusedStart } from '../../../src/redis/ledger/refusals.ts';
import { ledgerOptions } from '../../ledger/ledger-under-test.ts';
import { redisForTests } from '../store-under-test.ts';

const { redis, another } = redisForTests();
const policy = 'ab'.repeat(32);
const factsOf = (by: string) => ({ approval: null, action: 'start', by, reason: 'guest', policy });

const refuse = (by: string, requestId = '', client: RedisClient = redis()) =>
  recordRefusal(client, 'run1', { facts: factsOf(by), requestId, ...ledgerOptions });

async function entries(ref = 'run1') {
  const chain = await readChain(redis(), ref);
  return chain.map(({ facts }) => facts as LedgerFacts['refused']).map(({ by, times }) => [by, times]);
}

/** Lets the minute of all refusals be over. */
async function endMinutes(): Promise<void> {
  const key = repeatsKey(shardOf('run1'));
  for (const [refusal, cell] of Object.entries(await redis().hgetall(key)))
    await redis().hset(key, refusal, `1 ${cell.split(' ')[1]}`);
}

it('what is refused again within a minute is counted, by any process, and the count becomes one entry', async () => {
  const clients = [redis(), another(), another()];
  await Promise.all(Array.from({ length: 30 }, (_, i) => refuse('U1', `request ${i}`, clients[i % clients.length])));
  await refuse('U2');
  await enterRepeats(redis(), ledgerOptions);
  expect(await entries()).toEqual([
    ['U1', undefined],
    ['U2', undefined],
  ]);
  await endMinutes();
  await Promise.all(clients.map((client) => enterRepeats(client, ledgerOptions)));
  expect((await entries()).slice(2)).toEqual([['U1', 29]]);
  expect(await redis().exists(repeatsKey(shardOf('run1')))).toBe(0);
});

it('the next refusal enters what was counted before it', async () => {
  for (const requestId of ['a', 'b']) await refuse('U1', requestId);
  await endMinutes();
  for (const requestId of ['c', 'd']) await refuse('U1', requestId);
  expect(await entries()).toEqual([
    ['U1', undefined],
    ['U1', 1],
    ['U1', undefined],
  ]);
});

it('a refused request that Slack delivers again, to any process, counts once', async () => {
  const clients = [redis(), another(), another()];
  await Promise.all(clients.map((client) => refuse('U1', 'first', client)));
  for (const requestId of ['first', 'second', 'first', 'second']) await refuse('U1', requestId);
  await endMinutes();
  await refuse('U1', 'first');
  await enterRepeats(redis(), ledgerOptions);
  expect(await entries()).toEqual([
    ['U1', undefined],
    ['U1', 1],
  ]);
});

it('a refused start is an entry of its crew and day, which expires, unlike the policy in force', async () => {
  await recordPolicies(redis(), [{ name: 'tea', approval: DEFAULT_POLICY }], ledgerOptions);
  await recordRefusedStart(redis(), 'tea', { facts: factsOf('U1'), requestId: '', ...ledgerOptions });
  const [seconds] = await redis().time();
  const day = new Date(Number(seconds) * 1_000).toISOString().slice(0, 10);
  expect(await entries(`crew:tea/${day}`)).toEqual([['U1', undefined]]);
  expect(await readChain(redis(), crewChain('tea'))).toHaveLength(1);
});

it('a refusal reads nothing of what is before it in the chain', async () => {
  const sent = (attempt: number) => ({ kind: 'sent' as const, at: attempt, facts: { approval: '1', attempt } });
  await appendToChain(redis(), 'run1', { events: [1, 2, 3].map(sent), ...ledgerOptions });
  await redis().config('RESETSTAT');
  for (const by of ['U1', 'U2', 'U3', 'U1']) await refuse(by);
  expect(await redis().info('commandstats')).not.toContain('cmdstat_lrange');
  expect(await readHead(redis(), 'run1')).toMatchObject({ seq: 6 });
});
