import type { Reporter, TestModule } from 'vitest/node';

/**
 * The last line of a run is its count: `12 passed, 0 failed`, and `, 1 skipped` if any were. A file that fails outside its tests,
 * such as one that can't be loaded, counts as one failure; a run in which nothing passed fails.
 */
export const closingLine: Reporter = {
  onTestRunEnd(modules) {
    const { passed, failed, skipped } = countsOf(modules);
    process.stdout.write(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}\n`);
    if (passed === 0) process.exitCode = 1;
  },
};

function countsOf(modules: readonly TestModule[]) {
  const statesIn = (module: TestModule) => [...module.children.allTests()].map((test) => test.result().state);
  const states = modules.flatMap(statesIn);
  const failedOutside = modules.filter((module) => module.state() === 'failed' && !statesIn(module).includes('failed'));
  const count = (...counted: string[]) => states.filter((state) => counted.includes(state)).length;
  return {
    passed: count('passed'),
    failed: count('failed') + failedOutside.length,
    skipped: count('skipped', 'pending'),
  };
}
