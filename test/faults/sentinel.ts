import { eventually } from '../../src/sandbox/slack-workspace/driver/queries.ts';
import { startRedis } from '../support/redis.ts';
import { startSentinel } from '../support/redis-sentinel.ts';

/** A master with a replica, monitored by one Sentinel. */
export interface WatchedRedis {
  /** What `REDIS_URL` is set to. */
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
  const sentinel = await startSentinel(master, { downAfterMs: 2_000 });
  const waitFor = (what: string, isSo: () => Promise<boolean>) =>
    eventually(
      async () => (await isSo().catch(() => false)) || undefined,
      async () => `Sentinel never said: ${what}`,
      PATIENCE_MS,
    );
  await waitFor('the replica follows', async () => (await sentinel.says('REPLICAS')).includes('master-link-status,ok'));
  return {
    url: sentinel.url,
    async failOver(why) {
      if (why === 'killed') await master.kill();
      else await sentinel.says('FAILOVER');
      await waitFor('there is a new master', async () =>
        (await sentinel.says('GET-MASTER-ADDR-BY-NAME')).includes(String(replica.port)),
      );
      if (why === 'killed') await master.restart();
    },
    async stop() {
      await sentinel.stop();
      await Promise.all([master.stop(), replica.stop()]);
    },
  };
}
