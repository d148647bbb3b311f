import { expect, it } from 'vitest';
import { followRulesInForce } from '../../src/bot/follow-rules.ts';
import type { RulesOf } from '../../src/core/policy/crew.ts';
import { DEFAULT_POLICY } from '../../src/core/policy/policy.ts';
import { type ExecutionStore, StoreUnavailable } from '../../src/core/ports.ts';
import { ask } from '../../src/core/request/ask.ts';
import type { Execution } from '../../src/core/state/execution.ts';
import { createExecutionStore } from '../../src/redis/executions.ts';
import { recordKeys } from '../../src/redis/keys.ts';
import { createOverview } from '../../src/redis/overview/overview.ts';
import { readableLog } from '../crew/crew-values.ts';
import { redisForTests, started } from '../redis/store-under-test.ts';
import { request } from '../support/executions.ts';
import { output, RULES } from '../support/requests.ts';
import { valueFrom } from '../support/value-from.ts';

const { redis } = redisForTests();
const storeOfProcess = () => createExecutionStore(redis(), { retentionDays: 1, auditDays: 400, replication: null });

const DAY_MS = 24 * 60 * 60_000;
const REFS = ['r1', 'r2', 'r3', 'r4'];

/** The crew `research` has a rule now that it hadn't when its requests were asked. */
const expiring: RulesOf = (crew) =>
  crew === 'research' ? { ...RULES, policy: { ...DEFAULT_POLICY, expireAfterMs: DAY_MS } } : RULES;

/** Two requests in each of these executions, the last of which is of another crew. */
async function asked(store: ExecutionStore): Promise<void> {
  for (const ref of REFS)
    await store.create(ref, (now) => {
      const run = { ...started(ref, now), crew: ref === 'r4' ? 'another' : 'research' };
      return ['a', 'b'].reduce<Execution>(
        (each, taskId) => valueFrom(ask(each, request({ taskId, output: output(taskId) }), now, RULES)),
        run,
      );
    });
}

/** A process with the new rules starts; resolves to the executions that it has changed. */
async function starts(
  store: ExecutionStore,
  { dying = new AbortController(), diesAfter = Number.POSITIVE_INFINITY, log = readableLog(), rulesOf = expiring } = {},
): Promise<string[]> {
  const changed: string[] = [];
  const watched: ExecutionStore = {
    ...store,
    async change(ref, transition) {
      const outcome = await store.change(ref, transition);
      if (outcome.kind === 'changed') changed.push(ref);
      if (changed.length === diesAfter) dying.abort();
      return outcome;
    },
  };
  const overview = createOverview(redis());
  await followRulesInForce({ store: watched, overview, rulesOf, log: log.log }, dying.signal);
  return changed;
}

const expiries = async (store: ExecutionStore) =>
  Promise.all(
    REFS.map(async (ref) => {
      const found = await store.load(ref);
      return found?.execution.requests.map(
        ({ question: { askedAt }, discussion: { times } }) => times.expireAt && times.expireAt - askedAt,
      );
    }),
  );

it('requests follow new rules once, however many processes start, and whatever one leaves that dies', async () => {
  const store = storeOfProcess();
  await asked(store);
  expect(await starts(store, { diesAfter: 1 })).toHaveLength(1);
  const changed = await Promise.all([starts(store), starts(storeOfProcess())]);
  expect(changed.flat()).toHaveLength(2);
  expect(await expiries(store)).toEqual([...REFS.slice(1).map(() => [DAY_MS, DAY_MS]), [null, null]]);
  expect(await starts(store)).toEqual([]);
});

it('a record that can’t be read keeps no other from it', async () => {
  const [store, log] = [storeOfProcess(), readableLog()];
  await asked(store);
  await redis().hset(recordKeys('r1').record, { record: 'broken', writes: 'another' });
  expect((await starts(storeOfProcess(), { log })).sort()).toEqual(['r2', 'r3']);
  expect(log.warnings()).toMatchObject([{ ref: 'r1' }]);
});

it('a process that stops gives up on a store that gives no answer', async () => {
  const dying = new AbortController();
  const failing: ExecutionStore = {
    ...storeOfProcess(),
    async withPending() {
      dying.abort();
      throw new StoreUnavailable('no answer');
    },
  };
  expect(await starts(failing, { dying })).toEqual([]);
});

it('runs wait for a crew that this process doesn’t know, and go on with one that is back; the log names the first once', async () => {
  const [store, log] = [storeOfProcess(), readableLog()];
  await asked(store);
  const onlyAnother: RulesOf = (crew) => (crew === 'another' ? RULES : { policy: null, hours: null });
  expect((await starts(store, { rulesOf: onlyAnother, log })).sort()).toEqual(['r1', 'r2', 'r3']);
  expect(log.warnings()).toMatchObject([{ crews: [{ crew: 'research', runs: 3 }] }]);
  expect(await starts(storeOfProcess(), { rulesOf: onlyAnother })).toEqual([]);
  const back = readableLog();
  expect((await starts(store, { log: back })).sort()).toEqual(['r1', 'r2', 'r3']);
  expect(back.warnings()).toEqual([]);
  expect(await expiries(store)).toMatchObject([[expect.any(Number), expect.any(Number)], {}, {}, [null, null]]);
});
