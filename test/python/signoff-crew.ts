import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensurePythonPackages, FOR_TESTS } from '../../src/setup/python.mjs';
import { type CrewCaller, crewCaller } from '../sandbox/crew-service/crew-caller.ts';
import { until } from '../sandbox/crew-service/until.ts';

export const CREW_TOKEN = 'a-token-of-python';

export interface SignoffCrew {
  readonly baseUrl: string;
  readonly port: number;
  readonly caller: CrewCaller;
  /** What it has written to stderr. */
  log(): Promise<string>;
  /** Resolves to its exit code. */
  readonly exited: Promise<number | null>;
  stop(signal?: NodeJS.Signals): Promise<number | null>;
}

interface Options {
  /** The folder in which the module lies. Default: that of this file. */
  cwd?: string;
  /** Where runs are kept: a path, or the address of a Redis. */
  state: string;
  /** Default: a free one. */
  port?: number;
  /** A folder for its log. */
  folder: string;
  python?: string;
  env?: Record<string, string>;
  args?: string[];
}

/** Starts `signoff-crew serve`. Resolves once it answers requests, if only to say that it is starting. */
export async function startSignoffCrew(target: string, options: Options): Promise<SignoffCrew> {
  const { cwd = dirname(fileURLToPath(import.meta.url)), state, folder, env, port = 0, args = [] } = options;
  const python = options.python ?? (await ensurePythonPackages('python', FOR_TESTS));
  const program = join(dirname(python), 'signoff-crew');
  const file = join(folder, 'signoff-crew.log');
  const log = createWriteStream(file, { flags: 'a' });
  await once(log, 'open');
  const child = spawn(program, ['serve', target, '--port', String(port), '--state', state, ...args], {
    cwd,
    env: { ...process.env, CREW_TOKEN, PYTHONDONTWRITEBYTECODE: '1', ...env },
    stdio: ['ignore', 'pipe', log],
  });
  const exited = once(child, 'exit').then(([code]) => code);
  let said = '';
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  const read = () => readFile(file, 'utf8');
  const baseUrl = await until('signoff-crew', async () => {
    if (child.exitCode !== null) throw new Error(await read());
    return /: (http:\S+)\n/.exec(said)?.[1];
  });
  return {
    baseUrl,
    port: Number(new URL(baseUrl).port),
    caller: crewCaller(baseUrl, CREW_TOKEN),
    log: read,
    exited,
    stop(signal = 'SIGTERM') {
      child.kill(signal);
      return exited;
    },
  };
}

/** Waits until it has restored its runs. */
export async function isServing({ caller }: SignoffCrew): Promise<void> {
  await until('the crew', async () => (await caller.get('/inputs')).status === 200);
}
