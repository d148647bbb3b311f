import { WebClient } from '@slack/web-api';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { JsonObject } from '../../../../src/sandbox/slack-workspace/json.ts';
import { DEFAULT_APP } from '../../../../src/sandbox/slack-workspace/runtime/installed-app.ts';
import { type Playground, workspaceWithApp } from '../support/scripted-app.ts';

let playground: Playground;
beforeAll(async () => {
  playground = await workspaceWithApp();
});
afterAll(() => playground.close());

it('takes a file in three steps and shows it in the thread', async () => {
  // https://docs.slack.dev/messaging/working-with-files#upload
  const { slack, call, callForm } = playground;
  const root = await call('chat.postMessage', { channel: 'C0RELEASE2', text: 'root' });
  const bytes = Buffer.from('# Notes\n');
  const { body } = await callForm('files.getUploadURLExternal', { filename: 'notes.md', length: String(bytes.length) });
  const early = await call('files.completeUploadExternal', {
    files: [{ id: String(body.file_id) }],
    channel_id: 'C0RELEASE2',
  });
  expect(early.body.error).toBe('file_not_found');
  expect((await fetch(String(body.upload_url), { method: 'POST', body: `${bytes}!` })).status).toBe(400);
  const sent = await fetch(String(body.upload_url), { method: 'POST', body: bytes });
  expect([sent.status, await sent.text()]).toEqual([200, `OK - ${Buffer.byteLength(bytes)}`]);
  const done = await call('files.completeUploadExternal', {
    files: [{ id: String(body.file_id), title: 'Release notes' }],
    channel_id: 'C0RELEASE2',
    thread_ts: String(root.body.ts),
    initial_comment: 'All of it',
  });
  expect(done.body).toMatchObject({
    ok: true,
    files: [{ name: 'notes.md', title: 'Release notes', channels: ['C0RELEASE2'] }],
  });
  const maria = slack.as('maria');
  const reply = await maria.seesInThread(await maria.sees('#releases', 'root'), '[file Release notes]');
  expect(reply.files[0]).toMatchObject({ mimetype: 'text/markdown', preview: '# Notes\n' });
  expect(await maria.download(reply, 'notes.md')).toEqual(bytes);
});

it('keeps files of a private channel from everybody else', async () => {
  const { slack } = playground;
  const client = new WebClient(slack.botToken, { slackApiUrl: slack.apiUrl });
  await client.filesUploadV2({ channel_id: 'C0INCIDNT3', filename: 'secret.txt', content: 'secret' });
  const jon = slack.as('jon');
  const shared = await jon.sees('#incidents', '[file secret.txt]');
  expect(String(await jon.download(shared, 'secret.txt'))).toBe('secret');
  await expect(slack.as('priya').download(shared, 'secret.txt')).rejects.toThrow('there is no file');
  const page = await fetch(`${slack.pageUrl}api/files/${shared.files[0]?.id}?as=UPRIYA004`);
  expect(page.status).toBe(404);
});

const COMPLETE = 'https://docs.slack.dev/reference/methods/files.completeUploadExternal';
const GET_URL = 'https://docs.slack.dev/reference/methods/files.getUploadURLExternal#errors';

it.each([{}, { title: '' }])('a file that is shared with the title %j is shown by its name', async (title) => {
  const { slack, call } = playground;
  const name = `untitled-${Object.keys(title).length}.txt`;
  const id = await uploaded(name);
  const { body } = await call('files.completeUploadExternal', { files: [{ id, ...title }], channel_id: 'C0RELEASE2' });
  expect(body).toMatchObject({ files: [{ name, title: name }] });
  await slack.as('maria').sees('#releases', `[file ${name}]`);
});

/** A file whose bytes have arrived. */
async function uploaded(name = 'a.txt'): Promise<string> {
  const { body } = await playground.callForm('files.getUploadURLExternal', { filename: name, length: '1' });
  await fetch(String(body.upload_url), { method: 'POST', body: 'a' });
  return String(body.file_id);
}
const complete = async (id: string, args: JsonObject = {}) =>
  (await playground.call('files.completeUploadExternal', { files: [{ id }], ...args })).body;

it.each<[string, string, Record<string, string>, string]>([
  ['no name', GET_URL, { length: '1' }, 'invalid_arguments'],
  ['an empty name', GET_URL, { filename: '', length: '1' }, 'invalid_arguments'],
  ['no length', GET_URL, { filename: 'a.txt' }, 'invalid_arguments'],
  ['a length of 0', GET_URL, { filename: 'a.txt', length: '0' }, 'missing_argument'],
  ['half a byte', GET_URL, { filename: 'a.txt', length: '1.5' }, 'invalid_arguments'],
  ['a negative length', GET_URL, { filename: 'a.txt', length: '-1' }, 'invalid_arguments'],
  ['a long description', GET_URL, { filename: 'a.png', length: '1', alt_txt: 'x'.repeat(1001) }, 'alt_txt_too_large'],
  ['a large snippet', GET_URL, { filename: 'a', length: '1048577', snippet_type: 'text' }, 'snippet_too_large'],
])('gives no upload address for %s (%s)', async (_, __, args, error) => {
  expect((await playground.callForm('files.getUploadURLExternal', args)).body).toMatchObject({ ok: false, error });
});

it(`asks for upload addresses with a form only (${GET_URL})`, async () => {
  const { body } = await playground.call('files.getUploadURLExternal', { filename: 'a.txt', length: 1 });
  expect(body).toMatchObject({ ok: false, error: 'invalid_arguments' });
});

it('takes the bytes of a file once', async () => {
  const { body } = await playground.callForm('files.getUploadURLExternal', { filename: 'a.txt', length: '1' });
  const send = async (bytes: string) => (await fetch(String(body.upload_url), { method: 'POST', body: bytes })).status;
  expect([await send('too long'), await send('a'), await send('b')]).toEqual([400, 200, 404]);
});

it(`completes an upload once (${COMPLETE})`, async () => {
  const id = await uploaded();
  const count = () => playground.slack.messages().length;
  expect(await complete(id, { channel_id: 'C0RELEASE2' })).toMatchObject({ ok: true, files: [{ id }] });
  const before = count();
  expect(await complete(id, { channel_id: 'C0RELEASE2' })).toEqual({ ok: false, error: 'file_not_found' });
  expect(count()).toBe(before);
});

it.each<[string, string, JsonObject, string]>([
  ['in a channel without the app', COMPLETE, { channel_id: 'C0RANDOM05' }, 'not_in_channel'],
  ['in an unknown channel', COMPLETE, { channel_id: 'C0NOWHERE' }, 'channel_not_found'],
  ['in a channel by its name', COMPLETE, { channel_id: '#releases' }, 'channel_not_found'],
  ['in several channels of which one is unknown', COMPLETE, { channels: 'C0RELEASE2,C0NOWHERE' }, 'invalid_channel'],
  ['in 101 channels', COMPLETE, { channels: Array(101).fill('C0RELEASE2').join(',') }, 'channels_limit_exceeded'],
  ['with wrong blocks', COMPLETE, { channel_id: 'C0RELEASE2', blocks: [{ type: 'none' }] }, 'invalid_blocks'],
  ['under another name', COMPLETE, { channel_id: 'C0RELEASE2', username: 'Boss' }, 'missing_scope'],
  ['without its id', COMPLETE, { files: [{ title: 'x' }] }, 'invalid_arguments'],
])('shares no file %s, but still can (%s)', async (_, __, args, error) => {
  const id = await uploaded();
  const before = playground.slack.messages().length;
  expect(await complete(id, args)).toMatchObject({ ok: false, error });
  expect(playground.slack.messages()).toHaveLength(before);
  expect(await complete(id)).toMatchObject({ ok: true });
});

it(`asks for membership even where the app may write from outside (${COMPLETE}#errors)`, async () => {
  await playground.close();
  playground = await workspaceWithApp({ app: { scopes: [...DEFAULT_APP.scopes, 'chat:write.public', 'files:read'] } });
  expect(await complete(await uploaded(), { channel_id: 'C0RANDOM05' })).toMatchObject({ error: 'not_in_channel' });
});

it('shares with people and channels at once, and tells where it did', async () => {
  // https://docs.slack.dev/reference/methods/files.info
  const id = await uploaded();
  const info = async () => (await playground.callForm('files.info', { file: id })).body;
  expect(await info()).toMatchObject({ ok: false, error: 'file_not_found' });
  const shared = { channels: 'C0RELEASE2,C0INCIDNT3,UMARIA001', blocks: '{', initial_comment: 'For you' };
  expect(await complete(id, shared)).toMatchObject({ ok: true });
  await playground.slack.as('maria').sees('Signoff', 'For you\n[file a.txt]');
  expect(await info()).toMatchObject({
    ok: true,
    file: {
      id,
      channels: ['C0RELEASE2'],
      groups: ['C0INCIDNT3'],
      ims: [expect.stringMatching(/^D/)],
      is_public: true,
      shares: {
        public: { C0RELEASE2: [{ ts: expect.any(String), channel_name: 'releases', reply_count: 0 }] },
        private: { C0INCIDNT3: [{ channel_name: 'incidents' }] },
      },
    },
    comments: [],
  });
});
