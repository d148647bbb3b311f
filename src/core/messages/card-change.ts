import type { Approval } from '../approval/approval.ts';
import type { Execution } from '../execution/execution.ts';
import { directMessageModel } from './direct-message-model.ts';
import { fingerprint } from './fingerprint.ts';
import type { CardModel } from './view-models.ts';
import { cardModel } from './view-models.ts';

/** What the buttons of a request carry: a change of it makes those that older versions have posted due for an update. */
const BUTTONS_CARRY = 'text';

/** Fingerprint of what a card should show: that of its model, and while it waits, after a space, the rules that it states. */
export function cardFingerprint(execution: Execution, approval: Approval): string {
  return withRules(shownOf(cardModel(execution, approval)), approval);
}

/** The same of what a direct message should show. */
export function directMessageFingerprint(execution: Execution, approval: Approval, to: string): string {
  const shown = directMessageModel(execution, approval, to);
  return withRules(shown.form === 'card' ? shownOf(shown.model) : fingerprint(shown), approval);
}

function shownOf(model: CardModel): string {
  return fingerprint(hasButtons(model) ? [BUTTONS_CARRY, model] : model);
}

function hasButtons({ state }: CardModel): boolean {
  switch (state.kind) {
    case 'pending':
    case 'undoable':
    case 'failed':
      return true;
    case 'telling':
    case 'told':
    case 'superseded':
    case 'expired':
      return false;
  }
}

function withRules(shown: string, { status, times: { rules } }: Approval): string {
  return status === 'pending' && rules !== '' ? `${shown} ${rules}` : shown;
}

/** Whether a card that shows the one is out of date only in that it states other rules than the other. */
export function differsInRules(shown: string, wanted: string): boolean {
  return shown !== wanted && shown.split(' ')[0] === wanted.split(' ')[0];
}
