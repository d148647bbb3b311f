import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../src/sandbox/slack-workspace/json.ts';
import type { Message, Snapshot } from '../../../../src/sandbox/slack-workspace/people-api.ts';
import { DEFAULT_APP } from '../../../../src/sandbox/slack-workspace/runtime/installed-app.ts';
import { type Playground, workspaceWithApp } from '../support/scripted-app.ts';

let nowMs = Date.now();
let playground: Playground;
let root: Message;
beforeAll(async () => {
  playground = await workspaceWithApp({ now: () => nowMs });
  root = await playground.slack.as('maria').say('#releases', 'go on');
});
afterAll(() => playground.close());

const METHOD = 'assistant.threads.setStatus';
const set = async (args: JsonObject) =>
  (await playground.call(METHOD, { channel_id: root.channel, thread_ts: root.ts, ...args })).body;
const maria = () => playground.slack.as('maria');

// https://docs.slack.dev/reference/methods/assistant.threads.setStatus
describe(METHOD, () => {
  it('shows what the app is doing to those who see the thread, until it says something there', async () => {
    expect(await set({ status: 'is thinking…', loading_messages: ['Reading', 'Writing'] })).toEqual({ ok: true });
    expect(await maria().seesStatus(root, 'is thinking…')).toMatchObject({ loadingMessages: ['Reading', 'Writing'] });
    expect(await maria().screen()).toContain('Signoff is thinking…');
    expect(await playground.slack.as('priya').status(root)).toBe('is thinking…');
    await set({ status: 'is writing…' });
    expect(await maria().status(root)).toBe('is writing…');
    await maria().reply(root, 'hurry');
    await playground.call('chat.postMessage', { channel: root.channel, text: 'elsewhere' });
    const whispered = { channel: root.channel, thread_ts: root.ts, user: maria().id, text: 'soon' };
    await playground.call('chat.postEphemeral', whispered);
    expect(await maria().status(root)).toBe('is writing…');
    await playground.call('chat.postMessage', { channel: root.channel, thread_ts: root.ts, text: 'done' });
    expect(await maria().status(root)).toBeUndefined();
  });

  it('isn’t shown to those who can’t see the channel', async () => {
    const secret = await maria().say('#incidents', 'help');
    await set({ channel_id: secret.channel, thread_ts: secret.ts, status: 'is looking…' });
    expect(await maria().status(secret)).toBe('is looking…');
    expect((await playground.slack.as('priya').snapshot()).statuses).toEqual([]);
    await set({ channel_id: secret.channel, thread_ts: secret.ts, status: '' });
  });

  it('ends with an empty status, and after two minutes', async () => {
    await set({ status: 'is thinking…' });
    await set({ status: '' });
    expect(await maria().status(root)).toBeUndefined();
    await set({ status: 'is thinking…' });
    const shown = async () => {
      const response = await fetch(`${playground.slack.pageUrl}api/snapshot?as=${maria().id}`);
      return ((await response.json()) as Snapshot).statuses.map(({ text }) => text);
    };
    nowMs += 119_999;
    expect(await shown()).toEqual(['is thinking…']);
    nowMs += 1;
    expect(await shown()).toEqual([]);
  });

  it.each<[string, JsonObject, JsonObject]>([
    ['no such channel', { channel_id: 'C0NOWHERE', status: 'x' }, { error: 'channel_not_found' }],
    ['a channel’s name', { channel_id: '#releases', status: 'x' }, { error: 'channel_not_found' }],
    ['no such thread', { thread_ts: '1.000000', status: 'x' }, { error: 'invalid_thread_ts' }],
    ['no status', {}, { error: 'invalid_arguments' }],
    ['11 messages', { status: 'x', loading_messages: Array(11).fill('x') }, { error: 'invalid_arguments' }],
    ['a name of its own', { status: 'x', username: 'X' }, { error: 'missing_scope', needed: 'chat:write.customize' }],
  ])('refuses %s', async (_, args, refusal) => {
    expect(await set(args)).toMatchObject({ ok: false, ...refusal });
  });
});

it.each([
  ['assistant:write', true],
  ['chat:write', true],
  ['users:read', false],
])('takes the scope %s: %s', async (scope, ok) => {
  const scopes = [scope, 'channels:read'];
  const other = await workspaceWithApp({ app: { ...DEFAULT_APP, scopes } });
  const said = await other.slack.as('maria').say('#releases', 'x');
  const args = { channel_id: said.channel, thread_ts: said.ts, status: 'x' };
  expect((await other.call(METHOD, args)).body).toMatchObject(
    ok ? { ok } : { error: 'missing_scope', needed: 'assistant:write,chat:write' },
  );
  await other.close();
});
