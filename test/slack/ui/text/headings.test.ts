import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { headingsIn, titleOf, withoutLastHeadings } from '../../../../src/slack/ui/text/markdown.ts';
import { hostileText } from '../hostile.ts';

const titles = (text: string) => headingsIn(text).map(titleOf);

describe('the headings of a text', () => {
  it('are those with marks, those that are underlined, and lines that are all bold', () => {
    const text =
      '# One #\n\nTwo\n===\n\n### **Three** `3`\n\n**Four**\n\n__Five__:\n\nSix\n---\n\n#hashtag\n\n**no** heading';
    expect(titles(text)).toEqual(['One', 'Two', 'Three 3', 'Four', 'Five', 'Six']);
  });

  it('are none of those in code, rules, lists and tables', () => {
    const text = '```\n# code\n```\n\n---\n\n- item\n---\n\n| a |\n| --- |\n\n    # code';
    expect(titles(text)).toEqual([]);
  });

  it('keep a number, a sign or a mark at their ends', () => {
    expect(titles('## 2. Fixes\n\n## - 3 °C\n\n## Notes on C#')).toEqual(['2. Fixes', '- 3 °C', 'Notes on C#']);
  });

  it('know where their lines begin', () => {
    fc.assert(
      fc.property(hostileText, (text) => {
        for (const { at } of headingsIn(text)) expect(at === 0 || text[at - 1] === '\n').toBe(true);
      }),
    );
  });
});

describe('a text that is cut', () => {
  it('loses the headings at its end, but not the only one', () => {
    const text = '# A\n\nText.\n\n## B\n\nC\n---\n';
    expect(text.slice(0, withoutLastHeadings(text, text.length)).trimEnd()).toBe('# A\n\nText.');
    expect(withoutLastHeadings('# A\n', 4)).toBe(4);
    const many = '# line\n'.repeat(10_000);
    expect(withoutLastHeadings(many, many.length)).toBe('# line\n'.length);
  });
});
