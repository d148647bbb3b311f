import type { KnownBlock } from '@slack/types';
import type { Denial } from '../../core/approval/policy/permits.ts';
import { button, buttons } from '../ui/blocks.ts';
import { type ApprovalKey, approvalValue } from '../ui/button-value.ts';

/** Offers a person who can't decide to have those mentioned who can. */
export function askButton(key: ApprovalKey | null): KnownBlock[] {
  return key === null ? [] : buttons(button('ask_approvers', 'Ask them', { value: approvalValue(key) }));
}

/** Whether it helps this person to ask others, and they may know whom. */
export function canAsk({ kind }: Denial): boolean {
  switch (kind) {
    case 'guest':
    case 'self-approval':
    case 'not-approver':
      return true;
    case 'stranger':
    case 'bot':
    case 'deactivated':
    case 'no-token':
    case 'unsure':
      return false;
  }
}
