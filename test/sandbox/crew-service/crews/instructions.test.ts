import { describe, expect, it } from 'vitest';
import { follow, withoutRemark, withRemark } from '../../../../src/sandbox/crew-service/crews/instructions.ts';
import { FIRST_STYLE, NOTES_INSTRUCTIONS } from '../../../../src/sandbox/crew-service/crews/notes.ts';
import { cpuMs } from '../../../support/cpu-ms.ts';

const read = (...feedback: string[]) => follow(NOTES_INSTRUCTIONS, feedback, FIRST_STYLE);

describe('instructions', () => {
  it.each([
    ['shorter', { perSection: 4 }],
    ['longer', { perSection: 16 }],
    ['all changes', { perSection: Number.POSITIVE_INFINITY }],
    ['leave out tests, docs and the chores', { leftOut: ['tests', 'docs', 'chores'] }],
    ['leave out what’s new and the Fixed section', { leftOut: ['features', 'fixes'] }],
    ['drop the tests', { leftOut: ['tests'] }],
    ['no under the hood', { leftOut: ['docs', 'tests', 'chores'] }],
    ['only features and fixes', { leftOut: ['breaking', 'performance', 'other', 'docs', 'tests', 'chores'] }],
    ['group by author', { groupBy: 'author' }],
    ['group by area', { groupBy: 'area' }],
    ['group by kind', { groupBy: 'kind' }],
    ['title: Spring release 2.0', { title: 'Spring release 2.0' }],
    ['Please make it shorter!', { perSection: 4 }],
    ['Shorter, please. Thank you, reads well.', { perSection: 4 }],
    ['Make it a bit shorter. Leave out the fixes', { perSection: 4, leftOut: ['fixes'] }],
    ['Make it shorter, and leave out tests, docs and chores', { perSection: 4, leftOut: ['tests', 'docs', 'chores'] }],
    ['leave out tests, docs and shorter, too', { perSection: 4, leftOut: ['tests', 'docs'] }],
    ['group by area and shorter', { groupBy: 'area', perSection: 4 }],
    ['title: Salt and pepper', { title: 'Salt and pepper' }],
    ['- longer\n- group by author', { perSection: 16, groupBy: 'author' }],
  ])('%j is followed', (text, change) => {
    expect(read(text)).toEqual({ style: { ...FIRST_STYLE, ...change }, notUnderstood: [] });
  });

  it('add up over the rounds, where the later one counts', () => {
    const { style } = read('Shorter. Group by author', 'shorter', 'leave out tests', 'group by area');
    expect(style).toEqual({ ...FIRST_STYLE, perSection: 2, groupBy: 'area', leftOut: ['tests'] });
  });

  it('are judged one clause at a time', () => {
    expect(read('shorter, and drop the tests; also mention the EU outage, in French please')).toEqual({
      style: { ...FIRST_STYLE, perSection: 4, leftOut: ['tests'] },
      notUnderstood: ['also mention the EU outage', 'in French please'],
    });
    expect(read('Make it rhyme and shorter')).toEqual({
      style: { ...FIRST_STYLE, perSection: 4 },
      notUnderstood: ['Make it rhyme'],
    });
    expect(read('leave out tests and the boring ones')).toEqual({
      style: { ...FIRST_STYLE, leftOut: ['tests'] },
      notUnderstood: ['the boring ones'],
    });
  });

  it.each([
    ...['make it rhyme', "don't make it shorter", 'not shorter', 'group by mood', 'shorter than the last', 'title:'],
    ...['leave out the boring ones', 'the title is too long', 'nothing new', `title: ${'x'.repeat(300)}`],
  ])('that are not among the known ones are not guessed: %s', (text) => {
    expect(read(text)).toEqual({ style: FIRST_STYLE, notUnderstood: [text] });
  });

  it('leave no remark where only earlier ones were not understood', () => {
    expect(read('Make it rhyme. Shorter', 'Paint it blue. Longer').notUnderstood).toEqual(['Paint it blue']);
  });

  it.each(['please ', ' ', '. ', 'leave out ', 'a, b and ', 'shorter, ', 'a,', `${'a,'.repeat(149)}. `, '\n'])(
    'of any length are read in a moment: %j',
    (text) => {
      const tookMs = cpuMs(() => read(`${text.repeat(Math.ceil(400_000 / text.length))}x`));
      // A second on a slow machine; a look at all that follows each instruction would take minutes.
      expect(tookMs).toBeLessThan(15_000);
    },
  );
});

describe('a remark', () => {
  const remark = (notUnderstood: readonly string[], notMade: string[] = []) =>
    withRemark('# Draft\n\n---\n\nEnd', { notUnderstood, notMade }, NOTES_INSTRUCTIONS);

  it('says first what was not understood, and all that would be', () => {
    const draft = remark(read('Make it rhyme. Shorter').notUnderstood);
    expect(draft).toMatch(/^\*I did not understand:\* “Make it rhyme”\. I know: /);
    for (const { form } of NOTES_INSTRUCTIONS) expect(draft).toContain(`\`${form}\``);
    expect(withoutRemark(draft)).toBe('# Draft\n\n---\n\nEnd');
  });

  it('tells edits that the draft doesn’t allow from words that mean nothing to it', () => {
    const draft = remark([], ['Delete “x”']);
    expect(draft).toMatch(/^\*Not in this draft, or there twice:\* “Delete “x””\.\n\n---/);
    expect(withoutRemark(draft)).toBe('# Draft\n\n---\n\nEnd');
    expect(withoutRemark(remark(['Rhyme'], ['Delete “x”']))).toBe('# Draft\n\n---\n\nEnd');
  });

  it('is not made where all was followed', () => {
    expect(remark([])).toBe('# Draft\n\n---\n\nEnd');
    expect(withoutRemark('# Draft\n\n---\n\nEnd')).toBe('# Draft\n\n---\n\nEnd');
  });

  it('stays short whatever was said', () => {
    const draft = remark(Array(1000).fill('x'.repeat(1000)));
    expect(draft).toContain('and 995 more');
    expect(draft.length).toBeLessThan(2_000);
  });
});
