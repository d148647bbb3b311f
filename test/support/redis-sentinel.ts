import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { freePort } from '../../src/setup/free-port.ts';
import { ensureRedisServer } from '../../src/setup/system-programs.mjs';

const MASTER = 'crew-db';

/** A Sentinel that is a majority by itself. */
export interface TestSentinel {
  /** For `REDIS_URL`. */
  url: string;
  /** Its answer to a command about its master. */
  says(command: 'REPLICAS' | 'FAILOVER' | 'GET-MASTER-ADDR-BY-NAME'): Promise<string>;
  stop(): Promise<void>;
}

/** @param downAfterMs how long the master may be silent until it counts as gone. Default: 30 s */
export async function startSentinel(
  masterPort: number,
  { downAfterMs = 30_000 }: { downAfterMs?: number } = {},
): Promise<TestSentinel> {
  const folder = await mkdtemp(join(tmpdir(), 'signoff-sentinel-'));
  const port = await freePort();
  const file = join(folder, 'sentinel.conf');
  const settings = [
    `port ${port}`,
    'bind 127.0.0.1',
    `sentinel monitor ${MASTER} 127.0.0.1 ${masterPort} 1`,
    `sentinel down-after-milliseconds ${MASTER} ${downAfterMs}`,
  ];
  await writeFile(file, settings.join('\n'));
  const child = spawn(await ensureRedisServer(), [file, '--sentinel'], { stdio: 'ignore' });
  const client = new Redis(port);
  client.on('error', () => {});
  return {
    url: `redis+sentinel://127.0.0.1:${port}/${MASTER}`,
    says: async (command) => String(await client.call('SENTINEL', command, MASTER)),
    async stop() {
      client.disconnect();
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
      await rm(folder, { recursive: true });
    },
  };
}
