import { once } from 'node:events';
import { connect as connectTcp } from 'node:net';
import { App, LogLevel } from '@slack/bolt';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import type { JsonObject } from '../../../../src/sandbox/slack-workspace/json.ts';
import {
  type SlackWorkspace,
  startSlackWorkspace,
} from '../../../../src/sandbox/slack-workspace/start-slack-workspace.ts';
import { actions, button, modal, section } from '../support/blocks.ts';

let slack: SlackWorkspace;
const closing: (() => unknown)[] = [];
beforeEach(async () => {
  slack = await startSlackWorkspace({ app: { delivery: { mode: 'socket' } }, ackLimitMs: 1_500 });
});
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
  await slack.close();
});

async function connectionUrl(): Promise<string> {
  const headers = { authorization: `Bearer ${slack.appToken}` };
  const response = await fetch(`${slack.apiUrl}apps.connections.open`, { method: 'POST', headers });
  return ((await response.json()) as { url: string }).url;
}

/** A bare connection: what came, and a way to acknowledge. */
async function connect() {
  const socket = new WebSocket(await connectionUrl());
  const came: JsonObject[] = [];
  let wake = () => {};
  socket.on('message', (data) => {
    came.push(JSON.parse(String(data)) as JsonObject);
    wake();
  });
  const next = async (type: string): Promise<JsonObject> => {
    for (;;) {
      const index = came.findIndex((message) => message.type === type);
      const [found] = index < 0 ? [] : came.splice(index, 1);
      if (found) return found;
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  };
  const ack = (envelope: JsonObject, payload?: JsonObject) =>
    socket.send(JSON.stringify({ envelope_id: envelope.envelope_id, ...(payload && { payload }) }));
  closing.push(() => socket.terminate());
  const hello = await next('hello');
  return { socket, hello, next, ack };
}

describe('Socket Mode', () => {
  // https://docs.slack.dev/apis/events-api/using-socket-mode
  it('greets a connection and lets each address be used once', async () => {
    const { hello } = await connect();
    expect(hello).toEqual({
      type: 'hello',
      num_connections: 1,
      connection_info: { app_id: 'A0SIGNOFF1' },
      debug_info: {
        host: expect.any(String),
        started: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3}$/),
        build_number: expect.any(Number),
        approximate_connection_time: expect.any(Number),
      },
    });
    const url = await connectionUrl();
    const first = new WebSocket(url);
    closing.push(() => first.terminate());
    await new Promise((resolve) => first.once('open', resolve));
    const second = new WebSocket(url);
    await expect(new Promise((_, reject) => second.once('error', reject))).rejects.toThrow();
  });

  it('delivers envelopes and takes the answer with the acknowledgement', async () => {
    const { next, ack } = await connect();
    const command = slack.as('maria').command('#general', '/kickoff', 'now');
    const envelope = await next('slash_commands');
    expect(envelope).toEqual({
      envelope_id: expect.any(String),
      type: 'slash_commands',
      accepts_response_payload: true,
      payload: expect.objectContaining({ command: '/kickoff', text: 'now', user_id: 'UMARIA001' }),
    });
    ack(envelope, { text: 'Started.' });
    await command;
    await slack.as('maria').seesPrivately('#general', 'Started.');
  });

  it('would take an answer with the acknowledgement of a click, of which nothing comes', async () => {
    const { next, ack } = await connect();
    const headers = { authorization: `Bearer ${slack.botToken}`, 'content-type': 'application/json; charset=utf-8' };
    const blocks = [actions(button('Go'))];
    const body = JSON.stringify({ channel: 'C0GENERAL1', text: 'card', blocks });
    await fetch(`${slack.apiUrl}chat.postMessage`, { method: 'POST', headers, body });
    const maria = slack.as('maria');
    const click = maria.click('Go', { in: await maria.sees('#general', '[Go]') });
    const envelope = await next('interactive');
    expect(envelope).toMatchObject({ accepts_response_payload: true, payload: { type: 'block_actions' } });
    ack(envelope, { text: 'Ignored.' });
    await click;
    expect(await maria.privately('#general')).toEqual([]);
  });

  it('shows the person the same errors as over HTTP', async () => {
    const command = slack.as('maria').command('#general', '/kickoff');
    await expect(command).rejects.toMatchObject({ problem: { code: 'app_unreachable' } });
    const { next } = await connect();
    const late = slack.as('maria').command('#general', '/kickoff');
    await next('slash_commands');
    await expect(late).rejects.toMatchObject({ problem: { code: 'app_timeout' } });
  });

  it('spreads envelopes over connections, and hands over what a lost one didn’t acknowledge', async () => {
    const one = await connect();
    const two = await connect();
    const command = slack.as('maria').command('#general', '/kickoff');
    const envelope = await one.next('slash_commands');
    one.socket.terminate();
    const again = await two.next('slash_commands');
    expect(again).toEqual(envelope);
    two.ack(again);
    await command;
  });

  it('tells a lone person when the only connection was lost', async () => {
    const { next, socket } = await connect();
    const command = slack.as('maria').command('#general', '/kickoff');
    await Promise.all([
      next('slash_commands').then(() => socket.terminate()),
      expect(command).rejects.toMatchObject({ problem: { code: 'app_error' } }),
    ]);
  });

  it.each([
    ['warn', 'warning'],
    ['refresh', 'refresh_requested'],
  ] as const)('uses connections that it asked to replace (%s) until they end', async (ask, reason) => {
    const old = await connect();
    slack.sockets[ask]();
    expect(await old.next('disconnect')).toMatchObject({ reason });
    const fresh = await connect();
    expect(fresh.hello).toMatchObject({ num_connections: 2 });
    for (const { next, ack } of [old, fresh, old]) {
      const command = slack.as('maria').command('#general', '/kickoff');
      ack(await next('slash_commands'));
      await command;
    }
  });

  it('sends nothing more over a connection that ends, and takes the rest of its acknowledgements only over that', async () => {
    await slack.close();
    slack = await startSlackWorkspace({ app: { delivery: { mode: 'socket' } }, ackLimitMs: 30_000, dismissalMs: 1 });
    const old = await connect();
    const first = slack.as('maria').command('#general', '/kickoff');
    const envelope = await old.next('slash_commands');
    slack.sockets.warn();
    expect(await old.next('disconnect')).toMatchObject({ reason: 'warning' });
    expect(await old.next('disconnect')).toMatchObject({ reason: 'refresh_requested' });
    const fresh = await connect();
    fresh.ack(envelope, { text: 'Not over this one.' });
    for (const _ of [1, 2]) {
      const command = slack.as('maria').command('#general', '/kickoff');
      fresh.ack(await fresh.next('slash_commands'));
      await command;
    }
    const closed = once(old.socket, 'close');
    old.ack(envelope, { text: 'Over this one.' });
    await first;
    await slack.as('maria').seesPrivately('#general', 'Over this one.');
    expect((await closed)[0]).toBe(1000);
    await expect.poll(() => slack.sockets.connections()).toBe(1);
  });

  it('turns the eleventh connection away', async () => {
    await slack.close();
    slack = await startSlackWorkspace({ app: { delivery: { mode: 'socket' } }, rateLimits: 'off' });
    for (let count = 0; count < 10; count += 1) await connect();
    const eleventh = new WebSocket(await connectionUrl());
    const message = await new Promise<unknown>((resolve) =>
      eleventh.once('message', (data) => resolve(JSON.parse(String(data)))),
    );
    expect(message).toMatchObject({ type: 'disconnect', reason: 'too_many_websockets' });
    expect(slack.sockets.connections()).toBe(10);
  });

  it('outlives addresses that are none', async () => {
    const probe = connectTcp(Number(new URL(slack.pageUrl).port), '127.0.0.1');
    probe.write('GET // HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n');
    await once(probe, 'close');
    expect((await connect()).hello).toMatchObject({ num_connections: 1 });
  });

  it('is off for apps that take HTTP', async () => {
    const other = await startSlackWorkspace();
    closing.push(() => other.close());
    const headers = { authorization: `Bearer ${other.appToken}` };
    const response = await fetch(`${other.apiUrl}apps.connections.open`, { method: 'POST', headers });
    expect(await response.json()).toMatchObject({ ok: false, error: 'not_allowed' });
  });
});

it('lets Bolt answer a submission through the socket', async () => {
  const app = new App({
    token: slack.botToken,
    appToken: slack.appToken,
    socketMode: true,
    clientOptions: { slackApiUrl: slack.apiUrl },
    logLevel: LogLevel.ERROR,
  });
  app.command('/kickoff', async ({ ack, client, body }) => {
    await ack();
    await client.apiCall('views.open', {
      trigger_id: body.trigger_id,
      view: JSON.stringify(modal([section('one')], { callback_id: 'it' })),
    });
  });
  app.view('it', ({ ack }) =>
    ack({ response_action: 'update', view: { type: 'modal', title: { type: 'plain_text', text: 'Two' }, blocks: [] } }),
  );
  await app.start();
  closing.push(() => app.stop());
  const maria = slack.as('maria');
  await maria.command('#general', '/kickoff');
  await maria.seesModal('one');
  await maria.submit();
  await maria.seesModal('Two');
});
