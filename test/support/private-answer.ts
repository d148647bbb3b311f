import { allIn } from '../../src/sandbox/slack-workspace/driver/find-in-snapshot.ts';
import type { Person } from '../../src/sandbox/slack-workspace/driver/person.ts';
import type { WaitOptions } from '../../src/sandbox/slack-workspace/driver/queries.ts';
import { modalText, visibleText } from '../../src/sandbox/slack-workspace/driver/visible-text.ts';
import type { Message, Snapshot } from '../../src/sandbox/slack-workspace/people-api.ts';

/** A private answer of the bot: where it can be clicked, and its text. */
export interface PrivateAnswer {
  in: Message | 'modal';
  text: string;
}

/** Waits for a private answer, which is a message or a modal, depending on how long the bot takes. */
export function privateAnswerTo(
  person: Person,
  channel: string,
  wanted: string,
  patience?: WaitOptions,
): Promise<PrivateAnswer> {
  const ephemerals = (seen: Snapshot) => allIn(seen, channel).filter(({ ephemeral }) => ephemeral);
  return answerIn(person, wanted, ephemerals, patience);
}

/**
 * The same of what comes when nobody looks at the channel any more: a direct message, unless a modal is still open in which
 * the person waits for it.
 */
export function lateAnswerTo(person: Person, wanted: string, patience?: WaitOptions): Promise<PrivateAnswer> {
  return answerIn(person, wanted, (seen) => allIn(seen, 'Signoff'), patience);
}

function answerIn(
  person: Person,
  wanted: string,
  messagesIn: (seen: Snapshot) => Message[],
  patience?: WaitOptions,
): Promise<PrivateAnswer> {
  return person.waitFor<PrivateAnswer>(
    `“${wanted}”, privately`,
    (seen) => {
      const modal = seen.modals.map(modalText).find((text) => text.includes(wanted));
      if (modal !== undefined) return { in: 'modal', text: modal };
      const message = messagesIn(seen).findLast((each) => visibleText(each).includes(wanted));
      return message && { in: message, text: visibleText(message) };
    },
    patience,
  );
}
