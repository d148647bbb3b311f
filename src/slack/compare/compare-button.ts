import type { Button } from '@slack/types';
import type { Say } from '../language/say.ts';
import { button } from '../ui/blocks.ts';
import { type CompareKey, compareValue } from './compare-key.ts';

/** Opens the window with what changed. */
export function compareButton(say: Say, key: CompareKey): Button {
  return button('compare', say('compare.button'), { value: compareValue(key) });
}
