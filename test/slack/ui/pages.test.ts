import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { pagesOf } from '../../../src/slack/ui/cut-markdown.ts';
import { hostileText } from './hostile.ts';

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
