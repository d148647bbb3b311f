import type { Person } from '../../core/approval/approval.ts';
import { escapedLine } from './text/escape.ts';

/** A person's current name in Slack, as they typed it. */
export type NameOf = (person: Person) => string;

/** A name on one line, escaped; the id of a person without one. */
export function nameIn(name: NameOf, person: Person): string {
  return escapedLine(name(person), 80) || escapedLine(person.id, 80);
}

/** A mention if the id is one of Slack's, otherwise the name. It notifies the person in new messages, not in edits. */
export function mention(name: NameOf, person: Person): string {
  return /^[UW][A-Z0-9]{2,20}$/.test(person.id) ? `<@${person.id}>` : nameIn(name, person);
}
