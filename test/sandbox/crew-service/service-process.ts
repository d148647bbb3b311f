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

/** Starts the service as a process of its own, as `crew-service` does. @param crews a file of crews */
export async function startServiceProcess(redisUrl: string, crews: string): Promise<ServiceProcess> {
  const args = ['--port', '0', '--redis', redisUrl, '--crews', crews, '--sandbox'];
  const main = join(BUILT_PACKAGE, 'main.js');
  const child = spawn(process.execPath, [main, ...args], {
    env: { ...process.env, CREW_SERVICE_TOKEN: PROCESS_TOKEN, LOG_LEVEL: 'warn' },
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
