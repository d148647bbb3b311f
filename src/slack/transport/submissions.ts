import { onEdited, onSectionChosen } from '../approval/edit-handlers.ts';
import { onApproverChosen } from '../approval/hand-over-handlers.ts';
import { onApproveSoon } from '../approval/handlers.ts';
import { onFeedback, onNote, onNoteConfirmed } from '../approval/modal-handlers.ts';
import { onSearch } from '../home/handlers.ts';
import type { SubmissionEntry } from '../interaction/handlers.ts';
import { onChoice } from '../kickoff/choice/choice-handlers.ts';
import { onKickoffForm } from '../kickoff/submit-form.ts';
import { onApproveBatch } from '../review/batch/handlers.ts';
import { onSettingsSaved } from '../settings/handlers.ts';
import { onConnectForm } from '../tokens/handlers.ts';
import type { SubmittedModal } from '../ui/action-ids.ts';

/** Which handler answers which submitted modal, by `callback_id`, and who checks that the person may submit it. */
export const submissions: Readonly<Record<string, SubmissionEntry>> = {
  approve_batch: { who: 'policy', handle: onApproveBatch },
  approve_soon: { who: 'policy', handle: onApproveSoon },
  choose_approver: { who: 'policy', handle: onApproverChosen },
  choose_section: { who: 'policy', handle: onSectionChosen },
  choose_start: { who: 'starters', handle: onChoice },
  connect_token: { who: 'members', handle: onConnectForm },
  edit_text: { who: 'policy', handle: onEdited },
  give_feedback: { who: 'policy', handle: onFeedback },
  home_settings: { who: 'members', handle: onSettingsSaved },
  kickoff: { who: 'starters', handle: onKickoffForm },
  search_home: { who: 'members', handle: onSearch },
  send_note: { who: 'policy', handle: onNoteConfirmed },
  write_note: { who: 'policy', handle: onNote },
} satisfies Record<SubmittedModal, SubmissionEntry>;
