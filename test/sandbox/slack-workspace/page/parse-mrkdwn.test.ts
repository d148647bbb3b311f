import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type Inline,
  type Paragraph,
  parseMrkdwn,
} from '../../../../src/sandbox/slack-workspace/page/text/parse-mrkdwn.ts';

/** A short way to write what was read: `<bold>…</bold>`, `[user U1]`. */
function read(source: string, verbatim = false): string {
  const inline = (node: Inline): string => {
    if (node.kind === 'text') return node.text;
    if (node.kind === 'emoji') return `[emoji ${node.name}]`;
    if (node.kind === 'token') return `[${Object.values(node.token).join(' ')}]`;
    return `<${node.kind}>${node.children.map(inline).join('')}</${node.kind}>`;
  };
  const paragraph = ({ kind, children }: Paragraph) => {
    const inside = children.map(inline).join('');
    return kind === 'lines' ? inside : `<${kind}>${inside}</${kind}>`;
  };
  return parseMrkdwn(source, { verbatim }).map(paragraph).join('');
}

describe('marks', () => {
  it.each([
    [
      '*bold* _italic_ ~strike~ `code`',
      '<bold>bold</bold> <italic>italic</italic> <strike>strike</strike> <code>code</code>',
    ],
    ['*bold _and italic_*', '<bold>bold <italic>and italic</italic></bold>'],
    ['snake_case_name and 2*3*4', 'snake_case_name and 2*3*4'],
    ['* not bold * and *unclosed', '* not bold * and *unclosed'],
    ['(*bold*), *this*!', '(<bold>bold</bold>), <bold>this</bold>!'],
    ['`*as it is*`', '<code>*as it is*</code>'],
    ['a:tada:b at 10:30:00, :wave::skin-tone-2:', 'a[emoji tada]b at 10:30:00, [emoji wave::skin-tone-2]'],
    ['# no heading\n- no list', '# no heading\n- no list'],
  ])('reads %s', (source, expected) => expect(read(source)).toBe(expected));

  it('keeps a fence as it is and goes on after it', () => {
    expect(read('before\n```\nlet a = *b*;\n```\nafter')).toBe('before<pre>let a = *b*;</pre>after');
  });

  it('leaves an unclosed fence as text', () => {
    expect(read('``` let a')).toBe('``` let a');
  });

  it('gathers the lines of a quote', () => {
    expect(read('&gt; one\n&gt; *two*\nthree')).toBe('<quote>one\n<bold>two</bold></quote>three');
  });
});

describe('what is live', () => {
  it.each([
    ['<@U1|x> <#C1|general> <!subteam^S1> <!here>', '[user U1 x] [channel C1 general] [group S1] [broadcast here]'],
    ['<https://a.b/?x=1&amp;y=2|the &lt;page&gt;>', '[link https://a.b/?x=1&y=2 the <page>]'],
    ['see https://a.b/c_d, and', 'see [link https://a.b/c_d], and'],
    ['`<!channel>`', '<code>[broadcast channel]</code>'],
  ])('reads %s', (source, expected) => expect(read(source)).toBe(expected));

  it('leaves bare addresses alone in verbatim text', () => {
    expect(read('see https://a.b', true)).toBe('see https://a.b');
  });

  it.each(['&lt;!channel&gt;', '&lt;@U1&gt;', '&lt;https://a.b|c&gt;', '&amp;lt;!channel&amp;gt;'])(
    'shows the escaped %s as text',
    (source) => expect(read(source, true)).not.toContain('['),
  );

  it.each(['<javascript:alert(1)|x>', '<data:text/html,x>', '<!unknown>', '<@nobody>', '<script>'])(
    'shows %s as it stands',
    (source) => expect(read(source)).toBe(source),
  );

  it('loses no text and never fails, whatever comes', () => {
    const pieces = fc.constantFrom(
      '*',
      '_',
      '~',
      '`',
      '```',
      '<',
      '>',
      '|',
      '@U1',
      '!channel',
      ':',
      'a',
      ' ',
      '\n',
      '&lt;',
      '😀',
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 60 }), (parts) => {
        const source = parts.join('');
        const letters = [...source].filter((character) => character === 'a').length;
        expect([...read(source)].filter((character) => character === 'a').length).toBeGreaterThanOrEqual(letters);
      }),
    );
  });
});
