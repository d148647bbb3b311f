/** The `action_id` of every button and select that has a listener, which `listeners.ts` must name. */
export type ActionId =
  | 'approve'
  /** Lists the requests that are ticked in the Home tab, to be approved together. */
  | 'approve_selected'
  | 'approve_with_note'
  /** Mentions those who may decide, in the thread. */
  | 'ask_approvers'
  /** Asks the crew again which inputs it needs. */
  | 'ask_again'
  /** Opens a window with what changed since the round before. */
  | 'compare'
  /** Shows in the choice of a crew what another one is for. */
  | 'choose_crew'
  /** Selects nothing in the Home tab any more. */
  | 'clear_selection'
  | 'compare_next'
  | 'compare_previous'
  /** Opens the window that asks for a person's own token of a crew. */
  | 'connect_token'
  /** Opens by what a run is found, to be copied. */
  | 'copy_reference'
  /** Opens the text to be edited, or the choice of a part of it. */
  | 'edit'
  /** Opens the form of a run that was not started, with the missing inputs marked. */
  | 'fill_in'
  /** Lets another person decide, too. */
  | 'hand_over'
  /** Opens what the ledger tells of a run. */
  | 'history'
  | 'history_next'
  | 'history_previous'
  /** Ends one's absence. */
  | 'home_back'
  /** Opens what one has chosen for oneself. */
  | 'home_settings'
  /** Filters the Home tab. */
  | 'home_channel'
  /** Takes back all filters and the search. */
  | 'home_clear'
  | 'home_crew'
  | 'home_next'
  | 'home_previous'
  /** Asks what to search the Home tab for. */
  | 'home_search'
  /** Answers with an outcome that the request offers, by a button or from a list. */
  | 'outcome'
  | 'outcome_1'
  | 'outcome_2'
  | 'outcome_3'
  | 'outcome_4'
  | 'outcome_5'
  | 'pick_crew'
  /** Puts a template or an earlier feedback into the one that is being written. */
  | 'pick_text'
  /** Shows edits as they would be sent. */
  | 'preview_edits'
  | 'read_all'
  /** Leads to the page of a heading. */
  | 'read_heading'
  | 'read_next'
  | 'read_previous'
  | 'reject'
  /** Opens a request with its whole text, to be decided there. */
  | 'review'
  /** Leads to the page of a heading of the text that is reviewed. */
  | 'review_heading'
  | 'review_next'
  | 'review_previous'
  /** Opens the form of an earlier run, prefilled. */
  | 'run_again'
  /** Selects all requests on a page of the Home tab. */
  | 'select_page'
  | 'send_again'
  | 'show_activity'
  /** Asks which crew to start, and where. */
  | 'start_crew'
  | 'stop_following'
  /** Selects a request in the Home tab. */
  | 'tick'
  | 'track_again'
  /** Opens the form of a kickoff that failed, prefilled. */
  | 'try_again'
  /** Takes back a decision that has not been sent. */
  | 'undo'
  | 'who_can_decide'
  /** Takes back one's own vote. */
  | 'withdraw';

/** The `callback_id` of every modal that can be submitted, whose listener `listeners.ts` must name. */
export type SubmittedModal =
  /** Approves several requests at once. */
  | 'approve_batch'
  /** Approves sooner than usual. */
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
