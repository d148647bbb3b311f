import { onApprove, onApproveWithNote, onReject, onSendAgain } from '../approval/handlers.ts';
import type { OnClick } from '../interaction/handlers.ts';
import { onAskAgain, onPickCrew, onRunAgain } from '../kickoff/form-handlers.ts';
import { onReadAll, onTurnPage } from '../reading/handlers.ts';
import { onShowActivity } from '../run/show-activity.ts';
import { onStopFollowing } from '../run/stop-following.ts';
import type { ActionId } from '../ui/action-ids.ts';

/** Which handler answers which button or select, by `action_id`. */
export const clicks: Readonly<Record<string, OnClick>> = {
  approve: onApprove,
  approve_with_note: onApproveWithNote,
  ask_again: onAskAgain,
  fill_in: onRunAgain,
  pick_crew: onPickCrew,
  read_all: onReadAll,
  read_next: onTurnPage,
  read_previous: onTurnPage,
  reject: onReject,
  run_again: onRunAgain,
  send_again: onSendAgain,
  show_activity: onShowActivity,
  stop_following: onStopFollowing,
  try_again: onRunAgain,
} satisfies Record<ActionId, OnClick>;
