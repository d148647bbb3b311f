import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseJsonBody, plainLine, plainLines } from '../../src/crew/payload.ts';
import { anyCharacter } from '../support/any-character.ts';

describe('the body of a call', () => {
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
});

describe('a line of foreign text', () => {
  it('loses markup, line ends, control and direction characters', () => {
    expect(plainLine(' a\r\n\tb\u0000c \u202egnp.exe\u2069 ', 100)).toBe('a b c gnp.exe');
    expect(plainLine('a < b and c > d', 100)).toBe('a < b and c > d');
    expect(plainLine("expected <class 'int'>", 100)).toBe("expected <class 'int'>");
  });

  it('is reduced to the words of a page if a proxy answered with one', () => {
    const page = `<!DOCTYPE html><html><head><title>x</title><style>p{}</style></head>
      <body><h1>502 Bad&nbsp;Gateway</h1><script>alert(1)</script><p class="a">nginx</p></body></html>`;
    expect(plainLine(page, 100)).toBe('502 Bad Gateway nginx');
  });

  it('is cut if it is too long, never within a character', () => {
    expect(plainLine('a'.repeat(11), 10)).toBe(`${'a'.repeat(10)}…`);
    expect(plainLine('aa😀', 3)).toBe('aa…');
  });

  it('takes linear time, even for hostile text', () => {
    // A search for the end of each of these tags would take hours.
    expect(plainLine('<a'.repeat(5_000_000), 100)).toHaveLength(101);
    expect(plainLine('<script>'.repeat(1_000_000), 100).length).toBeLessThanOrEqual(101);
  });

  it('is short, on one line and well formed, whatever it was', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter }), fc.integer({ min: 1, max: 50 }), (text, most) => {
        const line = plainLine(text, most);
        expect(line.length).toBeLessThanOrEqual(most + 1);
        expect(line).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}]/u);
        expect(line.isWellFormed()).toBe(true);
      }),
    );
  });
});

it('keeps the first lines of a summary apart', () => {
  expect(plainLines('\n# One\r\n\r\n  two  \nthree\nfour', { lines: 3, most: 100 })).toBe('# One\ntwo\nthree');
  expect(plainLines('x'.repeat(20), { lines: 3, most: 5 })).toBe('xxxxx…');
});
