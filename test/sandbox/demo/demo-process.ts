import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { CHECKOUT } from '../../../src/setup/commands.mjs';
import { freePort, reservePort } from '../../../src/setup/free-port.ts';

export type Demo = {
  pageUrl: string;
  port: number;
  /** Ends it as Ctrl-C does, and resolves when nothing of it runs any more. */
  stop(): Promise<void>;
};

/** Runs what `npm run demo` runs. Resolves when it says that everything runs; rejects with all that it said. */
export async function startDemo({ folder, port }: { folder: string; port?: number }): Promise<Demo> {
  const at = port ?? (await freePorts());
  const args = ['src/setup/cli.mjs', 'run', 'src/sandbox/demo/main.ts', '--port', `${at}`, '--folder', folder];
  const child = spawn(process.execPath, args, { cwd: CHECKOUT, stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = once(child, 'exit');
  let said = '';
  await new Promise<void>((resolve, reject) => {
    for (const output of [child.stdout, child.stderr])
      output.setEncoding('utf8').on('data', (text: string) => {
        said += text;
        if (said.includes('Signoff runs.')) resolve();
      });
    child.once('exit', (code) => reject(new Error(`The demo ended at its start (${code}): ${said}`)));
  });
  return {
    pageUrl: `http://localhost:${at}/`,
    port: at,
    stop: async () => {
      child.kill('SIGTERM');
      await ended;
    },
  };
}

/** The port of the page, with those that the crews and the bot take. */
async function freePorts(): Promise<number> {
  for (;;) {
    const page = await freePort();
    if ((await reservePort(page + 100)) && (await reservePort(page + 200))) return page;
  }
}

/** Where the demo publishes. */
export const publishedIn = (folder: string) => join(folder, 'output');
