import { expect, it } from 'vitest';
import { commandWordIn, inputFields, WORKFLOW_POLICY } from '../../../src/core/policy/crew.ts';
import { createRulesOf } from '../../../src/core/policy/rules.ts';

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

it.each([
  ['help', 'help'],
  ['?', 'help'],
  ['-h', 'help'],
  ['--help', 'help'],
  ['/Status', 'status'],
  ['WHO', 'who'],
  ['stats?!', 'stats'],
  ['-?', 'help'],
  ['h', null],
  ['-H', null],
  ['sta-tus', null],
  ['who?s', null],
  ['help me', null],
  ['', null],
])('the word after the slash command %j means %j', (typed, word) => {
  expect(commandWordIn(typed)).toBe(word);
});

it('a crew that is not in the crews file has no policy, unless it is a workflow', () => {
  const rulesOf = createRulesOf(new Map());
  expect(rulesOf('editorial')).toEqual({ policy: null, hours: null, keepTexts: 'retention' });
  expect(rulesOf('workflow').policy).toBe(WORKFLOW_POLICY);
});
