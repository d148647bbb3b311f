import fc from 'fast-check';
import { expect, it } from 'vitest';
import { parseBody } from '../../../src/slack/receivers/http-receiver.ts';

const COMMAND = 'command=%2Fkickoff';

/** What a form says beside its command, or why it can't be read. */
function read(form: string): [string, string][] | string {
  const parsed = parseBody('application/x-www-form-urlencoded', Buffer.from(`${COMMAND}&${form}`));
  return parsed.ok
    ? Object.entries(parsed.value)
        .filter(([name]) => name !== 'command')
        .map(([name, value]) => [name, String(value)])
    : parsed.refusal;
}

/** Written with the language's own functions. */
function expected(form: string): [string, string][] | string {
  const decode = (text = '') => decodeURIComponent(text.replaceAll('+', ' '));
  const fields = form.split('&').filter((field) => field !== '');
  try {
    const decoded = fields.map((field): [string, string] => {
      const [name, ...value] = field.split('=');
      return [decode(name), decode(value.join('='))];
    });
    return decoded.flat().join('').includes('\0') ? 'NUL byte' : Object.entries(Object.fromEntries(decoded));
  } catch {
    return 'encoding';
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
      expect(read(text)).toEqual(expected(text));
    }),
    { numRuns: 2_000 },
  );
});

it('keeps every character of a long text', () => {
  const text = Array.from({ length: 0x3000 - 1 }, (_, code) => String.fromCodePoint(code + 1)).join('');
  expect(read(new URLSearchParams({ text, more: '' }).toString())).toEqual([
    ['text', text],
    ['more', ''],
  ]);
});
