import { eventually } from '../../src/sandbox/slack-workspace/driver/queries.ts';
import { startRedis, type TestRedis } from './redis.ts';
import { startSentinel, type TestSentinel, type TestSentinelOptions, urlOf } from './redis-sentinel.ts';

/** A master with two replicas and three sentinels. */
export interface TestSentinels {
  /** What `REDIS_URL` is set to. */
  url: string;
  servers: [master: TestRedis, ...replicas: TestRedis[]];
  sentinels: TestSentinel[];
  stop(): Promise<void>;
}

export async function startSentinels(options: TestSentinelOptions = {}): Promise<TestSentinels> {
  const master = await startRedis({ appendOnly: true });
  const follow = ['--replicaof', '127.0.0.1', String(master.port), '--repl-diskless-sync-delay', '0'];
  const replicas = await Promise.all([0, 1].map(() => startRedis({ appendOnly: true, args: follow })));
  const sentinels = await Promise.all(
    [0, 1, 2].map(() => startSentinel(master, { downAfterMs: 1_000, quorum: 2, ...options })),
  );
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
    url: urlOf(sentinels),
    servers: [master, ...replicas],
    sentinels,
    async stop() {
      await Promise.all(sentinels.map((each) => each.stop()));
      await Promise.all([master, ...replicas].map((each) => each.stop()));
    },
  };
}
