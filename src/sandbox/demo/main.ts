import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join, relative } from 'node:path';
import { CHECKOUT, SetupError, say } from '../../setup/commands.mjs';
import { startRedisProcess } from '../../setup/redis-process.ts';
import { incidentReportCrew } from '../crew-service/crews/incident-report/crew.ts';
import { releaseNotesCrew } from '../crew-service/crews/release-notes/crew.ts';
import { type CrewService, startCrewService } from '../crew-service/start-crew-service.ts';
import { buildPage } from '../slack-workspace/build-page.ts';
import { type SlackWorkspace, startSlackWorkspace } from '../slack-workspace/start-slack-workspace.ts';
import { DEFAULT_SEED, type Seed } from '../slack-workspace/state/seed.ts';
import { demoApp } from './app.ts';
import { type DemoSettings, readDemoSettings } from './command-line.ts';
import { demoCrewsFile, exampleLog, TOKEN_VARIABLE } from './crews.ts';
import { offeredHistory } from './history.ts';

const WELCOME =
  'Type */kickoff* below: a crew drafts release notes from a git repository and asks you to approve them.';
/** Slow enough to watch, quick enough not to wait. */
const PACE_MS = 1_500;

/** What has been started, to be ended in the opposite order. */
const started: (() => Promise<void>)[] = [];
let isEnding = false;

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => end(0));
try {
  await run(readDemoSettings(process.argv.slice(2)));
} catch (error) {
  if (!(error instanceof SetupError)) console.error(error);
  else say(error.message);
  await end(1);
}

async function run(settings: DemoSettings): Promise<void> {
  const { folder, ports } = settings;
  for (const port of Object.values(ports)) await insistOnFree(port);
  await mkdir(join(folder, 'redis'), { recursive: true });
  const secret = await keptSecret(join(folder, 'secret'));
  const redis = await startRedisProcess({ folder: join(folder, 'redis'), appendOnly: true });
  started.push(() => redis.end());
  const crews = await startCrews(settings, { redisUrl: redis.url, secret });
  const workspace = await startWorkspace(settings);
  await startBot({
    PORT: String(ports.bot),
    PUBLIC_URL: `http://127.0.0.1:${ports.bot}`,
    SLACK_BOT_TOKEN: workspace.botToken,
    SLACK_SIGNING_SECRET: workspace.signingSecret,
    SLACK_APP_TOKEN: '',
    SLACK_API_URL: workspace.apiUrl,
    REDIS_URL: redis.url,
    APP_SECRET: secret,
    CREWS_FILE: await writeCrewsFile(settings, crews),
    [TOKEN_VARIABLE]: secret,
    LOG_LEVEL: process.env.LOG_LEVEL ?? 'warn',
  });
  say('');
  say(`Signoff runs. Open http://localhost:${ports.page} and type /kickoff in #releases.`);
  const nearby = relative(process.cwd(), folder);
  const kept = nearby.startsWith('..') ? folder : nearby;
  say(`What you publish is written to ${join(kept, 'output')}. Ctrl-C ends the demo; its state is kept in ${kept}.`);
}

async function startCrews(
  { folder, ports }: DemoSettings,
  { redisUrl, secret }: { redisUrl: string; secret: string },
): Promise<CrewService> {
  const service = await startCrewService({
    port: ports.crews,
    redisUrl,
    crews: [
      releaseNotesCrew({ outputFolder: join(folder, 'output'), model: modelFrom(process.env), paceMs: PACE_MS }),
      incidentReportCrew({ paceMs: PACE_MS }),
    ],
    tokens: { organisation: secret },
  });
  started.push(() => service.close());
  return service;
}

async function startWorkspace({ folder, ports }: DemoSettings): Promise<SlackWorkspace> {
  const workspace = await startSlackWorkspace({
    port: ports.page,
    origin: `http://localhost:${ports.page}`,
    pageDir: await buildPage(),
    stateFile: join(folder, 'workspace.json'),
    seed: demoSeed(),
    app: { ...(await demoApp()), delivery: { mode: 'http', requestUrl: `http://127.0.0.1:${ports.bot}/slack/events` } },
  });
  started.push(() => workspace.close());
  return workspace;
}

/** The page opens with the first channel: the one that says what to try. */
function demoSeed(): Seed {
  const isFirst = ({ name }: Seed['channels'][number]) => name === 'releases';
  const others = DEFAULT_SEED.channels.filter((channel) => !isFirst(channel));
  const channels = [...DEFAULT_SEED.channels.filter(isFirst), ...others];
  return { ...DEFAULT_SEED, channels, welcome: { channel: 'releases', text: WELCOME } };
}

async function writeCrewsFile({ folder }: DemoSettings, { baseUrlOf }: CrewService): Promise<string> {
  const log = join(folder, 'example.log');
  if (!existsSync(log)) await writeFile(log, exampleLog(new Date()));
  const file = join(folder, 'crews.yml');
  await writeFile(file, demoCrewsFile({ baseUrlOf, history: await offeredHistory(CHECKOUT), log }));
  return file;
}

/** The bot as it runs in production, in a process of its own. Resolves when it is ready. */
async function startBot(environment: Record<string, string>): Promise<void> {
  const bot = spawn(process.execPath, [join(CHECKOUT, 'dist', 'main.js')], {
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, ...environment },
  });
  const ended = once(bot, 'exit');
  started.push(async () => {
    bot.kill('SIGTERM');
    await ended;
  });
  await untilReady(`${environment.PUBLIC_URL}/readyz`, bot);
  bot.once('exit', (code) => {
    if (!isEnding) say(`The bot ended by itself (${code}).`);
    void end(1);
  });
}

async function untilReady(url: string, child: ChildProcess): Promise<void> {
  while (child.exitCode === null && child.signalCode === null) {
    const answer = await fetch(url).catch(() => null);
    if (answer?.ok) return;
    await new Promise((resume) => setTimeout(resume, 50));
  }
  throw new SetupError('The bot did not start: see above.');
}

async function end(code: number): Promise<void> {
  if (isEnding) return;
  isEnding = true;
  for (const close of started.reverse()) await close();
  process.exit(code);
}

/** The same over restarts, so that credentials stay valid. */
async function keptSecret(file: string): Promise<string> {
  if (!existsSync(file)) await writeFile(file, randomBytes(32).toString('hex'), { mode: 0o600 });
  return (await readFile(file, 'utf8')).trim();
}

/** Any OpenAI-compatible server drafts in place of the plain writer. */
function modelFrom({ OPENAI_BASE_URL: baseUrl, OPENAI_API_KEY: apiKey, OPENAI_MODEL: name }: NodeJS.ProcessEnv) {
  return baseUrl && apiKey ? { baseUrl, apiKey, name: name ?? 'gpt-4o-mini' } : undefined;
}

function insistOnFree(port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', () =>
      reject(new SetupError(`Port ${port} is in use. Please end what listens there, perhaps another demo.`)),
    );
    server.listen(port, '127.0.0.1', () => server.close(() => resolve()));
  });
}
