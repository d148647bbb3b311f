import { afterEach, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../src/sandbox/slack-workspace/json.ts';
import { type AppSettings, DEFAULT_APP } from '../../../../src/sandbox/slack-workspace/runtime/installed-app.ts';
import { type Playground, workspaceWithApp } from '../support/scripted-app.ts';

let playground: Playground;
afterEach(() => playground.close());
const start = async (app: Partial<AppSettings> = {}) => {
  playground = await workspaceWithApp({ app, ackLimitMs: 1_500 });
  return playground.slack.as('maria');
};
const events = () => playground.app.received.filter(({ payload }) => payload.type === 'event_callback');
const event = (index: number) => events().at(index)?.payload.event as JsonObject | undefined;
const arrival = (count: number) =>
  playground.slack.as('maria').waitFor('events', () => events().length >= count || undefined);

describe('events', () => {
  it('tell that the home tab was opened', async () => {
    // https://docs.slack.dev/reference/events/app_home_opened
    const maria = await start();
    await maria.openHome();
    await arrival(1);
    expect(events()[0]?.payload).toMatchObject({
      type: 'event_callback',
      team_id: 'T0SANDBOX1',
      api_app_id: 'A0SIGNOFF1',
      event: { type: 'app_home_opened', user: 'UMARIA001', tab: 'home', channel: expect.stringMatching(/^D/) },
      event_id: expect.stringMatching(/^Ev/),
      authorizations: [{ user_id: 'U0SIGNOFF1', is_bot: true }],
    });
  });

  it('tell of messages where the app subscribed and may read', async () => {
    // https://docs.slack.dev/reference/events/message.channels
    const maria = await start({
      events: ['message.channels', 'message.groups'],
      scopes: [...DEFAULT_APP.scopes, 'channels:history'],
    });
    await maria.say('#random', 'not a member');
    await maria.say('#incidents', 'no scope');
    const said = await maria.say('#general', 'Hi @jon & <all>');
    await arrival(1);
    expect(event(0)).toMatchObject({
      type: 'message',
      user: 'UMARIA001',
      text: 'Hi <@UJON00002> &amp; &lt;all&gt;',
      ts: said.ts,
      channel: 'C0GENERAL1',
      channel_type: 'channel',
    });
  });

  it('are repeated until they are taken', async () => {
    // https://docs.slack.dev/apis/events-api#retries
    const maria = await start();
    let failures = 1;
    playground.app.reply = () => ({ status: failures-- > 0 ? 500 : 200 });
    await maria.openHome();
    await arrival(2);
    expect(events()[1]?.headers).toMatchObject({ 'x-slack-retry-num': '1', 'x-slack-retry-reason': 'http_error' });
    expect(events()[1]?.payload.event_id).toBe(events()[0]?.payload.event_id);
  });

  it('are not repeated for apps that ask so', async () => {
    const maria = await start();
    playground.app.reply = () => ({ status: 500, headers: { 'x-slack-no-retry': '1' } });
    await maria.openHome();
    await arrival(1);
    await maria.command('#general', '/kickoff').catch(() => {});
    expect(events()).toHaveLength(1);
  });
});

describe('shortcuts', () => {
  // https://docs.slack.dev/reference/interaction-payloads/shortcuts-interaction-payload
  const shortcuts: AppSettings['shortcuts'] = [
    { type: 'message', callbackId: 'from_message', name: 'Start a crew from this', description: '' },
    { type: 'global', callbackId: 'anywhere', name: 'Start a crew', description: '' },
  ];

  it('carry the message they were chosen on, in threads too', async () => {
    const maria = await start({ shortcuts });
    const root = await maria.say('#general', 'root');
    const reply = await maria.reply(root, 'look at this');
    await maria.messageShortcut('Start a crew from this', reply);
    expect(playground.app.received.at(-1)?.payload).toMatchObject({
      type: 'message_action',
      callback_id: 'from_message',
      message_ts: reply.ts,
      message: { text: 'look at this', thread_ts: root.ts, user: 'UMARIA001' },
      channel: { id: 'C0GENERAL1', name: 'general' },
      trigger_id: expect.any(String),
      response_url: expect.any(String),
      action_ts: expect.any(String),
    });
  });

  it('are there without a message as well', async () => {
    const maria = await start({ shortcuts });
    await maria.globalShortcut('Start a crew');
    expect(playground.app.received.at(-1)?.payload).toMatchObject({ type: 'shortcut', callback_id: 'anywhere' });
    playground.app.reply = () => ({ status: 500 });
    await expect(maria.globalShortcut('Start a crew')).rejects.toMatchObject({
      problem: { code: 'app_error', at: 'toast' },
    });
  });

  it('are not there for people of another organisation', async () => {
    const maria = await start({ shortcuts });
    const said = await maria.say('#partners', 'hello');
    await expect(playground.slack.as('sam').messageShortcut('Start a crew from this', said)).rejects.toThrow(
      'no such shortcut',
    );
    const made = { type: 'message-shortcut', callbackId: 'from_message', channel: said.channel, ts: said.ts };
    const answer = await fetch(`${playground.slack.pageUrl}api/act?as=USTRANGE6`, {
      method: 'POST',
      body: JSON.stringify(made),
    });
    expect(await answer.json()).toMatchObject({ problem: { code: 'not_visible' } });
  });
});

describe('the Messages tab', () => {
  // https://docs.slack.dev/surfaces/app-home
  it('can be read-only for people', async () => {
    const maria = await start({ messagesTab: 'read-only' });
    const { body } = await playground.call('chat.postMessage', { channel: 'UMARIA001', text: 'Told only to you' });
    const channel = String(body.channel);
    expect(channel).toMatch(/^D/);
    expect((await maria.snapshot()).channels.find(({ id }) => id === channel)).toMatchObject({ isReadOnly: true });
    await expect(maria.say(channel, 'hello')).rejects.toMatchObject({ problem: { code: 'read_only' } });
    await expect(maria.command(channel, '/kickoff')).rejects.toMatchObject({ problem: { code: 'read_only' } });
  });

  it('can be off, so that nothing can be sent there', async () => {
    const maria = await start({ messagesTab: 'off' });
    const answer = await playground.call('chat.postMessage', { channel: 'UMARIA001', text: 'Told only to you' });
    expect(answer.body).toEqual({ ok: false, error: 'messages_tab_disabled' });
    await maria.openHome();
    await arrival(1);
    const channel = String(event(0)?.channel);
    const again = await playground.call('chat.postMessage', { channel, text: 'Told only to you' });
    expect(again.body).toEqual({ ok: false, error: 'messages_tab_disabled' });
    expect((await maria.snapshot()).channels.filter(({ kind }) => kind === 'im')).toEqual([]);
  });
});
