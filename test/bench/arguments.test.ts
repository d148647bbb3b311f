import { expect, it } from 'vitest';
import { parseArguments } from './arguments.ts';

const KNOWN = ['acks', 'path'];

it('measures everything in three rounds where nothing else is said', () => {
  expect(parseArguments([], KNOWN)).toEqual({
    ...{ parts: [], short: false, durable: false, large: false, rounds: 3, json: null, compare: null },
  });
});

it('takes names of parts and options in any order', () => {
  const asked = parseArguments(['path', '--rounds', '1', '--json', 'a.json', 'acks', '--compare', 'b.json'], KNOWN);
  expect(asked).toMatchObject({ parts: ['path', 'acks'], rounds: 1, json: 'a.json', compare: 'b.json' });
});

it.each([
  [['acts'], 'There is no bench acts; there are acks, path.'],
  [['--rounds', '0'], '--rounds takes a whole number from 1.'],
  [['--short', 'acks'], '--short measures the counts of all parts: leave the names out.'],
  [['--shrot'], "Unknown option '--shrot'"],
])('refuses %j', (argv, reason) => {
  expect(() => parseArguments(argv, KNOWN)).toThrow(reason);
});
