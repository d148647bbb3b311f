import { allIn } from '../../src/sandbox/slack-workspace/driver/find-in-snapshot.ts';
import type { Person } from '../../src/sandbox/slack-workspace/driver/person.ts';
import type { WaitOptions } from '../../src/sandbox/slack-workspace/driver/queries.ts';
import { modalText, visibleText } from '../../src/sandbox/slack-workspace/driver/visible-text.ts';
import type { Message } from '../../src/sandbox/slack-workspace/people-api.ts';

/** Where somebody was told something privately, for clicking there, and all that it says. */
export interface PrivateAnswer {
  in: Message | 'modal';
  text: string;
}

/** Somebody is told something privately: in a message, or in the window that opens where the bot takes a moment. */
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
      const message = allIn(seen, channel).findLast((each) => each.ephemeral && visibleText(each).includes(wanted));
      return message && { in: message, text: visibleText(message) };
    },
    patience,
  );
}
