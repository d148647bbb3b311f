// The ids of all buttons, modals and shortcuts. A listener that is missing for one of them is a type error.

export type Paged = 'compare' | 'history' | 'home' | 'review';

/** The `action_id` of every button and select that has a listener, which `listeners.ts` must name. */
export type ActionId =
  | `${Paged}_${'next' | 'previous'}`
  // Buttons of older versions, which opened a text and turned its pages. They open *Review*.
  | `read_${'all' | 'heading' | 'next' | 'previous'}`
  | 'answer'
  | 'approve'
  | 'approve_selected'
  | 'approve_with_note'
  | 'ask_approvers'
  | 'ask_again'
  | 'compare'
  | 'choose_crew'
  | 'clear_selection'
  | 'connect_token'
  | 'copy_reference'
  | 'decline'
  | 'edit'
  | 'fill_in'
  | 'hand_over'
  | 'history'
  | 'home_back'
  | 'home_settings'
  | 'home_channel'
  | 'home_clear'
  | 'home_crew'
  | 'home_search'
  | 'outcome'
  | `outcome_${1 | 2 | 3 | 4 | 5}`
  | 'pick_crew'
  | 'pick_text'
  | 'reject'
  | 'reveal'
  | 'review'
  | 'review_heading'
  | 'run_again'
  | 'select_page'
  | 'send_again'
  | 'show_activity'
  | 'skip'
  | 'start_crew'
  | 'stop_following'
  | 'tick'
  | 'track_again'
  | 'try_again'
  | 'undo'
  | 'who_can_decide'
  | 'withdraw';

/** The `callback_id` of every modal that can be submitted, whose listener `listeners.ts` must name. */
export type SubmittedModal =
  | 'approve_batch'
  | 'approve_soon'
  | 'choose_approver'
  | 'choose_section'
  | 'choose_start'
  | 'connect_token'
  | 'edit_text'
  | 'give_answer'
  | 'send_edits'
  | 'give_feedback'
  | 'give_reason'
  | 'home_settings'
  | 'kickoff'
  | 'reference'
  | 'search_home'
  | 'send_note'
  | 'stop_following'
  | 'write_note';

/** The `callback_id` of every shortcut in the manifest, whose listener `listeners.ts` must name. */
export type ShortcutId = 'start_crew' | 'start_crew_with_message' | 'use_as_feedback';

/** The `callback_id` of the modals that only show something. */
export type DisplayedModal =
  | 'activity'
  | 'answer'
  | 'comparing'
  | 'history'
  | 'kickoff_progress'
  | 'reviewing'
  | 'who_can_decide';
