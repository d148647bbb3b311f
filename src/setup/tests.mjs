import { mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { CACHE, CHECKOUT, runLoudly } from './commands.mjs';

const RESULTS = join(CACHE, 'test-results.json');

/**
 * Runs the tests. The last line on stdout is their count: `12 passed, 0 failed`, and `, 1 skipped` if any were skipped.
 * @param {string[]} args for vitest: filters and options
 * @returns {Promise<number>} the exit code: 0 only if tests ran and all passed
 */
export async function runTests(args) {
  await mkdir(CACHE, { recursive: true });
  await rm(RESULTS, { force: true });
  const vitest = join(CHECKOUT, 'node_modules/vitest/vitest.mjs');
  const options = ['run', '--config', 'test/vitest.config.ts', '--reporter=default', '--reporter=json'];
  const code = await runLoudly(process.execPath, [vitest, ...options, `--outputFile.json=${RESULTS}`, ...args]);
  const counts = await countResults();
  process.stdout.write(`${closingLine(counts)}\n`);
  return code === 0 && counts.passed === 0 ? 1 : code;
}

/** @typedef {{ passed: number, failed: number, skipped: number }} Counts */

/** @param {Counts} counts */
export function closingLine({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}

/** @returns {Promise<Counts>} */
async function countResults() {
  try {
    return countsOf(JSON.parse(await readFile(RESULTS, 'utf8')));
  } catch {
    // Vitest exited before it wrote any results.
    return { passed: 0, failed: 1, skipped: 0 };
  }
}

/**
 * A file that fails to load has no tests and counts as one failure.
 * @param {{ numPassedTests: number, numFailedTests: number, numPendingTests: number, numTodoTests: number,
 *   testResults: { status: string, assertionResults: unknown[] }[] }} results
 * @returns {Counts}
 */
export function countsOf(results) {
  const unloadable = results.testResults.filter(
    ({ status, assertionResults }) => status === 'failed' && assertionResults.length === 0,
  );
  return {
    passed: results.numPassedTests,
    failed: results.numFailedTests + unloadable.length,
    skipped: results.numPendingTests + results.numTodoTests,
  };
}
