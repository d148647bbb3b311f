import fc from 'fast-check';
import { expect, it } from 'vitest';
import { parseJsonBody } from '../../../src/crew/payload.ts';

it('reads what JSON.parse reads', () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 20 }), (text) => {
      expect(parseJsonBody(text)).toEqual({ value: JSON.parse(text) });
    }),
  );
});

it('reads past the mark that some senders put first', () => {
  expect(parseJsonBody('\ufeff{"a":1}')).toEqual({ value: { a: 1 } });
});

it('answers nothing for what is not JSON', () => {
  for (const text of ['', '{', 'a=b', '{"a":1}x', '"', '"\\', 'undefined']) expect(parseJsonBody(text)).toBeNull();
  fc.assert(
    fc.property(fc.string(), (text) => {
      parseJsonBody(text);
    }),
  );
});

it('refuses nesting that would overflow the stack', () => {
  const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
  expect(parseJsonBody(nested(100))).not.toBeNull();
  expect(parseJsonBody(nested(101))).toBeNull();
  expect(parseJsonBody('{"a":'.repeat(5_000_000))).toBeNull();
});

it('does not count brackets within texts', () => {
  const text = JSON.stringify({ text: `${'['.repeat(500)}"\\${'{'.repeat(500)}` });
  expect(parseJsonBody(text)).not.toBeNull();
});
