import type { ModalView } from '@slack/types';
import type { WebClient } from '@slack/web-api';
import type { Logger } from 'pino';
import { answerMessage, answerModal } from '../ui/answer-modal.ts';
import type { Rendered } from '../ui/blocks.ts';
import type { Click } from './click.ts';

/** Says something to the one person who clicked. */
export interface PrivateAnswers {
  /** A small modal, which is seen wherever the click was made; an ephemeral message where none can be opened. */
  tell(click: Click, title: string, text: string): Promise<void>;
  /** Opens a modal for a click, on top of the one that was clicked, or says that it couldn't be opened. */
  open(click: Click, view: ModalView): Promise<void>;
}

const NOT_OPENED = 'This took too long, so that nothing could be opened. Please click again.';

export function createPrivateAnswers({ client, log }: { client: WebClient; log: Logger }): PrivateAnswers {
  const open = async ({ triggerId, view: under }: Click, view: ModalView): Promise<boolean> => {
    try {
      if (under) await client.views.push({ trigger_id: triggerId, view });
      else await client.views.open({ trigger_id: triggerId, view });
      return true;
    } catch (error) {
      log.warn({ err: error, view: view.callback_id }, 'a modal could not be opened');
      return false;
    }
  };

  const whisper = async ({ actor, message }: Click, { text, blocks }: Rendered): Promise<void> => {
    if (!message) return;
    const { channel, threadTs } = message;
    try {
      const thread = threadTs === null ? {} : { thread_ts: threadTs };
      await client.chat.postEphemeral({ channel, user: actor.person.id, text, blocks, ...thread });
    } catch (error) {
      log.warn({ err: error }, 'a private answer could not be given');
    }
  };

  return {
    async open(click, view) {
      if (!(await open(click, view))) await whisper(click, answerMessage(NOT_OPENED));
    },
    async tell(click, title, text) {
      if (!(await open(click, answerModal(title, text)))) await whisper(click, answerMessage(text));
    },
  };
}
