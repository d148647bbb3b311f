import { SEND_AGAIN } from '../approval/card-state.ts';
import { onApprove, onApproveWithNote, onReject, onSendAgain } from '../approval/handlers.ts';
import { APPROVE, APPROVE_WITH_NOTE, REJECT } from '../approval/pending-buttons.ts';
import type { OnClick } from '../interaction/handlers.ts';
import { PICK_CREW } from '../kickoff/crew-picker.ts';
import { onAskAgain, onPickCrew, onRunAgain } from '../kickoff/form-handlers.ts';
import { ASK_AGAIN, FILL_IN, TRY_AGAIN } from '../kickoff/trouble.ts';
import { onReadAll, onShowActivity, onTurnPage } from '../reading/handlers.ts';
import { READ_ALL, READ_NEXT, READ_PREVIOUS } from '../reading/read-all-modal.ts';
import { RUN_AGAIN, SHOW_ACTIVITY, STOP_FOLLOWING } from '../run/root-message.ts';
import { onStopFollowing } from '../run/stop-following.ts';

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
