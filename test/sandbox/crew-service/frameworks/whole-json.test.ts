import { expect, it } from 'vitest';
import { wholeJson } from '../../../../src/sandbox/crew-service/frameworks/whole-json.ts';

class Refund {
  readonly amount: number;

  constructor(amount: number) {
    this.amount = amount;
  }
}

class Sealed {
  readonly #amount = 20;

  isLess(than: number): boolean {
    return this.#amount < than;
  }
}

class Money {
  toJSON() {
    return { euros: 20n };
  }
}

const ROWS: readonly (readonly [name: string, value: unknown, shown: unknown])[] = [
  ['plain JSON', { a: [1, 'b', null, true, { c: {} }, []] }, { a: [1, 'b', null, true, { c: {} }, []] }],
  ['a Map', new Map([['a', new Map([['b', 1]])]]), { a: { b: 1 } }],
  ['a Map with other keys than texts', new Map([[1, 'one']]), [[1, 'one']]],
  ['an empty Map', new Map(), {}],
  ['a Set', [new Set([1, new Set(['a'])])], [[1, ['a']]]],
  ['a Date', new Date(0), '1970-01-01T00:00:00.000Z'],
  ['a Date that is none', new Date(Number.NaN), 'Invalid Date'],
  ['a BigInt', { sum: 12345678901234567890n }, { sum: '12345678901234567890' }],
  ['what is no number', [Number.NaN, Number.POSITIVE_INFINITY], ['NaN', 'Infinity']],
  ['undefined', { to: undefined, list: [undefined] }, { to: null, list: [null] }],
  ['a symbol', Symbol('tea'), 'Symbol(tea)'],
  ['a regular expression', /a+/g, '/a+/g'],
  ['an Error', new RangeError('Too much.'), { name: 'RangeError', message: 'Too much.' }],
  ['bytes', new Uint8Array([1, 2]), [1, 2]],
  ['an object of a class', new Refund(20), { amount: 20 }],
  ['an object of a class that says what it is', { pay: new Money() }, { pay: { euros: '20' } }],
  [
    'an object of a class that hides all of it',
    { pay: new Sealed() },
    { pay: '[a Sealed that shows nothing of itself]' },
  ],
  ['an address', new URL('https://example.com/a'), 'https://example.com/a'],
  [
    'parameters of an address',
    new URLSearchParams('a=1&b=2'),
    [
      ['a', '1'],
      ['b', '2'],
    ],
  ],
  [
    'the same twice',
    (() => {
      const one = { a: 1 };
      return [one, one];
    })(),
    [{ a: 1 }, { a: 1 }],
  ],
  ['a name like that of the prototype', JSON.parse('{"__proto__":{"a":1}}'), JSON.parse('{"__proto__":{"a":1}}')],
  ['methods beside facts', { amount: 20, pay: () => {} }, { amount: 20 }],
];

it.each(ROWS)('%s is shown whole', (_name, value, shown) => {
  const json = wholeJson(value, 'It');
  expect(json).toEqual(shown);
  expect(JSON.parse(JSON.stringify(json))).toEqual(shown);
});

it('a value that holds itself, or is a function, is refused with the reason', () => {
  const circle: { self?: unknown } = {};
  circle.self = new Map([['a', circle]]);
  expect(() => wholeJson(circle, 'What is asked')).toThrow("What is asked can't be JSON: it holds itself.");
  expect(() => wholeJson(() => {}, 'What is asked')).toThrow("What is asked can't be JSON: it is a function.");
});
