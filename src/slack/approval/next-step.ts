import type { Denial } from '../../core/approval/policy/permits.ts';
import type { NextStep } from '../../core/execution/execution.ts';
import { NO_STEP } from '../../core/messages/private-answers.ts';
import type { ApprovalKey } from '../ui/button-value.ts';

/** Whether it helps this person to ask others, and they may know whom. */
export function canAsk({ kind }: Denial): boolean {
  switch (kind) {
    case 'guest':
    case 'self-approval':
    case 'not-approver':
    case 'giver-denied':
    case 'right-used':
      return true;
    case 'stranger':
    case 'bot':
    case 'deactivated':
    case 'no-token':
    case 'unsure':
      return false;
  }
}

/** What a person can do who can't decide a request: ask others, or connect the token that the crew wants. */
export function nextStep(denial: Denial, { key, crew }: { key: ApprovalKey; crew: string }): NextStep {
  if (denial.kind === 'no-token') return { kind: 'connect', crew };
  return canAsk(denial) ? { kind: 'ask', ...key } : NO_STEP;
}
