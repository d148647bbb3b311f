import type { Logger } from 'pino';
import type { Millis } from '../core/time.ts';
import type { RedisClient } from '../redis/connection/call.ts';
import { claimPost, keepPosted, releasePost } from '../redis/ledger/checkpoint-post.ts';
import type { StoredCheckpoint } from '../redis/ledger/tree.ts';
import { parseCheckpoint } from './note/checkpoint.ts';

/** Posts a text where people keep it. */
export type PostCheckpoint = (text: string) => Promise<void>;

/**
 * Posts the latest checkpoint, once on each UTC day over all processes, and none twice. If that fails, the next call tries
 * again. @throws {StoreUnavailable}
 */
export async function postDaily(
  redis: RedisClient,
  log: Logger,
  { post, now }: { post: PostCheckpoint; now: Millis },
): Promise<void> {
  const checkpoint = await claimPost(redis, now);
  if (!checkpoint) return;
  try {
    await post(checkpointMessage(checkpoint));
  } catch (error) {
    log.warn({ err: error }, 'could not post the checkpoint of the ledger; trying again in a minute');
    return releasePost(redis);
  }
  await keepPosted(redis, checkpoint, now);
}

/** In Slack's mrkdwn: https://docs.slack.dev/messaging/formatting-message-text */
function checkpointMessage({ at, note }: StoredCheckpoint): string {
  const size = parseCheckpoint(note, [])?.head.size ?? 0;
  const entries = size === 1 ? '1 entry' : `${size} entries`;
  const time = `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  return [
    `*Audit checkpoint* – ${entries} sealed by ${time}`,
    `\`\`\`\n${note}\`\`\``,
    'An export is checked against it with `npm run audit -- verify FILE --after CHECKPOINT`: nothing sealed by then can have been removed or changed.',
  ].join('\n');
}
