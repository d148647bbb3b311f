import fc from 'fast-check';
import { expect, it } from 'vitest';
import { parseInputLines } from '../../../../src/slack/features/workflow/input-lines.ts';

const NAMES = ['topic', 'Target audience', 'url'];
const read = (text: string, names: string[] | null = NAMES) => {
  const parsed = parseInputLines(text, names);
  return parsed.ok ? parsed.value : parsed.refusal;
};

it.each<[string, string, Record<string, string>]>([
  ['each on a line of its own', 'topic: tea\nurl: https://a.b/?c=d', { topic: 'tea', url: 'https://a.b/?c=d' }],
  ['with = as after /kickoff', 'topic=tea\r\nurl = x', { topic: 'tea', url: 'x' }],
  ['in any case, and with spaces', '\n target AUDIENCE :  all \n', { 'Target audience': 'all' }],
  ['without a value', 'topic:\nurl:', { topic: '', url: '' }],
  ['over several lines', 'topic: tea\n\nNote: hot\nurl: x', { topic: 'tea\n\nNote: hot', url: 'x' }],
  ['beginning below its name', 'topic:\n- tea\n- coffee', { topic: '- tea\n- coffee' }],
  ['none at all', ' \n', {}],
])('inputs are read %s', (_, text, values) => {
  expect(read(text)).toEqual(values);
});

it('what begins with no name isn’t read, and what a person types can’t set an input that is there', () => {
  expect(read('tea')).toEqual({ kind: 'no-name', text: 'tea' });
  expect(read('tpoic: tea\nurl: x')).toEqual({ kind: 'no-name', text: 'tpoic: tea' });
  expect(read('topic: tea\nurl: evil\nurl: x')).toEqual({ kind: 'repeated', name: 'url' });
});

it('each line names an input where the crew doesn’t say which it has', () => {
  expect(read('a: 1\nb: 2', null)).toEqual({ a: '1', b: '2' });
  expect(read('a: 1\n- b', null)).toEqual({ a: '1\n- b' });
});

it('a name is never one that every object has, unless the crew calls an input so', () => {
  expect(read('__proto__: x')).toEqual({ kind: 'no-name', text: '__proto__: x' });
  expect(Object.keys(read('__proto__: x', ['__proto__']))).toEqual(['__proto__']);
});

it('whatever is typed, it is read or refused, at once', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      for (const value of Object.values(read(text))) expect(typeof value).toBe('string');
    }),
  );
  const began = performance.now();
  read(`${' '.repeat(50_000)}:${'a '.repeat(50_000)}=`);
  expect(performance.now() - began).toBeLessThan(1_000);
});
