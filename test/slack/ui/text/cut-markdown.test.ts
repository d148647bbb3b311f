import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cutMarkdown, pagesOf } from '../../../../src/slack/ui/text/cut-markdown.ts';
import { escapeMarkdown } from '../../../../src/slack/ui/text/escape.ts';
import { hostileText } from '../hostile.ts';

describe('a cut Markdown text', () => {
  it('ends after a paragraph that ends in the second half', () => {
    const first = 'First paragraph. '.repeat(40).trim();
    expect(cutMarkdown(`${first}\n\n${'Second paragraph. '.repeat(40)}`, 1_000)).toEqual({
      markdown: first,
      isCut: true,
    });
  });

  it('ends after a sentence if it has no paragraphs', () => {
    const { markdown: text } = cutMarkdown('One short sentence. '.repeat(100), 1_000);
    expect(text).toMatch(/sentence\.$/);
  });

  it('closes its code block', () => {
    const { markdown: text } = cutMarkdown(`\`\`\`\`ts\n${'const a = 1;\n'.repeat(200)}`, 1_000);
    expect(text).toMatch(/;\n````$/);
  });

  it('shows JSON as code', () => {
    expect(cutMarkdown('{"a": 1}', 1_000)).toEqual({ markdown: '```json\n{"a": 1}\n```', isCut: false });
  });

  it('doesn’t end within an entity that the crew wrote', () => {
    const { markdown: text } = cutMarkdown(`${'x'.repeat(797)}&amp;${'y'.repeat(900)}`, 1_000);
    expect(text).toBe('x'.repeat(797));
  });

  it('is as short as promised once it is escaped, and only counts as cut if it is', () => {
    fc.assert(
      fc.property(hostileText, fc.integer({ min: 300, max: 2_000 }), (source, most) => {
        const { markdown: text, isCut } = cutMarkdown(source, most);
        expect(escapeMarkdown(text).length).toBeLessThanOrEqual(most);
        expect(text.isWellFormed()).toBe(true);
        if (source.length < most / 10) expect(isCut).toBe(false);
      }),
    );
  });
});

describe('the pages of a text', () => {
  it('make up the whole text, and none is too long', () => {
    fc.assert(
      fc.property(hostileText, fc.integer({ min: 1, max: 40 }), (text, times) => {
        const whole = text.repeat(times).slice(0, 150_000);
        const pages = pagesOf(whole);
        expect(pages.map((page) => page.text).join('')).toBe(whole);
        expect(Math.max(...pages.map((page) => page.text.length))).toBeLessThanOrEqual(8_000);
      }),
    );
  });

  it('don’t split a character', () => {
    const pages = pagesOf('👍🏽'.repeat(6_000));
    expect(pages.every(({ text }) => text.startsWith('👍🏽') && text.endsWith('👍🏽'))).toBe(true);
  });

  it('know which code block they begin in', () => {
    const pages = pagesOf(`Text.\n\n\`\`\`ts\n${'const a = 1;\n'.repeat(1_000)}\`\`\`\n\n${'The end. '.repeat(500)}`);
    expect(pages.map(({ within }) => within?.opening ?? null)).toEqual([null, '```ts', null]);
  });

  it('are a single one if the text is empty', () => {
    expect(pagesOf('')).toEqual([{ text: '', within: null }]);
  });
});
