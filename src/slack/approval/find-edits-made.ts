import type { Approval } from '../../core/approval/approval.ts';
import { roundBefore } from '../../core/approval/rounds.ts';
import type { Execution } from '../../core/execution/execution.ts';
import type { CardModel } from '../../core/messages/view-models.ts';
import type { OutputStore } from '../../core/ports.ts';
import { parseEdits } from '../edit/edit-list.ts';
import { type EditsMade, editsMade } from '../edit/edits-made.ts';
import { editableText } from '../edit/sections.ts';
import { READABLE_LENGTH } from '../ui/limits.ts';

/** How many of the edits that were asked for an output has; null if there were none, or a text is too long or no longer stored. */
export async function findEditsMade(
  outputs: OutputStore,
  { execution, approval }: { execution: Execution; approval: Approval },
  { ledBy, output }: Pick<CardModel, 'ledBy' | 'output'>,
): Promise<EditsMade | null> {
  const before = roundBefore(execution, approval);
  if (!ledBy?.feedback || !before || parseEdits(ledBy.feedback).length === 0) return null;
  if (Math.max(before.output.length, output.length) > READABLE_LENGTH) return null;
  const [oldText, nextText] = await Promise.all(
    [before.output, output].map(async ({ hash }) => outputs.get(execution.ref, hash)),
  );
  if (!oldText || !nextText) return null;
  return editsMade(ledBy.feedback, { oldText: editableText(oldText), nextText: editableText(nextText) });
}
