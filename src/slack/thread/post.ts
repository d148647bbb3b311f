import type { WebClient } from '@slack/web-api';
import type { Execution } from '../../core/execution/execution.ts';
import type { Message } from '../../core/messages/message.ts';
import { messageKey } from '../../core/messages/message.ts';
import { tsOf } from '../../core/messages/post.ts';
import { slackErrorName } from '../api/errors.ts';
import type { Rendered } from '../ui/blocks.ts';

/** Marks our messages, so that one whose posting had an unknown outcome can be looked up. https://docs.slack.dev/messaging/message-metadata */
const METADATA_EVENT = 'signoff_message';

/** Where a message was posted; `lostThread` and `channel` as in `PostOutcome`. */
export type Place = { ts: string; lostThread?: string; channel?: string };

/** With these errors Slack rejects a reply because its thread is gone. https://docs.slack.dev/reference/methods/chat.postMessage#errors */
const NO_THREAD = new Set(['thread_not_found', 'cannot_reply_to_message']);

/** A reply that Slack put outside its thread has lost that thread. */
export function placeOf(execution: Execution, message: Message, at: { ts: string; threadTs: string | null }): Place {
  const meantFor = isReply(message) ? tsOf(execution.root) : null;
  return meantFor !== null && at.threadTs === null ? { ts: at.ts, lostThread: meantFor } : { ts: at.ts };
}

function isReply({ kind }: Message): boolean {
  return kind !== 'root' && kind !== 'direct-message';
}

/**
 * Everything but the root and direct messages is a reply; a card is also broadcast to the channel, so that people see it. A reply to a deleted
 * thread ends up in the channel only: Slack moves it there and says so only by omitting `thread_ts`
 * (https://github.com/slack-go/slack/issues/1571).
 */
export async function postInPlace(
  client: WebClient,
  execution: Execution,
  message: Message,
  rendered: Rendered,
): Promise<Place> {
  const threadTs = isReply(message) ? tsOf(execution.root) : null;
  const content = {
    channel: message.kind === 'direct-message' ? message.to : execution.channel,
    ...rendered,
    unfurl_links: false,
    unfurl_media: false,
    metadata: { event_type: METADATA_EVENT, event_payload: { ref: execution.ref, key: messageKey(message) } },
  };
  if (message.kind === 'direct-message') {
    const { ts = '', channel } = await client.chat.postMessage(content);
    return { ts, ...(channel !== undefined && { channel }) };
  }
  if (threadTs === null) return { ts: (await client.chat.postMessage(content)).ts ?? '' };
  const reply =
    message.kind === 'card'
      ? { ...content, thread_ts: threadTs, reply_broadcast: true as const }
      : { ...content, thread_ts: threadTs };
  try {
    const { ts = '', message: stored } = await client.chat.postMessage(reply);
    return placeOf(execution, message, { ts, threadTs: stored ? (stored.thread_ts ?? null) : threadTs });
  } catch (error) {
    if (!NO_THREAD.has(slackErrorName(error) ?? '')) throw error;
    return { ts: (await client.chat.postMessage(content)).ts ?? '', lostThread: threadTs };
  }
}
