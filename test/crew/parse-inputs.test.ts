import { expect, it } from 'vitest';
import { parseInputs } from '../../src/crew/inputs.ts';

it.each([
  ['a list of names', { inputs: ['topic', 'audience'] }],
  ['a list of things with names', { inputs: [{ name: 'topic', type: 'string' }, { name: 'audience' }] }],
  ['an object by name', { inputs: { topic: 'string', audience: {} } }],
  ['a bare list', ['topic', 'audience']],
  ['a wrapped list', { data: { inputs: ['topic', 'audience'] } }],
])('reads %s in its order', (_, body) => {
  expect(parseInputs(body)).toEqual({ names: ['topic', 'audience'], skipped: [] });
});

it('drops what is named twice and what has no name', () => {
  expect(parseInputs({ inputs: ['b', 'a', 'b', ' a ', 7, null, {}, { name: 1 }] })).toEqual({
    names: ['b', 'a'],
    skipped: [],
  });
});

it('skips names that nobody could type, and says which', () => {
  const inputs = ['ok', 'a"b', "it's", 'line\nbreak', '`x`', '__proto__', '', 'x'.repeat(201), 'Zürich 2'];
  expect(parseInputs({ inputs })).toEqual({
    names: ['ok', 'Zürich 2'],
    skipped: ['a"b', "it's", 'line break', '`x`', '__proto__', '', `${'x'.repeat(60)}…`],
  });
});

it('knows a crew without inputs', () => {
  expect(parseInputs({ inputs: [] })).toEqual({ names: [], skipped: [] });
  expect(parseInputs({ inputs: {} })).toEqual({ names: [], skipped: [] });
});

it('is not fooled by what is no list of inputs', () => {
  for (const body of [null, 'topic', 7, {}, { inputs: null }, { inputs: 'topic' }, { topic: 'string' }]) {
    expect(parseInputs(body)).toBeNull();
  }
});
