import { expect, it } from 'vitest';
import type { ExecutionStore, ThreadPort } from '../../src/core/ports.ts';
import { StoreUnavailable } from '../../src/core/ports.ts';
import { createExecutionStore } from '../../src/redis/executions/store.ts';
import { notifyStarter } from '../../src/worker/slack-messages.ts';
import { redisForTests, started } from '../redis/store-under-test.ts';

const { redis } = redisForTests();

const unused = () => Promise.reject(new Error('not part of this test'));

it('tells the starter once although the store does not take the outcome at first', async () => {
  const stored = createExecutionStore(redis(), { retentionDays: 30, auditDays: 400, minReplicas: 0 });
  await stored.create('r1', (now) =>
    started('r1', now, { starterNotice: { status: 'due', tries: 0, notBefore: now }, kickoff: { status: 'settled' } }),
  );
  let failures = 1;
  const change: ExecutionStore['change'] = (ref, transition) =>
    failures-- > 0 ? Promise.reject(new StoreUnavailable('too slow')) : stored.change(ref, transition);
  let told = 0;
  const notify = async () => {
    told += 1;
    return 'told' as const;
  };
  const thread: ThreadPort = { turn: unused, post: unused, update: unused, recipients: unused, tell: unused, notify };
  const ports = { store: { ...stored, change }, thread };
  await notifyStarter(ports, 'r1');
  await notifyStarter(ports, 'r1');
  expect(told).toBe(1);
  expect((await stored.load('r1'))?.execution.starterNotice).toEqual({ status: 'told' });
});
