import type { Person } from '../../src/sandbox/slack-workspace/driver/person.ts';
import { modalText } from '../../src/sandbox/slack-workspace/driver/visible-text.ts';

/** Waits until the form is gone because the crew has started. On a busy machine, *Starting…* may have taken its place. */
export async function startedFrom(person: Person): Promise<void> {
  const left = await person.waitFor('a form that was taken', ({ modals }) => {
    const isOver = modals.every((modal) => modalText(modal).startsWith('Started'));
    return isOver ? { modals: modals.length } : undefined;
  });
  if (left.modals > 0) await person.closeModal();
}
