import { Redis } from 'ioredis';
import { afterEach, describe, expect, it } from 'vitest';
import { closeRedis, connectRedis } from '../../../src/redis/connection.ts';
import { createExecutionStore } from '../../../src/redis/executions.ts';
import { eventually } from '../../../src/sandbox/slack-workspace/driver/queries.ts';
import { freePort } from '../../../src/setup/free-port.ts';
import {
  checkRedis,
  judgeEviction,
  judgeMinReplicasToWrite,
  judgePersistence,
  judgeReplicas,
  judgeVersion,
  parseInfo,
  type RedisNode,
  type Replication,
} from '../../../src/tools/doctor/check-redis.ts';
import { type Finding, findingLine } from '../../../src/tools/doctor/finding.ts';
import { started } from '../../redis/store-under-test.ts';
import { startRedis } from '../../support/redis.ts';
import { clusterPort } from '../../support/redis-cluster.ts';

const servers: { stop(): Promise<void> }[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.stop();
});

async function redisWith(...args: string[]) {
  const server = await startRedis({ appendOnly: true, args });
  servers.push(server);
  return server;
}

const lineAbout = (findings: readonly Finding[], about: string) =>
  findings.filter((finding) => finding.about === about).map(findingLine)[0];

/** The line about a Redis with these settings. */
async function said(about: string, ...args: string[]): Promise<string | undefined> {
  const { url } = await redisWith(...args);
  return lineAbout(await checkRedis({ url, minReplicas: 0 }), about);
}

describe('a well configured Redis', () => {
  it('is fine in every respect', async () => {
    const { url } = await redisWith();
    const findings = await checkRedis({ url, minReplicas: 0 });
    expect(findings.map(({ about, mark }) => [about, mark])).toEqual([
      ['Redis', 'fine'],
      ['Redis version', 'fine'],
      ['Redis persistence', 'fine'],
      ['Redis replicas', 'fine'],
      ['Redis min-replicas-to-write', 'fine'],
      ['Redis eviction', 'fine'],
      ['Clock of Redis', 'fine'],
    ]);
  });
});

it('the runs of crews that are not configured are named', async () => {
  const { url } = await redisWith();
  const client = connectRedis(url, { onTrouble: () => {} });
  const store = createExecutionStore(client, { retentionDays: 1, auditDays: 1, replication: null });
  for (const ref of ['r1', 'r2']) await store.create(ref, (now) => started(ref, now));
  await closeRedis(client);
  const about = async (...crews: string[]) => lineAbout(await checkRedis({ url, minReplicas: 0 }, { crews }), 'Runs');
  expect(await about('editorial')).toContain("! Runs: runs wait for crews that aren't configured: research (2).");
  expect(await about('editorial', 'research')).toBeUndefined();
});

describe('a Redis Cluster', () => {
  it('is checked server by server', async () => {
    const args = [
      '--cluster-enabled',
      'yes',
      '--cluster-announce-ip',
      '127.0.0.1',
      '--maxmemory-policy',
      'allkeys-lru',
    ];
    const server = await startRedis({ port: await clusterPort(), appendOnly: true, args });
    servers.push(server);
    const { url, socketPath } = server;
    const client = new Redis(socketPath);
    await client.call('CLUSTER', 'ADDSLOTSRANGE', '0', '16383');
    await eventually(
      async () => (String(await client.call('CLUSTER', 'INFO')).includes('cluster_state:ok') ? true : undefined),
      async () => String(await client.call('CLUSTER', 'INFO')),
      10_000,
    );
    client.disconnect();
    const findings = await checkRedis({ url: `${url},${url}`, minReplicas: 0 });
    expect(lineAbout(findings, 'Redis')).toBe('✓ Redis: answers at REDIS_URL.');
    expect(lineAbout(findings, 'Redis persistence')).toContain('✓');
    expect(lineAbout(findings, 'Redis eviction')).toContain('! Redis eviction: allkeys-lru');
  });
});

describe('a Redis that does not answer', () => {
  it('is one line, without its password', async () => {
    const url = `redis://user:pass-of-redis@127.0.0.1:${await freePort()}`;
    const findings = await checkRedis({ url, minReplicas: 0 }, { connectMs: 500 });
    expect(findings.map(findingLine)).toEqual([expect.stringMatching(/^✗ Redis: doesn't answer at REDIS_URL/)]);
    expect(findings.map(findingLine).join()).not.toContain('pass-of-redis');
  });

  it('or that wants another password, is one line', async () => {
    const { url } = await redisWith('--requirepass', 'pass-of-redis');
    const [line = '', ...others] = (await checkRedis({ url, minReplicas: 0 }, { connectMs: 500 })).map(findingLine);
    expect(line).toContain('✗ Redis: ');
    expect(others).toEqual([]);
  });
});

it('says what the address requires when Redis is of another kind', async () => {
  const { port } = await redisWith();
  const host = `127.0.0.1:${port}`;
  const asked = [
    [`rediss://${host}`, 'rediss:// needs a Redis with TLS.'],
    [`redis://${host},${host}`, 'Several addresses separated by commas must be nodes of one Redis Cluster.'],
    [`redis+sentinel://${host}/master`, 'redis+sentinel:// needs the addresses of Sentinels, and the name'],
  ] as const;
  const lines = asked.map(async ([url, advice]) => {
    const [line = ''] = (await checkRedis({ url, minReplicas: 0 }, { connectMs: 500 })).map(findingLine);
    expect(line).toContain(advice);
    expect(line).not.toContain('Retrying from scratch');
  });
  await Promise.all(lines);
});

describe('what can be lost', () => {
  it.each([
    [['--appendfsync', 'everysec'], '! Redis persistence: a power failure can lose the clicks of the last second'],
    [['--appendfsync', 'no'], '! Redis persistence: a power failure can lose half a minute'],
    [['--appendonly', 'no'], '✗ Redis persistence: nothing is written to disk (appendonly no): a restart'],
    [['--appendonly', 'no', '--save', '60 1'], '✗ Redis persistence: only snapshots are written to disk'],
  ])('by persistence: %s', async (args, line) => {
    expect(await said('Redis persistence', ...args)).toContain(line);
  });

  it.each([
    [['--maxmemory-policy', 'allkeys-lru', '--maxmemory', '100mb'], '✗ Redis eviction: allkeys-lru: when the memory'],
    [['--maxmemory-policy', 'volatile-lru', '--maxmemory', '100mb'], 'runs that ended are dropped early'],
    [['--maxmemory-policy', 'allkeys-lru'], '! Redis eviction: allkeys-lru, which drops nothing while'],
    [['--maxmemory', '1mb'], "full, and a full Redis can't store clicks"],
  ])('by eviction: %s', async (args, line) => {
    expect(await said('Redis eviction', ...args)).toContain(line);
  });

  it('by a failover', async () => {
    const master = await redisWith();
    const replica = await redisWith('--replicaof', '127.0.0.1', `${master.port}`, '--repl-diskless-sync-delay', '0');
    const line = async (minReplicas: number, url = master.url) =>
      lineAbout(await checkRedis({ url, minReplicas }), 'Redis replicas') ?? '';
    await eventually(
      async () => ((await line(0)).includes('1 connected') ? true : undefined),
      () => line(0),
      10_000,
    );
    expect(await line(0)).toContain('! Redis replicas: 1 connected, and nothing waits for them');
    expect(await line(1)).toContain('! Redis replicas: 1 connected, and what is acknowledged waits for 1 of them');
    expect(await line(2)).toContain('✗ Redis replicas: REDIS_MIN_REPLICAS is 2, but 1 is connected');
    expect(await line(0, replica.url)).toContain('✗ Redis replicas: REDIS_URL leads to a replica');
  });
});

describe('a hosted Redis', () => {
  const node = (info: string, override: Partial<RedisNode> = {}): RedisNode => {
    const unsaid = { appendfsync: null, save: null, minReplicasToWrite: null, minReplicasMaxLagS: null };
    return { info: parseInfo(info), ...unsaid, aheadMs: 0, ...override };
  };

  it('may not say how it syncs to disk', () => {
    const { mark } = judgePersistence(node('aof_enabled:1'), 0);
    expect(mark).toBe('doubtful');
  });

  it('may have a full disk', () => {
    const full = node('aof_enabled:1\r\naof_last_write_status:err', { appendfsync: 'always' });
    expect(findingLine(judgePersistence(full, 0))).toContain(
      "✗ Redis persistence: Redis can't write its append-only file",
    );
  });

  it('may rely on its replicas', () => {
    expect(judgePersistence(node('aof_enabled:0'), 1).mark).toBe('doubtful');
  });

  it.each([
    ['redis_version:4.0.9', '✗ Redis version: Redis 4.0.9 is too old.'],
    ['redis_version:6.0.16', '! Redis version: Redis 6.0.16 is old.'],
    ['redis_version:7.2.4\r\nvalkey_version:8.1.0', '✓ Redis version: Valkey 8.1.0.'],
  ])('has a version: %s', (info, line) => {
    expect(findingLine(judgeVersion(node(info)))).toContain(line);
  });

  it.each([
    ['version', judgeVersion],
    ['persistence', (each: RedisNode) => judgePersistence(each, 0)],
    ['replicas', (each: RedisNode) => judgeReplicas(each, { minReplicas: 0, promotedBy: 'others' })],
    ['min-replicas-to-write', judgeMinReplicasToWrite],
    ['eviction', judgeEviction],
  ])('may not tell its %s, which is not ticked then', (what, judge) => {
    expect(findingLine(judge(node('uptime_in_seconds:1')))).toBe(
      `– Redis ${what}: not checked: this Redis doesn't say.`,
    );
  });

  it('counts only replicas that are up to date', () => {
    const info = 'role:master\r\nconnected_slaves:2\r\nslave0:ip=1,state=online\r\nslave1:ip=2,state=wait_bgsave';
    expect(judgeReplicas(node(info), { minReplicas: 2, promotedBy: 'others' }).mark).toBe('wrong');
  });

  const master = (replicas: number) => {
    const lines = Array.from({ length: replicas }, (_, i) => `slave${i}:ip=${i},state=online`);
    return node(['role:master', ...lines].join('\r\n'));
  };

  it.each<[Replication['promotedBy'], number, number, string]>([
    [
      'sentinels',
      2,
      0,
      '! Redis replicas: 2 connected, and nothing waits for them: a failover can lose clicks and webhooks',
    ],
    [
      'sentinels',
      2,
      1,
      '✓ Redis replicas: 2 connected, and what is acknowledged waits for 1 of them, so one may be missing.',
    ],
    [
      'sentinels',
      2,
      2,
      'while one is missing, clicks and webhooks are refused, also after a failover until the failed host',
    ],
    ['sentinels', 1, 1, 'is back. Connect a second replica.'],
    ['sentinels', 2, 3, '✗ Redis replicas: REDIS_MIN_REPLICAS is 3, but 2 are connected: nothing can be acknowledged.'],
    ['cluster', 1, 0, 'forget runs, start a run twice and send a decision twice. Set REDIS_MIN_REPLICAS=1.'],
    [
      'cluster',
      1,
      1,
      '✓ Redis replicas: 1 connected, and what is acknowledged waits for 1 of them: while one is missing',
    ],
    [
      'cluster',
      2,
      1,
      '✓ Redis replicas: 2 connected, and what is acknowledged waits for 1 of them, so one may be missing.',
    ],
    [
      'others',
      2,
      1,
      '! Redis replicas: 2 connected, and what is acknowledged waits for 1 of them: whoever promotes another one',
    ],
  ])(
    'whose master %s would replace, with %i replicas of which %i must confirm',
    (promotedBy, replicas, minReplicas, line) => {
      expect(findingLine(judgeReplicas(master(replicas), { minReplicas, promotedBy }))).toContain(line);
    },
  );

  it.each([
    [0, 0, '✓ Redis min-replicas-to-write: off.'],
    [
      2,
      0,
      '✓ Redis min-replicas-to-write: off: a master that is cut off goes on taking writes. Only REDIS_MIN_REPLICAS keeps them from being acknowledged.',
    ],
    [2, 1, '✓ Redis min-replicas-to-write: 1 of 2 replicas: a master that is cut off refuses writes after 10 seconds.'],
    [2, 2, '! Redis min-replicas-to-write: 2 of 2 replicas: while one is missing, Redis refuses every write.'],
  ])('with %i replicas, of which it needs %i to write', (replicas, minReplicasToWrite, line) => {
    const told = { ...master(replicas), minReplicasToWrite, minReplicasMaxLagS: 10 };
    expect(findingLine(judgeMinReplicasToWrite(told))).toContain(line);
  });
});
