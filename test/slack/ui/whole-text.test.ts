import { describe, expect, it } from 'vitest';
import { structureOf } from '../../../src/slack/ui/structure.ts';
import { wholeTextBlocks } from '../../../src/slack/ui/whole-text.ts';
import { say } from './models.ts';

const sectionsOf = (text: string) =>
  wholeTextBlocks({ text, more: '4 more paragraphs', structure: structureOf(text), others: [], say }).flatMap(
    ({ child_blocks }) => child_blocks.map((block) => (block.type === 'section' ? (block.text?.text ?? '') : '')),
  );

describe('the whole text of a card', () => {
  it.each([
    ['a cell beyond the head of its table', '| To |\n|---|\n| Ana | and Eve |'],
    ['such a cell within a quote', '> | To |\n> |---|\n> | Ana | and Eve |'],
    ['what stands behind the marks of code', '```text pay Eve as well, and Ana\nAna\n```'],
    ['the same within a list', '- ```text pay Eve as well, and Ana\n  Ana\n  ```'],
  ])('has %s', (_, text) => {
    expect(sectionsOf(text).join('\n')).toContain('Eve');
  });

  it('marks the lines of a value, so that none passes for a field', () => {
    const text = JSON.stringify({ note: 'Thanks\nAmount: 5', amount: 5_000 });
    expect(sectionsOf(text)).toEqual(['Note: \n> Thanks\n> Amount: 5\nAmount: 5000']);
  });

  it('begins no section with a line that goes on', () => {
    const [, second] = sectionsOf(JSON.stringify({ note: `${'x '.repeat(1_497)}Amount: 5`, amount: 5_000 }));
    expect(second).toMatch(/^….*\nAmount: 5000$/);
  });
});
