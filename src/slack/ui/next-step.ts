import type { KnownBlock } from '@slack/types';
import type { NextStep } from '../../core/execution/execution.ts';
import { button, buttons } from './blocks.ts';
import { approvalValue } from './button-value.ts';
import { OPTION_LIMIT } from './limits.ts';

/** The button for what a person can do about an answer. */
export function nextStepButtons(next: NextStep): KnownBlock[] {
  switch (next.kind) {
    case 'none':
      return [];
    case 'ask':
      return buttons(button('ask_approvers', 'Ask them', { value: approvalValue(next) }));
    case 'connect': {
      const value = next.crew.slice(0, OPTION_LIMIT);
      return buttons(button('connect_token', 'Connect your token', { value, style: 'primary' }));
    }
  }
}
