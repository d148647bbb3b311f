import { expect, it } from 'vitest';
import { parseInput } from '../../../src/slack/ui/input-values.ts';
import { field } from '../../support/requests.ts';
import { say } from './models.ts';

const read = (typed: string) => parseInput(field('amount', { type: 'number' }), typed, say);

it.each([
  ['12.5', 12.5],
  [' 007.50 ', 7.5],
  ['-0.1', -0.1],
  ['+3', 3],
  ['.5', 0.5],
  ['5.', 5],
  ['0.000', 0],
  ['1e3', 1000],
  ['0.0000001', 1e-7],
  ['1.5E-7', 1.5e-7],
  ['0x1f', 31],
  ['9007199254740991', 9_007_199_254_740_991],
])('the number %s is sent exactly as it was typed', (typed, value) => {
  expect(read(typed)).toEqual({ ok: true, value });
});

it.each(['123456789012.12345678', '0.12345678901234567890', '9007199254740993', '-1.00000000000000001', '1e-400'])(
  'the number %s is refused, since it would be sent with other digits',
  (typed) => {
    expect(read(typed)).toEqual({ ok: false, refusal: say('input.too-many-digits') });
  },
);
