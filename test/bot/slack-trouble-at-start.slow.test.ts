import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { CannotStart } from '../../src/bot/start-up.ts';
import type { FaultEffect } from '../../src/sandbox/slack-workspace/runtime/faults.ts';
import { freePort } from '../../src/setup/free-port.ts';
import { readableLog } from '../crew/crew-values.ts';
import { runUntilPrinted } from '../support/bot-process.ts';
import { type BotStart, startWorld, type World } from '../support/world.ts';

const FIRST_CALL = 'auth.test';
const SOCKET_CALL = 'apps.connections.open';

let world: World;

beforeAll(async () => {
  world = await startWorld({ slackMode: 'socket' });
});
afterEach(() => world.slack.faults.clear());
afterAll(() => world.stop());

it.each<[string, FaultEffect]>([
  [
    "Slack limits the rate of this app's calls (429) and asks to wait 1 s",
    { kind: 'rate-limited', retryAfterSeconds: 1 },
  ],
  ['Slack answered 503', { kind: 'status', status: 503 }],
  ['Slack answered internal_error', { kind: 'error', error: 'internal_error' }],
])('A bot waits and starts after one trouble of each call, and logs it: %s', async (what, effect) => {
  const { log, text } = readableLog();
  for (const method of [FIRST_CALL, SOCKET_CALL]) world.slack.faults.add({ method, effect });
  const bot = await world.startBot({ log });
  expect(text().split(`${what}; trying again`)).toHaveLength(3);
  await bot.stop();
});

it.each([FIRST_CALL, SOCKET_CALL])(
  'A bot ends at once where Slack asks to wait for longer than a minute: %s',
  async (method) => {
    world.slack.faults.add({ method, effect: { kind: 'rate-limited', retryAfterSeconds: 61 } });
    const refused = await refusalOf({});
    expect(refused).toContain('limits the rate');
    expect(refused).toContain('asks to wait 61 s');
  },
);

it.each<[string, FaultEffect, string]>([
  ['a server error', { kind: 'status', status: 502 }, 'Slack answered 502'],
  ['an error of Slack', { kind: 'error', error: 'fatal_error' }, 'Slack answered fatal_error'],
  ['a rate limit without a time', { kind: 'error', error: 'ratelimited' }, 'limits the rate'],
  ['a refused token', { kind: 'error', error: 'token_revoked' }, '(token_revoked)'],
  ['an answer that is not Slack’s', { kind: 'status', status: 404 }, "isn't Slack's API (404)"],
])('A bot names the trouble that lasted: %s', async (_, effect, said) => {
  for (const method of [FIRST_CALL, SOCKET_CALL]) {
    world.slack.faults.add({ method, effect, times: 1_000 });
    expect(await refusalOf({ slackPatienceMs: 0 })).toContain(said);
    world.slack.faults.clear();
  }
});

it('A bot names the token that was refused', async () => {
  expect(await refusalOf({ env: { SLACK_BOT_TOKEN: 'xoxb-wrong' } })).toContain('SLACK_BOT_TOKEN (');
  expect(await refusalOf({ env: { SLACK_APP_TOKEN: 'xapp-wrong' } })).toContain('SLACK_APP_TOKEN (');
});

it('A bot says where Socket Mode is turned off', async () => {
  world.slack.faults.add({ method: SOCKET_CALL, effect: { kind: 'error', error: 'not_allowed' } });
  expect(await refusalOf({})).toContain("turned off in the app's settings");
});

it('A bot ends at once on SIGTERM, also while it waits for Slack', async () => {
  world.slack.faults.add({ method: FIRST_CALL, effect: { kind: 'rate-limited', retryAfterSeconds: 50 } });
  const bot = await runUntilPrinted('trying again', world.env(await freePort()));
  expect(await bot.stop()).toBe(0);
});

/** The line that a bot in this process ends with. */
async function refusalOf(start: BotStart): Promise<string> {
  try {
    await world.startBot(start);
  } catch (error) {
    if (!(error instanceof CannotStart)) throw error;
    expect(error.message.split('\n')).toHaveLength(1);
    expect(error.message).not.toMatch(/xoxb-|xapp-/);
    return error.message;
  }
  throw new Error('the bot started');
}
