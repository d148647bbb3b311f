import type { Reporter, TestModule } from 'vitest/node';

/**
 * The last line of a run is its count: `12 passed, 0 failed`, and `, 1 skipped` if any were. A file that can't be loaded has no
 * tests and counts as one failure; a run in which nothing passed fails.
 */
export const closingLine: Reporter = {
  onTestRunEnd(modules) {
    const { passed, failed, skipped } = countsOf(modules);
    process.stdout.write(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}\n`);
    if (passed === 0) process.exitCode = 1;
  },
};

function countsOf(modules: readonly TestModule[]) {
  const states = modules.flatMap((module) => [...module.children.allTests()].map((test) => test.result().state));
  const unloadable = modules.filter((module) => module.state() === 'failed' && module.children.size === 0);
  const count = (...counted: string[]) => states.filter((state) => counted.includes(state)).length;
  return { passed: count('passed'), failed: count('failed') + unloadable.length, skipped: count('skipped', 'pending') };
}
