import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { SetupError, say } from '../../setup/commands.mjs';
import { startRedisProcess } from '../../setup/redis-process.ts';
import { exampleCrewFile, startCrewService } from '../crew-service/service.ts';
import { spawnBot } from './bot.ts';
import { type DemoSettings, readDemoSettings } from './command-line.ts';
import { TOKEN_VARIABLE, writeCrewsFile } from './crews-file.ts';
import { requireFreePorts } from './require-free-ports.ts';
import { ensureSampleProject } from './sample-project.ts';
import { startWorkspace } from './workspace.ts';

/** Slow enough to watch, fast enough not to bore. */
const TASK_DELAY_MS = 1_500;

/** Stops what has been started, in reverse order. */
const stops: (() => Promise<void>)[] = [];
let isStopping = false;

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stop(0));
try {
  const settings = readDemoSettings(process.argv.slice(2));
  await start(settings);
  announce(settings);
} catch (error) {
  if (!(error instanceof SetupError)) console.error(error);
  else say(error.message);
  await stop(1);
}

async function start({ folder, ports }: DemoSettings): Promise<void> {
  await requireFreePorts(ports);
  await mkdir(join(folder, 'redis'), { recursive: true });
  const secret = await persistentSecret(join(folder, 'secret'));
  const redis = await startRedisProcess({ folder: join(folder, 'redis'), appendOnly: true });
  stops.push(() => redis.end());
  const crews = await startCrewService({
    port: ports.crews,
    redisUrl: redis.url,
    crews: [],
    crewFiles: [exampleCrewFile({ outputFolder: join(folder, 'output'), taskDelayMs: TASK_DELAY_MS })],
    crewProcesses: { env: process.env },
    tokens: { organisation: secret },
  });
  stops.push(() => crews.close());
  const publicUrl = `http://127.0.0.1:${ports.bot}`;
  const workspace = await startWorkspace({ folder, port: ports.page, requestUrl: `${publicUrl}/slack/events` });
  stops.push(() => workspace.close());
  await startBot({
    PORT: String(ports.bot),
    PUBLIC_URL: publicUrl,
    SLACK_BOT_TOKEN: workspace.botToken,
    SLACK_SIGNING_SECRET: workspace.signingSecret,
    SLACK_APP_TOKEN: '',
    SLACK_API_URL: workspace.apiUrl,
    REDIS_URL: redis.url,
    APP_SECRET: secret,
    CREWS_FILE: await writeCrewsFile(folder, { baseUrlOf: crews.baseUrlOf, sample: await ensureSampleProject(folder) }),
    [TOKEN_VARIABLE]: secret,
    LOG_LEVEL: process.env.LOG_LEVEL ?? 'warn',
  });
}

async function startBot(settings: Record<string, string> & { PUBLIC_URL: string }): Promise<void> {
  const bot = spawnBot({ ...process.env, ...settings }, settings.PUBLIC_URL);
  stops.push(() => bot.stop());
  await bot.untilReady();
  void bot.exited.then((code) => {
    if (!isStopping) say(`The bot exited unexpectedly (${code}).`);
    void stop(1);
  });
}

function announce({ folder, ports }: DemoSettings): void {
  const relativePath = relative(process.cwd(), folder);
  const shownFolder = relativePath.startsWith('..') ? folder : relativePath;
  say('');
  say(`Signoff is running. Open http://localhost:${ports.page} and type /kickoff in #releases.`);
  say(
    `Published notes go to ${join(shownFolder, 'output')}. Ctrl-C stops the demo; its state stays in ${shownFolder}.`,
  );
}

async function stop(code: number): Promise<void> {
  if (isStopping) return;
  isStopping = true;
  for (const stopOne of stops.reverse()) await stopOne();
  process.exit(code);
}

/** The same secret across restarts, so that credentials remain valid. */
async function persistentSecret(file: string): Promise<string> {
  if (!existsSync(file)) await writeFile(file, randomBytes(32).toString('hex'), { mode: 0o600 });
  return (await readFile(file, 'utf8')).trim();
}
