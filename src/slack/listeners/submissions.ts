import { GIVE_FEEDBACK } from '../views/feedback-modal.ts';
import { KICKOFF } from '../views/kickoff-form.ts';
import { SEND_NOTE, WRITE_NOTE } from '../views/note-modal.ts';
import { onFeedback, onNote, onNoteConfirmed } from './approving.ts';
import type { OnSubmit } from './handlers.ts';
import { onKickoffForm } from './kickoff-form.ts';

/** Who answers which modal when it is submitted, by its `callback_id`. */
export const submissions: ReadonlyMap<string, OnSubmit> = new Map([
  [KICKOFF, onKickoffForm],
  [GIVE_FEEDBACK, onFeedback],
  [WRITE_NOTE, onNote],
  [SEND_NOTE, onNoteConfirmed],
]);
