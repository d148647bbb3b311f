import { expect, it } from 'vitest';
import { closingLine, countsOf } from '../../src/setup/tests.mjs';

const none = { numPassedTests: 0, numFailedTests: 0, numPendingTests: 0, numTodoTests: 0, testResults: [] };

it('ends with the test counts', () => {
  expect(closingLine(countsOf({ ...none, numPassedTests: 12, numFailedTests: 1 }))).toBe('12 passed, 1 failed');
});

it('counts skipped tests', () => {
  expect(closingLine(countsOf({ ...none, numPassedTests: 3, numPendingTests: 2, numTodoTests: 1 }))).toBe(
    '3 passed, 0 failed, 3 skipped',
  );
});

it('counts a file that fails to load as one failure', () => {
  const results = { ...none, testResults: [{ status: 'failed', assertionResults: [] }] };
  expect(countsOf(results).failed).toBe(1);
});

it('counts a failed test once', () => {
  const results = { ...none, numFailedTests: 1, testResults: [{ status: 'failed', assertionResults: [{}] }] };
  expect(countsOf(results).failed).toBe(1);
});
