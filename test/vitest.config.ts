import { defineConfig } from 'vitest/config';

const SLOW = 'test/**/*.slow.test.ts';
// All of them run there with `TEST_REDIS=cluster npm run test:fast test/end-to-end`.
const ON_CLUSTER = ['main-job', 'approval', 'resume'];
// All of them run there with `TEST_DIALECT=observed npm run test:fast test/end-to-end`.
const OBSERVED = ['approval', 'delivered-twice', 'kickoff-form', 'thread', 'webhooks'];

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'fast',
          include: ['test/**/*.test.ts'],
          exclude: [SLOW],
          testTimeout: 20_000,
          hookTimeout: 60_000,
          restoreMocks: true,
          // Most of them wait for servers, so that more of them than cores run at once.
          maxWorkers: 3,
          // Stories that wait for polls and quiet moments wait together.
          maxConcurrency: 12,
          sequence: { groupOrder: 0 },
        },
      },
      {
        // The same stories with the bots on a Redis Cluster of three nodes.
        test: {
          name: 'cluster',
          include: ON_CLUSTER.map((story) => `test/end-to-end/${story}.test.ts`),
          env: { TEST_REDIS: 'cluster' },
          maxWorkers: 3,
          testTimeout: 40_000,
          hookTimeout: 60_000,
          restoreMocks: true,
          maxConcurrency: 12,
          sequence: { groupOrder: 1 },
        },
      },
      {
        // The same stories against a crew service of the other dialect.
        test: {
          name: 'observed',
          include: OBSERVED.map((story) => `test/end-to-end/${story}.test.ts`),
          env: { TEST_DIALECT: 'observed' },
          maxWorkers: 3,
          testTimeout: 20_000,
          hookTimeout: 60_000,
          restoreMocks: true,
          maxConcurrency: 12,
          sequence: { groupOrder: 1 },
        },
      },
      {
        // Browsers, soak and load: one file after another, or they would measure each other.
        test: {
          name: 'slow',
          include: [SLOW],
          testTimeout: 180_000,
          hookTimeout: 120_000,
          restoreMocks: true,
          fileParallelism: false,
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
});
