import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App, LogLevel } from '@slack/bolt';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createRemoteClient } from '../../../src/sandbox/slack-workspace/driver/client.ts';
import { createPerson, type Person } from '../../../src/sandbox/slack-workspace/driver/person.ts';
import { CHECKOUT } from '../../../src/setup/commands.mjs';

const MANIFEST = `
display_information:
  name: Tea
features:
  bot_user:
    display_name: tea
  slash_commands:
    - command: /tea
      description: Makes tea
oauth_config:
  scopes:
    bot: [commands, chat:write]
settings:
  socket_mode_enabled: true
`;

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'workspace-'));
  await writeFile(join(folder, 'manifest.yml'), MANIFEST);
  await writeFile(join(folder, 'broken.json'), JSON.stringify({ display_information: {}, setings: {} }));
});
afterAll(() => rm(folder, { recursive: true }));

/** Runs `npm run workspace` in that folder, until it says how to reach it or ends. */
async function run(...args: string[]) {
  const program = ['src/setup/run.mjs', 'src/sandbox/slack-workspace/main.ts', ...args];
  const env = { ...process.env, INIT_CWD: folder };
  const child = spawn(process.execPath, program, { cwd: CHECKOUT, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = once(child, 'exit').then(([code]) => Number(code));
  let said = '';
  const ready = new Promise<void>((resolve) => {
    for (const output of [child.stdout, child.stderr])
      output.setEncoding('utf8').on('data', (text: string) => {
        said += text;
        if (said.includes('});')) resolve();
      });
  });
  await Promise.race([ready, ended]);
  const after = (label: string) => new RegExp(`^${label} +(\\S+)$`, 'm').exec(said)?.[1] ?? '';
  const stop = async () => {
    child.kill('SIGTERM');
    return ended;
  };
  return { said: () => said, after, ended, stop };
}

type Running = Awaited<ReturnType<typeof run>>;

const mariaIn = (workspace: Running): Person => createPerson(createRemoteClient(workspace.after('Page')), 'UMARIA001');

it('a workspace of its own serves an app by its manifest, and keeps what happened through a restart', async () => {
  const first = await run('--manifest', 'manifest.yml', '--folder', 'state', '--port', '0');
  const app = new App({
    token: first.after('Bot token'),
    appToken: first.after('App token'),
    socketMode: true,
    clientOptions: { slackApiUrl: first.after('API') },
    logLevel: LogLevel.ERROR,
  });
  app.command('/tea', ({ ack }) => ack({ text: 'Tea is ready.', response_type: 'in_channel' }));
  await app.start();
  const maria = mariaIn(first);
  await maria.command('#general', '/tea');
  await maria.sees('#general', 'Tea is ready.');
  expect(await (await fetch(first.after('Page'))).text()).toContain('<div id="root">');
  await app.stop();
  expect(await first.stop()).toBe(0);

  const second = await run('--manifest', 'manifest.yml', '--folder', 'state', '--port', '0');
  await mariaIn(second).sees('#general', 'Tea is ready.');
  const port = new URL(second.after('Page')).port;
  const third = await run('--manifest', 'manifest.yml', '--port', port);
  expect(await third.ended).toBe(1);
  expect(third.said()).toContain(`Port ${port} is in use. Choose another one with --port.`);
  expect(await second.stop()).toBe(0);
});

it('a workspace of its own refuses a manifest that Slack would refuse, and says what is missing', async () => {
  const broken = await run('--manifest', 'broken.json');
  expect(await broken.ended).toBe(1);
  expect(broken.said()).toContain('/setings: there is no such field in a manifest');
  const missing = await run('--manifest', 'nowhere.json');
  expect(await missing.ended).toBe(2);
  expect(missing.said()).toMatch(/nowhere\.json can't be read: ENOENT\.[\s\S]*npm run workspace -- --manifest FILE/);
});
