import { randomInt } from 'node:crypto';
import { expect, it } from 'vitest';
import { headingOf } from '../../src/core/state/about.ts';
import { openCard } from '../../src/slack/features/card/card.ts';
import { reviewModal } from '../../src/slack/request/review-modal.ts';
import { compareTexts } from '../../src/slack/ui/comparison/compare-texts.ts';
import { rowPages, rowsOf, shownRows } from '../../src/slack/ui/comparison/rows.ts';
import { changesBetween } from '../../src/slack/ui/comparison/text-changes.ts';
import { excerptOf, plainBeginning } from '../../src/slack/ui/plain-blocks.ts';
import { structureOf } from '../../src/slack/ui/structure.ts';
import { card, deciders, name, say } from '../slack/ui/models.ts';
import { cpuMs } from '../support/cpu-ms.ts';
import { everyNth } from '../support/sample.ts';

/** As much as the pages of a window hold: a longer text is shown in parts. */
const LENGTH = 150_000;
/** A third of a text would take a ninth of the time if that grew with the square of the length. */
const MOST_TIMES = 5;
/** Shorter times say nothing about how they grow. */
const ENOUGH_MS = 200;
const MOST_MS = 2_000;
const MOST_TRIES = 6;

/** What people see of a text. */
const VIEWS: Record<string, (text: string) => unknown> = {
  card: (text) => openCard(card(), detailsOf(text)),
  'first page': (text) => reviewModal(reviewed(text, 0), say),
  'last page': (text) => reviewModal(reviewed(text, 99), say),
  excerpt: (text) => excerptOf(text, { structure: structureOf(text), most: 200, say }),
  beginning: (text) => plainBeginning(text, (words) => words.length < 300, say),
  heading: headingOf,
  changes: (text) => changesBetween(text, withInsertion(text, 'Q')),
  'changes of many lines': (text) => changesBetween(text, text.replaceAll('a', 'z')),
  comparison: (text) => {
    const comparison = compareTexts(text, withInsertion(text, 'Q\n'));
    const rows = comparison.kind === 'compared' ? rowsOf(comparison.lines) : [];
    return rowPages(rows)
      .pages.slice(0, 1)
      .map((page) => shownRows(page, String));
  },
};

function detailsOf(output: string) {
  const shown = { output, preview: null, deciders: deciders(), name, say } as const;
  return { ...shown, notes: 'offered', edits: 'offered', rendering: 'full' } as const;
}

function reviewed(text: string, page: number) {
  const request = { notes: 'offered', edits: 'offered', deciders: deciders(), name, model: card() } as const;
  return { key: { ref: 'r1', hash: 'a'.repeat(64), title: 'Post' }, text, page, request };
}

function withInsertion(text: string, inserted: string): string {
  const middle = text.length >> 1;
  return text.slice(0, middle) + inserted + text.slice(middle);
}

const REPEATED = [
  ...['\n', ' ', '\t', ' \n', 'a ', 'a\n', '1', '1. ', 'ab. ', '! ', '!” ', '"', '”', ')', '[', ']', '<!--', '&', '\\'],
  ...[
    '*',
    '**',
    '_',
    '__a',
    '**a_',
    '~',
    '`',
    '```\n',
    '[a](b) ',
    '![',
    '- ',
    '- [ ] ',
    '- [x] a\n',
    '> ',
    '> a\n',
    '#',
  ],
  ...['# a\n', '-----\n', 'a\n=\n', '|', '| a ', '| a |\n', '\\|', 'a@b.c ', '你好。', '🙂', 'а.b.', '\u200d'],
];

const TEXTS: Record<string, (length: number) => string> = {
  ...Object.fromEntries(REPEATED.map((part) => [JSON.stringify(part), (length: number) => filled(length, part)])),
  'empty lines within a text': (length) => `Hello.\n\nx${'\n'.repeat(length)}x\nEnd`,
  'spaces within a text': (length) => `Hello.\n\nx${' '.repeat(length)}x\nEnd`,
  'quotation marks after a sentence': (length) => `Hello.${'”'.repeat(length)} End`,
  // A heading is looked for within the first 4,000 characters.
  'a heading of spaces and a line separator': (length) => `# ${' '.repeat(3_900)}\u2028${filled(length, 'a ')}`,
  'a heading of marks': (length) => `# a${filled(length, ' #')}x`,
  'a changed file': (length) => `\`\`\`diff\n${filled(length, ' a\n+b\n-c\n')}\n\`\`\``,
  'a table of one wide row': (length) => filled(length / 2, '|a') + filled(length / 2, '\n|b'),
  'JSON of many names': (length) => `{${listed(length / 10, (i) => `"k${i}":1`)}}`,
  'JSON of many lines': (length) => JSON.stringify({ a: filled(length, 'a\n') }),
  'JSON of many empty lines': (length) => JSON.stringify({ a: `${'\n'.repeat(length / 2)}x` }),
  'JSON of one long word': (length) => JSON.stringify({ a: 'x'.repeat(length) }),
  'JSON of many items': (length) => `[${listed(length / 3, () => '""')}]`,
  'JSON of many objects': (length) => `[${listed(length / 16, (i) => `{"a":1,"b":${i}}`)}]`,
  'JSON of many levels': (length) => `[${listed(length / 190, () => `${'['.repeat(95)}1${']'.repeat(95)}`)}]`,
  'JSON of many calls': (length) => `[${listed(length / 32, (i) => `{"name":"t${i}","args":{"a":1}}`)}]`,
  'JSON below a text': (length) => `Hello\n\n\`\`\`json\n${JSON.stringify({ a: filled(length, 'a\n') })}\n\`\`\``,
};

function filled(length: number, part: string): string {
  return part.repeat(Math.floor(length / part.length));
}

function listed(count: number, item: (i: number) => string): string {
  return Array.from({ length: Math.floor(count) }, (_, i) => item(i)).join(',');
}

it.each(everyNth(4, Object.keys(TEXTS), randomInt(4)))(
  'A text of 150 KB of nothing but %s is shown in a time that grows with its length alone',
  (shape) => {
    const [third = '', whole = ''] = [LENGTH / 3, LENGTH].map((length) => TEXTS[shape]?.(length));
    for (const [view, show] of Object.entries(VIEWS)) {
      expect(outOfProportion(show, whole, third), view).toBeNull();
    }
  },
);

/** Measures both texts side by side, again if need be, since a busy machine slows down single runs. Returns the last times, or null. */
function outOfProportion(show: (text: string) => unknown, whole: string, third: string): object | null {
  let times: object | null = null;
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const wholeMs = cpuMs(() => show(whole));
    if (wholeMs < ENOUGH_MS) return null;
    const thirdMs = cpuMs(() => show(third));
    if (wholeMs < MOST_MS && wholeMs < MOST_TIMES * thirdMs) return null;
    times = { wholeMs, thirdMs };
  }
  return times;
}
