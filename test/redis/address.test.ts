import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseRedisUrl, type RedisAddress } from '../../src/redis/address.ts';

const NO_LOGIN = { username: null, password: null };

function addressOf(url: string): RedisAddress {
  const address = parseRedisUrl(url);
  if (!address.ok) throw new Error(address.refusal);
  return address.value;
}

describe('one server', () => {
  it.each([
    ['redis://localhost', { node: { host: 'localhost', port: 6379 } }],
    ['redis://localhost:6380/', { node: { host: 'localhost', port: 6380 } }],
    ['redis://[::1]:6380/3', { node: { host: '::1', port: 6380 }, db: 3 }],
    ['rediss://redis.example.com', { encryption: 'tls' }],
    ['redis://:pass@localhost', { username: null, password: 'pass' }],
    ['redis://user:p%40ss%2F%2C@localhost', { username: 'user', password: 'p@ss/,' }],
    ['REDIS://localhost', { encryption: 'plain' }],
  ])('is read from %s', (url, expected) => {
    expect(addressOf(url)).toMatchObject({ kind: 'single', ...expected });
  });
});

describe('a unix socket', () => {
  it.each(['unix:///run/redis.sock', 'redis+unix:///run/redis.sock', 'unix:///run/redis.sock?db=0'])(
    'is read from %s',
    (url) => {
      expect(addressOf(url)).toEqual({ kind: 'socket', path: '/run/redis.sock', db: 0, ...NO_LOGIN });
    },
  );

  it('may have a password and a database', () => {
    expect(addressOf('unix://:pass@/run/redis.sock?db=2')).toMatchObject({ password: 'pass', db: 2 });
  });
});

describe('a Cluster', () => {
  const nodes = [
    { host: 'one', port: 7000 },
    { host: 'two', port: 6379 },
  ];

  it.each(['redis://one:7000,two', 'redis://one:7000,redis://two', 'redis://one:7000, redis://two:6379/'])(
    'is read from %s',
    (url) => {
      expect(addressOf(url)).toEqual({ kind: 'cluster', nodes, encryption: 'plain', ...NO_LOGIN });
    },
  );

  it('takes the credentials and the encryption of its first node', () => {
    const address = addressOf('rediss://user:pass@one:7000,rediss://user:pass@two');
    expect(address).toMatchObject({ nodes, encryption: 'tls', username: 'user', password: 'pass' });
  });
});

describe('Sentinels', () => {
  it('are read with the name of the master', () => {
    const url = 'redis+sentinel://user:pass@one,two:26380/mymaster/2?sentinel_password=watch%21';
    expect(addressOf(url)).toEqual({
      kind: 'sentinel',
      sentinels: [
        { host: 'one', port: 26379 },
        { host: 'two', port: 26380 },
      ],
      name: 'mymaster',
      sentinelPassword: 'watch!',
      db: 2,
      encryption: 'plain',
      username: 'user',
      password: 'pass',
    });
  });

  it('may be encrypted', () => {
    expect(addressOf('rediss+sentinel://one/mymaster')).toMatchObject({ encryption: 'tls', db: 0 });
  });
});

it.each([
  'localhost:6379',
  'http://localhost',
  'redis://',
  'redis://localhost:0',
  'redis://localhost:65536',
  'redis://localhost/name',
  'redis://one,two/1',
  'redis://user:%zz@localhost',
  'redis://user:pa@ss@localhost',
  'redis+sentinel://one',
  'redis+sentinel:///mymaster',
  'redis+sentinel://one/mymaster/x',
  'unix://run/redis.sock',
  'unix:///',
])('%s is not an address of a Redis', (url) => {
  expect(parseRedisUrl(url).ok).toBe(false);
});

it('never repeats a password when it refuses an address', () => {
  const part = fc.stringMatching(/^[a-z:/@%,+.?[\]-]{0,12}$/);
  fc.assert(
    fc.property(part, part, (before, after) => {
      const address = parseRedisUrl(`redis://${before}hush-hush${after}`);
      expect(address.ok ? '' : address.refusal).not.toContain('hush');
    }),
  );
});
