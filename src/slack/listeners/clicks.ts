import { SEND_AGAIN } from '../views/card-state.ts';
import { PICK_CREW } from '../views/crew-picker.ts';
import { ASK_AGAIN, FILL_IN, TRY_AGAIN } from '../views/kickoff-trouble.ts';
import { APPROVE, APPROVE_WITH_NOTE, REJECT } from '../views/pending-buttons.ts';
import { READ_ALL, READ_NEXT, READ_PREVIOUS } from '../views/read-all-modal.ts';
import { RUN_AGAIN, SHOW_ACTIVITY, STOP_FOLLOWING } from '../views/root-message.ts';
import { onApprove, onApproveWithNote, onReject, onSendAgain } from './approving.ts';
import { onStopFollowing } from './following.ts';
import type { OnClick } from './handlers.ts';
import { onAskAgain, onPickCrew, onRunAgain } from './kickoff-form.ts';
import { onReadAll, onShowActivity, onTurnPage } from './reading.ts';

/** Who answers which button or select, by the `action_id` that its view gave it. */
export const clicks: ReadonlyMap<string, OnClick> = new Map([
  [APPROVE, onApprove],
  [APPROVE_WITH_NOTE, onApproveWithNote],
  [REJECT, onReject],
  [SEND_AGAIN, onSendAgain],
  [READ_ALL, onReadAll],
  [READ_PREVIOUS, onTurnPage],
  [READ_NEXT, onTurnPage],
  [SHOW_ACTIVITY, onShowActivity],
  [STOP_FOLLOWING, onStopFollowing],
  [RUN_AGAIN, onRunAgain],
  [TRY_AGAIN, onRunAgain],
  [FILL_IN, onRunAgain],
  [PICK_CREW, onPickCrew],
  [ASK_AGAIN, onAskAgain],
]);
