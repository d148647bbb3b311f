import type { KnownBlock, RichTextBlock } from '@slack/types';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareModal } from '../../../../src/slack/features/compare/modal.ts';
import { compareTexts } from '../../../../src/slack/ui/comparison/compare-texts.ts';
import { plainBlocks } from '../../../../src/slack/ui/plain-blocks.ts';
import { markdownSource } from '../../../../src/slack/ui/text/markdown.ts';
import { sayIn } from '../../../support/say.ts';
import { hostileText } from '../../ui/hostile.ts';
import { say } from '../../ui/models.ts';

const key = { ref: 'r1', before: 'a', after: 'b', title: 'publish', round: 2 };

const modalOf = (before: string, after: string, page = 0) =>
  compareModal(say, { key, comparison: compareTexts(before, after), decidable: null, page });

const richTextOf = (blocks: KnownBlock[]) =>
  blocks.filter((block): block is RichTextBlock => block.type === 'rich_text');

/** What is shown, without styles, as to people who can't see them. */
const heard = (before: string, after: string, page = 0) =>
  plainBlocks(richTextOf(modalOf(before, after, page).blocks as KnownBlock[])).flatMap((block) =>
    block.type === 'section' ? (block.text?.text.split('\n') ?? []) : [],
  );

/** What is said besides the texts. */
const said = (view: { blocks: unknown[] }) => JSON.stringify(view.blocks.filter((block) => !isRichText(block)));
const isRichText = (block: unknown) => (block as KnownBlock).type === 'rich_text';

/** The rows that are shown, without styles. */
const rowsOf = (before: string, after: string, page = 0) =>
  richTextOf(modalOf(before, after, page).blocks as KnownBlock[]).flatMap(({ elements }) =>
    elements.flatMap((row) => {
      const text = row.elements.map((part) => ('text' in part ? part.text : '')).join('');
      return row.type === 'rich_text_preformatted' ? text.split('\n') : [text];
    }),
  );

const drafts = fc
  .array(
    fc
      .array(
        fc.constantFrom(
          'fast',
          'import',
          'of',
          'members',
          '3',
          '**new**',
          '# A',
          '- ',
          '|',
          '```',
          '*',
          'x'.repeat(2_100),
        ),
        {
          maxLength: 6,
        },
      )
      .map((words) => words.join(' ')),
    { maxLength: 25 },
  )
  .map((lines) => lines.join('\n'));

const DRAFT = `# Release 2.4

Members can be added by hand.

## Changes

${Array.from({ length: 20 }, (_, i) => `- Change ${i} of many`).join('\n')}

## Tests

All of them pass.
`;

describe('the window with what changed', () => {
  it('names task and rounds, and shows changes with the lines around them', () => {
    const next = DRAFT.replace('by hand', 'in bulk').replace(/\n## Tests.*/s, '\n- One more');
    const view = modalOf(DRAFT, next);
    expect(said(view)).toContain('*publish* · round 1 → round 2');
    expect(heard(DRAFT, next)).toEqual([
      'Release 2.4',
      '\u2003',
      '\u2003Members can be added ~by hand~ in bulk.',
      '\u2003',
      '\u2003Changes',
      '\u2003',
      '… 18 unchanged lines …',
      '\u2003• Change 18 of many',
      '\u2003• Change 19 of many',
      '\u2003',
      ...['− Tests', '− All of them pass.', '+ • One more'],
    ]);
  });

  it('strikes through what was removed and makes bold what was added', () => {
    const [block] = richTextOf(
      modalOf('Members are added by hand.', 'Members are added in bulk.').blocks as KnownBlock[],
    );
    expect(block?.elements[0]?.elements).toEqual([
      { type: 'text', text: '\u2003' },
      { type: 'text', text: 'Members are added ' },
      { type: 'text', text: 'by hand', style: { strike: true } },
      { type: 'text', text: ' ' },
      { type: 'text', text: 'in bulk', style: { bold: true } },
      { type: 'text', text: '.' },
    ]);
  });

  it('renders whole lines, and shows the marks of those that changed', () => {
    const before =
      '# Notes\n\nSee [the plan](https://plan.example) and **act**.\n\n- It is *fast*.\n- Old ~~and slow~~';
    const after = `${before.replace('fast*', 'quick*').replace('\n- Old ~~and slow~~', '')}\n- **New** and \`quick\``;
    const [block] = richTextOf(modalOf(before, after).blocks as KnownBlock[]);
    const lines = (block?.elements ?? []).map(({ elements }) => elements);
    const [bold, strike] = [{ bold: true }, { strike: true }];
    expect(lines).toEqual([
      [
        { type: 'text', text: '\u2003' },
        { type: 'text', text: 'Notes', style: bold },
      ],
      [{ type: 'text', text: '\u2003' }],
      [
        { type: 'text', text: '\u2003' },
        { type: 'text', text: 'See ' },
        { type: 'text', text: 'the plan (' },
        { type: 'link', url: 'https://plan.example', text: 'https://plan.example' },
        { type: 'text', text: ')' },
        { type: 'text', text: ' and ' },
        { type: 'text', text: 'act', style: bold },
        { type: 'text', text: '.' },
      ],
      [{ type: 'text', text: '\u2003' }],
      [
        { type: 'text', text: '\u2003' },
        { type: 'text', text: '• It is *' },
        { type: 'text', text: 'fast', style: strike },
        { type: 'text', text: ' ' },
        { type: 'text', text: 'quick', style: bold },
        { type: 'text', text: '*.' },
      ],
      [{ type: 'text', text: '− ' }, ...['• ', 'Old ', '~~', 'and slow', '~~'].map((text) => ({ type: 'text', text }))],
      [
        { type: 'text', text: '+ ' },
        { type: 'text', text: '• ' },
        { type: 'text', text: 'New', style: bold },
        { type: 'text', text: ' and ' },
        { type: 'text', text: 'quick', style: { code: true } },
      ],
    ]);
  });

  it('marks a line, or styles words in it, but never both', () => {
    fc.assert(
      fc.property(drafts, drafts, (before, after) => {
        const blocks = richTextOf(modalOf(before, after).blocks as KnownBlock[]);
        for (const { elements } of blocks.flatMap(({ elements }) => elements)) {
          const [mark] = elements;
          const isMarked = mark?.type === 'text' && /^[−+] $/.test(mark.text);
          const isStruck = elements.some((part) => 'style' in part && part.style && 'strike' in part.style);
          expect(isMarked && isStruck).toBe(false);
        }
      }),
      { numRuns: 200 },
    );
  });

  it('shows every word of whole lines, however they are written', () => {
    fc.assert(
      fc.property(hostileText, (text) => {
        const line = text.slice(0, 1_500).replaceAll('\n', ' ');
        const shown = rowsOf('Something else.', line).join(' ');
        const words =
          markdownSource(line)
            .replace(/&#?\w+;/g, ' ')
            .match(/[\p{L}\p{N}]+/gu) ?? [];
        expect(words.filter((word) => !shown.includes(word))).toEqual([]);
      }),
      { numRuns: 200 },
    );
  });

  it.each([
    ['code', '```js\nconst limit = 30;\nrun();\n```', '```js\nconst limit = 60;\nrun();\n```', 'const limit = 30;'],
    ['a table', '| a | b |\n|---|---|\n| x | 30 |', '| a | b |\n|---|---|\n| x | 60 |', 'x  30'],
    ['JSON', '{"limit": 30}', '{"limit": 60}', '  "limit": 30'],
  ])('keeps the columns of %s, with the old line above the new one', (_, before, after, line) => {
    const [block] = richTextOf(modalOf(before, after).blocks as KnownBlock[]);
    expect(block?.elements.map(({ type }) => type)).toEqual(['rich_text_preformatted']);
    expect(heard(before, after).filter((each) => /^[−+]/.test(each))).toEqual([
      `− ${line}`,
      `+ ${line.replace('30', '60')}`,
    ]);
  });

  it.each([
    [
      'in columns, where it fits a phone',
      '| Plan | Price |\n|---|---|\n| Pro | 30 |\n| Team | 60 |',
      '| Plan | Price |\n|---|---|\n| Pro | 35 |\n| Max | 90 |\n| Team | 60 |',
      ['  Plan  Price', '  ----  -----', '− Pro   30', '+ Pro   35', '+ Max   90', '  Team  60'],
    ],
    [
      'as lines of label and value, where it is too wide',
      `| Plan | Price | What it has |\n|---|---|---|\n| Pro | 30 | ${'boards '.repeat(6)}|\n| Old | 10 | Cards |\n| Team | 60 | All |`,
      `| Plan | Price | What it has |\n|---|---|---|\n| Pro | 35 | ${'boards '.repeat(6)}|\n| Max | 90 | All |\n| Team | 60 | All |`,
      [
        ...['\u2003Plan: Pro', '\u2003Price: ~30~ 35'],
        ...['− Plan: Old', '− Price: 10', '− What it has: Cards'],
        ...['+ Plan: Max', '+ Price: 90', '+ What it has: All'],
        '\u2003Plan: Team …',
      ],
    ],
    [
      'with wide characters',
      '| 项目 | 价格 |\n|---|---|\n| 专业版 | 30 |',
      '| 项目 | 价格 |\n|---|---|\n| 专业版 | 35 |',
      ['  项目    价格', '  ------  ----', '− 专业版  30', '+ 专业版  35'],
    ],
  ])('shows a table as one: %s', (_, before, after, lines) => {
    expect(rowsOf(before, after)).toEqual(lines.map((line) => line.replace(/~/g, '')));
    expect(heard(before, after).map((line) => line.trimEnd())).toEqual(
      lines.map((line, i) => (i === 0 ? line.trim() : line)),
    );
  });

  it('shows text from right to left by whole words', () => {
    const lines = heard('يمكن إضافة الأعضاء يدويا الآن', 'يمكن إضافة الأعضاء تلقائيا الآن');
    expect(lines).toEqual(['يمكن إضافة الأعضاء ~يدويا~ تلقائيا الآن']);
  });

  it('shows of a long line what changed and the words around it', () => {
    const line = 'Words of a long line. '.repeat(20_000);
    const [shown = ''] = heard(`${line}It takes 30 s. ${line}`, `${line}It takes 60 s. ${line}`);
    expect(shown).toMatch(/^\[…\] .*It takes ~30~ 60 s\. .* \[…\]$/);
    expect(shown.length).toBeLessThan(500);
  });

  it('has pages, which say how many there are, and stays within them', () => {
    const before = Array.from({ length: 300 }, (_, i) => `Old line ${i}: ${'so it was '.repeat(5)}`).join('\n');
    const after = before.replaceAll('so it was', 'thus is everything');
    const count = 11;
    const pages = [0, 1, count - 1, 1_000].map((page) => said(modalOf(before, after, page)));
    expect(pages.map((page) => /Page \d+ of \d+/.exec(page)?.[0])).toEqual([
      `Page 1 of ${count}`,
      `Page 2 of ${count}`,
      `Page ${count} of ${count}`,
      `Page ${count} of ${count}`,
    ]);
    expect(pages.map((page) => page.match(/compare_(next|previous)/g))).toEqual([
      ['compare_next'],
      ['compare_previous', 'compare_next'],
      ['compare_previous'],
      ['compare_previous'],
    ]);
    const all = Array.from({ length: count }, (_, page) => heard(before, after, page)).flat();
    expect(all.filter((line) => line.startsWith('−'))).toHaveLength(300);
  });

  it('says where the changes of a megabyte go on', () => {
    const text = (word: string) =>
      Array.from({ length: 20_000 }, (_, i) => `${word} ${i} ${word.repeat(10)}`).join('\n');
    expect(said(modalOf(text('old'), text('new'), 1_000))).toContain('More changed than can be shown here.');
  });

  it.each([
    ['nothing changed', 'a', 'a', 'Nothing changed.'],
    ['nothing changed that anyone sees', 'a', 'a ', 'Only spaces, line ends or other characters'],
    ['only empty lines changed', 'a\nb', 'a\n\nb', 'Only the layout changed.'],
    ['both are huge', 'x'.repeat(5_000_000), 'y'.repeat(5_000_000), 'too long or too different to be compared'],
  ])('says so where %s', (_, before, after, sentence) => {
    expect(said(modalOf(before, after))).toContain(sentence);
  });

  it('says so where a text is gone, in the language of the person', () => {
    expect(said(compareModal(say, { key, comparison: null, decidable: null, page: 0 }))).toContain('no longer stored');
    expect(said(compareModal(sayIn('de'), { key, comparison: null, decidable: null, page: 0 }))).toContain(
      'nicht mehr gespeichert',
    );
  });
});
