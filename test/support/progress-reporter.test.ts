import { describe, expect, it } from 'vitest';
import { leftMs, type Progress, progressLine } from './progress-reporter.ts';

const SECONDS = 1_000;
const files = (count: number, expectedMs: number) => Array.from({ length: count }, () => ({ expectedMs }));

const halfWay: Progress = {
  ...{ elapsedMs: 100 * SECONDS, workers: 5 },
  finished: files(50, 10 * SECONDS),
  running: [],
  waiting: files(50, 10 * SECONDS),
};

describe('how long the tests still take', () => {
  it('is as long as the first half took, after half of the work', () => {
    expect(leftMs(halfWay)).toBe(100 * SECONDS);
  });

  it('is longer on a machine that is busy', () => {
    expect(leftMs({ ...halfWay, elapsedMs: 200 * SECONDS })).toBeGreaterThan(150 * SECONDS);
  });

  it('is no shorter than the longest of the files that run', () => {
    const running = [{ expectedMs: 130 * SECONDS, elapsedMs: 10 * SECONDS }];
    expect(leftMs({ ...halfWay, running, waiting: [] })).toBe(120 * SECONDS);
  });

  it('is nothing for a file that takes longer than expected, and never less', () => {
    const running = [{ expectedMs: SECONDS, elapsedMs: 60 * SECONDS }];
    expect(leftMs({ ...halfWay, running, waiting: [] })).toBe(0);
  });
});

describe('the line that says how far the tests are', () => {
  it('names files, tests and minutes', () => {
    expect(progressLine({ done: 212, files: 388, passed: 3_911, failed: 0 }, 110 * SECONDS)).toBe(
      '212 of 388 files, 3,911 tests passed, about 2 min left',
    );
  });

  it('counts failures as they come', () => {
    expect(progressLine({ done: 387, files: 388, passed: 6_000, failed: 2 }, 20 * SECONDS)).toBe(
      '387 of 388 files, 6,000 tests passed, 2 failed, less than a minute left',
    );
  });
});
