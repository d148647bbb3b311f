import { describe, expect, it } from 'vitest';
import { KINDS } from '../../../../src/sandbox/crew-service/crews/release-notes/changes.ts';
import {
  type NotesStyle,
  readInstructions,
} from '../../../../src/sandbox/crew-service/crews/release-notes/notes-style.ts';

const followed: readonly (readonly [string, Partial<NotesStyle>])[] = [
  ['shorter', { length: 'short' }],
  ['Make it a bit shorter, please', { length: 'short' }],
  ['too long', { length: 'short' }],
  ['more concise', { length: 'short' }],
  ['longer', { length: 'long' }],
  ['more details', { length: 'long' }],
  ['Please show all commits', { length: 'long' }],
  ['group by author', { groupBy: 'author' }],
  ['Group the changes by person', { groupBy: 'author' }],
  ['sort it by area', { groupBy: 'area' }],
  ['group them per component', { groupBy: 'area' }],
  ['group by kind', { groupBy: 'kind' }],
  ["don't group", { groupBy: 'nothing' }],
  ['leave out chores', { leftOut: ['merges', 'chores'] }],
  ['leave out the tests and docs', { leftOut: ['merges', 'tests', 'docs'] }],
  ['Leave the chores out', { leftOut: ['merges', 'chores'] }],
  ['no documentation changes', { leftOut: ['merges', 'docs'] }],
  ['without merge commits', { leftOut: ['merges'] }],
  ['include merges', { leftOut: [] }],
  ['only features and fixes', { leftOut: ['breaking', 'performance', 'changes', 'docs', 'tests', 'chores', 'merges'] }],
  ['leave out everything about undici', { leftOutWords: ['undici'] }],
  ['drop commits by Ana López', { leftOutWords: ['ana lópez'] }],
  ['remove "in part 7"', { leftOutWords: ['in part 7'] }],
  ['hide the hashes', { hashes: 'hidden' }],
  ['no author names', { authors: 'hidden' }],
  ['a different title', { title: 1 }],
  ['Title: Spring release', { title: 'Spring release' }],
  ['change the title to "Spring release"', { title: 'Spring release' }],
  ['call it Spring release', { title: 'Spring release' }],
  ['friendlier', { tone: 'friendly' }],
  ['Use a friendlier tone', { tone: 'friendly' }],
  ['make the tone drier', { tone: 'dry' }],
  ['Less formal, please', { tone: 'friendly' }],
  ['make it a bit less cheerful', { tone: 'dry' }],
  ['more formal', { tone: 'dry' }],
  ['mention the new parser', { highlights: ['the new parser'] }],
  ['add a line about the migration', { highlights: ['the migration'] }],
  ['thank Ben for the search', { highlights: ['thank Ben for the search'] }],
  ['translate the headings into German', { language: 'german' }],
  ['headings in French', { language: 'french' }],
  ['German headings', { language: 'german' }],
  ['Can you shorten this a bit?', { length: 'short' }],
  ['The draft is way too long!', { length: 'short' }],
  ['shorter + drier', { length: 'short', tone: 'dry' }],
  ['make it more friendly and a bit shorter', { length: 'short', tone: 'friendly' }],
  ['Group by author instead of type', { groupBy: 'author' }],
  ['sort by date', { groupBy: 'nothing' }],
  ["I don't want to see chores", { leftOut: ['merges', 'chores'] }],
  ['no need for the docs section', { leftOut: ['merges', 'docs'] }],
  ['the tests are not interesting', { leftOut: ['merges', 'tests'] }],
  ['exclude `chore` commits', { leftOut: ['merges', 'chores'] }],
  ['skip dependency bumps', { leftOutWords: ['bump'] }],
  ["use 'Sprint 12' as title", { title: 'Sprint 12' }],
  ['a different title: Autumn release', { title: 'Autumn release' }],
  ['remove everything except breaking changes', { leftOut: KINDS.filter((kind) => kind !== 'breaking') }],
  ['add a highlights section about speed', { highlights: ['speed'] }],
  ['it should mention the doctor command', { highlights: ['the doctor command'] }],
  ['start with a thank you to the team', { tone: 'friendly' }],
  ['Could you make it a lot shorter?', { length: 'short' }],
  ['half as long, please', { length: 'short' }],
  ['The tone should be drier', { tone: 'dry' }],
  ['longer, all commits', { length: 'long' }],
];

describe('instructions change the style of the notes', () => {
  it.each(followed)('%s', (text, change) => {
    const plain = readInstructions([]).style;
    expect(readInstructions([text])).toEqual({ style: { ...plain, ...change }, notFollowed: [] });
  });

  it('follows several in one text, and the later one where two disagree', () => {
    const { style, notFollowed } = readInstructions([
      'Much shorter, group by author and leave out tests.',
      'Longer again; group by area',
    ]);
    expect(style).toMatchObject({ length: 'medium', groupBy: 'area', leftOut: ['merges', 'tests'] });
    expect(notFollowed).toEqual([]);
  });

  it.each([
    'draw a picture',
    'leave out the boring ones',
    'group by mood',
    'translate the headings into Klingon',
    'make it rhyme',
    'title',
    'the title is too long',
  ])('says that it could not follow "%s"', (text) => {
    expect(readInstructions([text])).toEqual({ style: readInstructions([]).style, notFollowed: [text] });
  });

  it('follows what it understands of an instruction, and says the rest', () => {
    const { style, notFollowed } = readInstructions(['leave out tests and the boring ones']);
    expect([style.leftOut, notFollowed]).toEqual([['merges', 'tests'], ['the boring ones']]);
  });

  it('reads a text of any length in a moment', () => {
    for (const text of [
      'please '.repeat(200_000),
      '"'.repeat(500_000),
      `leave out ${'a, '.repeat(300_000)}`,
      'x'.repeat(1_000_000),
    ]) {
      const startedAt = performance.now();
      expect(readInstructions([text]).notFollowed).toContain('what comes after the first 10000 characters');
      expect(performance.now() - startedAt).toBeLessThan(2_000);
    }
  });

  it('says that it can translate headings alone', () => {
    const { style, notFollowed } = readInstructions(['Translate everything into Spanish']);
    expect([style.language, notFollowed]).toEqual(['spanish', ['Translate everything into Spanish']]);
  });
});
