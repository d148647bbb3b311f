import type { Confirm } from '@slack/types';
import type { Say } from '../language/say.ts';
import { confirm } from '../ui/blocks.ts';

/** Asks before a crew is started again whose first start may have worked. `yes` is the label of the button itself. */
export function confirmSecondStart(say: Say, yes: string): Confirm {
  return confirm({
    title: say('start.confirm-again-title'),
    text: say('start.confirm-again'),
    yes,
    no: say('start.confirm-again-no'),
  });
}
