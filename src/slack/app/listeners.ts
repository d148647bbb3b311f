// The listener of each button, modal and shortcut, by its id. `app.ts` registers them.
import { onAnswer, onAnswered } from '../features/card/answer.ts';
import { onDecline, onFeedback, onPickText, onReject, onUseAsFeedback } from '../features/card/feedback.ts';
import { onApproverChosen, onHandOver } from '../features/card/hand-over.ts';
import {
  onApprove,
  onApproveSoon,
  onAskApprovers,
  onOutcome,
  onSendAgain,
  onUndo,
  onWithdraw,
} from '../features/card/listeners.ts';
import { onApproveWithNote, onNote, onNoteConfirmed } from '../features/card/note.ts';
import { onWhoCanDecide } from '../features/card/who-can-decide.ts';
import { onCompare } from '../features/compare/modal.ts';
import { onEdit, onEdited, onEditsChosen, onSectionChosen } from '../features/edit/listeners.ts';
import { onCopyReference, onHistory, onReferenceDone, onTurnHistory } from '../features/history/listeners.ts';
import {
  onClearSelection,
  onFilterChannel,
  onFilterCrew,
  onOpenSearch,
  onSearch,
  onSelectPage,
  onShowEverything,
  onTick,
  onTurnList,
} from '../features/home/listeners.ts';
import {
  onChoice,
  onChooseCrew,
  onStartCrew,
  onStartCrewAnywhere,
  onStartCrewWithMessage,
} from '../features/kickoff/choice/listeners.ts';
import { onAskAgain, onKickoffForm, onPickCrew, onRunAgain } from '../features/kickoff/form-listeners.ts';
import { onApproveBatch, onApproveSelected } from '../features/review/batch-listeners.ts';
import { onJump, onReveal, onReview, onSkip } from '../features/review/listeners.ts';
import { onShowActivity } from '../features/run/activity.ts';
import { onStopConfirmed, onStopFollowing, onTrackAgain } from '../features/run/tracking.ts';
import { onBack, onHomeSettings, onSettingsSaved } from '../features/settings/listeners.ts';
import { onConnectAgain, onConnectForm } from '../features/tokens/listeners.ts';
import type { ActionListener, ShortcutListener, ViewListener } from '../listening/context.ts';
import type { ActionId, ShortcutId, SubmittedModal } from '../ui/action-ids.ts';

/**
 * A listener, and the people who may use it.
 * - `members`: the app refuses strangers first. The listener changes nothing that the policy protects.
 * - `policy`: the listener asks the crew's policy as part of its change, and before it shows anything.
 * - `starters`: the listener asks the crew's `starters` before it starts anything or shows a form.
 */
export interface Listed<Listener = unknown> {
  who: 'members' | 'policy' | 'starters';
  listener: Listener;
}

/** Listeners by the `action_id` of a button or select. */
export const actions = {
  answer: { who: 'policy', listener: onAnswer },
  approve: { who: 'policy', listener: onApprove },
  approve_selected: { who: 'members', listener: onApproveSelected },
  approve_with_note: { who: 'policy', listener: onApproveWithNote },
  ask_again: { who: 'starters', listener: onAskAgain },
  ask_approvers: { who: 'policy', listener: onAskApprovers },
  choose_crew: { who: 'starters', listener: onChooseCrew },
  clear_selection: { who: 'members', listener: onClearSelection },
  compare: { who: 'members', listener: onCompare },
  compare_next: { who: 'members', listener: onCompare },
  compare_previous: { who: 'members', listener: onCompare },
  connect_token: { who: 'members', listener: onConnectAgain },
  copy_reference: { who: 'members', listener: onCopyReference },
  decline: { who: 'policy', listener: onDecline },
  edit: { who: 'policy', listener: onEdit },
  fill_in: { who: 'starters', listener: onRunAgain },
  hand_over: { who: 'policy', listener: onHandOver },
  history: { who: 'members', listener: onHistory },
  history_next: { who: 'members', listener: onTurnHistory },
  history_previous: { who: 'members', listener: onTurnHistory },
  home_back: { who: 'members', listener: onBack },
  home_settings: { who: 'members', listener: onHomeSettings },
  home_channel: { who: 'members', listener: onFilterChannel },
  home_clear: { who: 'members', listener: onShowEverything },
  home_crew: { who: 'members', listener: onFilterCrew },
  home_next: { who: 'members', listener: onTurnList },
  home_previous: { who: 'members', listener: onTurnList },
  home_search: { who: 'members', listener: onOpenSearch },
  outcome: { who: 'policy', listener: onOutcome },
  outcome_1: { who: 'policy', listener: onOutcome },
  outcome_2: { who: 'policy', listener: onOutcome },
  outcome_3: { who: 'policy', listener: onOutcome },
  outcome_4: { who: 'policy', listener: onOutcome },
  outcome_5: { who: 'policy', listener: onOutcome },
  pick_crew: { who: 'starters', listener: onPickCrew },
  pick_text: { who: 'policy', listener: onPickText },
  read_all: { who: 'members', listener: onReview },
  read_heading: { who: 'members', listener: onJump },
  read_next: { who: 'members', listener: onReview },
  read_previous: { who: 'members', listener: onReview },
  reject: { who: 'policy', listener: onReject },
  reveal: { who: 'policy', listener: onReveal },
  review: { who: 'members', listener: onReview },
  review_heading: { who: 'members', listener: onJump },
  review_next: { who: 'members', listener: onReview },
  review_previous: { who: 'members', listener: onReview },
  run_again: { who: 'starters', listener: onRunAgain },
  select_page: { who: 'members', listener: onSelectPage },
  send_again: { who: 'policy', listener: onSendAgain },
  show_activity: { who: 'members', listener: onShowActivity },
  skip: { who: 'members', listener: onSkip },
  start_crew: { who: 'starters', listener: onStartCrew },
  stop_following: { who: 'policy', listener: onStopFollowing },
  tick: { who: 'members', listener: onTick },
  track_again: { who: 'policy', listener: onTrackAgain },
  try_again: { who: 'starters', listener: onRunAgain },
  undo: { who: 'policy', listener: onUndo },
  who_can_decide: { who: 'members', listener: onWhoCanDecide },
  withdraw: { who: 'policy', listener: onWithdraw },
} satisfies Record<ActionId, Listed<ActionListener>>;

/** Listeners by the `callback_id` of a submitted modal. */
export const views = {
  approve_batch: { who: 'policy', listener: onApproveBatch },
  approve_soon: { who: 'policy', listener: onApproveSoon },
  choose_approver: { who: 'policy', listener: onApproverChosen },
  choose_section: { who: 'policy', listener: onSectionChosen },
  choose_start: { who: 'starters', listener: onChoice },
  connect_token: { who: 'members', listener: onConnectForm },
  edit_text: { who: 'policy', listener: onEdited },
  give_answer: { who: 'policy', listener: onAnswered },
  send_edits: { who: 'policy', listener: onEditsChosen },
  give_feedback: { who: 'policy', listener: onFeedback },
  give_reason: { who: 'policy', listener: onFeedback },
  home_settings: { who: 'members', listener: onSettingsSaved },
  kickoff: { who: 'starters', listener: onKickoffForm },
  reference: { who: 'members', listener: onReferenceDone },
  search_home: { who: 'members', listener: onSearch },
  send_note: { who: 'policy', listener: onNoteConfirmed },
  stop_following: { who: 'policy', listener: onStopConfirmed },
  write_note: { who: 'policy', listener: onNote },
} satisfies Record<SubmittedModal, Listed<ViewListener>>;

/** Listeners by the `callback_id` of a shortcut in the manifest. Each asks the policy or the starters itself. */
export const shortcuts = {
  start_crew: { who: 'starters', listener: onStartCrewAnywhere },
  start_crew_with_message: { who: 'starters', listener: onStartCrewWithMessage },
  use_as_feedback: { who: 'policy', listener: onUseAsFeedback },
} satisfies Record<ShortcutId, Listed<ShortcutListener>>;
