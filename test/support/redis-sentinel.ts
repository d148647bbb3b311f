import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { freePort } from '../../src/setup/free-port.ts';
import type { ServerHost } from '../../src/setup/redis-process.ts';
import { ensureRedisServer } from '../../src/setup/system-programs.mjs';
import type { TestRedis } from './redis.ts';

const MASTER = 'crew-db';
const PORT_ON_HOST = 26_379;

/** A Sentinel of a test. */
export interface TestSentinel {
  /** What `REDIS_URL` is set to. */
  url: string;
  /** Its answer to a command about its master. */
  says(command: 'MASTER' | 'REPLICAS' | 'CKQUORUM' | 'FAILOVER' | 'GET-MASTER-ADDR-BY-NAME'): Promise<string>;
  kill(): Promise<void>;
  /** Starts it again with what it knew. */
  restart(): Promise<void>;
  /** It keeps its connections and answers nothing, until `resume`. */
  pause(): void;
  resume(): void;
  stop(): Promise<void>;
}

export interface TestSentinelOptions {
  /** How long the master may be silent until it counts as gone. Default: 30 s */
  downAfterMs?: number;
  /** Default: three minutes, as with Redis. */
  failoverTimeoutMs?: number;
  /** How many have to agree that the master is gone. Default: it is a majority by itself. */
  quorum?: number;
  /** Default: this machine. */
  host?: ServerHost;
}

/** The address of several that watch the same master. */
export function urlOf(sentinels: readonly TestSentinel[]): string {
  const addresses = sentinels.map(({ url }) => new URL(url).host);
  return `redis+sentinel://${addresses.join(',')}/${MASTER}`;
}

export async function startSentinel(
  master: Pick<TestRedis, 'address' | 'port'>,
  { downAfterMs = 30_000, failoverTimeoutMs = 180_000, quorum = 1, host }: TestSentinelOptions = {},
): Promise<TestSentinel> {
  const folder = await mkdtemp(join(tmpdir(), 'signoff-sentinel-'));
  const port = host ? PORT_ON_HOST : await freePort();
  const address = host?.address ?? '127.0.0.1';
  const [file, socket] = [join(folder, 'sentinel.conf'), join(folder, 'sentinel.sock')];
  const settings = [
    `port ${port}`,
    `bind ${address}`,
    'protected-mode no',
    `unixsocket ${socket}`,
    `dir ${folder}`,
    `sentinel monitor ${MASTER} ${master.address} ${master.port} ${quorum}`,
    `sentinel down-after-milliseconds ${MASTER} ${downAfterMs}`,
    `sentinel failover-timeout ${MASTER} ${failoverTimeoutMs}`,
  ];
  await writeFile(file, settings.join('\n'));
  const program = await ensureRedisServer();
  const start = () => {
    const [first = program, ...rest] = [...(host?.command ?? []), program, file, '--sentinel'];
    return spawn(first, rest, { stdio: 'ignore' });
  };
  let child = start();
  const client = new Redis({ path: socket, commandTimeout: ANSWER_MS });
  client.on('error', () => {});
  return {
    url: `redis+sentinel://${address}:${port}/${MASTER}`,
    says: async (command) => String(await client.call('SENTINEL', command, MASTER)),
    kill: () => end(child),
    async restart() {
      await end(child);
      child = start();
    },
    pause: () => void child.kill('SIGSTOP'),
    resume: () => void child.kill('SIGCONT'),
    async stop() {
      client.disconnect();
      await end(child);
      await rm(folder, { recursive: true });
    },
  };
}

const ANSWER_MS = 2_000;

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}
