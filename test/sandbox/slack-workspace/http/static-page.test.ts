import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  type SlackWorkspace,
  startSlackWorkspace,
} from '../../../../src/sandbox/slack-workspace/start-slack-workspace.ts';

let folder: string;
let slack: SlackWorkspace;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'slack-page-'));
  await mkdir(join(folder, 'built', 'assets'), { recursive: true });
  await writeFile(join(folder, 'secret.txt'), 'secret');
  await writeFile(join(folder, 'built', 'index.html'), '<title>Workspace</title>');
  await writeFile(join(folder, 'built', 'assets', 'app-1a2b.js'), 'run()');
  slack = await startSlackWorkspace({ pageDir: join(folder, 'built') });
});
afterAll(async () => {
  await slack.close();
  await rm(folder, { recursive: true });
});

const get = (path: string) => fetch(new URL(path, slack.pageUrl));

it('shows the page at / and at permalinks', async () => {
  for (const path of ['/', '/archives/C0GENERAL1/p1700000000000100']) {
    const response = await get(path);
    expect(response.headers.get('content-type')).toMatch('text/html');
    expect(await response.text()).toContain('Workspace');
  }
});

it.each([
  ['/services/T0SANDBOX1/B0/secret', 'incoming webhooks'],
  ['/oauth/v2/authorize?client_id=1', 'installed already'],
])('answers 404 and says why at %s, which Slack has and the workspace lacks', async (path, why) => {
  for (const method of ['GET', 'POST']) {
    const response = await fetch(new URL(path, slack.pageUrl), { method });
    expect([response.status, response.headers.get('content-type')]).toEqual([404, 'text/plain; charset=utf-8']);
    expect(await response.text()).toContain(why);
  }
  const logged = slack.calls().at(-1);
  expect(logged).toMatchObject({ outcome: 'error', status: 404, broken: [{ code: 'not_here' }] });
  expect(JSON.stringify(logged)).not.toContain('secret');
});

it('lets the browser keep what has its hash in its name', async () => {
  const response = await get('/assets/app-1a2b.js');
  expect(response.headers.get('cache-control')).toMatch('immutable');
  expect(response.headers.get('content-type')).toMatch('text/javascript');
});

it('serves nothing from outside its folder', async () => {
  for (const path of ['/..%2fsecret.txt', '/%2e%2e%2fsecret.txt', '/assets/..%2f..%2fsecret.txt', '/nothing.js'])
    expect((await get(path)).status).toBe(404);
});
