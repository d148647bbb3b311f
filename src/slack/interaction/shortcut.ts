import { z } from 'zod';
import type { MessageContent } from '../ui/message-text/message-content.ts';
import { actorOf, userSchema } from './actor.ts';
import type { Click } from './click.ts';
import { parseRequest } from './parse-request.ts';

/** A shortcut that a person chose: answered like a click, whose `action_id` is the `callback_id` of the shortcut. */
export interface Shortcut extends Click {
  /** What the message says that it was used on; null for a shortcut that is used anywhere. */
  content: MessageContent | null;
}

const attachmentSchema = z.object({ text: z.string().catch(''), fallback: z.string().catch('') });

/** https://docs.slack.dev/reference/interaction-payloads/shortcuts-interaction-payload */
const shortcutSchema = z.object({
  callback_id: z.string().min(1),
  user: userSchema,
  trigger_id: z.string().default(''),
  channel: z.object({ id: z.string().min(1) }).nullish(),
  message: z
    .object({
      ts: z.string().min(1),
      thread_ts: z.string().optional(),
      text: z.string().nullish(),
      blocks: z.array(z.unknown()).nullish(),
      attachments: z.array(attachmentSchema).nullish(),
    })
    .nullish(),
});

/** @throws {UnreadableRequest} if the body isn't a shortcut */
export function readShortcut(body: unknown): Shortcut {
  const { callback_id, user, trigger_id, channel, message } = parseRequest(shortcutSchema, body);
  return {
    ...{ actionId: callback_id, value: '', isLink: false, view: null, home: null },
    actor: actorOf(user),
    triggerId: trigger_id,
    message: channel && message ? { channel: channel.id, ts: message.ts, threadTs: message.thread_ts ?? null } : null,
    content: message
      ? { text: message.text ?? '', blocks: message.blocks ?? [], attachments: message.attachments ?? [] }
      : null,
  };
}
