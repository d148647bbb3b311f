import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { CHECKOUT } from '../../../src/setup/commands.mjs';
import { freePort, reservePort } from '../../../src/setup/free-port.ts';

export type Demo = {
  pageUrl: string;
  port: number;
  /** What it has printed so far. */
  said(): string;
  /** Stops the demo as Ctrl-C does. Resolves once all its processes have ended. */
  stop(): Promise<void>;
};

/** Runs `npm run demo`. Resolves once the demo announces itself; rejects with its output if it exits instead. */
export async function startDemo({ folder, port }: { folder: string; port?: number }): Promise<Demo> {
  const at = port ?? (await freePorts());
  const args = ['src/setup/run.mjs', 'src/sandbox/demo/main.ts', '--port', `${at}`, '--folder', folder];
  const child = spawn(process.execPath, args, { cwd: CHECKOUT, stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = once(child, 'exit');
  let said = '';
  await new Promise<void>((resolve, reject) => {
    for (const output of [child.stdout, child.stderr])
      output.setEncoding('utf8').on('data', (text: string) => {
        said += text;
        if (said.includes('All of its data is in')) resolve();
      });
    child.once('exit', (code) => reject(new Error(`The demo exited during start-up (${code}): ${said}`)));
  });
  return {
    pageUrl: `http://localhost:${at}/`,
    port: at,
    said: () => said,
    stop: async () => {
      child.kill('SIGTERM');
      await ended;
    },
  };
}

/** A free port for the page whose companions for the crews and the bot are free too. */
async function freePorts(): Promise<number> {
  for (;;) {
    const page = await freePort();
    if ((await reservePort(page + 100)) && (await reservePort(page + 200))) return page;
  }
}

/** Where the demo publishes. */
export const publishedIn = (folder: string) => join(folder, 'output');
