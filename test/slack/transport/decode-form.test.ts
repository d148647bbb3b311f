import fc from 'fast-check';
import { expect, it } from 'vitest';
import { decodeForm } from '../../../src/slack/transport/decode-form.ts';

/** Written with the language's own functions. */
function expected(form: string): [string, string][] | null {
  const decode = (text = '') => decodeURIComponent(text.replaceAll('+', ' '));
  const fields = form.split('&').filter((field) => field !== '');
  try {
    return fields.map((field) => {
      const [name, ...value] = field.split('=');
      return [decode(name), decode(value.join('='))];
    });
  } catch {
    return null;
  }
}

const PARTS = [
  '&',
  '=',
  '+',
  '%',
  '%2',
  '%zz',
  '%00',
  '%26',
  '%3D',
  '%2b',
  '%c3%A4',
  '%c3',
  '%F0%9F%91%8D',
  '%ed%a0%80',
];
const form = fc.array(fc.oneof(fc.constantFrom(...PARTS, 'a', 'ü', '\u{1F44D}'), fc.string({ unit: 'grapheme' })));

it('decodes what is a form, and refuses what is badly encoded', () => {
  fc.assert(
    fc.property(form, (parts) => {
      const text = parts.join('');
      expect(decodeForm(Buffer.from(text))).toEqual(expected(text));
    }),
    { numRuns: 2_000 },
  );
});

it('keeps every character of a long text', () => {
  const text = Array.from({ length: 0x3000 }, (_, code) => String.fromCodePoint(code)).join('');
  const body = Buffer.from(new URLSearchParams({ text, more: '' }).toString());
  expect(decodeForm(body)).toEqual([
    ['text', text],
    ['more', ''],
  ]);
});
