import type { ListenerContext } from '../interaction/listener-context.ts';
import { type ModalKey, openModal, updateModal } from '../interaction/modals.ts';
import type { Say } from '../language/say.ts';
import type { Rendered } from '../ui/blocks.ts';
import { followStart, patienceOf, progressOf } from './follow-start.ts';
import { startedModal, startingMessage, startingModal } from './progress-modals.ts';
import { startTroubleView, troubleOf } from './start-trouble-view.ts';
import { kickoffTroubleMessage } from './trouble.ts';

interface CommandStart {
  ref: string;
  crew: string;
  triggerId: string;
  /** What was opened while the crew was slow to say what it needs. */
  modal: ModalKey | null;
}

/**
 * Tells the person who typed a command how the start went, in the window that is open, or else by a message that the caller
 * gives. Values that the crew refuses bring up its form. A run that has started shows itself, in its thread.
 */
export async function tellStart(
  context: ListenerContext,
  start: CommandStart,
  say: Say,
): Promise<{ message: Rendered | null }> {
  const { ref, crew, modal, triggerId } = start;
  const execution = await followStart(context, ref);
  if (!execution || execution.run.status === 'starting') {
    const underWay = { crew, progress: progressOf(execution) };
    const isShown = modal !== null && (await updateModal(context, modal, startingModal(underWay, say)));
    return { message: isShown ? null : startingMessage(underWay, say) };
  }
  const trouble = troubleOf(execution.run);
  if (!trouble) {
    if (modal) await updateModal(context, modal, startedModal({ crew, link: null }, say));
    return { message: null };
  }
  const failed = { execution, trouble, attempt: 1, patienceMs: patienceOf(context) };
  const view = await startTroubleView(context, failed, say);
  const isForm = view.callback_id === 'kickoff';
  const isShown = modal
    ? await updateModal(context, modal, view)
    : isForm && (await openModal(context, triggerId, view)).kind !== 'too-late';
  return { message: isShown ? null : kickoffTroubleMessage({ ref, crew, trouble }, say) };
}
