import { expect, it } from 'vitest';
import { TRIALS_TIMEOUT_MS } from '../support/sample.ts';
import { countsLine } from './counts-line.ts';
import { runSideBySide, type Trial } from './run-trials.ts';

const PLANS = [
  { start: 'form', rejections: 0 },
  { start: 'form', rejections: 1 },
  { start: 'command', rejections: 1 },
  { start: 'command', rejections: 2 },
] as const;

const OLD_RECORDS = { bots: 2, announcements: 'lost', balance: 'in-turn' } as const;

it(
  'bots that hold old records, since they hear nothing of each other, do nothing twice and lose nothing',
  async () => {
    const plain = PLANS.map((plan): Trial => ({ name: `as planned (${plan.start})`, arm: () => {}, plan }));
    const changes = Array.from({ length: 32 }, (_, i) => i + 1);
    const cut = changes.map((nth): Trial => {
      const arm: Trial['arm'] = ({ bots: [bot] }) => bot?.redis.arm({ countdown: { left: nth }, when: 'after' });
      return { name: `one of them cut off at its change ${nth}`, arm };
    });
    const outcomes = await runSideBySide(3, [...plain, ...cut], OLD_RECORDS);
    console.info(`old records: ${countsLine(outcomes.map(({ findings }) => findings))}`);
    expect(outcomes.map(({ report }) => report).join('')).toBe('');
    expect(outcomes.every(({ findings }) => findings.delivered === findings.decisions)).toBe(true);
  },
  TRIALS_TIMEOUT_MS,
);
