// That a workspace which was stopped leaves nothing that keeps a process alive, or goes on in it.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { CHECKOUT } from '../../../src/setup/commands.mjs';
import { workspaceWithApp } from './support/scripted-app.ts';

const run = promisify(execFile);

/** A test's process that stops a busy workspace, and then has nothing left to do. */
const busyProgram = (delivery: object) => `
import { createServer } from 'node:http';
import { startSlackWorkspace } from '@signoff/slack-workspace';

const silent = createServer(() => {}).listen(0, '127.0.0.1').unref();
silent.on('connection', (socket) => socket.unref());
await new Promise((resolve) => silent.once('listening', resolve));
const slack = await startSlackWorkspace({
  waitMs: 200,
  app: { delivery: ${JSON.stringify(delivery)}, events: ['message.channels'], scopes: ['channels:history', 'commands'] },
});
slack.installAt('http://127.0.0.1:' + silent.address().port);
const maria = slack.as('maria');
// An event and a command without an answer, a page that watches, a call that waits.
await maria.say('#general', 'Hello');
void maria.command('#general', '/kickoff').catch(() => {});
void fetch(slack.pageUrl + 'api/live?as=UMARIA001').then((page) => page.text()).catch(() => {});
slack.faults.add({ method: 'auth.test', effect: { kind: 'delay', delayMs: 60_000 } });
void fetch(slack.apiUrl + 'auth.test', { headers: { authorization: 'Bearer ' + slack.botToken } }).catch(() => {});
if (${'mode' in delivery && delivery.mode === 'socket'}) {
  const opened = await fetch(slack.apiUrl + 'apps.connections.open', { method: 'POST', headers: { authorization: 'Bearer ' + slack.appToken } });
  const socket = new (await import('ws')).default((await opened.json()).url);
  socket.on('error', () => {});
  await maria.reachable();
  void maria.command('#general', '/kickoff').catch(() => {});
}
await new Promise((resolve) => setTimeout(resolve, 100));
const at = performance.now();
await slack.close();
process.on('exit', () => console.log(Math.round(performance.now() - at)));
`;

it.each([{ mode: 'http' }, { mode: 'socket' }])(
  'a process that stops its workspace ends at once: %o',
  async (delivery) => {
    const { stdout } = await run(process.execPath, ['--input-type=module', '-e', busyProgram(delivery)], {
      cwd: CHECKOUT,
    });
    expect(Number(stdout)).toBeLessThan(2_000);
  },
);

it('a workspace that was stopped delivers no event again', async () => {
  const { slack, app } = await workspaceWithApp({
    eventRetriesMs: [200],
    app: { events: ['message.channels'], scopes: ['channels:history'] },
  });
  app.reply = () => ({ status: 500 });
  await slack.as('maria').say('#general', 'Hello');
  await expect.poll(() => slack.eventsToRetry()).toBe(1);
  await slack.close();
  expect(app.received).toHaveLength(1);
  await new Promise((resolve) => setTimeout(resolve, 500));
  expect(app.received).toHaveLength(1);
  await app.close();
});
