import fc from 'fast-check';
import { expect, it } from 'vitest';
import { cleanText } from '../../../src/core/values/text.ts';
import { quotedPoints } from '../../../src/slack/request/quoted-points.ts';
import { hostileText } from '../ui/hostile.ts';

const partsOf = (text: string) =>
  quotedPoints(text, 3_000).elements.map((part) => [
    part.type === 'rich_text_list' ? part.style : 'text',
    ...part.elements.map((each) => ('text' in each ? each.text : 'elements' in each && JSON.stringify(each.elements))),
  ]);
const said = (text: string) => `[{"type":"text","text":${JSON.stringify(text)}}]`;

it('shows what is written as a list point by point', () => {
  expect(partsOf('Two things:\n\n- Shorter.\n- Name <!channel>\n  in one line.\n\nThanks!')).toEqual([
    ['text', 'Two things:'],
    ['bullet', said('Shorter.'), said('Name <!channel>\nin one line.')],
    ['text', 'Thanks!'],
  ]);
});

it('keeps code within its point', () => {
  const code = '```\n## Upgrade\n\n- Run it first.\n```';
  const text = `- Before “## Tests”, add\n${code.replaceAll(/^(?=.)/gm, '  ')}\n- Delete “x”.`;
  expect(partsOf(text)).toEqual([['bullet', said(`Before “## Tests”, add\n${code}`), said('Delete “x”.')]]);
});

it('keeps numbers', () => {
  expect(partsOf('2) Two.\n3) Three.')).toEqual([['ordered', said('Two.'), said('Three.')]]);
  expect(quotedPoints('2) Two.', 3_000).elements).toMatchObject([{ offset: 1 }]);
});

it('shows other text as it is', () => {
  expect(partsOf('Shorter.\n -not a point\n\n2026 is early.')).toEqual([
    ['text', 'Shorter.\n -not a point\n\n2026 is early.'],
  ]);
});

it('leaves nothing out but the marks of points', () => {
  const letters = (text: string) => text.match(/\p{L}/gu)?.join('') ?? '';
  fc.assert(
    fc.property(hostileText, (text) => {
      const whole = cleanText(text).slice(0, 2_900).toWellFormed();
      const shown = quotedPoints(whole, 3_000).elements.flatMap((part) =>
        part.type === 'rich_text_list' ? part.elements.flatMap(({ elements }) => elements) : part.elements,
      );
      expect(letters(shown.map((each) => ('text' in each ? each.text : '')).join(''))).toBe(letters(whole));
    }),
    { numRuns: 100 },
  );
});
