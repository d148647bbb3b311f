import { expect, it } from 'vitest';
import { createSignInLinks, LINK_MS, linkIdOf } from '../../src/redis/sign-in-links.ts';
import { redisForTests } from './store-under-test.ts';

const { redis } = redisForTests();
const WANTED = {
  by: { id: 'U0MARIA', name: 'Maria' },
  ref: 'run',
  approvalId: '1',
  hash: 'hash of the text',
  note: 'Mention oolong.',
  review: 'unasked',
} as const;

it('keeps what a link is for, but not the link', async () => {
  const links = createSignInLinks(redis(), null);
  const secret = await links.create(WANTED);
  expect(secret).toMatch(/^[\w-]{43}$/);
  expect(await links.find(linkIdOf(secret))).toMatchObject(WANTED);
  const keys = await redis().keys('*');
  const all = await Promise.all(keys.map(async (key) => `${key} ${await redis().get(key)}`));
  expect(all.join()).toContain(linkIdOf(secret));
  expect(all.join()).not.toContain(secret);
  const [key = ''] = keys.filter((each) => each.includes(linkIdOf(secret)));
  const leftMs = await redis().pttl(key);
  expect(leftMs).toBeGreaterThan(LINK_MS - 60_000);
  expect(leftMs).toBeLessThanOrEqual(5 * 60_000);
});

it('gives a link to one of those who use it at once, and to nobody afterwards', async () => {
  const links = createSignInLinks(redis(), null);
  const linkId = linkIdOf(await links.create(WANTED));
  const used = await Promise.all([links.use(linkId), links.use(linkId), links.use(linkId)]);
  expect(used.filter((each) => each !== null)).toHaveLength(1);
  expect(await links.use(linkId)).toBeNull();
  expect(await links.find(linkId)).toBeNull();
});

it('makes another link each time, and knows no others', async () => {
  const links = createSignInLinks(redis(), null);
  expect(await links.create(WANTED)).not.toBe(await links.create(WANTED));
  expect(await links.find(linkIdOf('x'.repeat(43)))).toBeNull();
});
