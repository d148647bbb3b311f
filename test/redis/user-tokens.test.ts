import { beforeEach, describe, expect, it } from 'vitest';
import { StoreUnavailable } from '../../src/core/ports.ts';
import { deriveKey } from '../../src/crew/credentials.ts';
import { userTokensKey } from '../../src/redis/keys.ts';
import { createUserTokens } from '../../src/redis/user-tokens.ts';
import { OLD_SECRET, readableLog, SECRET } from '../crew/crew-values.ts';
import { redisForTests } from './store-under-test.ts';

const TOKEN = 'the-own-token-of-maria/+=';
const MARIA = 'U_MARIA';

const { redis, server } = redisForTests();
let log: ReturnType<typeof readableLog>;

beforeEach(() => {
  log = readableLog();
});

function tokens(newest: string, ...older: string[]) {
  const keys = [deriveKey(newest, 'user-token'), ...older.map((secret) => deriveKey(secret, 'user-token'))] as const;
  return createUserTokens(redis(), { keys: [keys[0], ...keys.slice(1)], log: log.log });
}

async function stored(crew: string, personId = MARIA): Promise<Buffer> {
  const value = await redis().hgetBuffer(userTokensKey(personId), crew);
  if (!value) throw new Error('nothing is stored');
  return value;
}

describe('a token', () => {
  it('is found by its crew and person only, until it is removed', async () => {
    const store = tokens(SECRET);
    expect(await store.find('research', MARIA)).toBeNull();
    await store.put('research', MARIA, 'the first one');
    await store.put('research', MARIA, TOKEN);
    expect(await store.find('research', MARIA)).toBe(TOKEN);
    expect(await store.find('editorial', MARIA)).toBeNull();
    expect(await store.find('research', 'U_JON')).toBeNull();
    expect(await store.remove('research', MARIA)).toBe('removed');
    expect(await store.remove('research', MARIA)).toBe('absent');
    expect(await store.find('research', MARIA)).toBeNull();
  });

  it('may have any character, and stays as long as nobody removes it', async () => {
    const store = tokens(SECRET);
    await store.put('research', MARIA, '“ünïcödé” 👍');
    expect(await store.find('research', MARIA)).toBe('“ünïcödé” 👍');
    expect(await redis().ttl(userTokensKey(MARIA))).toBe(-1);
  });

  it('can’t be read in Redis, and is encrypted differently each time', async () => {
    await tokens(SECRET).put('research', MARIA, TOKEN);
    const first = await stored('research');
    await tokens(SECRET).put('research', MARIA, TOKEN);
    const second = await stored('research');
    expect(first.equals(second)).toBe(false);
    for (const text of [TOKEN, Buffer.from(TOKEN).toString('base64'), Buffer.from(TOKEN).toString('hex')])
      for (const value of [first, second]) expect(value.toString('latin1')).not.toContain(text);
  });
});

describe('a new secret', () => {
  it('opens what the older one has encrypted, and encrypts it anew', async () => {
    await tokens(OLD_SECRET).put('research', MARIA, TOKEN);
    expect(await tokens(SECRET, OLD_SECRET).find('research', MARIA)).toBe(TOKEN);
    expect(await tokens(SECRET).find('research', MARIA)).toBe(TOKEN);
    expect(await tokens(OLD_SECRET).find('research', MARIA)).toBeNull();
  });

  it('leaves alone what it has encrypted itself', async () => {
    await tokens(SECRET).put('research', MARIA, TOKEN);
    const before = await stored('research');
    await tokens(SECRET, OLD_SECRET).find('research', MARIA);
    expect((await stored('research')).equals(before)).toBe(true);
  });

  it('brings back no token that is removed at the same time', async () => {
    for (let i = 0; i < 20; i++) {
      await tokens(OLD_SECRET).put('research', MARIA, TOKEN);
      const store = tokens(SECRET, OLD_SECRET);
      await Promise.all([store.find('research', MARIA), store.remove('research', MARIA)]);
      expect(await store.find('research', MARIA)).toBeNull();
    }
  });

  it('without the older one finds nothing, and says so without the value', async () => {
    await tokens(OLD_SECRET).put('research', MARIA, TOKEN);
    expect(await tokens(SECRET).find('research', MARIA)).toBeNull();
    expect(log.warnings()).toMatchObject([{ crew: 'research', personId: MARIA }]);
    expect(log.text()).not.toContain(TOKEN);
    expect(log.text()).not.toContain((await stored('research')).toString('base64').slice(0, 20));
  });
});

describe('a stored value', () => {
  it('doesn’t open for another person or crew', async () => {
    const store = tokens(SECRET);
    await store.put('research', MARIA, TOKEN);
    const value = await stored('research');
    await redis().hset(userTokensKey('U_JON'), 'research', value);
    await redis().hset(userTokensKey(MARIA), 'editorial', value);
    expect(await store.find('research', 'U_JON')).toBeNull();
    expect(await store.find('editorial', MARIA)).toBeNull();
    expect(await store.find('research', MARIA)).toBe(TOKEN);
  });

  it('doesn’t open once any of its bytes has changed, or some are missing', async () => {
    const store = tokens(SECRET);
    await store.put('research', MARIA, TOKEN);
    const value = await stored('research');
    const changed = Array.from(value, (byte, i) => Buffer.from(value.with(i, byte ^ 1)));
    const cut = Array.from(value, (_, length) => value.subarray(0, length));
    for (const each of [...changed, ...cut, Buffer.concat([value, Buffer.from([0])])]) {
      await redis().hset(userTokensKey(MARIA), 'research', each);
      expect(await store.find('research', MARIA)).toBeNull();
    }
  });
});

it('throws while Redis gives no answer', async () => {
  const store = tokens(SECRET);
  server().pause();
  try {
    await expect(store.find('research', MARIA)).rejects.toThrow(StoreUnavailable);
  } finally {
    server().resume();
  }
});
