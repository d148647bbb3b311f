import type { KnownBlock } from '@slack/types';
import type { NextStep } from '../../core/execution/execution.ts';
import type { Say } from '../language/say.ts';
import { button, buttons } from './blocks.ts';
import { approvalValue } from './button-value.ts';
import { OPTION_LIMIT } from './limits.ts';

/** The button for what a person can do about an answer. */
export function nextStepButtons(next: NextStep, say: Say): KnownBlock[] {
  switch (next.kind) {
    case 'none':
      return [];
    case 'ask':
      return buttons(button('ask_approvers', say('ask.button'), { value: approvalValue(next) }));
    case 'connect': {
      const value = next.crew.slice(0, OPTION_LIMIT);
      return buttons(button('connect_token', say('token.button'), { value, style: 'primary' }));
    }
  }
}
