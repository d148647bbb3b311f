import { describe, expect, it } from 'vitest';
import { ask } from '../../src/core/request/ask.ts';
import { decide } from '../../src/core/request/decide.ts';
import { recordEvent } from '../../src/core/state/events.ts';
import type { Execution } from '../../src/core/state/execution.ts';
import { ok } from '../../src/core/values/result.ts';
import { createExecutionStore } from '../../src/redis/executions.ts';
import { recordKeys } from '../../src/redis/keys.ts';
import { readChain } from '../../src/redis/ledger/chain.ts';
import { recordRefusal } from '../../src/redis/ledger/refusals.ts';
import { ledgerOptions } from '../ledger/ledger-under-test.ts';
import { request } from '../support/executions.ts';
import { MARIA, PERMITTED, RULES } from '../support/requests.ts';
import { redisForTests, started } from './store-under-test.ts';

const { redis, another } = redisForTests();
const options = { retentionDays: 30, replication: null, ...ledgerOptions };
const REFUSED = { approval: '1', action: 'approve', by: 'U9', reason: 'expired', policy: 'ab'.repeat(32) };
const OUTPUT = { hash: 'cd'.repeat(32), length: 10 };
const APPROVAL = { verdict: 'approve', feedback: null, text: 'Approved.' } as const;

async function asking() {
  const store = createExecutionStore(another(), options);
  await store.create('r1', (now) => started('r1', now));
  await store.change('r1', (execution, now) => ask(execution, request({ output: OUTPUT }), now, RULES));
  return store;
}

const kinds = async () => (await readChain(redis(), 'r1')).map(({ kind }) => kind);

describe('what a change enters in the ledger', () => {
  it('is written with it', async () => {
    const store = await asking();
    const ballot = { choice: APPROVAL, by: MARIA, ...PERMITTED, revision: OUTPUT.hash };
    await store.change('r1', (execution, now) => decide(execution, '1', ballot, now));
    expect(await kinds()).toEqual(['asked', 'decided']);
    const last = (await readChain(redis(), 'r1')).at(-1);
    const { seq, hash, at } = last ?? {};
    expect((await store.load('r1'))?.execution.ledger).toEqual({ seq, hash, at, asked: 1 });
  });

  it('follows on refused attempts, which are entered beside the record', async () => {
    const store = await asking();
    await recordRefusal(redis(), 'r1', { facts: REFUSED, requestId: '', ...ledgerOptions });
    const ballot = { choice: APPROVAL, by: MARIA, ...PERMITTED, revision: OUTPUT.hash };
    await store.change('r1', (execution, now) => decide(execution, '1', ballot, now));
    await recordRefusal(redis(), 'r1', { facts: { ...REFUSED, by: 'U8' }, requestId: '', ...ledgerOptions });
    expect(await kinds()).toEqual(['asked', 'refused', 'decided', 'refused']);
  });

  it('has one entry each, however many processes make changes at once', async () => {
    await asking();
    const processes = Array.from({ length: 3 }, () => {
      const client = another();
      return { client, store: createExecutionStore(client, options) };
    });
    const vote = (attempt: number) => (execution: Execution, now: number) =>
      ok(recordEvent(execution, { kind: 'sent', at: now, facts: { approval: '1', attempt } }));
    await Promise.all(
      processes.flatMap(({ client, store }, i) =>
        Array.from({ length: 5 }, (_, j) => [
          recordRefusal(client, 'r1', { facts: { ...REFUSED, by: `U${i}-${j}` }, requestId: '', ...ledgerOptions }),
          store.change('r1', vote(5 * i + j)),
        ]).flat(),
      ),
    );
    const chain = await readChain(redis(), 'r1');
    const people = chain.flatMap(({ kind, facts }) => (kind === 'refused' && 'by' in facts ? [facts.by] : []));
    const attempts = chain.flatMap(({ facts }) => ('attempt' in facts ? [facts.attempt] : []));
    expect([people.length, new Set(people).size]).toEqual([15, 15]);
    expect([attempts.length, new Set(attempts).size]).toEqual([15, 15]);
  });

  it('goes on where it was after the record had expired and the run is known again', async () => {
    await asking();
    await redis().del(recordKeys('r1').record);
    await asking();
    const chain = await readChain(redis(), 'r1');
    expect(chain.map(({ seq, kind }) => [seq, kind])).toEqual([
      [1, 'asked'],
      [2, 'asked'],
    ]);
  });
});
