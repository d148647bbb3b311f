import { basename } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { closingLine } from './support/closing-line.ts';
import { ProgressReporter } from './support/progress-reporter.ts';
import { SAMPLING } from './support/sample.ts';

/** `npm run test:fast` and `test:long` */
const RUNS_FAST = process.env.TESTS === 'fast';
const RUNS_LONG = process.env.TESTS === 'long';

/**
 * Seconds that the longest files take on two cores. Started last, they would go on alone: those that mostly wait start beside
 * those that compute.
 */
const LONGEST_HERE: Record<string, number> = {
  unconfirmed: 55,
  demo: 45,
  home: 40,
  page: 40,
  'everyday-outputs': 30,
  callbacks: 40,
  'kill-matrix': 25,
  service: 25,
  'flow-feedback': 20,
  'graceful-stop': 20,
  audit: 15,
  metrics: 15,
  'one-click': 15,
  webhooks: 15,
  'home-settings': 15,
  'private-answers': 15,
  resume: 15,
  polling: 15,
  thread: 15,
  stopping: 15,
  'socket-receiver': 15,
  'stored-record': 10,
  'check-redis': 10,
  'slack-trouble': 10,
  'overtaken-card': 10,
  organisation: 10,
  secrets: 10,
  strangers: 10,
  decline: 10,
  usage: 10,
  reconnect: 10,
  people: 10,
  'user-tokens': 10,
  'slack-says-no': 10,
  rights: 10,
  playing: 10,
  refusals: 10,
  'lost-run': 10,
  'changed-policies': 10,
  'check-writable': 5,
  starters: 5,
  'bolt-app': 5,
};

/** The same with all cases. */
const LONGEST_OF_ALL_CASES: Record<string, number> = {
  'policy-kills': 500,
  frameworks: 450,
  hosts: 300,
  splits: 240,
  'kill-matrix': 400,
  'block-kit': 300,
  'update-burst': 300,
  'crew-trouble': 290,
  'redis-trouble': 230,
  'slack-trouble': 150,
  timers: 130,
  surfaces: 150,
  load: 115,
  projections: 120,
  served: 120,
  loosening: 80,
  'with-bot': 80,
  'node-outages': 80,
  'no-answer': 80,
  'slack-calls': 50,
  'twenty-decisions': 35,
  'one-crew': 35,
  'other-frameworks': 35,
  callbacks: 40,
  'foreign-apps': 30,
  'asks-restart': 25,
  // It collects garbage, which takes the longer the more has been imported.
  bodies: 30,
  outsider: 30,
  isolation: 30,
  'ten-crews': 25,
  clocks: 25,
  topologies: 20,
  'cluster-changes': 15,
  'nodes-away': 20,
  polling: 20,
  webhooks: 20,
};

const LONGEST_S = RUNS_LONG ? LONGEST_OF_ALL_CASES : LONGEST_HERE;

/** What any other file takes, about. */
const SHORT_S = 3;

const expectedMs = (file: string) => 1_000 * (LONGEST_S[shortName(file)] ?? SHORT_S);

const shortName = (file: string) => basename(file).replace(/(\.slow|\.long)?\.test\.ts$/, '');

/** Many tests wait for servers, so more files than cores run at once. Each worker imports everything again. */
const WORKERS = 5;

const COMMON = {
  restoreMocks: true,
  // Within a file, tests that wait for polls and quiet moments wait together.
  maxConcurrency: 12,
  // No module keeps state, so files may share what they import: importing it again took a third of the time.
  isolate: false,
  // Limits are there for tests that hang. A busy machine must not reach them.
  testTimeout: RUNS_LONG ? 1_200_000 : 300_000,
  hookTimeout: 300_000,
  expect: { poll: { timeout: 60_000 } },
  maxWorkers: WORKERS,
};

/** What `npm test` runs. */
const HERE = {
  test: { ...COMMON, name: 'here', include: ['test/**/*.test.ts'], exclude: ['**/*.long.test.ts'] },
};

/** What tells within a minute whether a module keeps its promises: without whole stories, and without the sandbox. */
const FAST = {
  test: {
    ...HERE.test,
    name: 'fast',
    exclude: ['**/*.{slow,long}.test.ts', 'test/{attacks,end-to-end,faults,load,sandbox,security,soak}/**'],
  },
};

const QUIET = ['hosts/*', 'load/update-burst', 'redis/sentinels', 'deploy/kubernetes-rollout'].map(
  (name) => `test/${name}.long.test.ts`,
);

/** What takes minutes, and every case of what else tries only a sample. */
const ALL_CASES = {
  test: {
    ...COMMON,
    name: 'all cases',
    include: ['test/**/*.long.test.ts', ...SAMPLING],
    exclude: QUIET,
    env: { FAULTS: 'all' },
  },
};

/** These follow when all others are done. Beside them, servers would take each other for dead, and bots come too late for their turns. */
const IN_QUIET = {
  test: {
    ...COMMON,
    name: 'in quiet',
    include: QUIET,
    maxWorkers: 2,
    maxConcurrency: 2,
    sequence: { groupOrder: 1 },
  },
};

/**
 * The bots on a Redis Cluster of three nodes, with crews of the other dialect: what depends on the dialect, or on how keys are
 * spread over nodes.
 */
const ELSEWHERE = {
  test: {
    ...COMMON,
    name: 'elsewhere',
    include: ['main-job', 'webhooks', 'polling', 'restart'].map((name) => `test/end-to-end/${name}.test.ts`),
    env: { TEST_REDIS: 'cluster', TEST_DIALECT: 'observed' },
  },
};

/** So many files follow on each that takes a while, and mostly waits. */
const BETWEEN_WAITS = 12;
const LONGEST_WAIT_S = 20;

/** The longest files begin first; those that mostly wait are spread among the others, which follow as in the last run. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const order = Object.keys(LONGEST_S);
    const rank = ({ moduleId }: TestSpecification) => order.indexOf(shortName(moduleId));
    const expectedS = ({ moduleId }: TestSpecification) => expectedMs(moduleId) / 1_000;
    const sorted = await super.sort(files);
    const longest = sorted.filter((file) => expectedS(file) >= LONGEST_WAIT_S).sort((a, b) => rank(a) - rank(b));
    const waiting = sorted.filter((file) => expectedS(file) < LONGEST_WAIT_S && expectedS(file) > SHORT_S);
    const others = sorted.filter((file) => expectedS(file) <= SHORT_S);
    const groups = waiting.map((file, i) => [file, ...others.slice(i * BETWEEN_WAITS, (i + 1) * BETWEEN_WAITS)]);
    return [...longest, ...groups.flat(), ...others.slice(waiting.length * BETWEEN_WAITS)];
  }
}

const PROJECTS = RUNS_LONG ? [ALL_CASES, ELSEWHERE, IN_QUIET] : [RUNS_FAST ? FAST : HERE];

export default defineConfig({
  test: {
    reporters: [new ProgressReporter({ workers: WORKERS, expectedMs }), closingLine],
    // What tests print is about failures. The long ones print how much was tried.
    silent: RUNS_LONG ? false : 'passed-only',
    globalSetup: 'test/support/bundle-programs.ts',
    sequence: { sequencer: LongestFirst },
    projects: PROJECTS,
  },
});
