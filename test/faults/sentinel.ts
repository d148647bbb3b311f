import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { eventually } from '../../src/sandbox/slack-workspace/driver/eventually.ts';
import { freePort } from '../../src/setup/free-port.ts';
import { ensureRedisServer } from '../../src/setup/redis-server.mjs';
import { startRedis } from '../support/redis.ts';

/** A master with a replica, monitored by one Sentinel, which is a majority of one. */
export interface WatchedRedis {
  /** For `REDIS_URL`. */
  url: string;
  /** Sentinel promotes the replica, on request or since the master is gone, which then comes back as the replica. */
  failOver(why: 'asked' | 'killed'): Promise<void>;
  stop(): Promise<void>;
}

const PATIENCE_MS = 20_000;

export async function startWatchedRedis(): Promise<WatchedRedis> {
  const master = await startRedis({ appendOnly: true });
  const follow = ['--replicaof', '127.0.0.1', String(master.port), '--repl-diskless-sync-delay', '0'];
  const replica = await startRedis({ appendOnly: true, args: follow });
  const folder = await mkdtemp(join(tmpdir(), 'signoff-sentinel-'));
  const port = await freePort();
  const file = join(folder, 'sentinel.conf');
  const settings = [
    `port ${port}`,
    'bind 127.0.0.1',
    `sentinel monitor crew-db 127.0.0.1 ${master.port} 1`,
    'sentinel down-after-milliseconds crew-db 2000',
  ];
  await writeFile(file, settings.join('\n'));
  const sentinel = spawn(await ensureRedisServer(), [file, '--sentinel'], { stdio: 'ignore' });
  const client = new Redis(port);
  client.on('error', () => {});
  const says = async (...words: [string, ...string[]]) => String(await client.call(...words));
  const waitFor = (what: string, isSo: () => Promise<boolean>) =>
    eventually(
      async () => (await isSo().catch(() => false)) || undefined,
      async () => `Sentinel never said: ${what}`,
      PATIENCE_MS,
    );
  await waitFor('the replica follows', async () =>
    (await says('SENTINEL', 'REPLICAS', 'crew-db')).includes('master-link-status,ok'),
  );
  return {
    url: `redis+sentinel://127.0.0.1:${port}/crew-db`,
    async failOver(why) {
      if (why === 'killed') await master.kill();
      else await says('SENTINEL', 'FAILOVER', 'crew-db');
      await waitFor('there is a new master', async () =>
        (await says('SENTINEL', 'GET-MASTER-ADDR-BY-NAME', 'crew-db')).includes(String(replica.port)),
      );
      if (why === 'killed') await master.restart();
    },
    async stop() {
      client.disconnect();
      const ended = once(sentinel, 'exit');
      sentinel.kill('SIGKILL');
      await ended;
      await Promise.all([master.stop(), replica.stop()]);
      await rm(folder, { recursive: true });
    },
  };
}
