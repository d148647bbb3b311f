import type { Person } from '../../src/sandbox/slack-workspace/driver/person.ts';
import type { Message } from '../../src/sandbox/slack-workspace/people-api.ts';

/** Chooses *Stop tracking…* in the menu of a run's first message, and confirms it in the window that opens. */
export async function stopTracking(person: Person, root: Message): Promise<void> {
  await person.click('Stop tracking…', { in: root });
  await person.seesModal('keeps running');
  await person.submit();
}
