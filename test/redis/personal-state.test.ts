import { expect, it } from 'vitest';
import { recentFeedbackKey } from '../../src/redis/keys.ts';
import { createRecentFeedback } from '../../src/redis/personal-state.ts';
import { redisForTests } from './store-under-test.ts';

const { redis } = redisForTests();

it('keeps the last three texts of a person for a crew, each once, for as long as runs are kept', async () => {
  const feedback = createRecentFeedback(redis(), { retentionDays: 2 });
  for (const text of ['One.', 'Two.', '“Three”\n<!channel> مرحبا', 'Four.', 'Two.'])
    await feedback.add('research', 'U_MARIA', text);
  expect(await feedback.latest('research', 'U_MARIA')).toEqual(['Two.', 'Four.', '“Three”\n<!channel> مرحبا']);
  expect(await feedback.latest('editorial', 'U_MARIA')).toEqual([]);
  expect(await feedback.latest('research', 'U_JON')).toEqual([]);
  const ms = await redis().pttl(recentFeedbackKey('research', 'U_MARIA'));
  expect(ms).toBeGreaterThan(2 * 86_400_000 - 60_000);
  expect(ms).toBeLessThanOrEqual(2 * 86_400_000);
});
