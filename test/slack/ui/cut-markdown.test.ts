import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cutMarkdown, hasAtMost } from '../../../src/slack/ui/cut-markdown.ts';
import { DESK, markdownHeight, PHONE } from '../../../src/slack/ui/rendered-height.ts';
import { escapeMarkdown } from '../../../src/slack/ui/text/escape.ts';
import { hostileText } from './hostile.ts';

/** Cut to so many px of a narrow column. */
const within = (text: string, px: number) => {
  const fits = (markdown: string) => markdownHeight(markdown, { ...DESK, columns: 53 }) <= px;
  return cutMarkdown(text, { whole: fits, part: fits });
};

const NOTES = '# Notes\n\nTea is hot. Milk is cold.\n\n## Tests\n\nAll pass.\n\n**Thanks:**\n\nTo all.';
const LIST = '- One\n- Two\n  - Two and a half\n- Three\n- Four';
const TABLE = '| Name | Cups |\n|---|---|\n| Ana | 1 |\n| Ben | 2 |\n| Cleo | 3 |';
const CODE = '````ts\nconst a = 1;\nconst b = 2;\nconst c = 3;\nconst d = 4;\n````';
const SENTENCES = 'One short sentence. '.repeat(40).trim();

describe('a text that is too long', () => {
  it.each<[string, string, number, string, object]>([
    [
      'after a paragraph',
      'First.\n\nSecond.\n\nThird.\n\nFourth.',
      60,
      'First.\n\nSecond.',
      { unit: 'paragraphs', count: 2 },
    ],
    [
      'after a sentence',
      `First.\n\n${SENTENCES}\n\nLast.`,
      75,
      'First.\n\nOne short sentence. One short sentence. One short sentence. One short sentence. One short sentence.',
      { unit: 'paragraphs', count: 2 },
    ],
    [
      'in its last paragraph',
      SENTENCES,
      45,
      'One short sentence. One short sentence. One short sentence. One short sentence. One short sentence.',
      { unit: 'sentences', count: 35 },
    ],
    [
      'after no abbreviation',
      'Ask e.g. Ana or J. Bell about it, who know. Then go home.',
      22,
      'Ask e.g. Ana or J. Bell about it, who know.',
      { unit: 'sentences', count: 1 },
    ],
    [
      'after a word where not one sentence fits',
      'one, two, three, '.repeat(8),
      22,
      'one, two, three, one, two, three, one, two, three, …',
      { unit: 'words', count: 15 },
    ],
    [
      'after a Chinese sentence',
      '第一句话在这里。第二句话也在这里。第三句话更长一些也在这里。',
      22,
      '第一句话在这里。第二句话也在这里。',
      { unit: 'sentences', count: 1 },
    ],
    ['after a point of a list', LIST, 70, '- One\n- Two\n  - Two and a half', { unit: 'items', count: 2 }],
    [
      'after a row of a table',
      TABLE,
      95,
      '| Name | Cups |\n|---|---|\n| Ana | 1 |\n| Ben | 2 |',
      { unit: 'rows', count: 1 },
    ],
    [
      'after a line of code, which it closes',
      CODE,
      70,
      '````ts\nconst a = 1;\nconst b = 2;\n````',
      { unit: 'lines', count: 2 },
    ],
    [
      'without the lines of a diff that stay',
      '```diff\n--- a/x.tf\n+++ b/x.tf\n@@ -1,3 +1,3 @@\n a\n-b\n+c\n--- d\n```',
      110,
      '```diff\n+++ b/x.tf\n-b\n+c\n--- d\n```',
      { unit: 'lines', count: 3 },
    ],
    [
      'without ticked boxes where others are open',
      '- [x] One\n- [ ] Two\n- [x] Three\n  more\n\nEnd.',
      60,
      '- [ ] Two\n\nEnd.',
      { unit: 'items', count: 2 },
    ],
    [
      'before a heading whose text is missing',
      NOTES,
      90,
      '# Notes\n\nTea is hot. Milk is cold.',
      { unit: 'paragraphs', count: 3 },
    ],
    [
      'with lists, tables and code that count as a paragraph each',
      `First.\n\n${LIST}\n\n${TABLE}\n\n${CODE}`,
      22,
      'First.',
      { unit: 'paragraphs', count: 3 },
    ],
  ])('ends %s, and says what is missing', (_, text, px, markdown, left) => {
    expect(within(text, px)).toMatchObject({ markdown, left });
    expect(within(text, 2_000)).toMatchObject({ left: null });
  });

  it('has points in place of a table that is wider than a card', () => {
    const cell = 'x'.repeat(30);
    const { markdown } = within(`| a | b | c |\n|---|---|---|\n| ${cell} | ${cell} | ${cell} |\n\n${TABLE}`, 2_000);
    expect(markdown).toBe(`- a · b · c\n- ${cell} · ${cell} · ${cell}\n\n${TABLE}`);
  });

  it.each([
    ['words', 'word '.repeat(100_000)],
    ['lines', 'x\n'.repeat(100_000)],
    ['paragraphs', 'a.\n\n'.repeat(50_000)],
    ['code blocks', '```\n'.repeat(50_000)],
    ['tables', '| a\n|-\n'.repeat(20_000)],
    ['tables of two columns', 'a|b\n-|-\n\n'.repeat(20_000)],
    ['spaces in a heading', `${SENTENCES}\n\n# a${' '.repeat(100_000)}b\n`],
    ['spaces behind the rule of a table', `${SENTENCES}\n\na|b\n|-|-${' '.repeat(100_000)}b\n`],
    ['spaces below the head of a table', `${SENTENCES}\n\na|b\n---${' '.repeat(100_000)}b|\n`],
  ])('is cut within two seconds, however many %s it has', (_, text) => {
    const before = performance.now();
    expect(within(text, 200).left).not.toBeNull();
    expect(performance.now() - before).toBeLessThan(2_000);
  });

  it('shows something however small its room is', () => {
    expect(within(`${'x'.repeat(500)}`, 22).markdown).toMatch(/^x{40,} …$/);
  });

  it('doesn’t end within an entity that the crew wrote', () => {
    const cut = cutMarkdown(`${'x'.repeat(17)}&amp;${'y'.repeat(900)}`, {
      whole: () => false,
      part: (text) => text.length <= 22,
    });
    expect(cut.markdown).toBe(`${'x'.repeat(17)} …`);
  });
});

describe('a text', () => {
  it('is as high as promised, or a line more, whatever it is', () => {
    fc.assert(
      fc.property(hostileText, fc.integer({ min: 60, max: 400 }), (source, px) => {
        const fits = (markdown: string) => markdownHeight(markdown, PHONE) <= px;
        const { markdown } = cutMarkdown(source, { whole: fits, part: fits });
        expect(markdownHeight(markdown, PHONE)).toBeLessThanOrEqual(px + 22);
        expect(markdown.isWellFormed()).toBe(true);
      }),
    );
  });

  it('has as many characters as promised where a crew has a preview of its own', () => {
    fc.assert(
      fc.property(hostileText, fc.integer({ min: 300, max: 2_000 }), (source, most) => {
        const fits = (text: string) => hasAtMost(text, most);
        const { markdown } = cutMarkdown(source, { whole: fits, part: fits });
        expect(escapeMarkdown(markdown).length).toBeLessThanOrEqual(most);
      }),
    );
    const list = '- One\n- Two\n- Three\n- Four\n- Five\n- Six\n- Seven\n- Eight\n- Nine\n- Ten\n- Eleven';
    const fits = (text: string) => hasAtMost(text, 400);
    expect(cutMarkdown(list, { whole: fits, part: fits })).toMatchObject({ left: { unit: 'items', count: 2 } });
  });
});
