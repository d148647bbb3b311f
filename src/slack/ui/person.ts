import type { Decision, Person } from '../../core/approval/approval.ts';
import { cutLine } from './text/cut.ts';
import { escapeMrkdwn } from './text/escape.ts';

/** What Slack calls somebody now. */
export type NameOf = (person: Person) => string;

/** A name on one line, escaped. */
export function nameIn(name: NameOf, person: Person): string {
  return inline(name(person), 80) || 'somebody';
}

/** A mention where the id is one of Slack's, else the name. New messages with it notify the person, edits don't. */
export function mention(name: NameOf, person: Person): string {
  return /^[UW][A-Z0-9]{2,20}$/.test(person.id) ? `<@${person.id}>` : nameIn(name, person);
}

/** Text from outside on one line, cut and escaped, to stand among our own words. */
export function inline(text: string, most: number): string {
  return escapeMrkdwn(cutLine(text, most));
}

/** The verdict with its symbol, as a word that stands alone. */
export function verdictWord({ verdict }: Decision): string {
  switch (verdict) {
    case 'approve':
      return '✅ Approved';
    case 'reject':
      return '↩️ Rejected';
  }
}
