import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { startTrimmingHistory } from '../../src/bot/schedule.ts';
import { recordCompletion } from '../../src/core/execution/run.ts';
import type { CrewPolicy } from '../../src/core/policy/policy.ts';
import { ask } from '../../src/core/request/ask.ts';
import { decide } from '../../src/core/request/decide.ts';
import { undo } from '../../src/core/request/retract.ts';
import type { Person } from '../../src/core/state/request.ts';
import { ok } from '../../src/core/values/result.ts';
import { createExecutionStore } from '../../src/redis/executions.ts';
import { readDecided, readEnded, trimHistory, writeDecided } from '../../src/redis/indexes.ts';
import { decidedKey, endedKey, recordKeys, SHARDS, shardOf } from '../../src/redis/keys.ts';
import { silent } from '../crew/crew-values.ts';
import { request } from '../support/executions.ts';
import { JON, MARIA, MEMBERS, permittedTo, RULES, START } from '../support/requests.ts';
import { decidedRequests, endedRuns, eventually, redisForTests, started } from './store-under-test.ts';

const { redis } = redisForTests();

const MOST_BYTES = 300;
const NOW = 1_763_690_000_000;
const DAY_MS = 86_400_000;
const approve = { verdict: 'approve', feedback: null, text: 'Yes' } as const;
const TASK = 'Write, "quoted"';
const completion = { hop: 0, kickoffId: 'k1', result: null };

const decided = () => decidedRequests(redis());
const ended = () => endedRuns(redis());

/** A run whose request waits. */
async function asking(ref: string, change: Partial<CrewPolicy> = {}) {
  const store = createExecutionStore(redis(), { retentionDays: 30, auditDays: 400, replication: null });
  const policy = { ...RULES.policy, ...change };
  await store.create(ref, (now) => started(ref, now));
  await store.change(ref, (each, now) => ask(each, request({ taskName: TASK }), now, { ...RULES, policy }));
  const ballot = (by: Person) => ({ choice: approve, ...permittedTo(by), policy, facts: MEMBERS });
  return {
    store,
    decide: (by = MARIA) => store.change(ref, (each, now) => decide(each, '1', ballot(by), now)),
    undo: () => store.change(ref, (each, now) => undo(each, '1', ballot(MARIA), now)),
    end: () => store.change(ref, (each, now) => ok(recordCompletion(each, completion, now))),
  };
}

it('remembers what was decided and what has ended, oldest first, after the records have expired', async () => {
  for (const ref of ['r1', 'r2', 'r3']) {
    const run = await asking(ref);
    await run.decide();
    await run.end();
    await redis().del(recordKeys(ref).record);
  }
  const requests = await decided();
  expect(requests.map(({ ref }) => ref)).toEqual(['r1', 'r2', 'r3']);
  expect(requests[0]).toMatchObject({
    ...{ approvalId: '1', crew: 'research', task: TASK, round: 1, outcome: 'approve' },
    by: [MARIA.id],
  });
  expect((await ended()).map(({ ref, startedBy }) => [ref, startedBy])).toEqual([
    ...[
      ['r1', 'U_MARIA'],
      ['r2', 'U_MARIA'],
      ['r3', 'U_MARIA'],
    ],
  ]);
});

it('forgets a decision that is undone, and what is removed', async () => {
  const undone = await asking('r1', { undoMs: 60_000 });
  await undone.decide();
  expect(await decided()).toHaveLength(1);
  await undone.undo();
  expect(await decided()).toEqual([]);

  const removed = await asking('r2');
  await removed.decide();
  await removed.end();
  expect([await decided(), await ended()].map(({ length }) => length)).toEqual([1, 1]);
  await removed.store.remove('r2', () => true);
  expect([await decided(), await ended()]).toEqual([[], []]);
});

it('forgets what is older than eight days, and nothing else', async () => {
  const edge = Date.now() - 8 * DAY_MS;
  const refs = ['r1', 'r2', 'r3', 'r4'];
  for (const ref of refs)
    for (const key of [endedKey(shardOf(ref)), decidedKey(shardOf(ref))]) {
      await redis().zadd(key, edge - 60_000, `${ref} old`);
      await redis().zadd(key, edge + 60_000, `${ref} recent`);
    }
  await trimHistory(redis());
  for (const keyOf of [endedKey, decidedKey]) {
    const left = await Promise.all(SHARDS.map((shard) => redis().zrange(keyOf(shard), 0, '-1')));
    expect(left.flat().sort()).toEqual(refs.map((ref) => `${ref} recent`));
  }
});

it('is forgotten at the start of a process, and again and again', async () => {
  const addOld = () => redis().zadd(endedKey('00'), 1, 'r1');
  const isForgotten = async () => (await redis().exists(endedKey('00'))) === 0;
  await addOld();
  await startTrimmingHistory(redis(), { auditDays: 400, log: silent }).stop();
  expect(await isForgotten()).toBe(true);
  await addOld();
  const often = startTrimmingHistory(redis(), { auditDays: 400, log: silent, everyMs: 10 });
  await eventually(isForgotten);
  await addOld();
  await eventually(isForgotten);
  await often.stop();
});

it(`takes at most ${MOST_BYTES} bytes of Redis a decision`, async () => {
  const decisions = 1_000;
  for (let i = 0; i < decisions; i++) {
    const ref = randomBytes(13).toString('hex');
    const by = [`U0${i}ANNA`];
    const decidedAt = NOW + i * 61_234;
    const request = {
      ...{ ref, approvalId: '1', crew: 'release-notes', task: 'publish', round: 1, outcome: 'approve' as const },
      ...{ by, askedAt: START, decidedAt },
    };
    await redis().zadd(decidedKey('00'), decidedAt, writeDecided(request));
  }
  const bytes = Number(await redis().memory('USAGE', decidedKey('00'), 'SAMPLES', 0));
  expect(bytes / decisions).toBeLessThan(MOST_BYTES);
});

it('passes over what it cannot read', async () => {
  for (const member of ['r1:1', '["r1"]', '{}']) await redis().zadd(decidedKey('00'), 1, member);
  expect(await decided()).toEqual([]);
  expect(readEnded('null', 1)).toBeNull();
});

it('reads back whatever a crew calls its tasks', () => {
  const text = fc.string({ unit: fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit)) });
  const request = fc.record({
    ...{ ref: text, approvalId: text, crew: text, task: text, round: fc.nat() },
    outcome: fc.constantFrom('approve' as const, 'reject' as const, 'decline' as const, 'closed' as const),
    by: fc.array(text),
    ...{ askedAt: fc.nat(1e12), decidedAt: fc.integer({ min: 1e12, max: 2e12 }) },
  });
  fc.assert(
    fc.property(request, (each) => {
      const stored = Buffer.from(writeDecided(each)).toString();
      const read = readDecided(stored, each.decidedAt);
      expect(read).toEqual({ ...each, task: read?.task });
      expect(each.task.startsWith(read?.task ?? 'none')).toBe(true);
    }),
  );
  const long = { ...fc.sample(request, 1)[0], task: '👩‍👩‍👧'.repeat(20) };
  expect(readDecided(writeDecided(long as Parameters<typeof writeDecided>[0]), 0)?.task).toBe('👩‍👩‍👧'.repeat(5));
});

it('names who decided where several were needed', async () => {
  const run = await asking('r1', { quorum: 2 });
  await run.decide(JON);
  expect(await decided()).toEqual([]);
  await run.decide(MARIA);
  expect((await decided())[0]?.by).toEqual([JON.id, MARIA.id]);
});
