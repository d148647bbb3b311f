import { createServer } from 'node:net';
import { SetupError } from '../../setup/commands.mjs';
import type { DemoSettings } from './command-line.ts';

/** The bot listens on all addresses, the others on this one alone. */
const LOOPBACK = '127.0.0.1';

/** @throws {SetupError} that says how to choose other ports, if one of the demo's can't be used */
export async function requireFreePorts({ page, crews, bot }: DemoSettings['ports']): Promise<void> {
  const needed = [
    { port: page, what: "the workspace's page", hosts: [LOOPBACK] },
    { port: crews, what: 'the crews', hosts: [LOOPBACK] },
    { port: bot, what: 'the bot', hosts: [LOOPBACK, undefined] },
  ];
  for (const { port, what, hosts } of needed) {
    for (const host of hosts) {
      const code = await whyNotFree(port, host);
      if (code !== null) throw new SetupError(sentenceOf({ port, what, code }));
    }
  }
}

function sentenceOf({ port, what, code }: { port: number; what: string; code: string }): string {
  const reason = code === 'EADDRINUSE' ? 'is in use (by another demo?)' : `can't be opened (${code})`;
  const other = 'npm run demo -- --port 5000 --folder .demo/second';
  return `Port ${port}, for ${what}, ${reason}. Stop what uses it, or choose another one with --port: ${other}`;
}

/** The code of what keeps us from listening; null if nothing does. @param host all addresses without one */
function whyNotFree(port: number, host: string | undefined): Promise<string | null> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error) => resolve('code' in error ? String(error.code) : error.name));
    server.listen({ port, host }, () => server.close(() => resolve(null)));
  });
}
