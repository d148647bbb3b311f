import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const STORIES = 'test/end-to-end/*.test.ts';
const SLOW = 'test/**/*.slow.test.ts';
/** Browsers, and a minute of random faults: a machine that is busy with others would be what they see. */
const TIMELY = ['test/sandbox/**/*.slow.test.ts', 'test/soak/*.slow.test.ts'];
/** What fills the machine by itself, so that anything beside it would be measured with it. */
const LOAD = 'test/load/load.slow.test.ts';

const COMMON = {
  restoreMocks: true,
  // Stories that wait for polls and quiet moments wait together.
  maxConcurrency: 12,
  // No module keeps a state, so that files may share what they import: a third of the time went into importing it again.
  isolate: false,
};

/** What takes minutes, longest first: begun last, it would go on alone. */
const LONG = ['kill-matrix', 'soak', 'page', 'demo', 'lost-run', 'unconfirmed', 'redis-trouble'];

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const index = LONG.findIndex((name) => moduleId.includes(`/${name}.`));
      return index === -1 ? LONG.length : index;
    };
    return (await super.sort(files)).sort((a, b) => rank(a) - rank(b));
  }
}

export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    // One group after the other. Most tests wait for servers, so that more files than cores run at once.
    projects: [
      {
        test: {
          name: 'fast',
          include: ['test/**/*.test.ts'],
          exclude: [SLOW],
          ...COMMON,
          testTimeout: 60_000,
          hookTimeout: 60_000,
          maxWorkers: 5,
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
          ...COMMON,
          testTimeout: 60_000,
          hookTimeout: 60_000,
          maxWorkers: 5,
          sequence: { groupOrder: 0 },
        },
      },
      {
        test: {
          name: 'slow',
          include: [SLOW],
          exclude: [LOAD, ...TIMELY],
          ...COMMON,
          testTimeout: 180_000,
          hookTimeout: 120_000,
          maxWorkers: 4,
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          name: 'timely',
          include: TIMELY,
          ...COMMON,
          testTimeout: 180_000,
          hookTimeout: 120_000,
          maxWorkers: 3,
          sequence: { groupOrder: 2 },
        },
      },
      {
        test: {
          name: 'load',
          include: [LOAD],
          ...COMMON,
          testTimeout: 180_000,
          hookTimeout: 120_000,
          fileParallelism: false,
          sequence: { groupOrder: 3 },
        },
      },
    ],
  },
});
