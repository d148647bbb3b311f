import { onUseAsFeedback } from '../approval/feedback-shortcut.ts';
import type { ShortcutEntry } from '../interaction/handlers.ts';
import { onStartCrew, onStartCrewWithMessage } from '../kickoff/choice/open-choice.ts';
import type { ShortcutId } from '../ui/action-ids.ts';

/** Which handler answers which shortcut of the manifest, by `callback_id`, and who checks that the person may use it. */
export const shortcuts: Readonly<Record<string, ShortcutEntry>> = {
  start_crew: { who: 'starters', handle: onStartCrew },
  start_crew_with_message: { who: 'starters', handle: onStartCrewWithMessage },
  use_as_feedback: { who: 'policy', handle: onUseAsFeedback },
} satisfies Record<ShortcutId, ShortcutEntry>;
