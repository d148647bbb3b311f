import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { ensurePython } from '../../../../src/setup/system-programs.mjs';
import { until } from '../until.ts';

const EXAMPLE = fileURLToPath(
  new URL('../../../../src/sandbox/crew-service/examples/python/crew_service.py', import.meta.url),
);

export const PYTHON_TOKEN = 'a-token-of-python';

export interface PythonService {
  readonly baseUrl: string;
  readonly port: number;
  /** What it has written to stderr. */
  log(): string;
  stop(): Promise<void>;
}

/** Starts the example in Python. Without a folder that has the package `crewai`, it serves its stub. */
export async function startPythonService(packages = ''): Promise<PythonService> {
  const child = spawn(await ensurePython(), [EXAMPLE, '0'], {
    env: { ...process.env, CREW_TOKEN: PYTHON_TOKEN, PYTHONDONTWRITEBYTECODE: '1', PYTHONPATH: packages },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [said, log] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    log += text;
  });
  const baseUrl = await until('the service in Python', () => {
    if (child.exitCode !== null) throw new Error(log);
    return /(?:Stub|Installed)Crew: (http:\S+)\n/.exec(said)?.[1];
  });
  return {
    baseUrl,
    port: Number(new URL(baseUrl).port),
    log: () => log,
    async stop() {
      const exited = once(child, 'exit');
      child.kill('SIGKILL');
      await exited;
    },
  };
}
