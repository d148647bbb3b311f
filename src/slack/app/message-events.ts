// Listeners for Slack's events about our own messages: Slack has posted one, perhaps without an answer to our call, or somebody has
// deleted one. An event is acknowledged once its content is stored.
import type { WebClient } from '@slack/web-api';
import type { Logger } from 'pino';
import { z } from 'zod';
import { isDuplicate, learnDeleted, learnPosted, type MessageReport } from '../../core/messages/delivery.ts';
import { UNKNOWN_CONTENT } from '../../core/state/post.ts';
import { ok } from '../../core/values/result.ts';
import { slackErrorName } from '../api/errors.ts';
import type { Identity } from '../api/identity.ts';
import type { EventListener } from '../listening/context.ts';
import { METADATA_EVENT } from '../messages/posting.ts';

/** https://docs.slack.dev/reference/events/message_metadata_posted */
export const onMessagePosted: EventListener<'message_metadata_posted'> = async ({ body, client, context, event }) => {
  const ownPost = ownMessage(body.api_app_id, { ...event, marks: event.metadata }, context.identity);
  if (!ownPost) return;
  const { ref, message } = ownPost;
  const changed = await context.store.change(ref, (execution, now) => ok(learnPosted(execution, message, now)));
  if (changed.kind === 'unchanged' && isDuplicate(changed.execution, message))
    await deleteDuplicate(client, { ref, message, log: context.log });
};

/** https://docs.slack.dev/reference/events/message_metadata_deleted */
export const onMessageDeleted: EventListener<'message_metadata_deleted'> = async ({ body, context, event }) => {
  const ownPost = ownMessage(body.api_app_id, { ...event, marks: event.previous_metadata }, context.identity);
  if (!ownPost) return;
  const { ref, message } = ownPost;
  await context.store.change(ref, (execution, now) => ok(learnDeleted(execution, message, now)));
};

const EVENT = z.object({
  app_id: z.string(),
  bot_id: z.string().optional(),
  user_id: z.string().optional(),
  channel_id: z.string(),
  message_ts: z.string(),
  marks: z.object({
    event_type: z.literal(METADATA_EVENT),
    event_payload: z.object({ ref: z.string(), key: z.string(), shown: z.string().default(UNKNOWN_CONTENT) }),
  }),
});

/** Returns null unless Slack itself says that the message is ours: other apps can use our metadata. */
function ownMessage(
  appId: string,
  event: unknown,
  { botId, botUserId }: Identity,
): { ref: string; message: MessageReport } | null {
  const { data } = EVENT.safeParse(event);
  if (data?.app_id !== appId) return null;
  const isFromBot = data.user_id === botUserId || (data.bot_id !== undefined && data.bot_id === botId);
  const { ref, key, shown } = data.marks.event_payload;
  return isFromBot ? { ref, message: { key, channel: data.channel_id, ts: data.message_ts, shown } } : null;
}

/** Deletes a message that was posted again before Slack's event about the first one. If it can't be deleted, both stay. */
async function deleteDuplicate(
  client: WebClient,
  { ref, message, log }: { ref: string; message: MessageReport; log: Logger },
): Promise<void> {
  const { channel, ts, key } = message;
  try {
    await client.chat.delete({ channel, ts });
    log.info({ ref, message: key }, 'deleted a message that was posted twice');
  } catch (error) {
    log.warn(
      { ref, message: key, slackError: slackErrorName(error) },
      'could not delete a message that was posted twice',
    );
  }
}
