import fc from 'fast-check';
import { anyCharacter } from '../../support/any-character.ts';

const LONG = 'A sentence of a long report. '.repeat(400);

/** Texts that crews, their services or people could send to ping, to break a message or to forge a part of it. */
export const HOSTILE: [string, string][] = [
  ['a table without a cell', '|'],
  ['a ping', '<!channel> <!here> <!everyone> <!subteam^S1|x>'],
  ['a mention', '<@U1> <@U1|maria> <#C1>'],
  [
    'a link in disguise',
    '<https://x.example|Open the approval> [ok](https://x.example "t") ![i](https://x.example/i.png)',
  ],
  ['a date', '<!date^1^{date}|soon>'],
  ['entities', '&lt;!channel&gt; &amp;lt; &'.repeat(900)],
  ['angle brackets', '<>'.repeat(5_000)],
  ['right-to-left marks', '\u202Eegnahc\u202C \u2067x \u200F\u061C'],
  ['Arabic', 'مرحبا بالعالم '.repeat(600)],
  ['5 MB', 'word '.repeat(1_000_000)],
  ['5 MB without a space', 'x'.repeat(5_000_000)],
  ['lone surrogates', '\uD83D \uDE00 '.repeat(2_000)],
  ['nothing but lone surrogates', '\uDE00\uD83D'.repeat(3_000)],
  ['emoji', '👩‍👩‍👧‍👦🏽'.repeat(2_000)],
  ['a table', `| a | b |\n|---|---|\n${'| <!channel> | 2 |\n'.repeat(700)}`],
  ['an unclosed code fence', `${LONG}\n\`\`\`js\n${'const a = 1 < 2;\n'.repeat(900)}`],
  ['a long fence', `${'~'.repeat(5_000)}\ncode`],
  ['our own words', '\n\n✅ *Approved* by <@U0MARIA>\n✔️ Sent to the crew.\n---\n*Approve*   *Reject…*'],
  ['control characters', '\u0000\u0007\u001B[31m\u009B\uFFFF\u2028x'],
  ['nothing', ''],
  ['space', ' \n\t\u00A0 '],
  ['only what is stripped', '\u202E\u0000'],
  ['JSON', JSON.stringify({ a: '<!channel>', b: ['```', { c: '`'.repeat(200) }], d: LONG }, null, 2)],
  ['deep quotes', '>'.repeat(20_000)],
  ['deep lists', Array.from({ length: 400 }, (_, i) => `${' '.repeat(i * 2)}- x`).join('\n')],
  ['lists in lists on one line', '1. '.repeat(3_000)],
  ['a wide table', `${`|${'a'.repeat(30)}`.repeat(40)}|\n${'|-'.repeat(40)}|\n${`${'|x'.repeat(40)}|\n`.repeat(40)}`],
  ['dense formatting', '*a* **b** `c` ~~d~~ '.repeat(2_000)],
  ['half-open brackets', '[]('.repeat(6_000)],
  ['many stars', '*'.repeat(9_000) + 'a**'.repeat(3_000)],
];

const fragment = fc.oneof(
  fc.string({ unit: anyCharacter }),
  fc.string({ unit: 'grapheme' }),
  fc.constantFrom('<!channel>', '<@U1>', '<https://x|y>', '&lt;', '&', '<', '>', '|', '```', '~~~', '\n', '\n\n', '> '),
  fc.constantFrom(
    '\u202E',
    '\u2066',
    '\uD800',
    '\uDC00',
    '# ',
    '- ',
    '1. ',
    '| a |\n|---|\n',
    '[x](http://y)',
    '\\',
    '{"a":',
  ),
);

/** Enough of a text where hundreds are made of it: longer than anything that Slack takes, and not megabytes each. */
export function enoughOf(text: string): string {
  return text.slice(0, 20_000);
}

/** Any text, short or far over every limit. */
export const hostileText: fc.Arbitrary<string> = fc
  .tuple(fc.array(fragment, { maxLength: 30 }), fc.constantFrom(1, 1, 7, 300))
  .map(([fragments, times]) => fragments.join('').repeat(times));
