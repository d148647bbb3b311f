import { expect, it } from 'vitest';
import { policyDocument, policyHash } from '../../../src/core/policy/document.ts';
import { DEFAULT_POLICY } from '../../../src/core/policy/policy.ts';
import { ledgerHeadKey } from '../../../src/redis/keys.ts';
import { appendToChain, readChain } from '../../../src/redis/ledger/chain.ts';
import { crewChain, readPolicy, recordPolicies } from '../../../src/redis/ledger/policies.ts';
import { redisForTests } from '../store-under-test.ts';

const { redis, another } = redisForTests();
const ledgerOptions = { auditDays: 400, entryKeys: [] };
const strict = { ...DEFAULT_POLICY, quorum: 2 };
const tea = (approval = DEFAULT_POLICY) => ({ name: 'tea time', approval });
const policies = async () =>
  (await readChain(redis(), crewChain('tea time'))).map(({ facts }) => ('policy' in facts ? facts.policy : null));

it('one entry says that a policy is in force, however many processes start at once', async () => {
  const clients = [redis(), another(), another()];
  const start = () => Promise.all(clients.map((client) => recordPolicies(client, [tea()], ledgerOptions)));
  expect((await start()).flat()).toHaveLength(1);
  expect((await start()).flat()).toHaveLength(0);
  expect(await policies()).toEqual([policyHash(DEFAULT_POLICY)]);
});

it('each change of a policy is an entry, also one back to an earlier policy', async () => {
  for (const approval of [DEFAULT_POLICY, strict, strict, DEFAULT_POLICY])
    await recordPolicies(redis(), [tea(approval)], ledgerOptions);
  expect(await policies()).toEqual([DEFAULT_POLICY, strict, DEFAULT_POLICY].map(policyHash));
  const kept = await readPolicy(redis(), policyHash(strict));
  expect(JSON.parse(kept ?? '')).toEqual(policyDocument(strict));
  expect(await readPolicy(redis(), 'ab'.repeat(32))).toBeNull();
});

it('a start reads the whole history only once, where nobody has kept its head', async () => {
  const sent = (attempt: number) => ({ kind: 'sent' as const, at: attempt, facts: { approval: '1', attempt } });
  await recordPolicies(redis(), [tea()], ledgerOptions);
  await appendToChain(redis(), crewChain('tea time'), { events: [1, 2, 3].map(sent), ...ledgerOptions });
  const reads = () =>
    redis()
      .info('commandstats')
      .then((text) => Number(/cmdstat_lrange:calls=(\d+)/.exec(text)?.[1] ?? 0));
  await redis().del(ledgerHeadKey(crewChain('tea time')));
  for (const read of [1, 0]) {
    const before = await reads();
    expect(await recordPolicies(another(), [tea()], ledgerOptions)).toHaveLength(0);
    expect((await reads()) - before).toBe(read);
  }
});
