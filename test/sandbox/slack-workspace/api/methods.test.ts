import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../src/sandbox/slack-workspace/json.ts';
import { DEFAULT_APP } from '../../../../src/sandbox/slack-workspace/runtime/installed-app.ts';
import { section } from '../support/blocks.ts';
import { type Playground, workspaceWithApp } from '../support/scripted-app.ts';

const METHODS = 'https://docs.slack.dev/reference/methods';
const GENERAL = 'C0GENERAL1';

let playground: Playground;
let ts: string;
let archived: string;
beforeAll(async () => {
  playground = await workspaceWithApp({
    rateLimits: 'off',
    app: {
      scopes: [...DEFAULT_APP.scopes, 'channels:history', 'im:history', 'im:read', 'im:write', 'team:read'],
      commands: [{ command: '/kickoff', description: 'Start a crew', usageHint: '' }],
    },
  });
  const post = async (channel: string) =>
    String((await playground.call('chat.postMessage', { channel, text: 'x' })).body.ts);
  ts = await post(GENERAL);
  archived = await post('C0RELEASE2');
  await playground.slack.as('maria').command('#releases', '/archive');
});
afterAll(() => playground.close());

/** Writing methods get JSON, reading ones a form. */
async function ask(method: string, args: JsonObject, how: 'json' | 'form'): Promise<JsonObject> {
  const form = Object.fromEntries(Object.entries(args).map(([name, value]) => [name, String(value)]));
  return (await (how === 'json' ? playground.call(method, args) : playground.callForm(method, form))).body;
}

describe('a method refuses', () => {
  // Names: https://github.com/slackapi/python-slack-sdk/issues/696. The rest: the errors on the page of each method.
  it.each<[string, string, 'json' | 'form', () => JsonObject, string]>([
    ['a channel’s name', 'chat.update', 'json', () => ({ channel: '#general', ts, text: 'y' }), 'channel_not_found'],
    ['a channel’s name', 'chat.delete', 'json', () => ({ channel: 'general', ts }), 'channel_not_found'],
    [
      'a channel’s name',
      'chat.getPermalink',
      'form',
      () => ({ channel: '#general', message_ts: ts }),
      'channel_not_found',
    ],
    [
      'an edit in an archived channel',
      'chat.update',
      'json',
      () => ({ channel: 'C0RELEASE2', ts: archived, text: 'y' }),
      'is_inactive',
    ],
    [
      'what this workspace lacks',
      'chat.update',
      'json',
      () => ({ channel: GENERAL, ts, text: 'y', file_ids: ['F1'] }),
      'invalid_arguments',
    ],
    ['to open nothing', 'conversations.open', 'json', () => ({}), 'users_list_not_supplied'],
    [
      'more than eight people',
      'conversations.open',
      'json',
      () => ({ users: Array(9).fill('UMARIA001').join(',') }),
      'too_many_users',
    ],
    [
      'an unreadable beginning',
      'conversations.history',
      'form',
      () => ({ channel: GENERAL, oldest: 'yesterday' }),
      'invalid_ts_oldest',
    ],
    [
      'an unreadable end',
      'conversations.replies',
      'form',
      () => ({ channel: GENERAL, ts, latest: 'tomorrow' }),
      'invalid_ts_latest',
    ],
    ['no bot', 'bots.info', 'form', () => ({}), 'missing_argument'],
    [
      'a name without its scope',
      'chat.postEphemeral',
      'json',
      () => ({ channel: GENERAL, user: 'UMARIA001', text: 'x', username: 'Boss' }),
      'missing_scope',
    ],
  ])('%s: %s', async (_, method, how, args, error) => {
    expect(await ask(method, args(), how)).toMatchObject({ ok: false, error });
  });
});

describe('a method takes', () => {
  // https://docs.slack.dev/apis/web-api#json-encoded-bodies
  it.each<[string, string, 'json' | 'form', () => JsonObject, JsonObject]>([
    [
      'null for nothing',
      'chat.postMessage',
      'json',
      () => ({ channel: GENERAL, text: 'x', blocks: null, attachments: null, metadata: null, thread_ts: null }),
      { channel: GENERAL },
    ],
    [
      'lists and flags as text',
      'chat.postMessage',
      'form',
      () => ({
        channel: GENERAL,
        text: 'x',
        thread_ts: ts,
        reply_broadcast: 'true',
        blocks: JSON.stringify([section('y')]),
      }),
      { message: { subtype: 'thread_broadcast', blocks: [{ type: 'section' }] } },
    ],
    ['JSON', 'conversations.history', 'json', () => ({ channel: GENERAL }), {}],
    ['JSON', 'team.info', 'json', () => ({}), { team: { id: 'T0SANDBOX1' } }],
  ])('%s: %s', async (_, method, how, args, answer) => {
    expect(await ask(method, args(), how)).toMatchObject({ ok: true, ...answer });
  });
});

describe('the answer', () => {
  it.each<[string, string, () => JsonObject, JsonObject]>([
    [
      'conversations.history',
      'https://github.com/slackapi/java-slack-sdk/blob/main/json-logs/samples/api/conversations.history.json',
      () => ({ channel: GENERAL, oldest: '1.0', latest: ts, inclusive: true, limit: 1 }),
      { oldest: '1.0', latest: expect.any(String), pin_count: 0, channel_actions_ts: null, channel_actions_count: 0 },
    ],
    [
      'conversations.info',
      `${METHODS}/conversations.info#examples`,
      () => ({ channel: GENERAL, include_num_members: true }),
      {
        channel: {
          unlinked: 0,
          is_frozen: false,
          pending_shared: [],
          previous_names: [],
          num_members: expect.any(Number),
        },
      },
    ],
  ])('of %s is whole (%s)', async (method, _, args, answer) => {
    expect(await ask(method, args(), 'form')).toMatchObject({ ok: true, ...answer });
  });

  it(`of conversations.open says whether it was open (${METHODS}/conversations.open#examples)`, async () => {
    const first = await ask('conversations.open', { users: 'UJON00002' }, 'json');
    expect(first).toEqual({ ok: true, channel: { id: expect.stringMatching(/^D/) } });
    const again = await ask('conversations.open', { users: 'UJON00002', return_im: true }, 'json');
    const { id = '' } = first.channel as JsonObject;
    expect(again).toMatchObject({ ok: true, no_op: true, already_open: true });
    expect(again.channel).toMatchObject({ id, is_im: true, user: 'UJON00002' });
    const info = await ask('conversations.info', { channel: id }, 'form');
    expect(info.channel).toEqual(again.channel);
    for (const name of ['name', 'is_channel', 'is_private']) expect(info.channel).not.toHaveProperty(name);
  });
});
