import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { plainWords } from '../../../../src/slack/ui/text/markdown.ts';
import { hostileText } from '../hostile.ts';

describe('Markdown as plain words', () => {
  it('keeps the words without the marks, a line for each block', () => {
    const notes =
      '# Release notes: tea\n**64 changes** by *5 people* since `v1.0`.\n- [Kettles](https://example.org) _boil_\n- ~~Cups~~';
    expect(plainWords(notes)).toBe('Release notes: tea\n64 changes by 5 people since v1.0.\n• Kettles boil\n• Cups');
  });

  it('has a line for each row of a table', () => {
    expect(plainWords('Done:\n\n| What | How **many** |\n|---|--:|\n| Fixes | 40 |')).toBe(
      'Done:\nWhat · How many\nFixes · 40',
    );
  });

  it('omits rules, and a heading whose text was cut off', () => {
    expect(plainWords('Done.\n\n---\n\n## New features')).toBe('Done.');
    expect(plainWords('## New features')).toBe('New features');
  });

  it('leaves other text as it is', () => {
    expect(plainWords('Published: 3 * 4 files, 100 % of_them_all & more')).toBe(
      'Published: 3 * 4 files, 100 % of_them_all & more',
    );
    expect(plainWords('{"a": [1, 2]}')).toBe('{"a": [1, 2]}');
    expect(plainWords('')).toBe('');
  });

  it('copes with any text', () => {
    fc.assert(fc.property(hostileText, (text) => typeof plainWords(text) === 'string'));
    expect(plainWords('> '.repeat(50_000)).length).toBeLessThan(1_001);
    expect(plainWords('*a '.repeat(50_000)).length).toBeLessThan(1_001);
  });
});
