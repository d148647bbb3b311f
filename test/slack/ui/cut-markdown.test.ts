import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cutMarkdown } from '../../../src/slack/ui/cut-markdown.ts';
import { escapeMarkdown } from '../../../src/slack/ui/text/escape.ts';
import { titleOf } from '../../../src/slack/ui/text/markdown.ts';
import { hostileText } from './hostile.ts';

describe('a cut Markdown text', () => {
  it('ends after a paragraph that wastes little room', () => {
    const first = 'First paragraph. '.repeat(40).trim();
    expect(cutMarkdown(`${first}\n\n${'Second paragraph. '.repeat(40)}`, 800)).toEqual({
      ...{ markdown: first, isCut: true, shown: first.length, left: [] },
    });
  });

  it('ends after a sentence if it has no paragraphs', () => {
    const { markdown: text } = cutMarkdown('One short sentence. '.repeat(100), 1_000);
    expect(text).toMatch(/sentence\.$/);
  });

  it('says that it goes on where it ends within one', () => {
    expect(cutMarkdown('one, two, three, '.repeat(40), 200).markdown).toMatch(/(one|two|three), …$/);
    expect(cutMarkdown('- A point of a list.\n'.repeat(40), 200).markdown).toMatch(/list\.$/);
    expect(cutMarkdown('- A point of a list\n'.repeat(40), 200).markdown).toMatch(/list$/);
  });

  it('closes its code block', () => {
    const { markdown: text } = cutMarkdown(`\`\`\`\`ts\n${'const a = 1;\n'.repeat(200)}`, 1_000);
    expect(text).toMatch(/;\n````$/);
  });

  it('is whole if it fits to the last character', () => {
    const fits = `${'word '.repeat(139)}last.`;
    expect(cutMarkdown(fits, 700)).toEqual({ markdown: fits, isCut: false, shown: 700, left: [] });
    expect(cutMarkdown(`${fits}!`, 700)).toMatchObject({ isCut: true, shown: 694 });
    const code = `\`\`\`\n${'x'.repeat(690)}`;
    expect(cutMarkdown(code, 772)).toMatchObject({ markdown: `${code}\n\`\`\``, isCut: false });
    expect(cutMarkdown(code, 771)).toMatchObject({ isCut: true });
  });

  it('takes a short line for as much as a long one, since a card is as high as it has lines', () => {
    const list = '- One\n- Two\n- Three\n- Four\n- Five\n- Six\n- Seven\n- Eight\n- Nine\n- Ten\n- Eleven';
    expect(cutMarkdown(list, 400).markdown).toMatch(/- Eight\n- Nine$/);
    expect(
      cutMarkdown(`${'A line of forty characters, more or less\n'.repeat(20)}`, 400).markdown.split('\n'),
    ).toHaveLength(9);
  });

  it('names the headings that it leaves out, and ends with none', () => {
    const notes = `# Notes\n\n${'Words. '.repeat(30)}\n\n## Tests\n\n${'More. '.repeat(40)}\n\n**Thanks:**\n\nAll.`;
    const { markdown, left } = cutMarkdown(notes, 260);
    expect(markdown).toMatch(/Words\.$/);
    expect(left.map(titleOf)).toEqual(['Tests', 'Thanks:']);
  });

  it('shows JSON as code', () => {
    expect(cutMarkdown('{"a": 1}', 1_000)).toMatchObject({ markdown: '```json\n{"a": 1}\n```', isCut: false });
  });

  it('doesn’t end within an entity that the crew wrote', () => {
    const { markdown: text } = cutMarkdown(`${'x'.repeat(997)}&amp;${'y'.repeat(900)}`, 1_002);
    expect(text).toBe(`${'x'.repeat(997)} …`);
  });

  it('is as short as promised once it is escaped, and only counts as cut if it is', () => {
    fc.assert(
      fc.property(hostileText, fc.integer({ min: 300, max: 2_000 }), (source, most) => {
        const { markdown: text, isCut } = cutMarkdown(source, most);
        expect(escapeMarkdown(text).length).toBeLessThanOrEqual(most);
        expect(text.isWellFormed()).toBe(true);
        const lines = source.split(/[\n\r\u2028\u2029]/).length;
        if (source.length < most / 10 && lines * 50 < most / 2) expect(isCut).toBe(false);
      }),
    );
  });
});
