import { expect, it } from 'vitest';
import type { GroupChange } from '../../src/core/values/user-groups.ts';
import { createGroupChanges } from '../../src/redis/group-changes.ts';
import { groupChangesKey } from '../../src/redis/keys.ts';
import { redisForTests } from './store-under-test.ts';

const { redis, another } = redisForTests();

const JOINED: GroupChange = {
  kind: 'group',
  group: { id: 'SLEADS001', handle: 'leads', isDisabled: false, updatedAt: 1_700_000_000, members: ['UMARIA001'] },
};
const MANY: GroupChange = { kind: 'group', group: { ...JOINED.group, members: null } };
const LEFT: GroupChange = { kind: 'members', groupId: 'SLEADS001', updatedAt: 1_700_000_001 };

it('tells each process what any of them has heard since a position, in order', async () => {
  const [one, other] = [createGroupChanges(redis()), createGroupChanges(another())];
  const begin = await one.latest();
  await one.add(JOINED);
  const middle = await other.latest();
  await other.add(MANY);
  await one.add(LEFT);
  expect((await other.after(begin)).changes).toEqual([JOINED, MANY, LEFT]);
  expect(await one.after(middle)).toEqual({ changes: [MANY, LEFT], position: await one.latest() });
  expect(await one.after(await one.latest())).toEqual({ changes: [], position: await one.latest() });
});

it('keeps only the last few hundred, and those for ten minutes', async () => {
  const changes = createGroupChanges(redis());
  for (let i = 0; i < 50; i++) await Promise.all(Array.from({ length: 20 }, () => changes.add(LEFT)));
  expect((await changes.after('0-0')).changes.length).toBeLessThan(500);
  expect(await redis().pttl(groupChangesKey)).toBeGreaterThan(590_000);
});
