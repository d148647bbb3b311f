import type { Logger } from 'pino';
import type { Millis } from '../core/time.ts';
import type { RedisClient } from '../redis/call.ts';
import { claimPost, keepPosted, releasePost } from '../redis/ledger/checkpoint-post.ts';
import { type Checkpoint, parseCheckpoint } from './note/checkpoint.ts';
import type { Verifier } from './note/keys.ts';

/** Posts a text where people keep it. */
export type PostText = (text: string) => Promise<void>;

/**
 * Posts the latest checkpoint, once on each UTC day over all processes, and none twice. If that fails, the next call tries
 * again. One that none of the keys has signed isn't posted. @throws {StoreUnavailable}
 */
export async function postDaily(
  redis: RedisClient,
  log: Logger,
  { post, signers, now }: { post: PostText; signers: readonly Verifier[]; now: Millis },
): Promise<void> {
  const checkpoint = await claimPost(redis, now);
  const parsed = checkpoint && parseCheckpoint(checkpoint.note, signers);
  if (!parsed || parsed.signedBy.length === 0) return;
  try {
    await post(checkpointMessage(checkpoint.note, parsed));
  } catch (error) {
    log.warn({ err: error }, 'could not post the checkpoint of the ledger; trying again in a minute');
    return releasePost(redis);
  }
  await keepPosted(redis, checkpoint, now);
}

/** In Slack's mrkdwn: https://docs.slack.dev/messaging/formatting-message-text */
function checkpointMessage(note: string, { head: { size }, terms }: Checkpoint): string {
  const entries = size === 1 ? '1 entry' : `${size} entries`;
  const by = terms && ` by ${new Date(terms.time).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  return [
    `*Audit checkpoint* – ${entries} sealed${by ?? ''}`,
    `\`\`\`\n${note}\`\`\``,
    'An export is checked against it with `npm run audit -- verify FILE --after CHECKPOINT`: it says what has become of everything that was sealed by then.',
  ].join('\n');
}
