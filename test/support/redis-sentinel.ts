import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { freePort } from '../../src/setup/free-port.ts';
import { ensureRedisServer } from '../../src/setup/system-programs.mjs';

const MASTER = 'crew-db';

/** A Sentinel, by itself or one of several that know each other by their master. */
export interface TestSentinel {
  /** For `REDIS_URL`. */
  url: string;
  /** Its answer to a command about its master. */
  says(command: 'MASTER' | 'REPLICAS' | 'FAILOVER' | 'GET-MASTER-ADDR-BY-NAME'): Promise<string>;
  /** It keeps its connections and answers nothing, until `resume`. */
  pause(): void;
  resume(): void;
  stop(): Promise<void>;
}

export interface SentinelOptions {
  /** How long the master may be silent until it counts as gone. Default: 30 s */
  downAfterMs?: number;
  /** Default: three minutes, as with Redis. */
  failoverTimeoutMs?: number;
  /** How many must say so. Default: one */
  quorum?: number;
}

/** The address of several that watch the same master. */
export function urlOf(sentinels: readonly TestSentinel[]): string {
  const addresses = sentinels.map(({ url }) => new URL(url).host);
  return `redis+sentinel://${addresses.join(',')}/${MASTER}`;
}

export async function startSentinel(
  masterPort: number,
  { downAfterMs = 30_000, failoverTimeoutMs = 180_000, quorum = 1 }: SentinelOptions = {},
): Promise<TestSentinel> {
  const folder = await mkdtemp(join(tmpdir(), 'signoff-sentinel-'));
  const port = await freePort();
  const file = join(folder, 'sentinel.conf');
  const settings = [
    `port ${port}`,
    'bind 127.0.0.1',
    `sentinel monitor ${MASTER} 127.0.0.1 ${masterPort} ${quorum}`,
    `sentinel down-after-milliseconds ${MASTER} ${downAfterMs}`,
    `sentinel failover-timeout ${MASTER} ${failoverTimeoutMs}`,
  ];
  await writeFile(file, settings.join('\n'));
  const child = spawn(await ensureRedisServer(), [file, '--sentinel'], { stdio: 'ignore' });
  const client = new Redis(port);
  client.on('error', () => {});
  return {
    url: `redis+sentinel://127.0.0.1:${port}/${MASTER}`,
    says: async (command) => String(await client.call('SENTINEL', command, MASTER)),
    pause: () => void child.kill('SIGSTOP'),
    resume: () => void child.kill('SIGCONT'),
    async stop() {
      client.disconnect();
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
      await rm(folder, { recursive: true });
    },
  };
}
