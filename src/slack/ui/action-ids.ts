/** What is shown in pages. */
export type Paged = 'compare' | 'history' | 'home' | 'read' | 'review';

/** The `action_id` of every button and select that has a listener, which `listeners.ts` must name. */
export type ActionId =
  | `${Paged}_${'next' | 'previous'}`
  | `${'read' | 'review'}_heading`
  | 'approve'
  /** Lists the requests that are ticked in the Home tab, to be approved together. */
  | 'approve_selected'
  | 'approve_with_note'
  /** Mentions those who may decide, in the thread. */
  | 'ask_approvers'
  /** Asks the crew again which inputs it needs. */
  | 'ask_again'
  | 'compare'
  /** Shows in the choice of a crew what another one is for. */
  | 'choose_crew'
  | 'clear_selection'
  | 'connect_token'
  | 'copy_reference'
  | 'edit'
  /** Opens the form of a run that was not started, with the missing inputs marked. */
  | 'fill_in'
  | 'hand_over'
  | 'history'
  | 'home_back'
  | 'home_settings'
  | 'home_channel'
  | 'home_clear'
  | 'home_crew'
  | 'home_search'
  /** Answers with an outcome that the request offers, by a button or from a list. */
  | 'outcome'
  | `outcome_${1 | 2 | 3 | 4 | 5}`
  | 'pick_crew'
  /** Puts a template or an earlier feedback into the one that is being written. */
  | 'pick_text'
  | 'preview_edits'
  | 'read_all'
  | 'reject'
  | 'review'
  | 'run_again'
  | 'select_page'
  | 'send_again'
  | 'show_activity'
  /** Asks which crew to start, and where. */
  | 'start_crew'
  | 'stop_following'
  | 'tick'
  | 'track_again'
  /** Opens the form of a kickoff that failed, prefilled. */
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
  /** Shows the form of the crew that was chosen. */
  | 'choose_start'
  | 'connect_token'
  | 'edit_text'
  | 'give_feedback'
  | 'home_settings'
  | 'kickoff'
  /** Shows by what a run is found. */
  | 'reference'
  | 'search_home'
  | 'send_note'
  | 'write_note';

/** The `callback_id` of every shortcut in the manifest, whose listener `listeners.ts` must name. */
export type ShortcutId =
  /** Asks which crew to start, and where. */
  | 'start_crew'
  /** The same, with a form that begins with a message. */
  | 'start_crew_with_message'
  /** Opens the feedback on a thread's request, filled in with a message of the thread. */
  | 'use_as_feedback';

/** The `callback_id` of the modals that only show something. */
export type DisplayedModal =
  | 'activity'
  | 'answer'
  | 'comparing'
  | 'history'
  | 'kickoff_progress'
  | 'reading'
  | 'reviewing'
  | 'who_can_decide';
