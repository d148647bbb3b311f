import type { Person } from '../../core/approval/approval.ts';
import { within } from '../directory/within.ts';
import type { ListenerContext } from '../interaction/listener-context.ts';

/** What is left of Slack's three seconds has to do for the facts about the person. */
const MOST_WAIT_MS = 500;

/** A person as the card names them, since the crew receives their note with their name; otherwise by their handle. Never throws. */
export async function named({ people, log }: ListenerContext, { id, name }: Person): Promise<Person> {
  const found = await within(MOST_WAIT_MS, people.nameOf({ id, name }), { log, about: { person: id } });
  return { id, name: found ?? name };
}
