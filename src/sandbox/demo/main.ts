// Runs all of Signoff on this machine, without accounts: Redis, the crew service, a Slack workspace and the bot.
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { SetupError, say } from '../../setup/commands.mjs';
import { freePort } from '../../setup/free-port.ts';
import { readCommandLine } from '../../setup/usage.mjs';
import { type DemoSettings, readDemoSettings } from './command-line.ts';
import { demoControls, type PartName, type RunningDemo } from './controls.ts';
import { TOKEN_VARIABLE, writeCrewsFile, writeExampleLog } from './crews-file.ts';
import { crewUrl, startBot, startCrewService, startRedis } from './parts.ts';
import { requireFreePorts } from './require-free-ports.ts';
import { ensureSampleProject } from './sample-project.ts';
import { type Running, supervise } from './supervisor.ts';
import { startWorkspace } from './workspace.ts';

/** Stops what has been started, in reverse order. */
const stops: (() => Promise<void>)[] = [];
let isStopping = false;

const demo: RunningDemo = { slack: undefined, parts: new Map() };

const settings = readCommandLine('src/sandbox/demo/main.ts', readDemoSettings);
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stop(0));
try {
  await start(settings);
  announce(settings);
} catch (error) {
  if (!(error instanceof SetupError)) console.error(error);
  else say(error.message);
  await stop(1);
}

async function start({ folder, ports, isVerbose }: DemoSettings): Promise<void> {
  await requireFreePorts(ports);
  const redisFolder = join(folder, 'redis');
  await mkdir(redisFolder, { recursive: true });
  const token = await persistentSecret(join(folder, 'secret'));
  const redisPort = await freePort();
  const redisUrl = `redis://127.0.0.1:${redisPort}`;
  const sample = await ensureSampleProject(folder);
  if (sample === null) say('git isn’t installed, so the release notes have no sample project: try incident-report.');
  const log = await writeExampleLog(folder);
  const { env } = process;
  const logFile = isVerbose ? null : join(folder, 'log');
  if (logFile !== null) await writeFile(logFile, '');
  const crewService = { env, logFile, port: ports.crews, redisUrl, token, outputFolder: join(folder, 'output') };
  const publicUrl = `http://127.0.0.1:${ports.bot}`;

  await startPart('redis', 'Redis', () => startRedis({ folder: redisFolder, port: redisPort }));
  await startPart('crew-service', 'The crew service', (stopping) => startCrewService({ ...crewService, stopping }));
  const slack = await startWorkspace({
    folder,
    port: ports.page,
    requestUrl: `${publicUrl}/slack/events`,
    controls: demoControls(demo, { sample, log }),
  });
  stops.push(() => slack.close());
  demo.slack = slack;
  const botEnv = {
    ...env,
    PORT: String(ports.bot),
    PUBLIC_URL: publicUrl,
    SLACK_BOT_TOKEN: slack.botToken,
    SLACK_SIGNING_SECRET: slack.signingSecret,
    SLACK_APP_TOKEN: '',
    SLACK_API_URL: slack.apiUrl,
    REDIS_URL: redisUrl,
    APP_SECRET: token,
    CREWS_FILE: await writeCrewsFile(folder, { baseUrlOf: (crew) => crewUrl(ports.crews, crew), sample, log }),
    [TOKEN_VARIABLE]: token,
  };
  await startPart('bot', 'The bot', (stopping) => startBot({ env: botEnv, logFile, publicUrl, stopping }));
}

async function startPart(part: PartName, name: string, startIt: (stopping: AbortSignal) => Promise<Running>) {
  const supervised = await supervise({ name, start: startIt, tell });
  stops.push(() => supervised.stop());
  demo.parts.set(part, supervised);
}

/** On the terminal and on every open page. */
function tell(text: string): void {
  say(text);
  demo.slack?.announce(text);
}

/** Prints the first facts for a newcomer; docs/demo.md has the rest. */
function announce({ folder, ports }: DemoSettings): void {
  const relativePath = relative(process.cwd(), folder);
  say(`
Signoff is running. Open http://localhost:${ports.page}

  1. You are Maria, a release manager. Type /kickoff in #releases and press Start.
  2. Approve the draft that appears, or press Reject… and say what should be better.
  3. Publishing takes two people: become Aiko with “You are…”, at the top left, and approve it, too.

There is more to try in docs/demo.md. Ctrl-C stops the demo, and the next start goes on where it was.
All of its data is in ${relativePath.startsWith('..') ? folder : relativePath}.`);
}

async function stop(code: number): Promise<void> {
  if (isStopping) return;
  isStopping = true;
  for (const stopOne of stops.reverse()) await stopOne();
  process.exit(code);
}

/** Returns the same secret across restarts, so that credentials remain valid. */
async function persistentSecret(file: string): Promise<string> {
  if (!existsSync(file)) await writeFile(file, randomBytes(32).toString('hex'), { mode: 0o600 });
  return (await readFile(file, 'utf8')).trim();
}
