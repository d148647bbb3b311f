import { expect, it } from 'vitest';
import { wrongInputs } from '../../../../src/slack/features/kickoff/form-refusal.ts';

const NAMES = ['count', 'topic', 'a'];

it.each([
  ['inputs.count: must be at most 10', { count: 'must be at most 10' }],
  ['count: must be at most 10', { count: 'must be at most 10' }],
  ['inputs.count: too large; inputs.topic: too short', { count: 'too large', topic: 'too short' }],
  ['Input “count” is out of range', { count: 'Input “count” is out of range' }],
  [
    "'topic' and 'count' don't match",
    { topic: "'topic' and 'count' don't match", count: "'topic' and 'count' don't match" },
  ],
  ['count must be at most 10', { count: 'count must be at most 10' }],
  ['inputs must be an object', {}],
  ['This is a limit on topics', {}],
  ['', {}],
])('%j names the inputs that are wrong', (detail, expected) => {
  expect(wrongInputs(detail, NAMES)).toEqual(expected);
});
