import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LANGUAGES } from '../../../../src/core/policy/crew.ts';
import { findEdits as findEditsOf } from '../../../../src/slack/features/edit/find-edits.ts';
import { type Edit, locate, locateAll, withChanges } from '../../../../src/slack/request/edits/edit.ts';
import { editsAsFeedback, parseEdits } from '../../../../src/slack/request/edits/edit-list.ts';
import { findFollowedEdits, ticksOf } from '../../../../src/slack/request/edits/ticks.ts';
import { cpuMs } from '../../../support/cpu-ms.ts';
import { hostileText } from '../../ui/hostile.ts';

const DRAFT = `# Cardwall 2.4

Cardwall 2.4 adds swimlanes and makes the board faster.

## Changes

- Swimlanes group cards by their owner.
- The board loads in half the time.
- Cards can be dragged with the keyboard.

## Tests

All 214 tests pass. The board was tried with 5,000 cards.

## Upgrade

Run the migration before the first start. It takes a minute, and it can be run again.
`;

const findEdits = (text: string, replace: string) => findEditsOf(text, { start: 0, end: text.length, replace });

const applyEdits = (text: string, edits: readonly Edit[]) => withChanges(text, locateAll(text, edits)).text;

const pointsOf = (newText: string, oldText = DRAFT) =>
  editsAsFeedback(findEdits(oldText, newText), 'en').split('\n\n').slice(1).join('\n\n');

/** Another version of a text: some of its words are left out, doubled, replaced, or moved. */
const versions = fc
  .tuple(
    fc.oneof(
      hostileText,
      fc.constant(DRAFT),
      fc.array(fc.constantFrom('a', 'b', ' ', '\n', 'ab '), { maxLength: 60 }).map((all) => all.join('')),
    ),
    fc.array(
      fc.tuple(
        fc.nat(),
        fc.nat(40),
        fc.oneof(hostileText, fc.constantFrom('', ' ', 'new', '“x”', '"', '- Delete “x”.\n')),
      ),
      { maxLength: 5 },
    ),
  )
  .map(([text, splices]) => {
    const oldText = text.slice(0, 3_000);
    const newText = splices.reduce((all, [at, length, added]) => {
      const from = at % (all.length + 1);
      return all.slice(0, from) + added.slice(0, 200) + all.slice(from + length);
    }, oldText);
    return { oldText, newText };
  })
  .filter(({ oldText }) => oldText !== '');

describe('the edits between two texts', () => {
  it('make one of the other', () => {
    fc.assert(
      fc.property(versions, ({ oldText, newText }) => {
        expect(applyEdits(oldText, findEdits(oldText, newText))).toBe(newText);
      }),
      { numRuns: 150 },
    );
  });

  it('each name a place that the old text has once', () => {
    fc.assert(
      fc.property(versions, ({ oldText, newText }) => {
        for (const edit of findEdits(oldText, newText)) expect(locate(oldText, edit)).not.toBeNull();
      }),
      { numRuns: 150 },
    );
  });

  it('are read from the feedback as they were written into it, whatever stands around it', () => {
    fc.assert(
      fc.property(versions, ({ oldText, newText }) => {
        const edits = findEdits(oldText, newText);
        for (const language of LANGUAGES) {
          const feedback = editsAsFeedback(edits, language);
          expect(parseEdits(feedback)).toEqual(edits);
          expect(parseEdits(`First of all, thanks.\n\n${feedback}\n\nAnd mind the tone.`)).toEqual(edits);
        }
      }),
      { numRuns: 150 },
    );
  });

  it('are all made in the new text, and none in the old one', () => {
    fc.assert(
      fc.property(versions, ({ oldText, newText }) => {
        const edits = findEdits(oldText, newText);
        const feedback = editsAsFeedback(edits, 'en');
        const made = (nextText: string) => [...findFollowedEdits(parseEdits(feedback), { oldText, nextText }).values()];
        expect(made(newText)).toEqual(edits.map(() => true));
        const isSpaceOnly = oldText.trim() === newText.trim();
        expect(made(oldText)).toEqual(edits.map(() => isSpaceOnly));
      }),
      { numRuns: 150 },
    );
  });
});

it('the edits of one part are found at once, however long and uniform the text is', () => {
  const text = 'x '.repeat(75_000);
  const part = { start: 70_000, end: 72_700, replace: 'y '.repeat(1_350) };
  const edited = text.slice(0, 70_000) + part.replace + text.slice(72_700);
  const tookMs = cpuMs(() => expect(applyEdits(text, findEditsOf(text, part))).toBe(edited));
  expect(tookMs).toBeLessThan(3_000);
});

it.each([
  ['one line of prose', 'The quick brown fox jumps. '.repeat(5_000), (text: string) => text.replace('quick', 'slow')],
  ['the same words again and again', 'a '.repeat(75_000), (text: string) => text.replaceAll('a', 'b')],
  ['many lines', 'A line.\n'.repeat(15_000), (text: string) => text.replaceAll('line', 'row')],
])('edits a text as long as people can read of %s before Slack stops waiting', (_, text, edited) => {
  const tookMs = cpuMs(() => expect(applyEdits(text, findEdits(text, edited(text)))).toBe(edited(text)));
  expect(tookMs).toBeLessThan(2_500);
});

describe('edits as feedback', () => {
  it('replaces words', () => {
    expect(pointsOf(DRAFT.replace('half the time', 'a third of the time'))).toMatchInlineSnapshot(
      `"- Replace “half” with “a third of”."`,
    );
  });

  it('adds words', () => {
    expect(pointsOf(DRAFT.replace('faster.', 'faster. It is free.'))).toMatchInlineSnapshot(
      `"- After “faster.”, add “ It is free.”."`,
    );
  });

  it('adds a line', () => {
    expect(pointsOf(DRAFT.replace('owner.\n', 'owner.\n- Swimlanes can be folded.\n'))).toMatchInlineSnapshot(
      `"- Before “- The”, add the line “- Swimlanes can be folded.”."`,
    );
  });

  it('deletes words', () => {
    expect(pointsOf(DRAFT.replace(' The board was tried with 5,000 cards.', ''))).toMatchInlineSnapshot(
      `"- Delete “ The board was tried with 5,000 cards.”."`,
    );
  });

  it('deletes a line', () => {
    expect(pointsOf(DRAFT.replace('- Cards can be dragged with the keyboard.\n', ''))).toMatchInlineSnapshot(
      `"- Delete the line “- Cards can be dragged with the keyboard.”."`,
    );
  });

  it('deletes a section', () => {
    expect(pointsOf(DRAFT.replace(/## Changes.*(?=## Tests)/s, ''))).toMatchInlineSnapshot(`
      "- Delete the lines
        \`\`\`
        ## Changes

        - Swimlanes group cards by their owner.
        - The board loads in half the time.
        - Cards can be dragged with the keyboard.

        \`\`\`"
    `);
  });

  it('rewrites', () => {
    expect(
      pointsOf(DRAFT.replace('Run the migration before the first start.', 'Before you start, run the migration once.')),
    ).toMatchInlineSnapshot(
      `"- Replace “Run the migration before the first start” with “Before you start, run the migration once”."`,
    );
  });

  it('is written in the language of the crew', () => {
    const newText = DRAFT.replace('half', 'a third of').replace('- Swimlanes group cards by their owner.\n', '');
    expect(editsAsFeedback(findEdits(DRAFT, newText), 'de')).toBe(
      'Mach diese Änderungen, Wort für Wort:\n\n' +
        '- Lösche Zeile “- Swimlanes group cards by their owner.”.\n- Ersetze “half” durch “a third of”.',
    );
  });

  it('names several places', () => {
    const newText = DRAFT.replace('board faster', 'Board “fast”')
      .replace('214', '215')
      .replace('a minute', 'an hour')
      .replace('Tests', 'Quality');
    expect(pointsOf(newText)).toMatchInlineSnapshot(`
      "- Replace “the board faster” with "the Board “fast”".
      - Replace “Tests” with “Quality”.
      - Replace “214” with “215”.
      - Replace “takes a minute” with “takes an hour”."
    `);
  });
});

describe('the edits that the next text has', () => {
  const wanted = DRAFT.replace('board faster', 'board fast')
    .replace('214', '215')
    .replace('a minute', 'an hour')
    .replace('- Cards can be dragged with the keyboard.\n', '');
  const feedback = editsAsFeedback(findEdits(DRAFT, wanted), 'en');
  const points = feedback.split('\n').filter((line) => line.startsWith('- '));
  const madeIn = (nextText: string) =>
    ticksOf(points, { oldText: DRAFT, nextText })
      .map((tick) => (tick === null ? '?' : tick ? '☑' : '☐'))
      .join('');

  it('are counted one by one', () => {
    expect(madeIn(DRAFT)).toBe('☐☐☐☐');
    expect(madeIn(wanted.replace('an hour', 'a minute'))).toBe('☑☑☑☐');
    expect(madeIn(wanted)).toBe('☑☑☑☑');
  });

  it('count whatever else has changed', () => {
    const nextText = wanted.replace(/# Cardwall.*?swimlanes/s, '# News\n\nIt adds lanes').replaceAll('\n\n', '\n');
    expect(madeIn(nextText)).toBe('☑☑☑☑');
  });

  it('do not count where the words are a part of others, or somewhere else', () => {
    expect(madeIn(wanted.replace('215', '2150'))).toBe('☑☑☐☑');
    expect(madeIn(`${DRAFT} It was tested with 215 cards for an hour.`)).toBe('☐☐☐☐');
  });

  it('are unknown where the feedback is about another text', () => {
    expect(ticksOf(points, { oldText: 'Another text.', nextText: wanted })).toEqual([null, null, null, null]);
  });
});

describe('a point of feedback in other words', () => {
  const oldText = 'We launch in April. Tea costs 40 EUR, and the tea is hot. 可以手动添加。';
  it.each<[point: string, nextText: string, tick: boolean | null]>([
    ['Use “May” instead of “April”.', oldText.replace('April', 'May'), true],
    ['- Please use “May” instead of “April”', oldText, false],
    ['Ersetze „April“ durch „Mai“', oldText.replace('April', 'Mai'), true],
    ['„Mai“ statt „April“, bitte', oldText, false],
    ['"April" -> "May"', oldText.replace('April', 'May'), true],
    ['Replace "tea" with "green tea"', oldText.replace('the tea', 'the green tea'), true],
    ['Replace "tea" with "green tea"', oldText, false],
    ['Remove “40 EUR”', oldText.replace(' costs 40 EUR', ''), true],
    ['Remove “40 EUR”', oldText, false],
    ['Remove “40 EUR”', oldText.replace('40 EUR', '40\nEUR'), false],
    ['Remove “10 EUR”', oldText, null],
    ['Use “May” instead of “April”', oldText.replace('in April', 'soon'), null],
    ['Use “May” instead of “April”', oldText.replace('April', 'April or May'), null],
    ['Use “May” instead of “April”. And make it shorter.', oldText.replace('April', 'May'), null],
    ['Don’t use “May” instead of “April”', oldText.replace('April', 'May'), null],
    ['Mention “May”', oldText.replace('April', 'May'), null],
    ['Shorter', 'We launch.', null],
  ])('is ticked only where the text tells: %s', (point, nextText, tick) => {
    expect(ticksOf([point], { oldText, nextText })).toEqual([tick]);
  });
});
