import { expect, it } from 'vitest';
import { policyDocument, policyHash } from '../../../src/core/approval/policy/document.ts';
import { DEFAULT_POLICY } from '../../../src/core/approval/policy/policy.ts';
import type { RedisClient } from '../../../src/redis/connection/call.ts';
import { readChain } from '../../../src/redis/ledger/chain.ts';
import { crewChain, readPolicy, recordPolicies, recordRefusedStart } from '../../../src/redis/ledger/policies.ts';
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

it('a start that was refused is an entry of its crew', async () => {
  await recordPolicies(redis(), [tea()], ledgerOptions);
  const policy = policyHash(DEFAULT_POLICY);
  const facts = { approval: null, action: 'start', by: 'U0EVE', reason: 'not-approver', policy };
  await recordRefusedStart(redis(), 'tea time', { facts, requestId: '1.2.3', ...ledgerOptions });
  const chain = await readChain(redis(), crewChain('tea time'));
  expect(chain[1]).toMatchObject({ ref: 'crew:tea time', seq: 2, kind: 'refused', facts });
  await recordPolicies(redis(), [tea()], ledgerOptions);
  expect(await readChain(redis(), crewChain('tea time'))).toHaveLength(2);
});

it('a refused start that Slack delivers again, to any process, leaves no second entry', async () => {
  const clients = [redis(), another(), another()];
  const facts = (by: string) => ({ approval: null, action: 'start', by, reason: 'guest', policy: '' });
  const refuse = (client: RedisClient, requestId: string, by = `U${requestId}`) =>
    recordRefusedStart(client, 'tea time', { facts: facts(by), requestId, ...ledgerOptions });
  await Promise.all(clients.flatMap((client) => ['1', '2', '1'].map((requestId) => refuse(client, requestId))));
  for (const by of ['U3', 'U4']) await refuse(redis(), '', by);
  const entries = await readChain(redis(), crewChain('tea time'));
  expect(entries.map(({ facts }) => 'by' in facts && facts.by).sort()).toEqual(['U1', 'U2', 'U3', 'U4']);
});
