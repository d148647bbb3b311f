import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sectionTitle } from '../../../../src/slack/features/edit/modals.ts';
import { editableText, sectionsOf } from '../../../../src/slack/request/edits/sections.ts';
import { cpuMs } from '../../../support/cpu-ms.ts';
import { hostileText } from '../../ui/hostile.ts';
import { say } from '../../ui/models.ts';

const LONG = 'A sentence of a long report. '.repeat(60);
const titlesIn = (text: string) => sectionsOf(text).map((each) => sectionTitle(each, say));

describe('the parts of a text', () => {
  it('are one where it is short', () => {
    expect(sectionsOf('\n# One\n\nText.\n')).toMatchObject([{ start: 1, end: 13 }]);
    expect(sectionsOf(' \n')).toEqual([]);
  });

  it('are one where it fits its field, to the character, and so is each section', () => {
    expect(titlesIn('x'.repeat(3_000))).toEqual(['Beginning']);
    expect(titlesIn(`${'x'.repeat(3_000)}\n`)).toEqual(['Beginning']);
    expect(titlesIn('x'.repeat(3_001))).toEqual(['Part 1 of 2', 'Part 2 of 2']);
    const section = (title: string, length: number) => `# ${title}\n`.padEnd(length, 'x');
    expect(titlesIn(`${section('One', 3_000)}\n${section('Two', 3_001)}`)).toEqual(['One', 'Two (1/2)', 'Two (2/2)']);
  });

  it('are its sections by heading, which a code block has none of', () => {
    const text = `Before.\n\n# One\n\n${LONG}\n\n## Two ##\n\n\`\`\`\n# not one\n\`\`\`\n${LONG}`;
    expect(titlesIn(text)).toEqual(['Beginning', 'One', 'Two']);
    expect(sectionsOf(text).map(({ start, end }) => text.slice(start, end).slice(0, 9))).toEqual([
      ...['Before.', '# One\n\nA ', '## Two ##'],
    ]);
  });

  it('are found at once, however many spaces a heading has', () => {
    const text = `# One${' '.repeat(20_000)}two\n${LONG}`;
    expect(cpuMs(() => sectionsOf(text))).toBeLessThan(1_000);
  });

  it('are smaller where a section is long, or has no heading', () => {
    const paragraphs = Array.from({ length: 6 }, (_, i) => `${i}: ${LONG.slice(0, 1_000)}`).join('\n\n');
    expect(titlesIn(`# One\n\n${paragraphs}`)).toEqual(['One (1/3)', 'One (2/3)', 'One (3/3)']);
    expect(titlesIn(paragraphs)).toEqual(['Part 1 of 3', 'Part 2 of 3', 'Part 3 of 3']);
  });

  it('are not by heading where those are too many', () => {
    expect(titlesIn('# Heading\n\n'.repeat(500))).toEqual(['Part 1 of 3', 'Part 2 of 3', 'Part 3 of 3']);
  });

  it('fit, follow each other, and leave out nothing but space', () => {
    fc.assert(
      fc.property(hostileText, (hostile) => {
        const text = editableText(hostile);
        const sections = sectionsOf(text);
        let from = 0;
        for (const { start, end } of sections) {
          expect(end - start).toBeLessThanOrEqual(3_000);
          expect(text.slice(from, start).trim()).toBe('');
          from = end;
        }
        expect(text.slice(from).trim()).toBe('');
      }),
      { numRuns: 100 },
    );
  });
});
