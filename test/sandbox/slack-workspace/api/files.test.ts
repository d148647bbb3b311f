import { WebClient } from '@slack/web-api';
import { afterAll, beforeAll, expect, it } from 'vitest';
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
  expect((await fetch(String(body.upload_url), { method: 'POST', body: bytes })).status).toBe(200);
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

it('shares no file where the app can’t write', async () => {
  const { callForm, call } = playground;
  const { body } = await callForm('files.getUploadURLExternal', { filename: 'a.txt', length: '1' });
  await fetch(String(body.upload_url), { method: 'POST', body: 'a' });
  const done = await call('files.completeUploadExternal', {
    files: [{ id: String(body.file_id) }],
    channel_id: 'C0RANDOM05',
  });
  expect(done.body.error).toBe('not_in_channel');
});
