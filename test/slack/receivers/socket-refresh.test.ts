import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, expect, it } from 'vitest';
import {
  type SlackWorkspace,
  startSlackWorkspace,
} from '../../../src/sandbox/slack-workspace/start-slack-workspace.ts';
import { slackLogger } from '../../../src/slack/api/clients.ts';
import { SocketReceiver } from '../../../src/slack/receivers/socket-receiver.ts';
import { readableLog } from '../../crew/crew-values.ts';
import { bareApp } from '../../support/fake-receiver.ts';

let slack: SlackWorkspace;
let stopped = false;
const receivers: SocketReceiver[] = [];

afterEach(async () => {
  stopped = true;
  await Promise.all(receivers.splice(0).map((each) => each.stop()));
  await slack.close();
});

/** Bots that take a moment for each command, and what they were given and why their connections ended. */
async function startBots(count: number, options: { dismissalMs?: number } = {}) {
  stopped = false;
  const delivery = { mode: 'socket' } as const;
  slack = await startSlackWorkspace({ app: { delivery }, rateLimits: 'off', ackLimitMs: 30_000, ...options });
  const { log } = readableLog();
  const handled: unknown[] = [];
  const ends: string[] = [];
  for (let i = 0; i < count; i += 1) {
    const receiver = new SocketReceiver({
      ...{ appToken: slack.appToken, apiUrl: slack.apiUrl, logger: slackLogger(log), log },
      onEnd: (reason) => ends.push(reason),
      limits: { firstMs: 10, steadyMs: 1 },
    });
    bareApp(receiver).command('/kickoff', async ({ ack, command }) => {
      handled.push(command.text);
      await pause(5);
      await ack();
    });
    await receiver.start();
    receivers.push(receiver);
  }
  return { handled, ends };
}

const say = (text: string) => slack.as('maria').command('#general', '/kickoff', text);

/** Says something all the time. Resolves to what was said; rejects if one of it was not acknowledged. */
async function sayUntilStopped(): Promise<string[]> {
  const said: string[] = [];
  const answered: Promise<unknown>[] = [];
  while (!stopped) {
    const text = String(said.length);
    said.push(text);
    answered.push(say(text));
    await pause(20);
  }
  await Promise.all(answered);
  return said;
}

const isConnected = () => receivers.map((each) => each.isConnected());

it('every command is handled once while one bot’s connection is replaced again and again', async () => {
  // By then the new connection has to stand, on a busy machine, too.
  const { handled, ends } = await startBots(1, { dismissalMs: 2_000 });
  const saying = sayUntilStopped();
  for (const [i, ask] of (['warn', 'refresh', 'warn'] as const).entries()) {
    slack.sockets[ask]();
    await expect.poll(() => slack.sockets.connections()).toBe(2);
    await expect.poll(() => [ends.length, slack.sockets.connections()]).toEqual([i + 1, 1]);
    expect(isConnected()).toEqual([true]);
  }
  stopped = true;
  const said = await saying;
  expect([...handled].sort()).toEqual(said.sort());
  expect(new Set(ends)).toEqual(new Set(['refresh_requested']));
});

it('four bots replace their connections at once within what Slack allows', async () => {
  const { ends } = await startBots(4);
  slack.sockets.warn();
  await expect.poll(() => slack.sockets.connections()).toBe(8);
  expect([isConnected(), ends]).toEqual([[true, true, true, true], []]);
});

it('six bots that replace their connections at once keep those that they can’t replace yet', async () => {
  const { handled, ends } = await startBots(6);
  slack.sockets.warn();
  await expect.poll(() => slack.sockets.connections()).toBe(10);
  await expect
    .poll(() => slack.calls().filter(({ name }) => name === 'apps.connections.open').length)
    .toBeGreaterThan(15);
  expect(ends).toEqual([]);
  expect(receivers.map((each) => [each.isConnected(), each.trouble()])).toEqual(receivers.map(() => [true, null]));
  const texts = Array.from({ length: 20 }, (_, i) => String(i));
  await Promise.all(texts.map(say));
  expect([...handled].sort()).toEqual(texts.sort());
});
