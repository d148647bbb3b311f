import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareTexts, seenLines } from '../../../../src/slack/ui/comparison/compare-texts.ts';
import { type ComparedLine, lineWithout } from '../../../../src/slack/ui/comparison/comparison.ts';
import { hostileText } from '../hostile.ts';

const linesOf = (before: string, after: string): ComparedLine[] => {
  const comparison = compareTexts(before, after);
  if (comparison.kind !== 'compared') throw new Error(`The texts are ${comparison.kind}`);
  return comparison.lines;
};

/** As `-removed`, `+added`, and `~kept[-removed][+added]` for changed lines. */
const shown = (before: string, after: string) => linesOf(before, after).map(shownLine);

function shownLine(line: ComparedLine): string {
  if (line.kind !== 'changed') return `${{ kept: ' ', removed: '-', added: '+' }[line.kind]}${line.text}`;
  return `~${line.pieces.map(({ kind, text }) => (kind === 'kept' ? text : `[${kind === 'removed' ? '-' : '+'}${text}]`)).join('')}`;
}

const sideOf = (lines: ComparedLine[], without: 'removed' | 'added') =>
  lines.map((line) => lineWithout(line, without)).filter((line) => line !== null);

const words = fc.array(fc.constantFrom('fast', 'import', 'now', 'of', 'members', '3', '**new**', '# A', '|', '```'), {
  maxLength: 8,
});
const draft = fc
  .array(
    words.map((each) => each.join(' ')),
    { maxLength: 25 },
  )
  .map((lines) => lines.join('\n'));

describe('two texts as one', () => {
  it.each([
    ['two drafts of the same words', draft],
    ['any texts', hostileText],
  ])('give each of them back: %s', (_, text) => {
    fc.assert(
      fc.property(text, text, (before, after) => {
        const comparison = compareTexts(before, after);
        // Some of these texts differ in more than a thousand lines.
        fc.pre(comparison.kind !== 'too-large');
        const lines = comparison.kind === 'compared' ? comparison.lines : null;
        expect(lines ? sideOf(lines, 'added') : seenLines(after)).toEqual(seenLines(before));
        if (lines) expect(sideOf(lines, 'removed')).toEqual(seenLines(after));
      }),
      { numRuns: 300 },
    );
  });

  it('never show a line that both have twice in its place', () => {
    fc.assert(
      fc.property(draft, (text) => {
        expect(compareTexts(text, text)).toEqual({ kind: 'same' });
        expect(compareTexts(text, `${text}  \n\n`).kind).not.toBe('compared');
        const lines = linesOf(text, `New.\n${text}`.trimEnd());
        expect(lines.filter(({ kind }) => kind !== 'kept')).toHaveLength(1);
      }),
    );
  });
});

describe('a changed line', () => {
  it('is shown by words, as one change where only a space divides two', () => {
    expect(shown('The release is planned for early May, we hope.', 'The release is set on June 3, we hope.')).toEqual([
      '~The release is [-planned for early May][+set on June 3], we hope.',
    ]);
  });

  it.each([
    ['Arabic', 'يمكن إضافة الأعضاء يدويا الآن', 'يمكن إضافة الأعضاء تلقائيا الآن', 1],
    ['Chinese, without spaces', '现在可以手动添加成员了', '现在可以批量添加成员了', 1],
    ['a family of emoji', 'For our 👩‍👩‍👧 now', 'For our 👩‍👩‍👦 now', 1],
    ['a letter of several characters', 'Re\u0301sume\u0301 sent to all', 'Re\u0301sume sent to all', 1],
  ])('changes whole words only: %s', (_, before, after, changes) => {
    const [line] = linesOf(before, after);
    const pieces = line?.kind === 'changed' ? line.pieces : [];
    expect(pieces.filter(({ kind }) => kind === 'added')).toHaveLength(changes);
    expect(pieces.filter(({ text }) => /^[\p{M}\u200D]|\u200D$/u.test(text))).toEqual([]);
  });

  it('is one of the same words, not the one at the same place', () => {
    const before = '- Fix the import of members\n- Fix the export of boards\n- Faster search';
    const after = '- Fix the export of boards and lists\n- Faster search';
    expect(shown(before, after)).toEqual([
      '-- Fix the import of members',
      '~- Fix the export of boards[+ and lists]',
      ' - Faster search',
    ]);
  });

  it('is no line of quite other words', () => {
    expect(shown('Members can be imported.', 'Search is three times as fast.')).toEqual([
      '-Members can be imported.',
      '+Search is three times as fast.',
    ]);
  });

  it('is found although a paragraph before it was left out', () => {
    const before = 'We thank all who helped.\n\nMembers can be imported from files.\n\nEnd';
    expect(shown(before, 'Members can be imported from tables.\n\nEnd')).toEqual([
      '-We thank all who helped.',
      '-',
      '~Members can be imported from [-files][+tables].',
      ' ',
      ' End',
    ]);
  });
});

describe('texts that differ only in what nobody sees', () => {
  it.each([
    ['line ends', 'a\nb', 'a\r\nb\r\n'],
    ['spaces at the end of a line', 'a\nb', 'a  \nb\t'],
    ['direction marks', 'a b', 'a \u202Eb'],
  ])('are told apart from changed ones: %s', (_, before, after) => {
    expect(compareTexts(before, after)).toEqual({ kind: 'unseen' });
  });
});
