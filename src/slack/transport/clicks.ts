import { onAskApprovers } from '../approval/ask-handler.ts';
import { onEdit } from '../approval/edit-handlers.ts';
import { onHandOver } from '../approval/hand-over-handlers.ts';
import { onApprove, onSendAgain, onUndo, onWithdraw } from '../approval/handlers.ts';
import { onApproveWithNote, onReject } from '../approval/modal-handlers.ts';
import { onPickRecent, onPickTemplate } from '../approval/template-handlers.ts';
import { onWhoCanDecide } from '../approval/who-handler.ts';
import { onCompare, onTurnComparison } from '../compare/handlers.ts';
import { onFilterChannel, onFilterCrew, onOpenSearch, onShowEverything, onTick, onTurnList } from '../home/handlers.ts';
import type { ClickEntry } from '../interaction/handlers.ts';
import { onChooseCrew } from '../kickoff/choice/choice-handlers.ts';
import { onStartCrew } from '../kickoff/choice/open-choice.ts';
import { onAskAgain, onPickCrew, onRunAgain } from '../kickoff/form-handlers.ts';
import { onJump, onReadAll, onTurnPage } from '../reading/handlers.ts';
import { onApproveSelected } from '../review/batch/handlers.ts';
import { onJumpInReview, onReview, onTurnReview } from '../review/handlers.ts';
import { onStopFollowing, onTrackAgain } from '../run/change-tracking.ts';
import { onShowActivity } from '../run/show-activity.ts';
import { onBack, onHomeSettings } from '../settings/handlers.ts';
import { onConnectAgain } from '../tokens/handlers.ts';
import type { ActionId } from '../ui/action-ids.ts';

/** Which handler answers which button or select, by `action_id`, and who checks that the person may use it. */
export const clicks: Readonly<Record<string, ClickEntry>> = {
  approve: { who: 'policy', handle: onApprove },
  approve_selected: { who: 'members', handle: onApproveSelected },
  approve_with_note: { who: 'policy', handle: onApproveWithNote },
  ask_again: { who: 'starters', handle: onAskAgain },
  ask_approvers: { who: 'policy', handle: onAskApprovers },
  choose_crew: { who: 'starters', handle: onChooseCrew },
  compare: { who: 'members', handle: onCompare },
  compare_next: { who: 'members', handle: onTurnComparison },
  compare_previous: { who: 'members', handle: onTurnComparison },
  connect_token: { who: 'members', handle: onConnectAgain },
  edit: { who: 'policy', handle: onEdit },
  fill_in: { who: 'starters', handle: onRunAgain },
  hand_over: { who: 'policy', handle: onHandOver },
  home_back: { who: 'members', handle: onBack },
  home_settings: { who: 'members', handle: onHomeSettings },
  home_channel: { who: 'members', handle: onFilterChannel },
  home_clear: { who: 'members', handle: onShowEverything },
  home_crew: { who: 'members', handle: onFilterCrew },
  home_next: { who: 'members', handle: onTurnList },
  home_previous: { who: 'members', handle: onTurnList },
  home_search: { who: 'members', handle: onOpenSearch },
  pick_crew: { who: 'starters', handle: onPickCrew },
  pick_recent: { who: 'policy', handle: onPickRecent },
  pick_template: { who: 'policy', handle: onPickTemplate },
  read_all: { who: 'members', handle: onReadAll },
  read_heading: { who: 'members', handle: onJump },
  read_next: { who: 'members', handle: onTurnPage },
  read_previous: { who: 'members', handle: onTurnPage },
  reject: { who: 'policy', handle: onReject },
  review: { who: 'policy', handle: onReview },
  review_heading: { who: 'policy', handle: onJumpInReview },
  review_next: { who: 'policy', handle: onTurnReview },
  review_previous: { who: 'policy', handle: onTurnReview },
  run_again: { who: 'starters', handle: onRunAgain },
  send_again: { who: 'policy', handle: onSendAgain },
  show_activity: { who: 'members', handle: onShowActivity },
  start_crew: { who: 'starters', handle: onStartCrew },
  stop_following: { who: 'policy', handle: onStopFollowing },
  tick: { who: 'members', handle: onTick },
  track_again: { who: 'policy', handle: onTrackAgain },
  try_again: { who: 'starters', handle: onRunAgain },
  undo: { who: 'policy', handle: onUndo },
  who_can_decide: { who: 'members', handle: onWhoCanDecide },
  withdraw: { who: 'policy', handle: onWithdraw },
} satisfies Record<ActionId, ClickEntry>;
