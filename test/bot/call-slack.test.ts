import { afterEach, beforeEach, expect, it } from 'vitest';
import { createCallSlack } from '../../src/bot/start-up.ts';
import { slackLogger } from '../../src/slack/api/clients.ts';
import { SocketReceiver } from '../../src/slack/receivers/socket-receiver.ts';
import { readableLog } from '../crew/crew-values.ts';
import { SocketServer } from '../support/socket-server.ts';

let slack: SocketServer;
let receiver: SocketReceiver;
let log: ReturnType<typeof readableLog>;

beforeEach(async () => {
  slack = await new SocketServer().listen();
  log = readableLog();
  const logger = slackLogger(log.log);
  receiver = new SocketReceiver({
    ...{ appToken: 'xapp-1', apiUrl: slack.apiUrl, logger, log: log.log, limits: { attemptMs: 500 } },
  });
});
afterEach(async () => {
  await receiver.stop();
  slack.close();
});

const connect = (patienceMs: number) => createCallSlack(log.log, patienceMs)('SLACK_APP_TOKEN', () => receiver.start());

it.each(['no-upgrade', 'no-hello'] as const)(
  'a Socket Mode connection with %s is tried again, and named if that lasts',
  async (kind) => {
    slack.receive({ kind }, { kind: 'hello' });
    await connect(60_000);
    expect(receiver.isConnected()).toBe(true);
    expect(log.text()).toContain('left the Socket Mode connection unanswered; trying again');
    slack.receive({ kind });
    await expect(connect(0)).rejects.toThrow('let WebSocket connections to Slack through');
  },
);

it('too many Socket Mode connections are waited for, and named if they last', async () => {
  const refusal = { kind: 'refusal', reason: 'too_many_websockets' } as const;
  slack.receive(refusal, { kind: 'hello' });
  await connect(60_000);
  expect(receiver.isConnected()).toBe(true);
  slack.receive(refusal);
  await expect(connect(0)).rejects.toThrow('Stop other processes that use SLACK_APP_TOKEN');
});

it('a Socket Mode that is turned off ends the start at once', async () => {
  slack.receive({ kind: 'refusal', reason: 'link_disabled' });
  await expect(connect(60_000)).rejects.toThrow("turned off in the app's settings (link_disabled). Turn it on");
  expect(slack.connectedAt).toHaveLength(1);
});

it('an answer that is no JSON is named, but not quoted', async () => {
  slack.answer({ body: '<html>Please log in</html>' });
  await expect(connect(60_000)).rejects.toThrow(
    /^What answers at SLACK_API_URL isn't Slack's API \(not readable\)\. Check/,
  );
});

it('a server error is waited for as long as it says', async () => {
  slack.answer({ status: 503, headers: { 'retry-after': '1' } });
  await connect(60_000);
  expect(log.text()).toContain('Slack answered 503 and asks to wait 1 s; trying again');
});
