import { afterEach, expect, it } from 'vitest';
import { followRulesInForce } from '../../src/bot/follow-rules.ts';
import { dueActionsAt } from '../../src/core/due-actions.ts';
import type { CrewRules } from '../../src/core/policy/crew-rules.ts';
import { NO_FACTS } from '../../src/core/policy/permits.ts';
import type { CrewPort, ThreadPort } from '../../src/core/ports.ts';
import { type Execution, missCrew } from '../../src/core/state/execution.ts';
import { createAskThreads } from '../../src/redis/ask-threads.ts';
import { createDueQueue } from '../../src/redis/due-queue.ts';
import { createExecutionStore } from '../../src/redis/executions.ts';
import { createLocalState } from '../../src/redis/local-state.ts';
import { createOutputStore } from '../../src/redis/outputs.ts';
import { createOverview } from '../../src/redis/overview/overview.ts';
import { registerProcess } from '../../src/redis/processes.ts';
import { StoredChanges } from '../../src/redis/stored-changes.ts';
import { createDueActionHandler } from '../../src/worker/due-action-handler.ts';
import { RecentUpdates } from '../../src/worker/slack-messages.ts';
import { Worker } from '../../src/worker/worker.ts';
import { silent } from '../crew/crew-values.ts';
import { eventually, redisForTests, started } from '../redis/store-under-test.ts';
import type { ExecutionChange } from '../support/executions.ts';
import { decided, RULES } from '../support/requests.ts';

const { redis } = redisForTests();
const RETENTION = { retentionDays: 30, auditDays: 400, replication: null };
const endings: (() => Promise<unknown> | unknown)[] = [];
afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end();
});

/** Slack shows everything at once. */
const THREAD: ThreadPort = {
  turn: async () => null,
  leaveTurn: async () => {},
  post: async () => ({ kind: 'posted', ts: '1.1', shown: '' }),
  update: async () => ({ kind: 'posted', ts: '1.1', shown: '' }),
  showStatus: async () => 'told',
  clearStatus: async () => {},
  recipients: async () => ({ people: [], untold: 0, isComplete: true }),
  tell: async () => 'told',
  notify: async () => 'told',
};

/** A process that knows the crew, or doesn't, and what it has sent to the crew. */
function aProcess(crew: 'configured' | 'missing') {
  const local = createLocalState();
  const storedChanges = new StoredChanges({ log: silent, onFault: () => {} });
  const store = createExecutionStore(redis(), { ...RETENTION, local, storedChanges });
  const due = createDueQueue(redis(), local);
  const processes = registerProcess(redis(), silent, { local, beatEveryMs: 100 });
  const rules: CrewRules = crew === 'configured' ? RULES : { policy: null, hours: null };
  const rulesOf = () => rules;
  const calls: string[] = [];
  const crews: CrewPort = {
    async kickoff() {
      calls.push('kickoff');
      return { kind: 'accepted', kickoffId: 'K1' };
    },
    async resume() {
      calls.push('resume');
      return { kind: 'accepted', kickoffId: null };
    },
    async status() {
      calls.push('status');
      return { kind: 'unreachable' };
    },
  };
  const handler = createDueActionHandler({
    ...{ store, processes, crews, rulesOf, thread: THREAD, updates: new RecentUpdates(() => true), log: silent },
    outputs: createOutputStore(redis(), RETENTION),
    askThreads: createAskThreads(redis(), RETENTION),
    workflows: { complete: async () => ({ kind: 'taken' }) },
    settleAdoption: async () => {},
    findShortages: async () => [],
    reportUndecidable: async () => true,
    findJudging: async () => ({ ...rulesOf(), facts: NO_FACTS, text: 'Approved.' }),
    askers: { tell: async () => ({ kind: 'unknown' }) },
  });
  const worker = new Worker({ store, due, handler, log: silent });
  storedChanges.subscribe(worker);
  endings.push(
    () => processes.close(),
    () => due.close(),
    () => worker.stop(1_000),
  );
  const overview = createOverview(redis());
  return {
    ...{ store, due, handler, worker, calls },
    async starts() {
      worker.start();
      await followRulesInForce({ store, overview, rulesOf, log: silent }, new AbortController().signal);
    },
  };
}

/** A decision that is to be sent, in a run whose messages are gone. */
function withDecision(now: number, change: ExecutionChange = {}): Execution {
  const gone = { status: 'gone', ts: null } as const;
  const run = { run: { status: 'waiting' }, kickoff: { status: 'settled' }, root: gone } as const;
  const request = decided({
    askedAt: now,
    card: gone,
    sendAt: now,
    decision: { ...decided().state.decision, at: now },
  });
  return started('r1', now, { ...run, kickoffIds: ['K1'], requests: [request], ...change });
}

const loaded = async ({ store }: ReturnType<typeof aProcess>) => (await store.load('r1'))?.execution;
const statusIn = async (of: ReturnType<typeof aProcess>) => (await loaded(of))?.requests[0]?.state.status;

it('a process that doesn’t know the crew sends nothing and asks nothing, and leaves a decision as it is', async () => {
  const unknowing = aProcess('missing');
  await unknowing.store.create('r1', (now) => withDecision(now, { poll: { ...POLL, nextAt: now } }));
  unknowing.worker.start();
  await eventually(async () => (await loaded(unknowing))?.missingCrew !== null);
  const found = await unknowing.store.load('r1');
  expect(await statusIn(unknowing)).toBe('decided');
  expect(found && dueActionsAt(found.execution, found.now)).toEqual([]);
  expect(unknowing.calls).toEqual([]);
});

it('a process that doesn’t know the crew leaves what is due to one that does, also if it is the first to see it', async () => {
  const [unknowing, knowing] = [aProcess('missing'), aProcess('configured')];
  for (const { worker } of [unknowing, knowing]) worker.start();
  await eventually(async () => unknowing.due.isListening() && knowing.due.isListening());
  await unknowing.store.create('r1', withDecision);
  await eventually(async () => (await statusIn(knowing)) === 'delivered');
  expect([unknowing.calls, knowing.calls.filter((call) => call === 'resume')]).toEqual([[], ['resume']]);
  expect((await loaded(knowing))?.missingCrew).toBeNull();
});

it('a process that knows the crew goes on when it starts, once, whoever else has the run', async () => {
  const [unknowing, knowing] = [aProcess('missing'), aProcess('configured')];
  await unknowing.store.create('r1', withDecision);
  await unknowing.starts();
  await eventually(async () => (await loaded(unknowing))?.missingCrew !== null);
  await knowing.starts();
  await eventually(async () => (await statusIn(knowing)) === 'delivered');
  expect([unknowing.calls, knowing.calls.filter((call) => call === 'resume')]).toEqual([[], ['resume']]);
  expect((await loaded(knowing))?.missingCrew).toBeNull();
});

it('a process that looks for a missing crew looks again later, unless it is known, or somebody who knows it was faster', async () => {
  const [unknowing, knowing] = [aProcess('missing'), aProcess('configured')];
  await unknowing.store.create('r1', (now) => missCrew(withDecision(now), now - 60_000));
  const execution = (await loaded(unknowing)) ?? expect.fail('it is stored');
  const checks = async ({ handler }: ReturnType<typeof aProcess>) => handler.handle(execution, { kind: 'check-crew' });
  const checkedAt = async () => (await loaded(unknowing))?.missingCrew?.checkAt ?? 0;
  const before = await checkedAt();
  await checks(unknowing);
  expect((await checkedAt()) - before).toBeGreaterThan(50_000);
  await checks(knowing);
  await checks(unknowing);
  expect((await loaded(unknowing))?.missingCrew).toBeNull();
});

it('any process shows a run that is over to its end', async () => {
  const unknowing = aProcess('missing');
  await unknowing.store.create('r1', (now) => withDecision(now, { run: { status: 'lost', lostAt: now } }));
  const lost = await loaded(unknowing);
  expect(lost && (await unknowing.handler.prepare(lost, { kind: 'tell-expiry' }))).toBe(true);
});

const POLL = { nextAt: null, count: 0, notFoundSince: null, waitingUnseen: 0, unpaused: 0, trouble: null };
