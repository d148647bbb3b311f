import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { App, LogLevel } from '@slack/bolt';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createRemoteClient } from '../../../src/sandbox/slack-workspace/driver/client.ts';
import { createPerson, type Person } from '../../../src/sandbox/slack-workspace/driver/person.ts';
import { CHECKOUT } from '../../../src/setup/commands.mjs';
import { endNpx, installPacked } from '../packed-package.ts';

const run = promisify(execFile);

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

/** An empty folder with nothing but the packed package, and the Bolt of this checkout. */
let folder: string;
beforeAll(async () => {
  folder = await installPacked('slack-workspace');
  await symlink(join(CHECKOUT, 'node_modules/@slack'), join(folder, 'node_modules/@slack'));
  await writeFile(join(folder, 'manifest.yml'), MANIFEST);
  await writeFile(join(folder, 'broken.json'), JSON.stringify({ display_information: {}, setings: {} }));
});
afterAll(() => rm(folder, { recursive: true }));

/** Starts a program in that folder, until it says how to reach the workspace or ends. */
async function start(program: string[], env: NodeJS.ProcessEnv = {}) {
  const [command = '', ...args] = program;
  const child = spawn(command, args, {
    cwd: folder,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
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

type Running = Awaited<ReturnType<typeof start>>;

const command = (...args: string[]) => start([join(folder, 'node_modules/.bin/slack-workspace'), ...args]);
const mariaIn = (workspace: Running): Person => createPerson(createRemoteClient(workspace.after('Page')), 'UMARIA001');

it('the packed command serves an app by its manifest, with its page, and keeps what happened through a restart', async () => {
  const first = await command('--manifest', 'manifest.yml', '--folder', 'state', '--port', '0');
  const app = new App({
    token: first.after('Bot token'),
    appToken: first.after('App token'),
    socketMode: true,
    clientOptions: { slackApiUrl: first.after('API') },
    logLevel: LogLevel.ERROR,
  });
  app.command('/tea', ({ ack }) => ack({ text: 'Tea is ready.', response_type: 'in_channel' }));
  await app.start();
  expect(await app.client.auth.test()).toMatchObject({ ok: true, user: 'tea' });
  await app.client.chat.postMessage({ channel: 'C0GENERAL1', text: 'Who wants tea?' });
  const maria = mariaIn(first);
  await maria.sees('#general', 'Who wants tea?');
  await maria.command('#general', '/tea');
  await maria.sees('#general', 'Tea is ready.');
  await app.stop();

  const page = await (await fetch(first.after('Page'))).text();
  const script = /src="(\/assets\/[^"]+\.js)"/.exec(page)?.[1] ?? '';
  const loaded = await fetch(new URL(script, first.after('Page')));
  expect(loaded.headers.get('content-type')).toContain('javascript');
  expect(await loaded.text()).toContain('createRoot');
  // Without --admin, nobody else changes the workspace.
  const injected = await fetch(new URL('/_sandbox/calls', first.after('Page')));
  expect(injected.headers.get('content-type')).toContain('text/html');
  expect(await first.stop()).toBe(0);

  const second = await command('--manifest', 'manifest.yml', '--folder', 'state', '--port', '0', '--admin');
  await mariaIn(second).sees('#general', 'Tea is ready.');
  expect(await (await fetch(new URL('/_sandbox/calls', second.after('Page')))).json()).toEqual([]);
  const port = new URL(second.after('Page')).port;
  const third = await command('--manifest', 'manifest.yml', '--port', port);
  expect(await third.ended).toBe(1);
  expect(third.said()).toContain(`Port ${port} is in use. Choose another one with --port.`);
  expect(await second.stop()).toBe(0);
});

it('the packed command lets people start the workflows of a file, and says what is wrong in it', async () => {
  const functions = `${MANIFEST}  org_deploy_enabled: true
  function_runtime: remote
  event_subscriptions:
    bot_events: [function_executed]
functions:
  boil: { title: Boil water, description: Boils it, input_parameters: {}, output_parameters: {} }
`;
  await writeFile(join(folder, 'steps.yml'), functions);
  await writeFile(join(folder, 'tea.yml'), '[{ name: Tea, steps: [{ function: boil }] }]');
  await writeFile(join(folder, 'wrong.yml'), '[{ name: Tea, step: [] }]');
  const started = await command('--manifest', 'steps.yml', '--workflows', 'tea.yml', '--port', '0');
  const maria = mariaIn(started);
  const run = await maria.startWorkflow('Tea');
  expect((await maria.seesWorkflow(run, 1)).steps).toMatchObject([{ title: 'Boil water' }]);
  expect(await started.stop()).toBe(0);
  const refused = await command('--manifest', 'steps.yml', '--workflows', 'wrong.yml', '--port', '0');
  expect(await refused.ended).toBe(2);
  expect(refused.said()).toContain("The workflows wrong.yml can't be used: /0/steps: ");
});

it('the packed command refuses a manifest that Slack would refuse, and says what is missing', async () => {
  const broken = await command('--manifest', 'broken.json');
  expect(await broken.ended).toBe(1);
  expect(broken.said()).toContain('/setings: there is no such field in a manifest');
  const missing = await command('--manifest', 'nowhere.json');
  expect(await missing.ended).toBe(2);
  expect(missing.said()).toMatch(
    /nowhere\.json can't be read: ENOENT\.[\s\S]*npx @signoff\/slack-workspace --manifest FILE/,
  );
});

it.each([
  ['alone', []],
  ['with a command', ['--', process.execPath, '-e', 'setInterval(() => {}, 1_000)']],
])('SIGTERM to npx leaves nothing of the packed command running, %s', async (_, command) => {
  const options = ['--manifest', 'manifest.yml', '--port', '0'];
  const args = ['slack-workspace', ...(command.length > 0 ? ['run'] : []), ...options, ...command];
  await endNpx(folder, { args, env: process.env, ready: 'Signing secret' });
});

it('tests with an unmodified Bolt app use the packed library as its README shows', async () => {
  const readme = await readFile(join(folder, 'node_modules/@signoff/slack-workspace/README.md'), 'utf8');
  const [, example = ''] = /```js\n(\/\/ tea\.test\.mjs\n[\s\S]*?)```/.exec(readme) ?? [];
  await writeFile(join(folder, 'tea.test.mjs'), example);
  const { stdout } = await run(process.execPath, ['--test', '--test-reporter=tap', 'tea.test.mjs'], { cwd: folder });
  expect(stdout).toMatch(/^# pass 2$/m);
});

it('the packed library is typed', async () => {
  await writeFile(
    join(folder, 'typed.ts'),
    `import { readManifest, type Seed, startSlackWorkspace } from '@signoff/slack-workspace';
const slack = await startSlackWorkspace({ app: readManifest('{}', { granted: 'all' }) });
const text: string = (await slack.as('maria').sees('#general', 'x')).text;
// @ts-expect-error: a number is not the text of a message
const number: number = (await slack.as('maria').sees('#general', 'x')).text;
// @ts-expect-error: there is no such option
await startSlackWorkspace({ prot: 1 });
export type Checked = [typeof text, typeof number, Seed];
`,
  );
  const tsc = join(CHECKOUT, 'node_modules/.bin/tsc');
  const types = ['--types', 'node', '--typeRoots', join(CHECKOUT, 'node_modules/@types')];
  const options = ['--noEmit', '--strict', '--target', 'es2022', '--module', 'nodenext', '--skipLibCheck', ...types];
  await run(tsc, [...options, 'typed.ts'], { cwd: folder });
});

it('npm run workspace runs it, with paths relative to where it is called', async () => {
  const program = [process.execPath, join(CHECKOUT, 'src/setup/run.mjs'), 'src/sandbox/slack-workspace/dist/main.js'];
  const workspace = await start([...program, '--manifest', 'manifest.yml', '--port', '0'], { INIT_CWD: folder });
  expect(await (await fetch(workspace.after('Page'))).text()).toContain('<div id="root">');
  expect(await workspace.stop()).toBe(0);
});
