import { describe, expect, it } from 'vitest';
import { follow, withoutRemark, withRemark } from '../../../../src/sandbox/crew-service/crews/instructions.ts';
import { FIRST_STYLE, KINDS, NOTES_INSTRUCTIONS } from '../../../../src/sandbox/crew-service/crews/notes.ts';
import { cpuMs } from '../../../support/cpu-ms.ts';

const read = (...feedback: string[]) => follow(NOTES_INSTRUCTIONS, feedback, FIRST_STYLE);

describe('instructions', () => {
  it.each([
    ['shorter', { perSection: 4 }],
    ['longer', { perSection: 16 }],
    ['all changes', { perSection: Number.POSITIVE_INFINITY }],
    ['leave out tests, docs and the chores', { leftOut: ['Docs', 'Tests', 'Chores'] }],
    ['only features and fixes', { leftOut: KINDS.filter((kind) => kind !== 'Features' && kind !== 'Fixes') }],
    ['group by author', { groupBy: 'author' }],
    ['group by area', { groupBy: 'area' }],
    ['group by kind', { groupBy: 'kind' }],
    ['title: Spring release 2.0', { title: 'Spring release 2.0' }],
    ['Please make it shorter!', { perSection: 4 }],
    ['Shorter, please.', { perSection: 4 }],
    ['Make it shorter. Leave out the fixes', { perSection: 4, leftOut: ['Fixes'] }],
    ['Make it shorter, and leave out tests, docs and chores', { perSection: 4, leftOut: ['Docs', 'Tests', 'Chores'] }],
    ['group by area and shorter', { groupBy: 'area', perSection: 4 }],
    ['title: Salt and pepper', { title: 'Salt and pepper' }],
    ['- longer\n- group by author', { perSection: 16, groupBy: 'author' }],
  ])('%j is followed', (text, change) => {
    expect(read(text)).toEqual({ style: { ...FIRST_STYLE, ...change }, notFollowed: [] });
  });

  it('add up over the rounds, where the later one counts', () => {
    const { style } = read('Shorter. Group by author', 'shorter', 'leave out tests', 'group by area');
    expect(style).toEqual({ ...FIRST_STYLE, perSection: 2, groupBy: 'area', leftOut: ['Tests'] });
  });

  it.each([
    ...['make it rhyme', "don't make it shorter", 'not shorter', 'group by mood', 'shorter than the last', 'title:'],
    ...['leave out the boring ones', 'leave out tests and the boring ones', 'the title is too long', 'Approved'],
    ...['shorter and make it rhyme', 'make it rhyme and shorter', `title: ${'x'.repeat(300)}`],
  ])('that are not among the known ones are not guessed: %s', (text) => {
    expect(read(text)).toEqual({ style: FIRST_STYLE, notFollowed: [text] });
  });

  it('leave no remark where only earlier ones could not be followed', () => {
    expect(read('Make it rhyme. Shorter', 'Paint it blue. Longer').notFollowed).toEqual(['Paint it blue']);
  });

  it.each(['please ', ' ', '. ', 'leave out ', 'a, b and ', 'shorter, ', '\n'])(
    'of any length are read in a moment: %j',
    (text) => {
      const tookMs = cpuMs(() => read(`${text.repeat(200_000)}x`));
      expect(tookMs).toBeLessThan(2_000);
    },
  );
});

describe('a remark', () => {
  it('says first what could not be followed, and all that can', () => {
    const draft = withRemark('# Draft\n\n---\n\nEnd', read('Make it rhyme. Shorter').notFollowed, NOTES_INSTRUCTIONS);
    expect(draft).toMatch(/^\*Not followed:\* “Make it rhyme”\.\n/);
    for (const form of Object.keys(NOTES_INSTRUCTIONS)) expect(draft).toContain(`\`${form}\``);
    expect(withoutRemark(draft)).toBe('# Draft\n\n---\n\nEnd');
  });

  it('is not made where all was followed', () => {
    expect(withRemark('# Draft', [], NOTES_INSTRUCTIONS)).toBe('# Draft');
    expect(withoutRemark('# Draft\n\n---\n\nEnd')).toBe('# Draft\n\n---\n\nEnd');
  });

  it('stays short whatever was said', () => {
    const draft = withRemark('# Draft', Array(1000).fill('x'.repeat(1000)), NOTES_INSTRUCTIONS);
    expect(draft).toContain('and 995 more');
    expect(draft.length).toBeLessThan(2_000);
  });
});
