import type { Approval } from '../approval/approval.ts';
import type { Execution } from '../execution/execution.ts';
import { fingerprint } from './fingerprint.ts';
import { cardModel } from './view-models.ts';

/** Fingerprint of what a card should show: that of its model, and while it waits, after a space, the rules that it states. */
export function cardFingerprint(execution: Execution, approval: Approval): string {
  const shown = fingerprint(cardModel(execution, approval));
  const { rules } = approval.times;
  return approval.status === 'pending' && rules !== '' ? `${shown} ${rules}` : shown;
}

/** Whether a card that shows the one is out of date only in that it states other rules than the other. */
export function differsInRules(shown: string, wanted: string): boolean {
  return shown !== wanted && shown.split(' ')[0] === wanted.split(' ')[0];
}
