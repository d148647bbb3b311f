import type { Person } from '../../core/approval/approval.ts';
import type { Execution } from '../../core/execution/execution.ts';
import { parseEdits } from '../edit/edit-list.ts';
import type { ListenerContext } from '../interaction/listener-context.ts';

/** Keeps feedback that was sent, to be offered to this person again; not edits, which are of one text. Never throws. */
export async function keepFeedback(
  { recentFeedback, log }: ListenerContext,
  { ref, crew }: Execution,
  { by, feedback }: { by: Person; feedback: string },
): Promise<void> {
  if (parseEdits(feedback).length > 0) return;
  try {
    await recentFeedback.add(crew, by.id, feedback);
  } catch (error) {
    log.warn({ ref, crew, by: by.id, err: error }, 'could not keep feedback to be offered again');
  }
}
