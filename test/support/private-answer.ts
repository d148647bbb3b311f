import { allIn } from '../../src/sandbox/slack-workspace/driver/find-in-snapshot.ts';
import type { Person } from '../../src/sandbox/slack-workspace/driver/person.ts';
import type { WaitOptions } from '../../src/sandbox/slack-workspace/driver/queries.ts';
import { modalText, visibleText } from '../../src/sandbox/slack-workspace/driver/visible-text.ts';
import type { Message } from '../../src/sandbox/slack-workspace/people-api.ts';

/** A private answer of the bot: where it can be clicked, and its text. */
export interface PrivateAnswer {
  in: Message | 'modal';
  text: string;
}

/** Waits for a private answer: a modal, a message in the channel or a direct message, depending on how long the bot takes. */
export function privateAnswerTo(
  person: Person,
  channel: string,
  wanted: string,
  patience?: WaitOptions,
): Promise<PrivateAnswer> {
  return person.waitFor<PrivateAnswer>(
    `“${wanted}”, privately`,
    (seen) => {
      const modal = seen.modals.map(modalText).find((text) => text.includes(wanted));
      if (modal !== undefined) return { in: 'modal', text: modal };
      const messages = [...allIn(seen, 'Signoff'), ...allIn(seen, channel).filter(({ ephemeral }) => ephemeral)];
      const message = messages.findLast((each) => visibleText(each).includes(wanted));
      return message && { in: message, text: visibleText(message) };
    },
    patience,
  );
}
