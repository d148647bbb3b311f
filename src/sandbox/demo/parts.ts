// The demo's parts that run in processes of their own, started as a user starts them: Redis, the crew service and the bot.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { CHECKOUT, lastLines, SetupError } from '../../setup/commands.mjs';
import { startRedisProcess } from '../../setup/redis-process.ts';
import type { Running } from './supervisor.ts';

/** A Redis that has each change on its disk before it answers, and its data after it was killed. */
export async function startRedis({ folder, port }: { folder: string; port: number }): Promise<Running> {
  const redis = await startRedisProcess({ folder, port, appendOnly: true, ownGroup: true });
  return { ended: redis.ended, kill: () => redis.signal('SIGKILL'), stop: () => redis.end() };
}

type CrewServiceOptions = {
  readonly stopping: AbortSignal;
  readonly env: NodeJS.ProcessEnv;
  readonly logFile: string | null;
  readonly port: number;
  readonly redisUrl: string;
  readonly token: string;
  /** The folder in which `crews.ts` publishes. */
  readonly outputFolder: string;
};

export function startCrewService({
  stopping,
  env,
  logFile,
  port,
  redisUrl,
  token,
  outputFolder,
}: CrewServiceOptions): Promise<Running> {
  const program = fileURLToPath(new URL('./main.js', import.meta.resolve('@signoff/crew-service')));
  const crews = join(CHECKOUT, 'src/sandbox/demo/crews.ts');
  return startProgram({
    name: 'The crew service',
    stopping,
    logFile,
    args: [program, '--port', `${port}`, '--redis', redisUrl, '--crews', crews],
    env: { ...env, CREW_SERVICE_TOKEN: token, DEMO_OUTPUT_FOLDER: outputFolder },
    isReady: () => answers(`${crewUrl(port, 'release-notes')}/inputs`, { authorization: `Bearer ${token}` }),
  });
}

/** For the crews file of the bot. */
export function crewUrl(port: number, crew: string): string {
  return `http://127.0.0.1:${port}/crews/${crew}`;
}

type BotOptions = {
  readonly stopping: AbortSignal;
  readonly env: NodeJS.ProcessEnv;
  readonly logFile: string | null;
  readonly publicUrl: string;
};

/** The bot as in production. */
export function startBot({ env, logFile, publicUrl, stopping }: BotOptions): Promise<Running> {
  return startProgram({
    name: 'The bot',
    stopping,
    logFile,
    args: [join(CHECKOUT, 'dist/main.js')],
    env,
    isReady: () => answers(`${publicUrl}/readyz`),
  });
}

type Program = {
  /** The name at the beginning of a sentence. */
  readonly name: string;
  readonly stopping: AbortSignal;
  /** Options of Node.js. */
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  /** The file of its standard output; null for the terminal, which always gets its errors. */
  readonly logFile: string | null;
  isReady(): Promise<boolean>;
};

/** In a group of its own: Ctrl-C then reaches the demo alone, which stops its parts in order. */
async function startProgram({ name, stopping, args, env, logFile, isReady }: Program): Promise<Running> {
  const log = logFile === null ? null : openSync(logFile, 'a');
  const child = spawn(process.execPath, args, {
    cwd: CHECKOUT,
    env,
    stdio: ['ignore', log ?? 'inherit', 'inherit'],
    detached: true,
  });
  if (log !== null) closeSync(log);
  children.add(child);
  const ended = once(child, 'exit').then(([code, signal]) => {
    children.delete(child);
    return String(signal ?? `exit code ${code}`);
  });
  const stop = async () => {
    child.kill('SIGTERM');
    await ended;
  };
  while (!(await isReady())) {
    if (!children.has(child)) throw new SetupError(`${name} did not start: ${whyNot(logFile)}`);
    if (stopping.aborted) await stop();
    else await pause(READY_POLL_MS);
  }
  return { ended, kill: () => void child.kill('SIGKILL'), stop };
}

const READY_POLL_MS = 50;

/** The end of what it has logged. */
function whyNot(logFile: string | null): string {
  return logFile === null ? 'see above.' : `${logFile} ends with\n${lastLines(readFileSync(logFile, 'utf8'))}`;
}

// Otherwise a demo that fails would leave them running.
const children = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of children) child.kill('SIGKILL');
});

async function answers(url: string, headers: Readonly<Record<string, string>> = {}): Promise<boolean> {
  const response = await fetch(url, { headers }).catch(() => undefined);
  await response?.body?.cancel();
  return response?.ok ?? false;
}
