// `slack-workspace run`, as it is built, with real apps that know nothing of it.
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, open, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createRemoteClient } from '../../../src/sandbox/slack-workspace/driver/client.ts';
import { createPerson } from '../../../src/sandbox/slack-workspace/driver/person.ts';
import { eventually } from '../../../src/sandbox/slack-workspace/driver/queries.ts';
import { CHECKOUT } from '../../../src/setup/commands.mjs';
import { freePort } from '../../../src/setup/free-port.ts';

const MAIN = join(CHECKOUT, 'src/sandbox/slack-workspace/dist/main.js');
const UNCHANGED_APP = fileURLToPath(new URL('./unchanged-app.mjs', import.meta.url));

const MANIFEST = {
  display_information: { name: 'Tea' },
  features: {
    bot_user: { display_name: 'tea' },
    slash_commands: ['/tea', '/finish'].map((command) => ({ command, description: 'Tea' })),
  },
  oauth_config: { scopes: { bot: ['commands', 'chat:write'] } },
};

let folder: string;
let manifest: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'run-'));
  manifest = join(folder, 'manifest.json');
  await writeFile(manifest, JSON.stringify(MANIFEST));
});
afterAll(() => rm(folder, { recursive: true }));

const started: ChildProcess[] = [];
afterEach(() => {
  for (const child of started.splice(0)) if (child.exitCode === null) child.kill('SIGTERM');
});

/** Starts `run` with these options and this command. */
async function run(options: string[], command: string[], env: NodeJS.ProcessEnv = {}) {
  const common = ['run', '--manifest', manifest, '--port', '0', '--rate-limits', 'off'];
  const args = [MAIN, ...common, ...options, '--', ...command];
  const child = spawn(process.execPath, args, {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  started.push(child);
  let said = '';
  for (const output of [child.stdout, child.stderr])
    output.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
  const ended = once(child, 'close').then(([code]): number | null => code);
  const page = () => /^Page +(\S+)$/m.exec(said)?.[1];
  return {
    child,
    ended,
    said: () => said,
    says: (text: string) =>
      eventually(
        async () => said.includes(text) || undefined,
        async () => said,
      ),
    page,
  };
}

type Running = Awaited<ReturnType<typeof run>>;

/** Whether there is a process with this id. */
function runs(id: number): boolean {
  try {
    return process.kill(id, 0);
  } catch {
    return false;
  }
}

async function mariaIn({ page, said }: Running) {
  const url = await eventually(
    async () => page(),
    async () => said(),
  );
  const maria = createPerson(createRemoteClient(url), 'UMARIA001');
  await maria.reachable();
  return maria;
}

describe.each(['Socket Mode', 'HTTP'])('an unchanged app for Node.js over %s', (transport) => {
  it('talks to the workspace in place of Slack, by Slack’s SDK, by fetch, by undici and by https', async () => {
    const port = await freePort();
    const overHttp = transport === 'HTTP';
    const options = overHttp ? ['--request-url', `http://127.0.0.1:${port}/slack/events`] : ['--socket'];
    const running = await run(options, [process.execPath, UNCHANGED_APP], overHttp ? { PORT: `${port}` } : {});
    const maria = await mariaIn(running);
    await maria.command('#general', '/tea');
    await maria.sees('#general', 'Tea from tea.');
    for (const client of ['built-in fetch', 'undici', 'https']) await maria.sees('#general', `${client}: Sandbox`);
    await maria.command('#general', '/finish');
    expect(await running.ended).toBe(7);
    await expect(fetch(running.page() ?? '')).rejects.toThrow();
  });
});

it('a signal is the command’s: it ends as it likes, and the workspace after it', async () => {
  const running = await run(['--socket'], [process.execPath, UNCHANGED_APP]);
  await mariaIn(running);
  running.child.kill('SIGTERM');
  expect(await running.ended).toBe(9);
  expect(running.said()).toContain('The app was told to end.');
});

it('Ctrl-C ends a program that npm has started', async () => {
  const start = `node -e "console.log('The program is up.'); setInterval(() => {}, 1000)"`;
  const npmFolder = await mkdtemp(join(folder, 'npm-'));
  await writeFile(join(npmFolder, 'package.json'), JSON.stringify({ scripts: { start } }));
  const running = await run(['--socket'], ['npm', 'start', '--prefix', npmFolder]);
  await running.says('\nThe program is up.');
  running.child.kill('SIGINT');
  expect(await running.ended).toBe(130);
});

it('a command that ignores SIGTERM is ended after npx, which has started the workspace', async () => {
  const stubborn = `process.on('SIGTERM', () => {}); console.log('My process is ' + process.pid + '.'); setInterval(() => {}, 1000)`;
  const args = [MAIN, 'run', '--manifest', manifest, '--port', '0', '--socket', '--', process.execPath, '-e', stubborn];
  const npx = spawn('sh', ['-c', '"$@"; true', 'sh', process.execPath, ...args], {
    env: { ...process.env, npm_command: 'exec' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  started.push(npx);
  let said = '';
  npx.stdout.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  const id = await eventually(
    async () => /My process is (\d+)\./.exec(said)?.[1],
    async () => said,
  );
  npx.kill('SIGTERM');
  await expect.poll(() => runs(Number(id)), { timeout: 10_000 }).toBe(false);
});

it('npx that ends while the workspace still starts leaves nothing running', async () => {
  const args = [MAIN, '--manifest', manifest, '--port', '0', '--socket'];
  // The manifest comes late, from a pipe: npx is gone by then.
  const pipe = join(folder, 'late.json');
  await promisify(execFile)('mkfifo', [pipe]);
  args[2] = pipe;
  const npx = spawn('sh', ['-c', '"$@" & echo "$!"; read line', 'sh', process.execPath, ...args], {
    env: { ...process.env, npm_command: 'exec' },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  started.push(npx);
  const [line] = await once(npx.stdout.setEncoding('utf8'), 'data');
  const id = Number(line);
  // Opening the pipe waits until the workspace reads from it.
  const late = await open(pipe, 'w');
  npx.kill('SIGKILL');
  await once(npx, 'exit');
  await late.writeFile(JSON.stringify(MANIFEST));
  await late.close();
  await expect.poll(() => runs(id), { timeout: 10_000 }).toBe(false);
});

it('nothing that the command has started is left when it ends', async () => {
  const left = `require('fs').writeFileSync(process.argv[1], String(process.pid)); setInterval(() => {}, 1000)`;
  const pidFile = join(folder, 'pid');
  const script = `node -e "${left}" ${pidFile} & while ! [ -s ${pidFile} ]; do sleep 0.05; done; kill -KILL $$`;
  const running = await run(['--socket'], ['sh', '-c', script]);
  expect(await running.ended).toBe(128 + 9);
  const pid = Number(await readFile(pidFile, 'utf8'));
  expect(runs(pid)).toBe(false);
});

it('a command finds addresses and tokens in its environment, beside its own options of Node.js', async () => {
  const print =
    'const { SLACK_API_URL, SLACK_BOT_TOKEN, SLACK_APP_TOKEN, SLACK_SIGNING_SECRET } = process.env; console.log(JSON.stringify({ SLACK_API_URL, SLACK_BOT_TOKEN, SLACK_APP_TOKEN, SLACK_SIGNING_SECRET }), typeof gc)';
  const running = await run(['--socket'], [process.execPath, '-e', print], { NODE_OPTIONS: '--expose-gc' });
  expect(await running.ended).toBe(0);
  expect(running.said()).toMatch(
    /\{"SLACK_API_URL":"http:\/\/127\.0\.0\.1:\d+\/api\/","SLACK_BOT_TOKEN":"xoxb-sandbox-bot-token","SLACK_APP_TOKEN":"xapp-1-sandbox-app-token","SLACK_SIGNING_SECRET":"sandbox-signing-secret"\} function/,
  );
});

it('the workspace listens at --host, and its people and messages are those of --seed', async () => {
  const seed = join(folder, 'seed.yml');
  await writeFile(
    seed,
    'people: [{ name: zoe, realName: Zoe }]\nchannels: [{ name: tea }]\nmessages: [{ channel: tea, from: zoe, text: Hello }]',
  );
  const print = 'console.log(process.env.SLACK_API_URL); setInterval(() => {}, 1000)';
  const running = await run(['--socket', '--host', 'localhost', '--seed', seed], [process.execPath, '-e', print]);
  const page = await eventually(
    async () => running.page(),
    async () => running.said(),
  );
  await running.says(`${page}api/\n`);
  expect(page).toMatch(/^http:\/\/localhost:\d+\/$/);
  await createPerson(createRemoteClient(page), 'UZOE').sees('#tea', 'Hello');
});

it.each([
  [['--host', '192.0.2.1'], 1, '--host 192.0.2.1 is no name or address of this machine.'],
  [['--seed', 'nowhere.yml'], 2, "nowhere.yml can't be read: ENOENT."],
  [['--seed', 'package.json'], 2, "The seed package.json can't be used: /people: "],
])('%j is refused before the command starts, and why is said', async (options, code, reason) => {
  const running = await run(['--socket', ...options], [process.execPath, '-e', 'console.log("started")']);
  expect(await running.ended).toBe(code);
  expect(running.said()).toContain(reason);
  expect(running.said()).not.toContain('started');
});

it('A command that can’t be started is named, and nothing stays', async () => {
  const running = await run(['--socket'], ['no-such-command']);
  expect(await running.ended).toBe(127);
  expect(running.said()).toContain("no-such-command can't be started: ENOENT.");
});

it.each(['slack-workspace', 'crew-service'])('%s says its version', async (name) => {
  const built = join(CHECKOUT, 'src/sandbox', name);
  const { version } = JSON.parse(await readFile(join(built, 'package.json'), 'utf8'));
  const child = spawn(process.execPath, [join(built, 'dist/main.js'), '--version'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  expect(await text(child.stdout)).toBe(`${version}\n`);
});
