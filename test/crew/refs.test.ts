import { expect, it } from 'vitest';
import { createRefs, isRef } from '../../src/crew/credentials.ts';
import { OLD_SECRET, SECRET } from './crew-values.ts';

const refs = createRefs([SECRET]);

it('gives a form that is submitted twice the same reference, and its next attempt another one', () => {
  const first = refs.createRef({ viewId: 'V1', attempt: 1 });
  expect(refs.createRef({ viewId: 'V1', attempt: 1 })).toBe(first);
  expect(refs.createRef({ viewId: 'V1', attempt: 2 })).not.toBe(first);
  expect(refs.createRef({ viewId: 'V2', attempt: 1 })).not.toBe(first);
});

it('gives a command that is delivered twice the same reference', () => {
  const first = refs.createRef({ triggerId: 'T1' });
  expect(refs.createRef({ triggerId: 'T1' })).toBe(first);
  expect(refs.createRef({ triggerId: 'T2' })).not.toBe(first);
});

it('tells crews with the same execution id apart', () => {
  expect(refs.adoptedRef('a', 'bc')).not.toBe(refs.adoptedRef('ab', 'c'));
  expect(refs.adoptedRef('research', '1')).toBe(refs.adoptedRef('research', '1'));
});

it('finds what was adopted under an older secret', () => {
  const before = createRefs([OLD_SECRET]).adoptedRef('research', '1');
  const rotated = createRefs([SECRET, OLD_SECRET]);
  expect(rotated.adoptedRefs('research', '1')).toEqual([refs.adoptedRef('research', '1'), before]);
  expect(rotated.adoptedRef('research', '1')).toBe(refs.adoptedRef('research', '1'));
});

it('is 26 characters that need no escaping anywhere, each equally likely', () => {
  const all = Array.from({ length: 2_000 }, (_, i) => refs.createRef({ triggerId: `T${i}` }));
  expect(new Set(all).size).toBe(all.length);
  expect(all.every(isRef)).toBe(true);
  const counts = new Map<string, number>();
  for (const letter of all.join('')) counts.set(letter, (counts.get(letter) ?? 0) + 1);
  expect(counts.size).toBe(32);
  const expected = (all.length * 26) / 32;
  for (const count of counts.values()) expect(Math.abs(count - expected)).toBeLessThan(expected * 0.2);
});

it('takes nothing else for a reference', () => {
  for (const text of ['', 'abc', 'A'.repeat(26), '1'.repeat(26), `${'a'.repeat(26)}\n`, '../'.repeat(9)]) {
    expect(isRef(text)).toBe(false);
  }
});
