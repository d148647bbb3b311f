import fc from 'fast-check';
import { lexer, type MarkedToken, type Token } from 'marked';
import { describe, expect, it } from 'vitest';
import { withAddresses } from '../../../src/slack/ui/cut-markdown.ts';
import { escapeMarkdown } from '../../../src/slack/ui/text/escape.ts';
import { runs } from '../../support/sample.ts';
import { hostileText } from './hostile.ts';

/** The links of a text whose words aren't their address. */
function hidden(tokens: Token[]): string[] {
  return tokens.flatMap((each) => {
    const token = each as MarkedToken;
    if (token.type === 'link')
      return token.text === token.href || `mailto:${token.text}` === token.href || `http://${token.text}` === token.href
        ? []
        : [token.raw];
    if (token.type === 'image') return [token.raw];
    if (token.type === 'list') return token.items.flatMap((item) => hidden(item.tokens));
    if (token.type === 'table') return [token.header, ...token.rows].flat().flatMap((cell) => hidden(cell.tokens));
    return 'tokens' in token && token.tokens ? hidden(token.tokens) : [];
  });
}

const shownLinks = (text: string) => hidden(lexer(escapeMarkdown(withAddresses(text))));

describe('a text that shows where its links lead', () => {
  it.each([
    ['[click](https://evil.example/x)', 'click (https://evil.example/x)'],
    ['![logo](https://evil.example/i.png)', 'logo (https://evil.example/i.png)'],
    ['[https://a.example](https://a.example)', 'https://a.example'],
    ['[https://good.example](https://evil.example)', 'https://good.example (https://evil.example)'],
    ['[![a](https://a.example)](https://b.example)', 'a (https://a.example) (https://b.example)'],
    ['[click](https://evil.example "title")', '[click] (https://evil.example "title")'],
    ['[click][1]\n\n[1]: https://evil.example', '[click][1]\n\n[1] : https://evil.example'],
    ['a `[b](https://b.example)', 'a `[b] (https://b.example)'],
  ])('%s', (text, shown) => {
    expect(withAddresses(text)).toBe(shown);
  });

  it('leaves code as it is', () => {
    const code = '```ts\nrows[0](1)\n```';
    expect(withAddresses(code)).toBe(code);
  });

  const parts = fc.constantFrom(
    '[click](https://evil.example)',
    '[a\nb](https://e.example)',
    '[c][1]',
    '\n[1]: https://e.example\n',
    '`',
    '```\n',
    '\n```\n',
    '~~~\n',
    '> ',
    '- ',
    '    ',
    '\n',
    '\n\n',
    '\\',
    '<',
    'x',
    ']',
    '(',
    ')',
  );

  it('hides no address, whatever surrounds it', () => {
    fc.assert(
      fc.property(
        fc.array(parts, { maxLength: 25 }).map((each) => each.join('')),
        (text) => {
          expect(shownLinks(text)).toEqual([]);
        },
      ),
      runs({ some: 500, all: 2_000 }),
    );
    fc.assert(fc.property(hostileText, (text) => void expect(shownLinks(text.slice(0, 3_000))).toEqual([])));
  });
});
