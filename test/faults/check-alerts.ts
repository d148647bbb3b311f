import { messageKey } from '../../src/core/state/message.ts';
import type { Evidence, Posted } from './evidence.ts';
import { eventOf, type RequestStory } from './request-story.ts';

/** Nobody is mentioned more often than the ledger says, whatever became of the posting. */
export function alertProblems({ messages, deleted }: Evidence, stories: readonly RequestStory[]): string[] {
  const posted = [...messages, ...deleted].filter((each) => isAlert(each));
  const names = posted.map(({ ref, key }) => `${key} of ${ref}`);
  const again = new Set(names.filter((name, i) => names.indexOf(name) !== i));
  return [
    ...[...again].map((name) => `${name} was posted more than once`),
    ...stories.flatMap((story) => {
      const own = posted.filter((each) => each.ref === story.ref && isAlert(each, story.approval));
      const mentioned = story.entries.map(eventOf).flatMap(mentionedBy);
      const people = own.flatMap(({ notifies }) => notifies);
      return [...new Set(people)].flatMap((person) => {
        const [told, allowed] = [timesIn(people, person), timesIn(mentioned, person)];
        return told <= allowed ? [] : [`${person} was mentioned ${told} times, and the ledger says ${allowed}`];
      });
    }),
  ];
}

/** Whether a message reminds people or tells them of an escalation, of one request or of any. */
export function isAlert({ key }: Pick<Posted, 'key'>, approvalId = key?.split(':')[1] ?? ''): boolean {
  return key?.startsWith(messageKey({ kind: 'alert', approvalId, alertId: '' })) === true;
}

/** Whom an entry says to have mentioned. */
function mentionedBy(event: ReturnType<typeof eventOf>): readonly string[] {
  return event.kind === 'reminded' || event.kind === 'escalated' ? event.facts.mentioned : [];
}

function timesIn(all: readonly string[], one: string): number {
  return all.filter((each) => each === one).length;
}
