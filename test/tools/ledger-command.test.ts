import { expect, it } from 'vitest';
import { timeOf } from '../../src/tools/ledger-command.ts';

const NOW = Date.parse('2026-11-26T13:41:30Z');

it.each([
  ['2026-11-22', '2026-11-22T00:00:00.000Z'],
  ['2026-11', '2026-11-01T00:00:00.000Z'],
  ['2026-11-22T09:30', '2026-11-22T09:30:00.000Z'],
  ['2026-11-22 09:30', '2026-11-22T09:30:00.000Z'],
  ['2026-11-22t09:30z', '2026-11-22T09:30:00.000Z'],
  ['2026-11-22T09:30:15.5+02:00', '2026-11-22T07:30:15.500Z'],
  ['7d', '2026-11-19T13:41:30.000Z'],
  [' 12H ', '2026-11-26T01:41:30.000Z'],
  ['30 m', '2026-11-26T13:11:30.000Z'],
  ['3d ago', '2026-11-23T13:41:30.000Z'],
  ['today', '2026-11-26T00:00:00.000Z'],
  ['Yesterday', '2026-11-25T00:00:00.000Z'],
])('--since %s means %s', (text, instant) => {
  expect(new Date(timeOf('since', text, NOW) ?? 0).toISOString()).toBe(instant);
});

it.each(['', '2026', '2026-13', '2026-11-31T25:00', '22.11.2026', 'last week', '7', 'd', '400d', '-7d', '7d8h'])(
  '--since %j is refused with what to type',
  (text) => {
    expect(() => timeOf('since', text, NOW)).toThrow(
      '--since must be a date or time such as 2026-11-22 or 2026-11-22T09:30Z, or how long ago that was, such as 7d.',
    );
  },
);
