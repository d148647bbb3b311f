import { defineConfig } from 'vitest/config';

const STORIES = 'test/end-to-end/*.test.ts';
const SLOW = 'test/**/*.slow.test.ts';
/** What fills the machine by itself, so that anything beside it would be measured with it. */
const HEAVY = ['test/load/*.slow.test.ts', 'test/soak/*.slow.test.ts'];

/** Stories that wait for polls and quiet moments wait together. */
const TOGETHER = { restoreMocks: true, maxConcurrency: 12, hookTimeout: 60_000 };

export default defineConfig({
  test: {
    // One group after the other. Most tests wait for servers, so that more files than cores run at once.
    projects: [
      {
        test: {
          name: 'fast',
          include: ['test/**/*.test.ts'],
          exclude: [SLOW],
          ...TOGETHER,
          testTimeout: 20_000,
          maxWorkers: 4,
          sequence: { groupOrder: 0 },
        },
      },
      {
        // The same stories again, with the bots on a Redis Cluster of three nodes and crews of the other dialect.
        test: {
          name: 'elsewhere',
          include: [STORIES],
          exclude: [SLOW],
          env: { TEST_REDIS: 'cluster', TEST_DIALECT: 'observed' },
          ...TOGETHER,
          testTimeout: 40_000,
          maxWorkers: 3,
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          name: 'slow',
          include: [SLOW],
          exclude: HEAVY,
          ...TOGETHER,
          testTimeout: 180_000,
          hookTimeout: 120_000,
          maxWorkers: 4,
          sequence: { groupOrder: 2 },
        },
      },
      {
        test: {
          name: 'heavy',
          include: HEAVY,
          restoreMocks: true,
          testTimeout: 180_000,
          hookTimeout: 120_000,
          fileParallelism: false,
          sequence: { groupOrder: 3 },
        },
      },
    ],
  },
});
