import type { WebClient } from '@slack/web-api';
import { z } from 'zod';
import type { Execution } from '../../core/execution/execution.ts';
import type { Message } from '../../core/messages/message.ts';
import { messageKey } from '../../core/messages/message.ts';
import { tsOf } from '../../core/messages/post.ts';
import { outcomeOf, slackErrorName } from '../api/errors.ts';
import type { Identity } from '../api/identity.ts';
import { PAGE_LIMIT } from '../ui/limits.ts';

const found = z.object({
  ts: z.string(),
  thread_ts: z.string().optional(),
  metadata: z.object({ event_payload: z.object({ ref: z.string(), key: z.string() }) }),
});

/** So much the clocks of Redis, which dates the execution, and of Slack may differ. */
const CLOCKS_APART_S = 15 * 60;

/** `unavailable` when Slack can't tell now: a message that is posted all the same may be a second copy. */
export type Found =
  | { kind: 'found'; ts: string; threadTs: string | null }
  | { kind: 'absent' }
  | { kind: 'unavailable'; waitMs: number | null };

/**
 * Looks for a message whose posting had an unknown outcome by its metadata. It counts as absent where the app has none of
 * the optional history scopes: then a second copy may appear, which a click on it settles.
 */
export async function findPosted(
  client: WebClient,
  identity: Identity,
  execution: Execution,
  message: Message,
): Promise<Found> {
  if (!identity.scopes.has('channels:history') && !identity.scopes.has('groups:history')) return { kind: 'absent' };
  const { channel, createdAt, ref } = execution;
  const root = tsOf(execution.root);
  const key = messageKey(message);
  try {
    const oldest = String(createdAt / 1000 - CLOCKS_APART_S);
    const inChannel = () =>
      client.conversations.history({ channel, oldest, include_all_metadata: true, limit: PAGE_LIMIT });
    const inThread = (ts: string) =>
      client.conversations.replies({ channel, ts, include_all_metadata: true, limit: PAGE_LIMIT }).catch((error) => {
        // A reply to a thread that was deleted stands in the channel.
        if (slackErrorName(error) === 'thread_not_found') return inChannel();
        throw error;
      });
    const { messages } = await (message.kind === 'root' || root === null ? inChannel() : inThread(root));
    const ours = (messages ?? []).flatMap((each) => found.safeParse(each).data ?? []);
    const posted = ours.find(
      ({ metadata }) => metadata.event_payload.ref === ref && metadata.event_payload.key === key,
    );
    return posted ? { kind: 'found', ts: posted.ts, threadTs: posted.thread_ts ?? null } : { kind: 'absent' };
  } catch (error) {
    return whyNot(error);
  }
}

/** An outage or a rate limit passes; what Slack refuses by name, such as a scope that is missing here, stays. */
function whyNot(error: unknown): Found {
  const outcome = outcomeOf(error);
  const isRefusal = slackErrorName(error) !== null && outcome.kind !== 'unknown';
  if (isRefusal) return { kind: 'absent' };
  return { kind: 'unavailable', waitMs: outcome.kind === 'later' ? outcome.waitMs : null };
}
