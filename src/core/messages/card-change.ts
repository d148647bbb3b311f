import type { Approval } from '../approval/approval.ts';
import type { Execution } from '../execution/execution.ts';
import { directMessageModel } from './direct-message-model.ts';
import { fingerprint } from './fingerprint.ts';
import { cardModel } from './view-models.ts';

/** Fingerprint of what a card should show: that of its model, and while it waits, after a space, the rules that it states. */
export function cardFingerprint(execution: Execution, approval: Approval): string {
  return withRules(fingerprint(cardModel(execution, approval)), approval);
}

/** The same of what a direct message should show. */
export function directMessageFingerprint(execution: Execution, approval: Approval, to: string): string {
  return withRules(fingerprint(directMessageModel(execution, approval, to)), approval);
}

function withRules(shown: string, { status, times: { rules } }: Approval): string {
  return status === 'pending' && rules !== '' ? `${shown} ${rules}` : shown;
}

/** Whether a card that shows the one is out of date only in that it states other rules than the other. */
export function differsInRules(shown: string, wanted: string): boolean {
  return shown !== wanted && shown.split(' ')[0] === wanted.split(' ')[0];
}
