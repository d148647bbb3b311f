import { onFeedback, onNote, onNoteConfirmed } from '../approval/handlers.ts';
import type { OnSubmit } from '../interaction/handlers.ts';
import { onKickoffForm } from '../kickoff/form-handlers.ts';
import type { SubmittedModal } from '../ui/action-ids.ts';

/** Which handler answers which submitted modal, by `callback_id`. */
export const submissions: Readonly<Record<string, OnSubmit>> = {
  give_feedback: onFeedback,
  kickoff: onKickoffForm,
  send_note: onNoteConfirmed,
  write_note: onNote,
} satisfies Record<SubmittedModal, OnSubmit>;
