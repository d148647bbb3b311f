import { expect, it } from 'vitest';
import { inputFields } from '../../../src/core/policy/crew.ts';

const HINT = {
  label: 'How bad?',
  type: 'choice',
  options: ['low', 'high'],
  default: 'low',
  help: 'Ask the pager.',
  min: null,
  max: null,
} as const;

it('asks for the inputs in the order in which the crew reports them', () => {
  expect(inputFields(['b', 'a'], {}).map(({ name }) => name)).toEqual(['b', 'a']);
});

it('takes label, type, options, default and help from what the operator says', () => {
  const hint = { ...HINT, options: [...HINT.options] };
  expect(inputFields(['severity'], { severity: hint })).toEqual([{ name: 'severity', ...hint }]);
});

it('makes plain text of an undescribed input', () => {
  const plain = { type: 'text', options: [], default: null, help: null, min: null, max: null };
  expect(inputFields(['topic'], {})).toEqual([{ name: 'topic', label: 'topic', ...plain }]);
});

it('takes names that every object has for names like any other', () => {
  expect(inputFields(['constructor', '__proto__'], {}).map(({ label }) => label)).toEqual(['constructor', '__proto__']);
});
