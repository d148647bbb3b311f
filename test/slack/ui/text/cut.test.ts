import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cut, cutLine, cutMrkdwn, escapeMarkdown, escapeMrkdwn } from '../../../../src/slack/ui/text/escape.ts';
import { hostileText } from '../hostile.ts';

const HALF_ENTITY = /&(?!(?:amp|lt|gt);)/;

describe('a cut text', () => {
  it('stays as it is if it fits', () => {
    expect(cut('All of it.', 10)).toBe('All of it.');
  });

  it('ends with an ellipsis where something is left out', () => {
    expect(cut('All of this is long', 8)).toBe('All of…');
  });

  it('keeps a family of emoji together', () => {
    expect(cut('ab👩‍👩‍👧‍👦cdefgh', 8)).toBe('ab…');
  });

  it('is as short as promised and well formed, whatever it was', () => {
    fc.assert(
      fc.property(hostileText, fc.integer({ min: 3, max: 400 }), (text, most) => {
        for (const shown of [cut(text, most), cutLine(text, most)]) {
          expect(shown.length).toBeLessThanOrEqual(most);
          expect(shown.isWellFormed()).toBe(true);
        }
        expect(cutLine(text, most)).not.toContain('\n');
      }),
    );
  });

  it('splits no entity and no link of our own when it is mrkdwn', () => {
    fc.assert(
      fc.property(hostileText, fc.integer({ min: 3, max: 400 }), (text, most) => {
        const shown = cutMrkdwn(`<@U1> ${escapeMrkdwn(text)} <https://x.example|here>`, most);
        expect(shown.length).toBeLessThanOrEqual(most);
        expect(shown).not.toMatch(HALF_ENTITY);
        expect(shown.replaceAll('<@U1>', '').replaceAll('<https://x.example|here>', '')).not.toMatch(/[<>]/);
      }),
    );
  });
});

describe('foreign text', () => {
  it('can’t reorder the words around it', () => {
    expect(cut('a\u202Eb\u2066c\u200Fd', 10)).toBe('abcd');
    expect(cutLine('שלום', 10)).toBe('\u2068שלום\u2069');
  });

  it('stays on its line', () => {
    expect(cutLine('a\r\nb\u2028c', 10)).toBe('a b c');
  });

  it('keeps its quotes in a markdown block, but no other bracket', () => {
    expect(escapeMarkdown('> said\n\na -> <b>\n> > twice')).toBe('> said\n\na -&gt; &lt;b&gt;\n> > twice');
  });
});
