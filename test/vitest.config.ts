import { basename } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { closingLine } from './support/closing-line.ts';

/** What depends on the crew's dialect or on how keys are spread over the nodes of a Redis Cluster. */
const ELSEWHERE = ['main-job', 'webhooks', 'polling', 'restart'];

/** Started last, these would go on alone. Those that mostly wait start beside those that compute. */
const LONGEST_FIRST = [
  'lost-run',
  'kill-matrix',
  'policy-kills',
  'unconfirmed',
  'load',
  'slack-calls',
  'no-answer',
  'crew-trouble',
  'timers',
  'page',
  'slack-trouble',
  'soak',
  'demo',
  'one-channel',
  'redis-trouble',
  'node-outages',
  'failover',
  'topologies',
  'cluster-changes',
  'playing',
  'inbox',
  'clocks',
  'ten-crews',
  'polling',
  'webhooks',
  'graceful-stop',
  'block-kit',
];

const COMMON = {
  restoreMocks: true,
  // Within a file, tests that wait for polls and quiet moments wait together.
  maxConcurrency: 12,
  // No module keeps state, so files may share what they import: importing it again took a third of the time.
  isolate: false,
  // Limits are there for tests that hang. A busy machine must not reach them.
  testTimeout: 300_000,
  hookTimeout: 300_000,
  expect: { poll: { timeout: 60_000 } },
  // Many tests wait for servers, so more files than cores run at once. Each worker imports everything again.
  maxWorkers: 5,
};

/**
 * Long files begin first, after those of the small project: only files of one project can share a worker, so that its
 * workers end soon.
 */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ project, moduleId }: TestSpecification) => {
      if (project.name === 'elsewhere') return -1;
      const index = LONGEST_FIRST.indexOf(basename(moduleId).replace(/(\.slow)?\.test\.ts$/, ''));
      return index === -1 ? LONGEST_FIRST.length : index;
    };
    return (await super.sort(files)).sort((a, b) => rank(a) - rank(b));
  }
}

export default defineConfig({
  test: {
    reporters: ['default', closingLine],
    globalSetup: 'test/support/bundle-programs.ts',
    sequence: { sequencer: LongestFirst },
    projects: [
      { test: { ...COMMON, name: 'here', include: ['test/**/*.test.ts'] } },
      {
        // The bots on a Redis Cluster of three nodes, with crews of the other dialect.
        test: {
          ...COMMON,
          name: 'elsewhere',
          include: ELSEWHERE.map((name) => `test/end-to-end/${name}.test.ts`),
          env: { TEST_REDIS: 'cluster', TEST_DIALECT: 'observed' },
        },
      },
    ],
  },
});
