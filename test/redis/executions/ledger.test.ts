import { describe, expect, it } from 'vitest';
import { decide } from '../../../src/core/approval/decide.ts';
import { ask } from '../../../src/core/approval/request.ts';
import { recordRefusal } from '../../../src/core/ledger/record-refusal.ts';
import { createExecutionStore } from '../../../src/redis/executions/store.ts';
import { recordKeys } from '../../../src/redis/keys.ts';
import { readChain } from '../../../src/redis/ledger/chain.ts';
import { MARIA, PERMITTED, RULES } from '../../support/approvals.ts';
import { request } from '../../support/executions.ts';
import { redisForTests, started } from '../store-under-test.ts';

const { redis, another } = redisForTests();
const options = { retentionDays: 30, auditDays: 400, minReplicas: 0 };
const APPROVAL = { verdict: 'approve', feedback: null, text: 'Approved.' } as const;

async function asking() {
  const store = createExecutionStore(another(), options);
  await store.create('r1', (now) => started('r1', now));
  await store.change('r1', (execution, now) => ask(execution, request(), now, RULES));
  return store;
}

const kinds = async () => (await readChain(redis(), 'r1')).map(({ kind }) => kind);

describe('what a change enters in the ledger', () => {
  it('is written with it', async () => {
    const store = await asking();
    const ballot = { choice: APPROVAL, by: MARIA, ...PERMITTED };
    await store.change('r1', (execution, now) => decide(execution, '1', ballot, now));
    expect(await kinds()).toEqual(['asked', 'decided']);
    const last = (await readChain(redis(), 'r1')).at(-1);
    const { seq, hash, at } = last ?? {};
    expect((await store.load('r1'))?.execution.ledger).toEqual({ seq, hash, at, asked: 1 });
  });

  it('is written although the change was refused', async () => {
    const store = await asking();
    const refused = {
      approvalId: '1',
      action: 'approve',
      by: 'U9',
      refusal: { kind: 'expired' },
      policy: '',
      requestId: 'r',
    } as const;
    const changed = await store.change('r1', (execution, now) => ({
      ...{ ok: false, refusal: 'expired', after: recordRefusal(execution, refused, now) },
    }));
    expect(changed.kind).toBe('refused');
    expect(await kinds()).toEqual(['asked', 'refused']);
  });

  it('has one entry each, however many processes make changes at once', async () => {
    await asking();
    const stores = Array.from({ length: 5 }, () => createExecutionStore(another(), options));
    const refused = {
      approvalId: '1',
      action: 'approve',
      refusal: { kind: 'expired' },
      policy: '',
      requestId: '',
    } as const;
    await Promise.all(
      stores.flatMap((store, i) =>
        Array.from({ length: 10 }, (_, j) =>
          store.change('r1', (execution, now) => ({
            ...{ ok: false, refusal: 'expired' },
            after: recordRefusal(execution, { ...refused, by: `U${i}-${j}` }, now),
          })),
        ),
      ),
    );
    const chain = await readChain(redis(), 'r1');
    const people = chain.flatMap(({ kind, facts }) => (kind === 'refused' && 'by' in facts ? [facts.by] : []));
    expect([people.length, new Set(people).size]).toEqual([50, 50]);
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

it('a refused request that Slack delivers again leaves no second entry', async () => {
  const store = await asking();
  const refused = { approvalId: '1', action: 'approve', by: 'U9', refusal: { kind: 'expired' }, policy: '' } as const;
  const refuse = (requestId: string) =>
    store.change('r1', (execution, now) => ({
      ...{ ok: false, refusal: 'expired' },
      after: recordRefusal(execution, { ...refused, requestId }, now),
    }));
  for (const requestId of ['first', 'first', 'second', 'first']) await refuse(requestId);
  expect(await kinds()).toEqual(['asked', 'refused', 'refused']);
});
