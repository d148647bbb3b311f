import { z } from 'zod';
import type { ListenerContext, SharedContext } from '../interaction/listener-context.ts';
import { parseRequest } from '../interaction/parse-request.ts';
import { sayIn } from '../language/say.ts';
import { handleClick } from './handle-click.ts';
import { handleCommand } from './handle-command.ts';
import { handleEvent } from './handle-event.ts';
import { handleShortcut } from './handle-shortcut.ts';
import { handleSubmission } from './handle-submission.ts';
import type { Dispatch } from './request-handler.ts';

/** What all requests have of the kinds that need no handler. */
const BARE = {
  view_closed: z.object({ user: z.object({}), view: z.object({}) }),
  others: z.object({ user: z.object({}) }),
};

/**
 * Finds the handler of a request. People from other organisations can click whatever is in a shared channel, so what Slack
 * vouches for about a person is found out before, once, for us or the policy to judge.
 */
export function createDispatch(shared: SharedContext): Dispatch {
  return async ({ kind, payload, ack, addToLog }) => {
    const context: ListenerContext = {
      ...shared,
      addToLog,
      requestId: requestIdOf(payload),
      receivedAt: performance.now(),
      say: async () => sayIn(await shared.people.languageOf(userIdOf(payload))),
    };
    switch (kind) {
      case 'command':
        return handleCommand(context, payload, ack);
      case 'block_actions':
        return handleClick(context, payload, ack);
      case 'view_submission':
        return handleSubmission(context, payload, ack);
      case 'view_closed':
        parseRequest(BARE.view_closed, payload);
        return ack();
      case 'block_suggestion':
        parseRequest(BARE.others, payload);
        return ack({ options: [] });
      case 'shortcut':
      case 'message_action':
        return handleShortcut(context, payload, ack);
      case 'event':
        return handleEvent(context, payload, ack);
    }
  };
}

/** https://docs.slack.dev/interactivity/handling-user-interaction */
function requestIdOf({ trigger_id }: Readonly<Record<string, unknown>>): string {
  return typeof trigger_id === 'string' ? trigger_id : '';
}

/** Commands name the person in another field than interactions. */
function userIdOf(payload: Readonly<Record<string, unknown>>): string {
  const { data } = USER.safeParse(payload);
  return data?.user?.id ?? data?.user_id ?? '';
}

const USER = z.object({ user: z.object({ id: z.string() }).optional(), user_id: z.string().optional() });
