import { expect, it } from 'vitest';
import { sha256 } from '../../src/core/ledger/entry.ts';
import { DEFAULT_POLICY } from '../../src/core/policy/policy.ts';
import { ask } from '../../src/core/request/ask.ts';
import { decide } from '../../src/core/request/decide.ts';
import { createDueQueue } from '../../src/redis/due-queue.ts';
import { createExecutionStore } from '../../src/redis/executions.ts';
import { recordKeys } from '../../src/redis/keys.ts';
import { readChain } from '../../src/redis/ledger/chain.ts';
import { recordPolicies } from '../../src/redis/ledger/policies.ts';
import { exported, ledgerOptions, verified } from '../ledger/ledger-under-test.ts';
import { redisForTests, started } from '../redis/store-under-test.ts';
import { request } from '../support/executions.ts';
import { MARIA, PERMITTED, RULES } from '../support/requests.ts';

const DRAFT = request({ output: { hash: sha256('a draft'), length: 7 } });

const { redis, another } = redisForTests();
const HOUR = 60 * 60_000;
const ballot = {
  choice: { verdict: 'approve', feedback: null, text: 'Approved.' } as const,
  by: MARIA,
  ...PERMITTED,
  revision: DRAFT.output.hash,
};

async function begin() {
  const store = createExecutionStore(another(), { retentionDays: 30, replication: null, ...ledgerOptions });
  await store.create('r1', (now) => started('r1', now));
  const run = await store.load('r1');
  await recordPolicies(redis(), [{ name: run?.execution.crew ?? '', approval: DEFAULT_POLICY }], ledgerOptions);
  return store;
}

it('Redis fails over to a node whose clock is an hour behind: a run’s entries go on in order, and its decision is sent', async () => {
  const store = await begin();
  await store.change('r1', (run, now) => ask(run, DRAFT, now + HOUR, RULES));
  await store.change('r1', (run, now) => decide(run, '1', ballot, now));
  const times = (await readChain(redis(), 'r1')).map(({ at }) => at);
  expect(times).toEqual([...times].sort((one, other) => one - other));
  const claimed = await createDueQueue(redis()).claim(1, { leaseMs: HOUR, aheadMs: 0 });
  expect(claimed.refs).toEqual(['r1']);
  const held = await store.load('r1');
  const [request] = held?.execution.requests ?? [];
  expect(request?.state.status === 'decided' && request.state.sendAt <= (held?.now ?? 0)).toBe(true);
  expect(await verified(await exported(redis()))).toContain('1 decision allowed');
});

it('a run’s record expires, and its crew asks again: no number stands for two requests', async () => {
  const store = await begin();
  for (const life of [1, 2]) {
    await store.create('r1', (now) => started('r1', now));
    await store.change('r1', (run, now) => ask(run, DRAFT, now, RULES));
    await store.change('r1', (run, now) => decide(run, String(life), ballot, now));
    await redis().del(recordKeys('r1').record);
  }
  const numbers = (await readChain(redis(), 'r1')).map(({ kind, facts }) =>
    'approval' in facts ? [kind, facts.approval] : [],
  );
  expect(numbers).toEqual([
    ['asked', '1'],
    ['decided', '1'],
    ['asked', '2'],
    ['decided', '2'],
  ]);
  expect(await verified(await exported(redis()))).toContain('2 decisions allowed');
});
