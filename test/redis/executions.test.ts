import { describe, expect, it } from 'vitest';
import { recordCompletion, recordTask } from '../../src/core/execution/run.ts';
import { settleKickoff } from '../../src/core/execution/start.ts';
import { stopFollowing } from '../../src/core/execution/tracking.ts';
import { claimMessage } from '../../src/core/messages/delivery.ts';
import type { ExecutionStore } from '../../src/core/ports.ts';
import { ask } from '../../src/core/request/ask.ts';
import { decide } from '../../src/core/request/decide.ts';
import { type KickoffRefusal, RECORD_VERSION } from '../../src/core/state/execution.ts';
import { ok, refuse } from '../../src/core/values/result.ts';
import { createActivityLog } from '../../src/redis/activity.ts';
import { answerDeadline, runScript } from '../../src/redis/call.ts';
import { createDueQueue } from '../../src/redis/due-queue.ts';
import { createExecutionStore } from '../../src/redis/executions.ts';
import { ledgerKey, recordKeys } from '../../src/redis/keys.ts';
import { createOutputStore } from '../../src/redis/outputs.ts';
import { UnreadableRecord } from '../../src/redis/record.ts';
import { REMOVE } from '../../src/redis/stored-record.ts';
import { PROCESS } from '../support/claims.ts';
import { changed, request } from '../support/executions.ts';
import { MARIA, permittedTo, RULES } from '../support/requests.ts';
import { eventually, redisForTests, started } from './store-under-test.ts';

const { redis, another } = redisForTests();
const options = { retentionDays: 30, auditDays: 400, replication: null };
const DAY_MS = 24 * 60 * 60_000;

async function storeWith(...refs: string[]): Promise<ExecutionStore> {
  const store = createExecutionStore(redis(), options);
  for (const ref of refs) await store.create(ref, (now) => started(ref, now));
  return store;
}

const lifetimeOf = (ref: string) => redis().pttl(recordKeys(ref).record);
const dueTimeOf = (ref: string) => redis().zscore(recordKeys(ref).due, ref);

const accepted = { kind: 'accepted', kickoffId: 'k1' } as const;
const completion = { hop: 0, kickoffId: 'k1', result: null };
const task = { hop: 0, kickoffId: 'k1', agent: null, summary: '', output: null };

describe('a new execution', () => {
  it('is loaded as it was created', async () => {
    const store = await storeWith('r1');
    const found = await store.load('r1');
    expect(found?.execution).toEqual(started('r1', found?.execution.createdAt ?? 0));
    expect(found?.now).toBeGreaterThanOrEqual(found?.execution.createdAt ?? Number.NaN);
  });

  it('gets its times from the clock of Redis', async () => {
    const store = await storeWith('r1');
    const [seconds = 0] = await redis().time();
    const found = await store.load('r1');
    expect(Math.abs((found?.execution.createdAt ?? 0) / 1000 - seconds)).toBeLessThan(2);
  });

  it('never replaces one with the same ref', async () => {
    const store = await storeWith('r1');
    expect(await store.create('r1', (now) => started('r1', now, { channel: 'C2' }))).toBe('exists');
    expect((await store.load('r1'))?.execution.channel).toBe('C1');
  });

  it('is created once when many processes create it at the same moment', async () => {
    const stores = Array.from({ length: 5 }, () => createExecutionStore(another(), options));
    const outcomes = await Promise.all(stores.map((store) => store.create('r1', (now) => started('r1', now))));
    expect(outcomes.filter((outcome) => outcome === 'created')).toHaveLength(1);
  });

  it('is due for its kickoff from the first moment', async () => {
    const store = await storeWith('r1');
    expect(await dueTimeOf('r1')).toBe(String((await store.load('r1'))?.execution.createdAt));
  });

  it('is absent under another ref', async () => {
    const store = await storeWith('r1');
    expect(await store.load('r2')).toBeNull();
    expect(await store.change('r2', (execution) => ok(execution))).toEqual({ kind: 'absent' });
  });
});

describe('a change', () => {
  it('is stored with the new due time', async () => {
    const store = await storeWith('r1');
    const changed = await store.change('r1', (execution) => ok({ ...execution, kickoff: { status: 'settled' } }));
    expect(changed).toMatchObject({
      before: { kickoff: { status: 'due' } },
      after: { kickoff: { status: 'settled' } },
    });
    expect((await store.load('r1'))?.execution.kickoff).toEqual({ status: 'settled' });
  });

  it('removes the due time when nothing is due any more', async () => {
    const store = await storeWith('r1');
    await store.change('r1', (execution) =>
      ok(changed(execution, { kickoff: { status: 'settled' }, root: { status: 'gone', ts: null } })),
    );
    expect(await dueTimeOf('r1')).toBeNull();
  });

  it('that changes nothing writes nothing', async () => {
    const store = await storeWith('r1');
    const before = await redis().hgetall(recordKeys('r1').record);
    expect((await store.change('r1', (execution) => ok(execution))).kind).toBe('unchanged');
    expect(await redis().hgetall(recordKeys('r1').record)).toEqual(before);
  });

  it('works although Redis forgot the scripts', async () => {
    const store = await storeWith('r1');
    await redis().call('SCRIPT', 'FLUSH');
    await store.change('r1', (execution, now) => ok(recordTask(execution, { ...task, name: 'a' }, now)));
    expect((await store.load('r1'))?.execution.tasks).toHaveLength(1);
  });

  it('that is refused writes nothing and says why', async () => {
    const store = await storeWith('r1');
    const changed = await store.change('r1', () => refuse('too late' as const));
    expect(changed).toMatchObject({ kind: 'refused', refusal: 'too late', execution: { ref: 'r1' } });
  });

  it('is never lost among twenty others from several processes', async () => {
    await storeWith('r1');
    const stores = [createExecutionStore(another(), options), createExecutionStore(another(), options)];
    const names = Array.from({ length: 20 }, (_, i) => `task ${i}`);
    await Promise.all(
      names.map((name, i) =>
        stores[i % stores.length]?.change('r1', (execution, now) => ok(recordTask(execution, { ...task, name }, now))),
      ),
    );
    const found = await stores[0]?.load('r1');
    expect(found?.execution.tasks.map(({ name }) => name).sort()).toEqual(names.sort());
    expect(found?.execution.tasks.map(({ id }) => Number(id))).toEqual(names.map((_, i) => i + 1));
  });

  it('by the first of twenty people who decide at once is the only one', async () => {
    const store = await storeWith('r1');
    await store.change('r1', (execution, now) => ask(execution, request(), now, RULES));
    const choice = { verdict: 'approve', feedback: null, text: 'Approved.' } as const;
    const outcomes = await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        store.change('r1', (execution, now) =>
          decide(execution, '1', { choice, ...permittedTo({ id: `U${i}`, name: `Person ${i}` }) }, now),
        ),
      ),
    );
    expect(outcomes.filter(({ kind }) => kind === 'changed')).toHaveLength(1);
    expect(outcomes.filter(({ kind }) => kind === 'refused')).toHaveLength(19);
  });

  it('keeps a lone surrogate in what people typed', async () => {
    const store = await storeWith('r1');
    await store.change('r1', (execution) => ok({ ...execution, inputs: { topic: 'a\ud83d' } }));
    expect((await store.load('r1'))?.execution.inputs).toEqual({ topic: 'a\ud83d' });
  });
});

describe('a record that this version can not read', () => {
  it.each([
    [`"version":${RECORD_VERSION}`, '"version":999', 'version 999 was written by a newer Signoff'],
    ['"ref":"r1"', '"ref":"r2"', 'it is not the record of this execution'],
    ['"messages"', '"message"', 'it is not a whole execution: messages: Invalid input: expected record'],
    ['{', '[', 'it is not a JSON object'],
  ])('is a fault that names the execution (%s → %s)', async (from, to, reason) => {
    await storeWith('r1', 'r2');
    const store = createExecutionStore(another(), options);
    const { record } = recordKeys('r1');
    await redis().hset(record, 'record', ((await redis().hget(record, 'record')) ?? '').replace(from, to));
    const fault = `The record of execution r1 can't be read: ${reason}`;
    await expect(store.load('r1')).rejects.toThrow(fault);
    await expect(store.change('r1', (execution) => ok(execution))).rejects.toThrow(UnreadableRecord);
    expect((await store.openIn('C1')).map(({ ref }) => ref)).toEqual(['r2']);
  });
});

describe('an execution that is removed', () => {
  it('leaves nothing behind but how often its process has written', async () => {
    const store = await storeWith('r1');
    await store.linkId('research', 'k1', 'r1');
    await store.remove('r1', () => true);
    expect((await redis().keys('*')).filter((key) => !/:writes:/.test(key))).toEqual([]);
  });

  it('is kept while its state does not allow it', async () => {
    const store = await storeWith('r1');
    expect(await store.remove('r1', () => false)).toBe('kept');
    expect(await store.load('r1')).toMatchObject({ execution: { ref: 'r1' } });
  });

  it('is kept if it has changed since its state was read', async () => {
    const store = await storeWith('r1');
    const { record, due, activity } = recordKeys('r1');
    const removal = { keys: [record, due, activity], args: ['an older state', 'r1'] };
    expect(await runScript(redis(), REMOVE, { ...removal, until: answerDeadline() })).toEqual(['kept', []]);
    expect(await store.load('r1')).toMatchObject({ execution: { ref: 'r1' } });
  });

  it('keeps an id that now belongs to the one it was merged into', async () => {
    const store = await storeWith('r1', 'r2');
    await store.linkId('research', 'k1', 'r1');
    await store.linkId('research', 'k1', 'r2');
    await store.remove('r1', () => true);
    expect(await store.findById('research', 'k1')).toBe('r2');
  });
});

describe('the open executions of a channel', () => {
  it('are listed newest first', async () => {
    const store = createExecutionStore(redis(), options);
    const refs = Array.from({ length: 20 }, (_, i) => `r${i}`);
    await Promise.all(refs.map((ref, i) => store.create(ref, () => started(ref, 1_000 + i))));
    await store.create('elsewhere', (now) => started('elsewhere', now, { channel: 'C2' }));
    expect((await store.openIn('C1')).map(({ ref }) => ref)).toEqual(refs.reverse());
  });

  it('leave out those that ended, never started, were lost or are not followed', async () => {
    const store = await storeWith('open', 'ended', 'refused', 'lost', 'unfollowed', 'maybe');
    const refusal: KickoffRefusal = { code: 'unauthorized', detail: '', missing: [] };
    await store.change('ended', (execution, now) => ok(recordCompletion(execution, completion, now)));
    await store.change('refused', (execution, now) => ok(settleKickoff(execution, { kind: 'refused', refusal }, now)));
    await store.change('lost', (execution, now) => ok({ ...execution, run: { status: 'lost', lostAt: now } }));
    await store.change('unfollowed', (execution, now) => stopFollowing(execution, permittedTo(MARIA), now));
    await store.change('maybe', (execution, now) =>
      ok(settleKickoff(execution, { kind: 'unknown', doubt: 'no-answer' }, now)),
    );
    expect((await store.openIn('C1')).map(({ ref }) => ref).sort()).toEqual(['maybe', 'open']);
  });

  it('include one that a webhook revived', async () => {
    const store = await storeWith('r1');
    await store.change('r1', (execution, now) => ok({ ...execution, run: { status: 'lost', lostAt: now } }));
    expect(await store.openIn('C1')).toEqual([]);
    await store.change('r1', (execution, now) => ok(recordTask(execution, { ...task, name: 'a' }, now)));
    expect(await store.openIn('C1')).toHaveLength(1);
  });

  it('leave out one whose record has expired', async () => {
    const store = await storeWith('r1', 'r2');
    await redis().del(recordKeys('r1').record);
    expect((await store.openIn('C1')).map(({ ref }) => ref)).toEqual(['r2']);
    expect(await redis().keys('*:open:*')).toHaveLength(1);
  });
});

describe('the calls of a crew that await their answer', () => {
  it('are its kickoffs and resumes in progress', async () => {
    const store = await storeWith('r1', 'r2', 'r3');
    expect(await store.unanswered('research')).toBe(3);
    await store.change('r1', (execution, now) => ok(settleKickoff(execution, accepted, now)));
    await store.change('r2', (execution, now) => ok(recordCompletion(execution, completion, now)));
    expect(await store.unanswered('research')).toBe(1);
    expect(await store.unanswered('another crew')).toBe(0);
  });
});

describe('the ids of a crew', () => {
  it('lead to their execution', async () => {
    const store = await storeWith('r1');
    await store.linkId('research', 'k1', 'r1');
    expect(await store.findById('research', 'k1')).toBe('r1');
    expect(await store.findById('another crew', 'k1')).toBeNull();
    expect(await store.findById('research', 'k2')).toBeNull();
  });

  it('live as long as their execution', async () => {
    const store = await storeWith('r1');
    await store.linkId('research', 'k1', 'r1');
    const [link = ''] = await redis().keys('*:id:*');
    expect(await redis().pttl(link)).toBe(-1);
    await store.change('r1', (execution, now) => ok(recordCompletion(execution, completion, now)));
    expect(await redis().pttl(link)).toBeGreaterThan(29 * DAY_MS);
    await store.linkId('research', 'k2', 'r1');
    const links = await redis().keys('*:id:*');
    for (const each of links) expect(await redis().pttl(each)).toBeGreaterThan(29 * DAY_MS);
    expect(links).toHaveLength(2);
  });
});

describe('an execution expires', () => {
  it('never before it has ended', async () => {
    const store = await storeWith('r1');
    await store.change('r1', (execution, now) => ok(settleKickoff(execution, accepted, now)));
    expect(await lifetimeOf('r1')).toBe(-1);
  });

  it('some days after it ended', async () => {
    const store = await storeWith('r1');
    await store.change('r1', (execution, now) => ok(recordCompletion(execution, completion, now)));
    const lifetimeMs = await lifetimeOf('r1');
    expect(lifetimeMs).toBeGreaterThan(29 * DAY_MS);
    expect(lifetimeMs).toBeLessThanOrEqual(30 * DAY_MS);
    const found = await store.load('r1');
    expect((found?.execution.expiry?.at ?? 0) - (found?.now ?? 0)).toBeGreaterThan(29 * DAY_MS);
    expect((found?.execution.expiry?.at ?? 0) - (found?.now ?? 0)).toBeLessThanOrEqual(30 * DAY_MS);
  });

  it('in time, however often a message is retried', async () => {
    const store = await storeWith('r1');
    await store.linkId('research', 'k1', 'r1');
    await store.change('r1', (execution, now) => ok(recordCompletion(execution, completion, now)));
    const [link = ''] = await redis().keys('*:id:*');
    for (const key of [recordKeys('r1').record, link]) await redis().pexpire(key, 10 * DAY_MS);
    await store.change('r1', (execution, now) => ok(claimMessage(execution, { kind: 'root' }, PROCESS, now)));
    expect(await lifetimeOf('r1')).toBeLessThanOrEqual(10 * DAY_MS);
    expect(await redis().pttl(link)).toBeLessThanOrEqual(10 * DAY_MS);
  });

  it('with everything beside it, and leaves nothing behind but its entries in the ledger and the history, and what else it is found by', async () => {
    const retention = { retentionDays: 1 / 86_400, auditDays: 400 };
    const store = createExecutionStore(redis(), { ...retention, replication: null });
    const queue = createDueQueue(redis());
    await store.create('r1', (now) => started('r1', now));
    await store.linkId('research', 'k1', 'r1');
    await createOutputStore(redis(), retention).put('r1', 'the whole text');
    const step = { at: 1, agent: null, thought: 'Hm', tool: null, toolInput: null, result: null };
    await createActivityLog(redis(), retention).add('r1', step);
    await store.change('r1', (execution, now) => ask(execution, request(), now, RULES));
    await store.change('r1', (execution, now) => ok(recordCompletion(execution, completion, now)));
    expect((await redis().keys('*')).length).toBeGreaterThan(3);

    await eventually(async () => (await store.load('r1')) === null);
    for (const ref of (await queue.claim(10, { leaseMs: 1_000, aheadMs: 0 })).refs) await queue.release(ref);
    const beside = async () =>
      (await redis().keys('*')).filter((key) => !/:ledger|:ended$|:run-names$|:writes:/.test(key));
    await eventually(async () => (await beside()).length === 0);
    expect(await redis().pttl(ledgerKey('r1'))).toBeGreaterThan(399 * DAY_MS);
  });

  it('not while a message of a lost one is still due, and not after it was revived', async () => {
    const store = await storeWith('r1');
    await store.change('r1', (execution, now) =>
      ok({ ...execution, kickoff: { status: 'settled' }, run: { status: 'lost', lostAt: now } }),
    );
    expect(await lifetimeOf('r1')).toBe(-1);
    await store.change('r1', (execution) => ok(changed(execution, { root: { status: 'gone', ts: null } })));
    expect(await lifetimeOf('r1')).toBeGreaterThan(29 * DAY_MS);
    await store.change('r1', (execution, now) => ok(recordTask(execution, { ...task, name: 'a' }, now)));
    expect(await lifetimeOf('r1')).toBe(-1);
  });
});
