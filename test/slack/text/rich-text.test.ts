import type { RichTextBlock } from '@slack/types';
import { describe, expect, it } from 'vitest';
import { richText } from '../../../src/slack/text/rich-text.ts';

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

  it('keeps lists, those within lists and their numbers', () => {
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

  it('makes nothing of addresses that open no page', () => {
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

  it('shows pings and HTML as the text they are', () => {
    const shown = JSON.stringify(elementsOf('<!channel> <@U1> <b>x</b>\n\n<div>y</div>'));
    expect(shown).toContain('<!channel> <@U1> ');
    expect(shown).toContain('<div>y</div>');
    expect(shown).not.toMatch(/"type":"(?:broadcast|user|usergroup|channel|link)"/);
  });

  it('shows what is nested too deep as it is', () => {
    const deep = '>'.repeat(8_000);
    expect(JSON.stringify(richText(deep)).length).toBeGreaterThan(0);
    expect(richText(`${'- '.repeat(3_500)}x`)).toHaveLength(1);
  });
});
