import { GIVE_FEEDBACK } from '../approval/feedback-modal.ts';
import { onFeedback, onNote, onNoteConfirmed } from '../approval/handlers.ts';
import { SEND_NOTE, WRITE_NOTE } from '../approval/note-modal.ts';
import type { OnSubmit } from '../interaction/handlers.ts';
import { KICKOFF } from '../kickoff/form.ts';
import { onKickoffForm } from '../kickoff/form-handlers.ts';

/** Who answers which modal when it is submitted, by its `callback_id`. */
export const submissions: ReadonlyMap<string, OnSubmit> = new Map([
  [KICKOFF, onKickoffForm],
  [GIVE_FEEDBACK, onFeedback],
  [WRITE_NOTE, onNote],
  [SEND_NOTE, onNoteConfirmed],
]);
