import { describe, expect, it } from 'vitest';
import { instructionsIn, partsOf } from '../../../../src/sandbox/crew-service/crews/instructions.ts';

describe('feedback is taken apart into instructions', () => {
  it.each([
    ['Shorter please', ['Shorter']],
    ['Could you please make it shorter?', ['make it shorter']],
    ['Shorter, and leave out the chores and tests.', ['Shorter', 'leave out the chores and tests']],
    ['group by author and mention the new CLI', ['group by author', 'mention the new CLI']],
    ['- group by area\n- no merges\n* friendlier', ['group by area', 'no merges', 'friendlier']],
    ['1. Shorter.\n2. Drier tone!', ['Shorter', 'Drier tone']],
    ['mention v2.0 and the parser', ['mention v2.0 and the parser']],
    ['call it "Fast, no bugs, and more"', ['call it "Fast, no bugs, and more"']],
    ["I'd like it to be longer, but drop docs", ['it to be longer', 'drop docs']],
    ['Good work, thanks! But please leave out merges', ['leave out merges']],
    ['don’t list the tests', ["don't list the tests"]],
  ])('%j', (text, expected) => {
    expect(instructionsIn(text)).toEqual(expected);
  });

  it.each([
    ...['Approved.', 'LGTM', 'Looks good to me!', 'ok', 'Thanks', '', '  \n ', 'Perfect. Ship it!'],
    ...['Thank you, this reads well.', 'Great, thanks a lot!', 'The draft looks really good, well done'],
  ])('hears no instruction in %j', (text) => {
    expect(instructionsIn(text)).toEqual([]);
  });

  it('hears whom to thank', () => {
    expect(instructionsIn('Nice. Thank Ben for the search')).toEqual(['Thank Ben for the search']);
  });

  it('takes lists in words apart', () => {
    expect(partsOf('chores, tests and the docs')).toEqual(['chores', 'tests', 'the docs']);
    expect(partsOf('chores, tests, and docs or merges/fixes')).toEqual(['chores', 'tests', 'docs', 'merges', 'fixes']);
  });
});
