import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { slackLogger } from '../../../src/slack/api/clients.ts';
import {
  RECONNECT_LIMITS,
  reconnectPauseMs,
  SocketReceiver,
  type SocketReceiverOptions,
} from '../../../src/slack/receivers/socket-receiver.ts';
import { readableLog } from '../../crew/crew-values.ts';
import { SocketServer } from '../../support/socket-server.ts';

let slack: SocketServer;
let log: ReturnType<typeof readableLog>;
let ends: string[];
let receiver: SocketReceiver;

beforeEach(async () => {
  slack = await new SocketServer().listen();
  log = readableLog();
  ends = [];
});
afterEach(async () => {
  await receiver.stop();
  slack.close();
});

/** A receiver that isn't started yet. */
function createReceiver(limits: SocketReceiverOptions['limits'] = {}): SocketReceiver {
  receiver = new SocketReceiver({
    ...{ appToken: 'xapp-1', apiUrl: slack.apiUrl, logger: slackLogger(log.log), log: log.log, limits },
    onEnd: (reason) => ends.push(reason),
  });
  return receiver;
}

const connections = () => slack.connectedAt.length;

/** How long these took to come, from the first to the last; nothing that is late can make it shorter. */
const spanMs = (instants: readonly number[]) => (instants.at(-1) ?? 0) - (instants[0] ?? 0);

describe('a connection that Slack dismisses at once', () => {
  it.each(['link_disabled', 'too_many_websockets', 'refresh_requested'])(
    'is followed by fewer and fewer others (%s)',
    async (reason) => {
      slack.receive({ kind: 'dismissal', reason });
      await createReceiver().start();
      await expect.poll(connections).toBe(6);
      // Half of the pauses of 0.1, 0.2, 0.4, 0.8 and 1.6 s is random.
      expect(spanMs(slack.connectedAt)).toBeGreaterThan(1_500);
      await expect.poll(() => slack.openConnections()).toBeLessThanOrEqual(reason === 'refresh_requested' ? 2 : 1);
    },
  );

  it('is said once, with what to do, until one lasts', async () => {
    slack.receive({ kind: 'dismissal', reason: 'link_disabled' });
    await createReceiver({ firstMs: 1, mostMs: 1 }).start();
    await expect.poll(connections).toBeGreaterThan(5);
    await expect.poll(() => receiver.trouble()).toBe('link_disabled');
    expect(ends.length).toBeGreaterThan(3);
    expect(new Set(ends)).toEqual(new Set(['link_disabled']));
    expect(log.text().match(/Socket Mode is turned off/g)).toHaveLength(1);
    expect(log.text()).not.toContain('reconnected');
  });

  it('is forgotten once another one lasts', async () => {
    slack.receive({ kind: 'dismissal', reason: 'link_disabled' }, { kind: 'hello' });
    await createReceiver({ firstMs: 1, steadyMs: 20 }).start();
    await expect.poll(log.text).toContain('reconnected');
    slack.receive({ kind: 'no-upgrade' });
    slack.cut();
    await expect.poll(() => receiver.isConnected()).toBe(false);
    expect(receiver.trouble()).toBeNull();
  });

  it('leaves no second connection where it comes instead of the hello', async () => {
    slack.receive({ kind: 'hello' }, { kind: 'refusal', reason: 'too_many_websockets' }, { kind: 'hello' });
    await createReceiver({ firstMs: 1 }).start();
    slack.cut();
    await expect.poll(() => [ends, receiver.isConnected()]).toEqual([['lost', 'too_many_websockets'], true]);
    await expect.poll(() => slack.openConnections()).toBe(1);
    expect(connections()).toBe(3);
  });
});

it('a connection that has lasted is replaced without a pause', async () => {
  await createReceiver({ firstMs: 600_000, mostMs: 600_000, steadyMs: 1 }).start();
  const startedAt = performance.now();
  await expect.poll(() => performance.now() - startedAt).toBeGreaterThan(10);
  slack.cut();
  await expect.poll(() => [connections(), receiver.isConnected()]).toEqual([2, true]);
});

describe.each(['no-upgrade', 'no-hello'] as const)('a connection with %s', (kind) => {
  it('is given up and opened anew, and a late hello changes nothing', async () => {
    slack.receive({ kind: 'hello' }, { kind }, { kind: 'hello' });
    await createReceiver({ attemptMs: 1_000, firstMs: 1 }).start();
    slack.cut();
    await expect.poll(() => [ends, receiver.isConnected()]).toEqual([['lost', 'no_hello'], true]);
    slack.greetLate();
    await expect.poll(() => slack.openConnections()).toBe(1);
    expect([connections(), receiver.isConnected()]).toEqual([3, true]);
  });

  it('ends the start with its reason, and leaves no socket', async () => {
    slack.receive({ kind });
    await expect(createReceiver({ attemptMs: 500 }).start()).rejects.toMatchObject({ reason: 'no_hello' });
    await expect.poll(() => slack.openConnections()).toBe(0);
    slack.receive({ kind: 'hello' });
    await receiver.start();
    expect([connections(), receiver.isConnected()]).toEqual([2, true]);
  });
});

it('is back within ten seconds of Slack’s return, however long it was away, unless a person has to change something', () => {
  const { attemptMs } = RECONNECT_LIMITS;
  const longest = (isRefused: boolean) =>
    reconnectPauseMs({ tries: 10_000, isRefused, leastMs: 0 }, RECONNECT_LIMITS, 1);
  expect(attemptMs + longest(false)).toBeLessThanOrEqual(9_000);
  expect(longest(true)).toBe(30_000);
  const pauses = [0, 0.5, 1].map((random) =>
    reconnectPauseMs({ tries: 10_000, isRefused: false, leastMs: 0 }, RECONNECT_LIMITS, random),
  );
  expect(pauses).toEqual([1_500, 2_250, 3_000]);
});

it('gives up a call that Slack leaves unanswered, and makes the next one alone', async () => {
  await createReceiver({ attemptMs: 500, firstMs: 1 }).start();
  slack.answer('silence', 'silence');
  slack.cut();
  await expect.poll(() => [slack.calledAt.length, receiver.isConnected()]).toEqual([4, true]);
  expect(spanMs(slack.calledAt.slice(1, 4))).toBeGreaterThan(900);
});

it('waits as long as Slack asks before it calls again for an address', async () => {
  await createReceiver({ firstMs: 1 }).start();
  slack.answer({ status: 429, headers: { 'retry-after': '1' } }, { body: { ok: false, error: 'internal_error' } });
  slack.cut();
  await expect.poll(() => receiver.isConnected() && slack.calledAt.length === 4).toBe(true);
  expect(spanMs(slack.calledAt.slice(1, 3))).toBeGreaterThan(990);
});

it('stays stopped where it is stopped while it connects', async () => {
  slack.receive({ kind: 'hello' }, { kind: 'no-hello' });
  await createReceiver({ firstMs: 1 }).start();
  slack.cut();
  await expect.poll(connections).toBe(2);
  await receiver.stop();
  slack.greetLate();
  await expect.poll(() => slack.openConnections()).toBe(0);
  expect(receiver.isConnected()).toBe(false);
});
