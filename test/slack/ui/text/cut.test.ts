import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { clean, oneLine } from '../../../../src/slack/ui/text/clean.ts';
import { cut, cutLine } from '../../../../src/slack/ui/text/cut.ts';
import { cutMarkdown } from '../../../../src/slack/ui/text/cut-markdown.ts';
import { cutMrkdwn, escapeMarkdown, escapeMrkdwn } from '../../../../src/slack/ui/text/escape.ts';
import { hostileText } from '../hostile.ts';

const LONE_SURROGATE = /\p{Surrogate}/u;
const HALF_ENTITY = /&(?!(?:amp|lt|gt);)/;

describe('a cut text', () => {
  it('stays as it is where it fits', () => {
    expect(cut('All of it.', 10)).toBe('All of it.');
  });

  it('says with an ellipsis that something is left out', () => {
    expect(cut('All of this is long', 8)).toBe('All of…');
  });

  it('keeps a family of emoji together', () => {
    expect(cut('ab👩‍👩‍👧‍👦cdefgh', 8)).toBe('ab…');
  });

  it('is as short as promised and whole in its characters, whatever it was', () => {
    fc.assert(
      fc.property(hostileText, fc.integer({ min: 3, max: 400 }), (text, most) => {
        for (const shown of [cut(text, most), cutLine(text, most)]) {
          expect(shown.length).toBeLessThanOrEqual(most);
          expect(shown).not.toMatch(LONE_SURROGATE);
        }
        expect(cutLine(text, most)).not.toContain('\n');
      }),
    );
  });

  it('has no half of an entity or of one of our links when it is mrkdwn', () => {
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

describe('text from outside', () => {
  it('can’t turn the words around it', () => {
    expect(clean('a\u202Eb\u2066c\u200Fd')).toBe('abcd');
    expect(oneLine('שלום')).toBe('\u2068שלום\u2069');
  });

  it('stays on its line', () => {
    expect(oneLine('a\r\nb\u2028c')).toBe('a b c');
  });

  it('keeps its quotes in a markdown block, and no other bracket', () => {
    expect(escapeMarkdown('> said\n\na -> <b>\n> > twice')).toBe('> said\n\na -&gt; &lt;b&gt;\n> > twice');
  });
});

describe('a cut Markdown text', () => {
  it('ends after a paragraph where one ends in the second half', () => {
    const first = 'First paragraph. '.repeat(40).trim();
    expect(cutMarkdown(`${first}\n\n${'Second paragraph. '.repeat(40)}`, 1_000)).toEqual({ text: first, isCut: true });
  });

  it('ends after a sentence where it has no paragraphs', () => {
    const { text } = cutMarkdown('One short sentence. '.repeat(100), 1_000);
    expect(text).toMatch(/sentence\.$/);
  });

  it('closes its code', () => {
    const { text } = cutMarkdown(`\`\`\`\`ts\n${'const a = 1;\n'.repeat(200)}`, 1_000);
    expect(text).toMatch(/;\n````$/);
  });

  it('shows JSON as code', () => {
    expect(cutMarkdown('{"a": 1}', 1_000)).toEqual({ text: '```json\n{"a": 1}\n```', isCut: false });
  });

  it('does not end within an entity of the crew’s own', () => {
    const { text } = cutMarkdown(`${'x'.repeat(797)}&amp;${'y'.repeat(900)}`, 1_000);
    expect(text).toBe('x'.repeat(797));
  });

  it('is as short as promised and escaped, and is only called cut when it is', () => {
    fc.assert(
      fc.property(hostileText, fc.integer({ min: 300, max: 2_000 }), (source, most) => {
        const { text, isCut } = cutMarkdown(source, most);
        expect(text.length).toBeLessThanOrEqual(most);
        expect(text).not.toContain('<');
        expect(text).not.toMatch(LONE_SURROGATE);
        if (source.length < most / 10) expect(isCut).toBe(false);
      }),
    );
  });
});
