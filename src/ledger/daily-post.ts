import type { Logger } from 'pino';
import type { Millis } from '../core/time.ts';
import type { RedisClient } from '../redis/connection/call.ts';
import { claimPost, dayOf } from '../redis/ledger/sealing.ts';
import { readTree, type StoredCheckpoint } from '../redis/ledger/tree.ts';
import { parseCheckpoint } from './note/checkpoint.ts';

/** Posts a text where people keep it. */
export type PostCheckpoint = (text: string) => Promise<void>;

/**
 * Posts the latest checkpoint, at most once on each UTC day over all processes, and none twice. One whose post fails isn't tried
 * again: the next day's covers it.
 * @returns to be called after each look for new entries, with the checkpoint that it made
 */
export function createDailyPost(
  redis: RedisClient,
  log: Logger,
  post: PostCheckpoint,
): (now: Millis, made: StoredCheckpoint | null) => Promise<void> {
  let lookedOn = '';
  return async (now, made) => {
    // Nothing can have become due since the last look.
    if (made === null && lookedOn === dayOf(now)) return;
    const checkpoint = made ?? (await readTree(redis)).checkpoint;
    lookedOn = dayOf(now);
    if (!checkpoint || !(await claimPost(redis, checkpoint, now))) return;
    try {
      await post(checkpointMessage(checkpoint));
    } catch (error) {
      log.warn({ err: error }, 'could not post the checkpoint of the ledger');
    }
  };
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
