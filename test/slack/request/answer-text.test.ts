import { describe, expect, it } from 'vitest';
import { answerLine, answerOnCard, fitsCard, wholeAnswer } from '../../../src/slack/request/answer-text.ts';
import { field } from '../../support/requests.ts';
import { say } from '../ui/models.ts';

const FIELDS = [
  field('why', { label: 'Reason *now*', type: 'long_text' }),
  field('amount', { label: 'Amount', type: 'number' }),
];

/** The names that a rich text has, and all its other text. */
function textsIn(blocks: unknown): { names: string[]; values: string[] } {
  const texts: { text: string; isBold: boolean }[] = [];
  JSON.stringify(blocks, (_, value) => {
    if (value?.type === 'text') texts.push({ text: value.text, isBold: value.style?.bold === true });
    return value;
  });
  const of = (isBold: boolean) => texts.filter((each) => each.isBold === isBold).map(({ text }) => text);
  return { names: of(true), values: of(false) };
}

describe('an answer', () => {
  it('is shown as rich text, in which no value can pass for another field', () => {
    const why = 'none · *Amount:* 5 :white_check_mark: <!channel>';
    const blocks = answerOnCard({ why, amount: 5000 }, FIELDS, say);
    expect(blocks.map(({ type }) => type)).toEqual(['rich_text']);
    expect(textsIn(blocks)).toEqual({ names: ['Reason *now*: ', 'Amount: '], values: [why, '5000'] });
  });

  it('has values of several lines as quotes', () => {
    const [block] = wholeAnswer({ why: 'none\nAmount: 5', amount: 5000 }, FIELDS);
    expect(block).toMatchObject({
      elements: [
        { type: 'rich_text_section' },
        { type: 'rich_text_quote', elements: [{ text: 'none\nAmount: 5' }] },
        { type: 'rich_text_section' },
      ],
    });
  });

  it('has signs for characters that nobody sees', () => {
    expect(textsIn(wholeAnswer({ why: 'a\u200Bb' }, FIELDS)).values).toEqual(['a⟨U+200B⟩b']);
    expect(answerLine({ why: 'a\u200Bb' }, FIELDS)).toBe('Reason *now*: "a⟨U+200B⟩b"');
  });

  it.each([
    { length: 1000, fits: true },
    { length: 1001, fits: false },
  ])(
    'of $length characters is shown whole on a card that has room for it, and otherwise cut with a sentence that says so',
    ({ length, fits }) => {
      const answer = { why: 'x'.repeat(length) };
      expect(fitsCard(answer, FIELDS)).toBe(fits);
      const [block, sign] = answerOnCard(answer, FIELDS, say);
      expect(textsIn(block).values).toEqual([fits ? answer.why : expect.stringMatching(/x…$/)]);
      expect(sign?.type).toBe(fits ? undefined : 'context');
    },
  );

  it('is told on one line with its texts in quotes', () => {
    expect(answerLine({ why: 'no", Amount: 6\nx', amount: 5 }, FIELDS)).toBe(
      'Reason *now*: "no\\", Amount: 6\\nx", Amount: 5',
    );
  });
});
