import { expect, it } from 'vitest';
import { dueMessages, wantedFor } from '../../src/core/messages/due-messages.ts';
import { type ExecutionStore, StoreUnavailable, type ThreadPort } from '../../src/core/ports.ts';
import type { Execution } from '../../src/core/state/execution.ts';
import type { PostOutcome } from '../../src/core/state/post.ts';
import { ok } from '../../src/core/values/result.ts';
import { createExecutionStore } from '../../src/redis/executions.ts';
import { notifyStarter, RecentUpdates, repeatUpdates, showStatus, update } from '../../src/worker/slack-messages.ts';
import { silent } from '../crew/crew-values.ts';
import { eventually, redisForTests, started } from '../redis/store-under-test.ts';
import { pending, posted } from '../support/approvals.ts';

const { redis } = redisForTests();

const RETENTION = { retentionDays: 30, auditDays: 400, minReplicas: 0 };
const ROOT = { kind: 'root' } as const;

const unused = () => Promise.reject(new Error('not part of this test'));
const UNUSED: ThreadPort = {
  turn: unused,
  post: unused,
  update: unused,
  showStatus: unused,
  clearStatus: unused,
  recipients: unused,
  tell: unused,
  notify: unused,
};

it('tells the starter once although the store does not take the outcome at first', async () => {
  const stored = createExecutionStore(redis(), RETENTION);
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
  const ports = { store: { ...stored, change }, thread: { ...UNUSED, notify } };
  await notifyStarter(ports, 'r1');
  await notifyStarter(ports, 'r1');
  expect(told).toBe(1);
  expect((await stored.load('r1'))?.execution.starterNotice).toEqual({ status: 'told' });
});

/** An update that Slack carries out, and answers, when the test says so. */
interface Sent {
  carryOut(): void;
  answer(): void;
}

function slackWithRoot() {
  const sent: Sent[] = [];
  let shown = '';
  const send = (execution: Execution) =>
    new Promise<PostOutcome>((resolve) => {
      const content = wantedFor(execution, ROOT);
      const carryOut = () => {
        shown = content;
      };
      sent.push({ carryOut, answer: () => resolve({ kind: 'posted', ts: '99.9', shown: content }) });
    });
  return { sent, shown: () => shown, thread: { ...UNUSED, update: send } };
}

/** A run that completes, while two processes have its root updated: one to tell that it runs, the other that it has completed. */
async function overtaken(slack: ReturnType<typeof slackWithRoot>, { isAlone = false } = {}) {
  const aProcess = () => {
    const store = createExecutionStore(redis(), RETENTION);
    return { store, thread: slack.thread, updates: new RecentUpdates(() => isAlone), log: silent };
  };
  const [one, other] = [aProcess(), aProcess()];
  const kickoff = { status: 'settled' } as const;
  await one.store.create('r1', (now) => {
    const root = posted({ ts: '99.9', notBefore: now });
    return { ...started('r1', now, { kickoff, root }), run: { status: 'running' } };
  });
  const first = update(one, 'r1', ROOT);
  await eventually(async () => slack.sent.length === 1);
  await other.store.change('r1', (execution, now) =>
    ok({ ...execution, run: { status: 'completed', endedAt: now, result: null } }),
  );
  const second = update(other, 'r1', ROOT);
  await eventually(async () => slack.sent.length === 2);
  const [older = NOT_SENT, newer = NOT_SENT] = slack.sent;
  newer.carryOut();
  older.carryOut();
  return { other, first: { ends: first, ...older }, second: { ends: second, ...newer } };
}

const NOT_SENT: Sent = { carryOut: () => {}, answer: () => {} };

async function stored(ref: string): Promise<Execution> {
  const found = await createExecutionStore(redis(), RETENTION).load(ref);
  return found?.execution ?? expect.fail('it is stored');
}

it('updates a message once more where Slack may have carried out the updates of two processes in reverse', async () => {
  const slack = slackWithRoot();
  const { first, second } = await overtaken(slack);
  first.answer();
  await first.ends;
  second.answer();
  await second.ends;
  const execution = await stored('r1');
  expect(slack.shown()).not.toBe(wantedFor(execution, ROOT));
  expect(dueMessages(execution)).toContainEqual(expect.objectContaining({ kind: 'update', message: ROOT }));
});

it('updates it once more, too, where one of them has died and never stored that', async () => {
  const slack = slackWithRoot();
  const { other, second } = await overtaken(slack);
  second.answer();
  await second.ends;
  expect(dueMessages(await stored('r1'))).toEqual([]);
  await repeatUpdates(other, 10_000);
  expect(dueMessages(await stored('r1'))).toContainEqual(expect.objectContaining({ kind: 'update', message: ROOT }));
});

it('remembers no updates while it is alone', async () => {
  const slack = slackWithRoot();
  const { other, second } = await overtaken(slack, { isAlone: true });
  second.answer();
  await second.ends;
  expect(other.updates.since(60_000)).toEqual([]);
});

/** A run whose agents have just made a step, in a process with this Slack. */
async function atWork(thread: Partial<ThreadPort>) {
  const store = createExecutionStore(redis(), RETENTION);
  await store.create('r1', (now) => {
    const root = posted({ ts: '99.9', notBefore: now });
    const run = { status: 'running' } as const;
    return {
      ...started('r1', now, { kickoff: { status: 'settled' }, root, activity: { seen: 0, refreshAt: now } }),
      run,
    };
  });
  return { store, thread: { ...UNUSED, ...thread } };
}

it('has the first message tell what agents do where Slack takes no status', async () => {
  await showStatus(await atWork({ showStatus: async () => 'refused' }), 'r1');
  expect((await stored('r1')).activity).toEqual({ seen: 1, refreshAt: null });
});

it('takes a status away that has come after the card on which it all waits', async () => {
  let cleared = 0;
  const ports = await atWork({
    async showStatus({ ref }) {
      await ports.store.change(ref, (execution) =>
        ok({ ...execution, approvals: [pending()], run: { status: 'waiting' } as const }),
      );
      return 'told';
    },
    async clearStatus() {
      cleared += 1;
    },
  });
  await showStatus(ports, 'r1');
  expect(cleared).toBe(1);
});

it('takes no status away where a message will', async () => {
  const ports = await atWork({});
  await ports.store.change('r1', (execution) =>
    ok({ ...execution, approvals: [pending()], run: { status: 'waiting' } as const }),
  );
  await showStatus(ports, 'r1');
  expect((await stored('r1')).activity.refreshAt).toBeNull();
});
