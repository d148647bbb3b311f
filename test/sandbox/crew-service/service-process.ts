import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { BUILT_PACKAGE } from './built-package.ts';
import { until } from './until.ts';

const START_MS = 60_000;

export const PROCESS_TOKEN = 'org-token';

export interface ServiceProcess {
  readonly origin: string;
  readonly process: ChildProcess;
  /** What it has written to stderr and, as a log, to stdout. */
  output(): string;
  /** Its exit code; null if a signal ended it. */
  readonly exited: Promise<number | null>;
  kill(): Promise<void>;
}

/** Where a service runs and listens, and what it and its crews find in their environment. */
type Place = { readonly env?: NodeJS.ProcessEnv; readonly cwd?: string; readonly port?: number };

/** Starts the service as a process of its own, as `crew-service` does. @param crews files of crews */
export async function startServiceProcess(
  redisUrl: string,
  crews: string | readonly string[],
  { env = {}, cwd, port = 0 }: Place = {},
): Promise<ServiceProcess> {
  const files = [crews].flat().flatMap((file) => ['--crews', file]);
  const args = ['--port', `${port}`, '--redis', redisUrl, ...files];
  const main = join(BUILT_PACKAGE, 'main.js');
  const child = spawn(process.execPath, [main, ...args, '--sandbox'], {
    cwd,
    env: { ...process.env, ...env, CREW_SERVICE_TOKEN: PROCESS_TOKEN, LOG_LEVEL: 'warn' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const exited = once(child, 'exit').then(([code]): number | null => code);
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  const address = () => {
    if (child.exitCode !== null) throw new Error(`The service has ended:\n${output}`);
    return /(http:\/\/127\.0\.0\.1:\d+)\/crews/.exec(output)?.[1];
  };
  // It starts another process for its crews.
  const origin = await until('the service', address, START_MS);
  return {
    origin,
    process: child,
    output: () => output,
    exited,
    async kill() {
      child.kill('SIGKILL');
      await exited;
    },
  };
}
