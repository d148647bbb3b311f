import { afterEach, describe, expect, it } from 'vitest';
import { type JsonObject, objectsAt } from '../../../../src/sandbox/slack-workspace/json.ts';
import { readManifest } from '../../../../src/sandbox/slack-workspace/runtime/manifest.ts';
import { startSlackWorkspace } from '../../../../src/sandbox/slack-workspace/start-slack-workspace.ts';
import { actions, button, input, modal, option } from '../support/blocks.ts';
import { startScriptedApp, workspaceWithApp } from '../support/scripted-app.ts';

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

const command = { command: '/tea', description: 'Makes tea', url: 'https://tea.example/slack' };
const shortcut = { name: 'Make tea', type: 'global', callback_id: 'tea', description: 'Makes tea' };

const SCOPES = ['commands', 'chat:write', 'channels:history', 'users:read', 'im:write'];

/** A manifest with everything on, but for what a test says. */
function manifestOf(changes: { features?: JsonObject; settings?: JsonObject } = {}): string {
  const url = { request_url: 'https://tea.example/slack' };
  return JSON.stringify({
    display_information: { name: 'Tea' },
    features: {
      bot_user: { display_name: 'tea', always_online: true },
      app_home: { home_tab_enabled: true, messages_tab_enabled: true },
      slash_commands: [command],
      shortcuts: [shortcut],
      ...changes.features,
    },
    oauth_config: { scopes: { bot: SCOPES, bot_optional: SCOPES } },
    settings: {
      event_subscriptions: { ...url, bot_events: ['message.channels', 'app_home_opened'] },
      interactivity: { is_enabled: true, ...url },
      ...changes.settings,
    },
  });
}

/** A workspace with the app of a manifest, granted these scopes or all, and a scripted app that takes what it is sent. */
async function install({ scopes, ...changes }: Parameters<typeof manifestOf>[0] & { scopes?: string[] } = {}) {
  const app = readManifest(manifestOf(changes), { granted: scopes ?? 'all' });
  const playground = await workspaceWithApp({ app, ackLimitMs: 10_000 });
  closing.push(() => playground.close());
  return { ...playground, maria: playground.slack.as('maria') };
}

const kindsOf = (received: readonly { payload: JsonObject }[]) =>
  received.map(({ payload: { type, command: typed, event } }) => {
    const inner = typeof event === 'object' && event !== null && 'type' in event ? event.type : undefined;
    return inner ?? typed ?? type;
  });

describe('events', () => {
  // https://docs.slack.dev/apis/events-api
  it('reach the app only if it subscribed', async () => {
    const { maria, app } = await install({
      settings: { event_subscriptions: { request_url: 'https://tea.example/slack' } },
    });
    await maria.say('#general', 'hello');
    await maria.openHome();
    await maria.command('#general', '/tea');
    expect(kindsOf(app.received)).toEqual(['/tea']);
  });

  it('need their scopes, too', async () => {
    // https://docs.slack.dev/reference/events/message.channels
    const { maria, app } = await install({ scopes: ['commands', 'chat:write'] });
    await maria.say('#general', 'hello');
    await maria.openHome();
    await maria.command('#general', '/tea');
    expect(kindsOf(app.received).sort()).toEqual(['/tea', 'app_home_opened']);
  });
});

describe('scopes', () => {
  it('offer commands and shortcuts only with the one for them', async () => {
    // https://docs.slack.dev/reference/scopes/commands
    const { maria } = await install({ scopes: ['chat:write'] });
    await expect(maria.command('#general', '/tea')).rejects.toMatchObject({ problem: { code: 'no_such_command' } });
    expect((await maria.snapshot()).app).toMatchObject({ commands: [], shortcuts: [] });
  });
});

describe('interactivity', () => {
  // https://github.com/Smana/runlore/pull/236, https://docs.slack.dev/interactivity/handling-user-interaction#setup
  it('turned off keeps clicks from the app, and says so beside the button', async () => {
    const { maria, app, call, slack } = await install({ settings: { interactivity: { is_enabled: false } } });
    await call('chat.postMessage', { channel: 'C0GENERAL1', text: 'Tea?', blocks: [actions(button('Yes'))] });
    const clicked = maria.click('Yes', { in: await maria.sees('#general', '[Yes]') });
    await expect(clicked).rejects.toMatchObject({
      problem: {
        code: 'app_not_configured',
        at: 'element',
        text: 'This app is not configured to handle interactive responses.',
      },
    });
    expect(kindsOf(app.received)).not.toContain('block_actions');
    expect(slack.calls().find(({ name }) => name === 'block_actions')).toMatchObject({ error: 'not_configured' });
    expect((await maria.snapshot()).app).toMatchObject({ commands: [{ command: '/tea' }], shortcuts: [] });
  });
});

it('the Home and Messages tabs are there as the manifest says', async () => {
  // https://docs.slack.dev/surfaces/app-home
  const { call, maria } = await install({ features: { app_home: { home_tab_enabled: false } } });
  const view = { type: 'home', blocks: [] };
  expect((await call('views.publish', { user_id: 'UMARIA001', view })).body).toMatchObject({ error: 'not_enabled' });
  await expect(maria.openHome()).rejects.toMatchObject({ problem: { code: 'not_visible' } });
  expect((await call('chat.postMessage', { channel: 'UMARIA001', text: 'Tea' })).body).toMatchObject({
    error: 'messages_tab_disabled',
  });
});

it('Socket Mode has connections, and needs no request URLs', async () => {
  // https://docs.slack.dev/apis/events-api/using-socket-mode
  for (const [settings, answer] of [
    [
      { socket_mode_enabled: true, interactivity: { is_enabled: true } },
      { ok: true, url: expect.any(String) },
    ],
    [{}, { ok: false }],
  ] as const) {
    const { call, slack } = await install({ settings });
    expect((await call('apps.connections.open', {}, slack.appToken)).body).toMatchObject(answer);
  }
});

it('commands, interactions and events go to the URL of each', async () => {
  // https://docs.slack.dev/interactivity/implementing-slash-commands#creating_commands
  const app = await startScriptedApp();
  closing.push(() => app.close());
  const at = (path: string) => app.url.replace('/slack/events', path);
  const manifest = manifestOf({
    features: {
      slash_commands: [
        { ...command, url: at('/command') },
        { command: '/mute', description: 'No URL' },
      ],
    },
    settings: {
      event_subscriptions: { request_url: at('/events'), bot_events: ['app_home_opened'] },
      interactivity: { is_enabled: true, request_url: at('/interactive') },
    },
  });
  const slack = await startSlackWorkspace({ app: readManifest(manifest, { granted: 'all' }), ackLimitMs: 10_000 });
  closing.push(() => slack.close());
  const maria = slack.as('maria');
  await maria.command('#general', '/tea');
  await maria.globalShortcut('Make tea');
  await expect(maria.command('#general', '/mute')).rejects.toMatchObject({ problem: { code: 'app_unreachable' } });
  await maria.openHome();
  await maria.waitFor('the event', () => app.received.length > 2 || undefined);
  expect(app.received.map(({ path }) => path).sort()).toEqual(['/command', '/events', '/interactive']);
  expect(await slack.verifyRequestUrl()).toBe(false);
  expect(app.received.at(-1)?.path).toBe('/events');
});

it('commands have people, channels and addresses escaped if they ask for it', async () => {
  // https://docs.slack.dev/interactivity/implementing-slash-commands#defining_slash_command
  const typed = 'for @jon in #releases, #incidents & https://tea.example <now>';
  const { maria, app } = await install({
    features: {
      slash_commands: [
        { ...command, should_escape: true },
        { ...command, command: '/raw' },
      ],
    },
  });
  await maria.command('#general', '/tea', typed);
  await maria.command('#general', '/raw', typed);
  expect(app.received.map(({ payload }) => payload.text)).toEqual([
    'for <@UJON00002|jon> in <#C0RELEASE2|releases>, <#C0INCIDNT3|> &amp; <https://tea.example> &lt;now&gt;',
    typed,
  ]);
});

it('menus of a modal give addresses to respond to where they are told to, and offer the conversation it is in', async () => {
  // https://docs.slack.dev/surfaces/modals#modal_response_url
  const { maria, app, call } = await install();
  const menu = { type: 'conversations_select', default_to_current_conversation: true };
  app.reply = async ({ payload }) => {
    const view = modal([
      input('Where', { ...menu, response_url_enabled: true }),
      input('Also', menu),
      input('How', { type: 'static_select', options: [option('Hot')] }, { optional: true }),
    ]);
    if (payload.command) await call('views.open', { trigger_id: String(payload.trigger_id), view });
    return {};
  };
  await maria.command('#partners', '/tea');
  await maria.submit();
  const submission = app.received.at(-1)?.payload;
  expect(submission?.response_urls).toEqual([
    { block_id: 'Where', action_id: 'Where', channel_id: 'C0PARTNER4', response_url: expect.stringMatching(/^http/) },
  ]);
  const [where] = objectsAt(submission, 'response_urls');
  const body = JSON.stringify({ text: 'Tea is ready.', response_type: 'in_channel' });
  await fetch(String(where?.response_url), { method: 'POST', body, headers: { 'content-type': 'application/json' } });
  await maria.sees('#partners', 'Tea is ready.');
});
