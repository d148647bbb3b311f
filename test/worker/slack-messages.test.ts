import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { postpone } from '../../src/core/messages/delivery.ts';
import { dueMessages, wantedFor } from '../../src/core/messages/due-messages.ts';
import { type ExecutionStore, StoreUnavailable, type ThreadPort } from '../../src/core/ports.ts';
import type { Execution } from '../../src/core/state/execution.ts';
import { withPost } from '../../src/core/state/message.ts';
import { claimPosting, duePost, type Post, type PostOutcome } from '../../src/core/state/post.ts';
import { ok } from '../../src/core/values/result.ts';
import type { Millis } from '../../src/core/values/time.ts';
import { createExecutionStore } from '../../src/redis/executions.ts';
import { createCallClaims } from '../../src/worker/change.ts';
import {
  notifyStarter,
  post,
  RecentUpdates,
  repeatUpdates,
  showStatus,
  update,
} from '../../src/worker/slack-messages.ts';
import { silent } from '../crew/crew-values.ts';
import { eventually, redisForTests, started } from '../redis/store-under-test.ts';
import { pending, posted } from '../support/requests.ts';

const { redis } = redisForTests();

const RETENTION = { retentionDays: 30, auditDays: 400, replication: null };
const ROOT = { kind: 'root' } as const;

const unused = () => Promise.reject(new Error('not part of this test'));
const UNUSED: ThreadPort = {
  turn: unused,
  leaveTurn: unused,
  post: unused,
  update: unused,
  showStatus: unused,
  clearStatus: unused,
  recipients: unused,
  tell: unused,
  notify: unused,
};

it('The bot tells the starter once although the store does not take the outcome at first', async () => {
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
  const first = update(one, await stored('r1'), ROOT);
  await eventually(async () => slack.sent.length === 1);
  await other.store.change('r1', (execution, now) =>
    ok({ ...execution, run: { status: 'completed', endedAt: now, result: null } }),
  );
  const second = update(other, await stored('r1'), ROOT);
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

it('The bot updates a message once more where Slack may have carried out the updates of two processes in reverse', async () => {
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

it('The bot updates a message once more, too, where one of them has died and never stored that', async () => {
  const slack = slackWithRoot();
  const { other, second } = await overtaken(slack);
  second.answer();
  await second.ends;
  expect(dueMessages(await stored('r1'))).toEqual([]);
  await repeatUpdates(other, 10_000);
  expect(dueMessages(await stored('r1'))).toContainEqual(expect.objectContaining({ kind: 'update', message: ROOT }));
});

it('A bot remembers no updates while it is alone', async () => {
  const slack = slackWithRoot();
  const { other, second } = await overtaken(slack, { isAlone: true });
  second.answer();
  await second.ends;
  expect(other.updates.since(60_000)).toEqual([]);
});

type Change = (execution: Execution, now: Millis) => Execution;

const putOff: Change = (execution, now) => postpone(execution, ROOT, 4_000, now);
const withRoot =
  (change: (root: Post, now: Millis) => Post): Change =>
  (execution, now) =>
    withPost(execution, ROOT, (root) => change(root, now));

/** What becomes of a message for which a process has its turn, after others have done this to it. */
async function turnAfter(call: 'post' | 'update', root: Post, ...changes: Change[]): Promise<'made' | 'left'> {
  const store = createExecutionStore(redis(), RETENTION);
  const ref = randomUUID();
  const kickoff = { status: 'settled' } as const;
  await store.create(ref, (now) => ({ ...started(ref, now, { kickoff, root }), run: { status: 'running' } }));
  const before = await stored(ref);
  for (const each of changes) await store.change(ref, (execution, now) => ok(each(execution, now)));
  const outcomes: ('made' | 'left')[] = [];
  const made = async (): Promise<PostOutcome> => {
    outcomes.push('made');
    return { kind: 'posted', ts: '99.9', shown: wantedFor(before, ROOT) };
  };
  const leaveTurn = async () => void outcomes.push('left');
  const thread = { ...UNUSED, post: made, update: made, leaveTurn };
  const { claimCall } = createCallClaims(store, 'this process');
  const ports = { store, thread, claimCall, updates: new RecentUpdates(() => true), log: silent };
  await (call === 'post' ? post : update)(ports, before, ROOT);
  expect(outcomes).toHaveLength(1);
  return outcomes[0] ?? 'left';
}

it('a turn that was given is not taken back where another process puts the message off', async () => {
  const unsure = { status: 'unsure', tries: 1, notBefore: 0 } as const;
  expect(await turnAfter('update', posted({ ts: '99.9' }), putOff)).toBe('made');
  expect(await turnAfter('update', posted({ ts: '99.9', tries: 2 }), putOff, putOff)).toBe('made');
  expect(await turnAfter('post', duePost(0), putOff)).toBe('made');
  expect(await turnAfter('post', unsure, putOff)).toBe('made');
});

it('a turn is left to other calls where another process has posted or updated the message, or tried to', async () => {
  const failed = withRoot((root, now) =>
    root.status === 'posted' ? { ...root, tries: 1, notBefore: now + 9_000 } : root,
  );
  const shown: Change = (execution, now) =>
    withPost(execution, ROOT, () => posted({ ts: '99.9', shown: wantedFor(execution, ROOT), notBefore: now }));
  const claimed = withRoot((root, now) => claimPosting(root, 'another process', now));
  expect(await turnAfter('update', posted({ ts: '99.9' }), shown)).toBe('left');
  expect(await turnAfter('update', posted({ ts: '99.9' }), failed)).toBe('left');
  expect(
    await turnAfter(
      'update',
      posted({ ts: '99.9' }),
      withRoot(() => ({ status: 'gone', ts: '99.9' })),
    ),
  ).toBe('left');
  expect(await turnAfter('post', duePost(0), putOff, claimed)).toBe('left');
  expect(
    await turnAfter(
      'post',
      duePost(0),
      withRoot((_, now) => ({ ...duePost(now + 9_000), tries: 1 })),
    ),
  ).toBe('left');
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

it('The first message tells what agents do where Slack takes no status', async () => {
  await showStatus(await atWork({ showStatus: async () => 'refused' }), 'r1');
  expect((await stored('r1')).activity).toEqual({ seen: 1, refreshAt: null });
});

it('The bot takes a status away that has come after the card on which it all waits', async () => {
  let cleared = 0;
  const ports = await atWork({
    async showStatus({ ref }) {
      await ports.store.change(ref, (execution) =>
        ok({ ...execution, requests: [pending()], run: { status: 'waiting' } as const }),
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

it('The bot takes no status away where a message will', async () => {
  const ports = await atWork({});
  await ports.store.change('r1', (execution) =>
    ok({ ...execution, requests: [pending()], run: { status: 'waiting' } as const }),
  );
  await showStatus(ports, 'r1');
  expect((await stored('r1')).activity.refreshAt).toBeNull();
});
