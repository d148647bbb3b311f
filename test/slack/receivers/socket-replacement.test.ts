import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { slackLogger } from '../../../src/slack/api/clients.ts';
import { SocketReceiver, type SocketReceiverOptions } from '../../../src/slack/receivers/socket-receiver.ts';
import { readableLog } from '../../crew/crew-values.ts';
import { bareApp } from '../../support/fake-receiver.ts';
import { SocketServer } from '../../support/socket-server.ts';

let slack: SocketServer;
let ends: string[];
/** Every envelope is acknowledged once this is resolved. */
let mayAcknowledge: Promise<unknown>;
let receiver: SocketReceiver;

beforeEach(async () => {
  slack = await new SocketServer().listen();
  ends = [];
  mayAcknowledge = Promise.resolve();
});
afterEach(async () => {
  await receiver.stop();
  slack.close();
});

async function start(limits: SocketReceiverOptions['limits'] = {}): Promise<void> {
  const { log } = readableLog();
  receiver = new SocketReceiver({
    ...{ appToken: 'xapp-1', apiUrl: slack.apiUrl, logger: slackLogger(log), log },
    onEnd: (reason) => ends.push(reason),
    limits: { firstMs: 1, mostMs: 20, ...limits },
  });
  bareApp(receiver).use(async (args) => {
    await mayAcknowledge;
    await args.ack?.();
  });
  await receiver.start();
}

const events = () => slack.events;

/** Longer than the limit of 1 ms that connections linger here. */
const A_MOMENT_MS = 50;

describe.each(['warning', 'refresh_requested'])('a connection that Slack wants replaced (%s)', (reason) => {
  it('is used until Slack ends it, and by then there is another one', async () => {
    await start();
    slack.dismiss(reason);
    await expect.poll(events).toEqual(['hello 1', 'hello 2']);
    slack.deliver('A', { on: 1 });
    await expect.poll(events).toEqual(['hello 1', 'hello 2', 'ack A on 1']);
    slack.deliver('B', { on: 2 });
    await expect.poll(events).toContain('ack B on 2');
    expect([ends, slack.openConnections()]).toEqual([[], 2]);
    slack.end(1);
    await expect.poll(() => [events().at(-1), ends]).toEqual(['closed 1', [reason]]);
    expect(receiver.isConnected()).toBe(true);
  });

  it('is closed by us where Slack doesn’t end it, once what came in on it is acknowledged', async () => {
    let acknowledge = () => {};
    mayAcknowledge = new Promise<void>((resolve) => {
      acknowledge = resolve;
    });
    await start({ lingerMs: 1 });
    slack.deliver('A', { on: 1 });
    slack.dismiss(reason);
    await expect.poll(events).toEqual(['hello 1', 'hello 2']);
    await pause(A_MOMENT_MS);
    acknowledge();
    await expect.poll(events).toEqual(['hello 1', 'hello 2', 'ack A on 1', 'closed 1']);
    await expect.poll(() => [ends, slack.openConnections()]).toEqual([[reason], 1]);
  });

  it('stays in use while no other one can be opened', async () => {
    await start({ lingerMs: 1 });
    slack.answer(...Array.from({ length: 10_000 }, () => ({ body: { ok: false, error: 'internal_error' } })));
    slack.dismiss(reason);
    await expect.poll(() => slack.calledAt.length).toBeGreaterThan(5);
    slack.deliver('A', { on: 1 });
    await expect.poll(events).toEqual(['hello 1', 'ack A on 1']);
    slack.answer();
    await expect.poll(events).toEqual(['hello 1', 'ack A on 1', 'hello 2', 'closed 1']);
    await expect.poll(() => ends).toEqual([reason]);
  });

  it('stays in use while Slack allows no more connections, which is no trouble', async () => {
    await start();
    const tooMany = { reason: 'too_many_websockets' };
    slack.receive({ kind: 'refusal', ...tooMany }, { kind: 'dismissal', ...tooMany });
    slack.dismiss(reason);
    await expect.poll(() => slack.calledAt.length).toBeGreaterThan(5);
    slack.deliver('A', { on: 1 });
    await expect.poll(events).toContain('ack A on 1');
    expect([receiver.isConnected(), receiver.trouble()]).toEqual([true, null]);
    expect(ends).toEqual([]);
    expect(events()).not.toContain('closed 1');
    slack.end(1);
    await expect.poll(() => [ends.includes(reason), receiver.trouble()]).toEqual([true, 'too_many_websockets']);
  });

  it('is closed together with the other one when the bot stops', async () => {
    await start();
    slack.dismiss(reason);
    await expect.poll(events).toEqual(['hello 1', 'hello 2']);
    await receiver.stop();
    await expect.poll(() => events().slice(2).sort()).toEqual(['closed 1', 'closed 2']);
    expect([receiver.isConnected(), ends]).toEqual([false, []]);
  });

  it('is closed at once where the other one is to be replaced, too', async () => {
    await start();
    slack.dismiss(reason);
    await expect.poll(events).toEqual(['hello 1', 'hello 2']);
    slack.dismiss(reason);
    await expect.poll(events).toEqual(expect.arrayContaining(['closed 1', 'hello 3']));
    expect(events()).not.toContain('closed 2');
  });
});

it('a connection is closed in the end, even if what came in on it is never acknowledged', async () => {
  mayAcknowledge = new Promise(() => {});
  await start({ lingerMs: 1 });
  slack.deliver('A', { on: 1 });
  slack.dismiss('warning');
  await expect.poll(events).toEqual(['hello 1', 'hello 2', 'closed 1']);
});

it('a connection that Slack warns of, and then wants replaced, is replaced once', async () => {
  await start();
  slack.dismiss('warning');
  slack.dismiss('refresh_requested');
  slack.end(1);
  await expect.poll(events).toEqual(expect.arrayContaining(['hello 2', 'closed 1']));
  slack.deliver('A', { on: 2 });
  await expect.poll(events).toContain('ack A on 2');
  await expect.poll(() => [slack.connectedAt.length, ends]).toEqual([2, ['refresh_requested']]);
});

it('a connection is closed at once where Socket Mode is turned off, also while it is being replaced', async () => {
  await start();
  slack.receive({ kind: 'no-hello' });
  slack.dismiss('warning');
  await expect.poll(() => slack.connectedAt.length).toBe(2);
  slack.dismiss('link_disabled');
  await expect.poll(() => [events(), receiver.isConnected()]).toEqual([['hello 1', 'closed 1'], false]);
  expect([ends, receiver.trouble()]).toEqual([['link_disabled'], 'link_disabled']);
});
