import type { RichTextBlock } from '@slack/types';
import { describe, expect, it } from 'vitest';
import { richText } from '../../../src/slack/ui/rich-text.ts';

function elementsOf(markdown: string): RichTextBlock['elements'] {
  return richText(markdown).flatMap(({ elements }) => elements);
}

const text = (value: string, style?: object) => ({ type: 'text', text: value, ...(style && { style }) });
const line = (...elements: object[]) => ({ type: 'rich_text_section', elements: [...elements, text('\n')] });

describe('Markdown in a modal', () => {
  it('keeps headings, emphasis and code', () => {
    expect(elementsOf('# Plan\n\nSay *it* **loud**, ~~not~~ `x < y`.')).toEqual([
      line(text('Plan', { bold: true })),
      line(
        text('Say '),
        text('it', { italic: true }),
        text(' '),
        text('loud', { bold: true }),
        text(', '),
        text('not', { strike: true }),
        text(' '),
        text('x < y', { code: true }),
        text('.'),
      ),
    ]);
  });

  it('keeps nested lists and their numbers', () => {
    const list = (place: object, ...items: string[]) => ({
      type: 'rich_text_list',
      ...place,
      elements: items.map((item) => ({ type: 'rich_text_section', elements: [text(item)] })),
    });
    expect(elementsOf('1. one\n2. two\n   - inner\n   - more\n3. three')).toEqual([
      list({ style: 'ordered', indent: 0 }, 'one', 'two'),
      list({ style: 'bullet', indent: 1 }, 'inner', 'more'),
      list({ style: 'ordered', indent: 0, offset: 2 }, 'three'),
    ]);
  });

  it('shows where a link leads', () => {
    expect(elementsOf('[the bank](https://evil.example/)')).toEqual([
      line(
        text('the bank ('),
        { type: 'link', url: 'https://evil.example/', text: 'https://evil.example/' },
        text(')'),
      ),
    ]);
  });

  it('makes no link of an address that opens no page', () => {
    expect(elementsOf('[x](javascript:alert)')).toEqual([line(text('x (javascript:alert)'))]);
  });

  it('keeps code, quotes and tables readable', () => {
    const as = (type: string, value: string) => ({ type, elements: [text(value)] });
    expect(elementsOf('```ts\na < b\n```\n\n> said\n> so\n\n| Name | n |\n|---|---|\n| Bee | 12 |')).toEqual([
      as('rich_text_preformatted', 'a < b'),
      as('rich_text_quote', 'said\nso'),
      as('rich_text_preformatted', 'Name  n\n----  --\nBee   12'),
    ]);
  });

  it('shows pings and HTML as plain text', () => {
    const shown = JSON.stringify(elementsOf('<!channel> <@U1> <b>x</b>\n\n<div>y</div>'));
    expect(shown).toContain('<!channel> <@U1> ');
    expect(shown).toContain('<div>y</div>');
    expect(shown).not.toMatch(/"type":"(?:broadcast|user|usergroup|channel|link)"/);
  });

  it.each([
    ['a definition', '[ref]: https://w1.example/w2 "w3"'],
    ['a link by a definition', '[w1][w2]\n\n[w2]: https://w3.example'],
    ['the title of a link or image', '[w1](https://w2.example "w3") ![w4](https://w5.example "w6")'],
    ['words behind a fence', '```w1 w2\nw3\n```\n\n~~~ w4 w5\n~~~'],
    ['links in a table', '| [w1](https://w2.example) | ![w3](https://w4.example/i.png) |\n|---|---|\n| w5 | `w6` |'],
    ['more cells than a table has columns', '| w1 | w2 |\n|---|---|\n| w3 | w4 | w5 |'],
    [
      'links, code and tables in a quote',
      '> [w1](https://w2.example)\n> ```w3 w4\n> w5\n> ```\n> | w6 |\n> |---|\n> | w7 |',
    ],
    ['HTML and comments', '<!-- w1 -->\n\n<div title="w2">w3</div>\n\nw4 <b title="w5">w6</b>'],
    ['all of a list', '- w1\n\n  w2\n\n      w3\n\n  > w4\n- [ ] w5\n  1. w6'],
    ['footnotes', 'w1[^2]\n\n[^2]: w2'],
  ])('hides no word of %s', (_, markdown) => {
    const words = markdown.match(/w\d/g) ?? [];
    const shown = JSON.stringify(richText(`Before.\n\n${markdown}\n\nAfter.`));
    expect(words.filter((word) => !shown.includes(word))).toEqual([]);
  });

  it('shows the source of what is nested too deeply', () => {
    const deep = '>'.repeat(8_000);
    expect(JSON.stringify(richText(deep)).length).toBeGreaterThan(0);
    expect(richText(`${'- '.repeat(3_500)}x`)).toHaveLength(1);
  });
});
