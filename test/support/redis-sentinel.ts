import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { eventually } from '../../src/sandbox/slack-workspace/driver/queries.ts';
import { freePort } from '../../src/setup/free-port.ts';
import { ensureRedisServer } from '../../src/setup/system-programs.mjs';
import { startRedis, type TestRedis } from './redis.ts';

const MASTER = 'crew-db';

/** A Sentinel, by itself or one of several that know each other by their master. */
export interface TestSentinel {
  port: number;
  /** For `REDIS_URL`. */
  url: string;
  /** Its answer to a command about its master. */
  says(command: 'MASTER' | 'REPLICAS' | 'FAILOVER' | 'GET-MASTER-ADDR-BY-NAME'): Promise<string>;
  /** It keeps its connections and answers nothing, until `resume`. */
  pause(): void;
  resume(): void;
  stop(): Promise<void>;
}

interface SentinelOptions {
  /** How long the master may be silent until it counts as gone. Default: 30 s */
  downAfterMs?: number;
  /** How many must say so. Default: one */
  quorum?: number;
}

export async function startSentinel(
  masterPort: number,
  { downAfterMs = 30_000, quorum = 1 }: SentinelOptions = {},
): Promise<TestSentinel> {
  const folder = await mkdtemp(join(tmpdir(), 'signoff-sentinel-'));
  const port = await freePort();
  const file = join(folder, 'sentinel.conf');
  const settings = [
    `port ${port}`,
    'bind 127.0.0.1',
    `sentinel monitor ${MASTER} 127.0.0.1 ${masterPort} ${quorum}`,
    `sentinel down-after-milliseconds ${MASTER} ${downAfterMs}`,
  ];
  await writeFile(file, settings.join('\n'));
  const child = spawn(await ensureRedisServer(), [file, '--sentinel'], { stdio: 'ignore' });
  const client = new Redis(port);
  client.on('error', () => {});
  return {
    port,
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

/** A master with two replicas and three sentinels. */
export interface TestSentinels {
  /** For `REDIS_URL`. */
  url: string;
  servers: [master: TestRedis, ...replicas: TestRedis[]];
  sentinels: TestSentinel[];
  stop(): Promise<void>;
}

export async function startSentinels({ downAfterMs = 1_000 }: SentinelOptions = {}): Promise<TestSentinels> {
  const master = await startRedis({ appendOnly: true });
  const follow = ['--replicaof', '127.0.0.1', String(master.port), '--repl-diskless-sync-delay', '0'];
  const replicas = await Promise.all([0, 1].map(() => startRedis({ appendOnly: true, args: follow })));
  const sentinels = await Promise.all([0, 1, 2].map(() => startSentinel(master.port, { downAfterMs, quorum: 2 })));
  const knows = async ({ says }: TestSentinel) => {
    const isLinked = (await says('REPLICAS')).split('master-link-status,ok').length > replicas.length;
    return isLinked && (await says('MASTER')).includes('num-other-sentinels,2') ? true : undefined;
  };
  for (const sentinel of sentinels)
    await eventually(
      () => knows(sentinel),
      async () => 'the sentinels never knew all servers',
      20_000,
    );
  return {
    url: `redis+sentinel://${sentinels.map(({ port }) => `127.0.0.1:${port}`).join(',')}/${MASTER}`,
    servers: [master, ...replicas],
    sentinels,
    async stop() {
      await Promise.all(sentinels.map((each) => each.stop()));
      await Promise.all([master, ...replicas].map((each) => each.stop()));
    },
  };
}
