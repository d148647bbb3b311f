import { setTimeout as delay } from 'node:timers/promises';
import { callFailureOf } from '../api/errors.ts';
import { postInChannel } from '../api/post-in-channel.ts';
import type { ListenerContext } from '../interaction/listener-context.ts';
import type { Say } from '../language/say.ts';
import { answerMessage } from '../ui/answer-modal.ts';

/** The form has to be answered within three seconds. */
const MOST_MS = 1_200;

/** Whether Slack lets us message a person, tried out by the first message. True unless Slack says no. Never throws. */
export async function canBeTold(
  { client, log }: Pick<ListenerContext, 'client' | 'log'>,
  personId: string,
  say: Say,
): Promise<boolean> {
  const told = postInChannel(client, personId, answerMessage(say('settings.first-message'))).then(
    () => true,
    (error: unknown) => {
      log.warn({ personId, err: error }, 'could not send a person the first direct message');
      return callFailureOf(error).kind !== 'refused';
    },
  );
  return Promise.race([told, delay(MOST_MS, true, { ref: false })]);
}
