import type { Button } from '@slack/types';
import { z } from 'zod';
import type { Say } from '../../language/say.ts';
import { button } from '../blocks.ts';
import { codec, pageNumber, TITLE_LIMIT } from '../button-value.ts';
import { cut } from '../text/escape.ts';

// The button that opens a comparison of two texts, and the values that it and the pages carry.

export function compareButton(say: Say, key: CompareKey): Button {
  return button('compare', say('compare.button'), { value: compareValue(key) });
}

const compareKey = z.object({
  ref: z.string(),
  before: z.string(),
  after: z.string(),
  title: z.string(),
  /** The round of the newer text. Left out if the older text was approved and the newer one ran. */
  round: z.number().int().optional(),
  /** Set if people edited the older text into the newer one. */
  isEdited: z.literal(true).optional(),
  approvalId: z.string().optional(),
});

export type CompareKey = z.infer<typeof compareKey>;

export const comparedPage = codec(compareKey.extend({ page: pageNumber.default(0) }));

export function compareValue(key: CompareKey, page = 0): string {
  return comparedPage.write({ ...key, title: cut(key.title, TITLE_LIMIT), page });
}
