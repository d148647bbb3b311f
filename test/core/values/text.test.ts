import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { characterEnd, shortened } from '../../../src/core/values/cut.ts';
import { cleanText, oneLine } from '../../../src/core/values/text.ts';
import { anyCharacter } from '../../support/any-character.ts';

const anyText = fc.string({ unit: anyCharacter });

describe('clean text', () => {
  it('keeps line ends and tabs, but no other control or direction character', () => {
    expect(cleanText('a\r\n\tb\u0000c\r\u2028\u202Egnp.exe\u2069')).toBe('a\n\tbc\n\ngnp.exe');
  });

  it('has no lone surrogates and keeps the pairs', () => {
    expect(cleanText('😀\uD83D')).toBe('😀\uFFFD');
    fc.assert(
      fc.property(anyText, (text) => {
        expect(cleanText(text).isWellFormed()).toBe(true);
      }),
    );
  });

  it('fits on one line, where control characters separate words', () => {
    expect(oneLine(' a\r\n\tb\u0000c \u202E d\u2029')).toBe('a b c d');
    fc.assert(
      fc.property(anyText, (text) => {
        expect(oneLine(text)).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}]|\s\s/u);
      }),
    );
  });
});

describe('the place to cut a text', () => {
  it.each([
    ['a surrogate pair', 'ab😀', 3],
    ['a skin tone', 'ab👍🏽', 4],
    ['a family', 'ab👩‍👩‍👧‍👦', 8],
    ['a flag', 'ab🇩🇪', 4],
    ['an accent', 'abe\u0301', 3],
    ['a syllable of Hangul', 'ab\u1112\u1161\u11AB', 4],
  ])('is before %s that doesn’t fit', (_, text, at) => {
    expect(characterEnd(text, at)).toBe(2);
  });

  it('is as far as promised where nothing is split', () => {
    expect(characterEnd('abc', 2)).toBe(2);
    expect(characterEnd('abc', 9)).toBe(3);
  });

  it('leaves something of a character that is longer than a text may be', () => {
    const tower = `e${'\u0301'.repeat(1_000)}`;
    expect([3, 64, 65, 500].map((at) => characterEnd(tower, at))).toEqual([3, 64, 65, 500]);
    expect(characterEnd(`${'x'.repeat(200)}${tower}`, 250)).toBe(200);
    expect(characterEnd(`😀${'\u200D😀'.repeat(100)}`, 100)).toBe(99);
  });

  it('splits no surrogate pair, and is never the beginning of what can be cut', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter, minLength: 1 }), fc.integer({ min: 2, max: 200 }), (text, at) => {
        const whole = text.toWellFormed().repeat(20);
        const end = characterEnd(whole, at);
        expect(end).toBeGreaterThan(0);
        expect(end).toBeLessThanOrEqual(Math.max(at, 1));
        expect(whole.slice(0, end).isWellFormed()).toBe(true);
      }),
    );
  });

  it('is marked with an ellipsis', () => {
    expect(shortened('two words', 4)).toBe('two…');
  });
});
