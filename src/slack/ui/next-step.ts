import type { Button, KnownBlock } from '@slack/types';
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
      // Asking decides nothing about any text.
      return buttons(button('ask_approvers', say('ask.button'), { value: approvalValue({ ...next, hash: null }) }));
    case 'connect':
      return buttons(connectButton(next.crew, say));
  }
}

/** For a crew that needs the person's own token. */
export function connectButton(crew: string, say: Say): Button {
  return button('connect_token', say('token.button'), { value: crew.slice(0, OPTION_LIMIT), style: 'primary' });
}
