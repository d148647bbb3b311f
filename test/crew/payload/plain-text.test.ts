import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cutText, plainLine, plainLines, wellFormed } from '../../../src/crew/payload/plain-text.ts';

describe('a line of foreign text', () => {
  it('loses markup, line ends, control and direction characters', () => {
    expect(plainLine(' a\r\n\tb\u0000c \u202egnp.exe\u2069 ', 100)).toBe('a b c gnp.exe');
    expect(plainLine('a < b and c > d', 100)).toBe('a < b and c > d');
    expect(plainLine("expected <class 'int'>", 100)).toBe("expected <class 'int'>");
  });

  it('is the words of a page where a proxy answered with one', () => {
    const page = `<!DOCTYPE html><html><head><title>x</title><style>p{}</style></head>
      <body><h1>502 Bad&nbsp;Gateway</h1><script>alert(1)</script><p class="a">nginx</p></body></html>`;
    expect(plainLine(page, 100)).toBe('502 Bad Gateway nginx');
  });

  it('is cut where it is too long, never within a character', () => {
    expect(plainLine('a'.repeat(11), 10)).toBe(`${'a'.repeat(10)}…`);
    expect(cutText('aa😀', 3)).toBe('aa…');
  });

  it('takes no longer than its length, also of hostile text', () => {
    // Where each beginning were looked for to the end, these would take hours.
    expect(plainLine('<a'.repeat(5_000_000), 100)).toHaveLength(101);
    expect(plainLine('<script>'.repeat(1_000_000), 100).length).toBeLessThanOrEqual(101);
  });

  it('is short, in one line and well formed, whatever it was', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.integer({ min: 1, max: 50 }), (text, most) => {
        const line = plainLine(text, most);
        expect(line.length).toBeLessThanOrEqual(most + 1);
        expect(line).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}]/u);
        expect(wellFormed(line)).toBe(line);
      }),
    );
  });
});

it('keeps the first lines of a summary apart', () => {
  expect(plainLines('\n# One\r\n\r\n  two  \nthree\nfour', { lines: 3, most: 100 })).toBe('# One\ntwo\nthree');
  expect(plainLines('x'.repeat(20), { lines: 3, most: 5 })).toBe('xxxxx…');
});

it('replaces halves of characters and keeps whole ones', () => {
  expect(wellFormed('😀\ud83d')).toBe('😀\ufffd');
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(wellFormed(text)).toBe(Buffer.from(text, 'utf8').toString('utf8'));
      expect(wellFormed(text)).toHaveLength(text.length);
    }),
  );
});
