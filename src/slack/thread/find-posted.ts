import type { WebClient } from '@slack/web-api';
import { z } from 'zod';
import type { Execution } from '../../core/execution/execution.ts';
import { findApproval } from '../../core/execution/execution.ts';
import type { Message } from '../../core/messages/message.ts';
import { messageKey } from '../../core/messages/message.ts';
import { tsOf } from '../../core/messages/post.ts';
import { outcomeOf, slackErrorName } from '../api/errors.ts';
import type { Identity } from '../api/identity.ts';
import { PAGE_LIMIT } from '../ui/limits.ts';
import { fileName } from './upload-file.ts';

/** Whose a message is, by what Slack itself says: other apps can use our metadata, and people the name of our file. */
const author = z.object({ user: z.string().optional(), bot_id: z.string().optional() });

const found = z.object({
  ts: z.string(),
  thread_ts: z.string().optional(),
  metadata: z.object({ event_payload: z.object({ ref: z.string(), key: z.string() }) }),
});

/** Allowed difference between the clocks of Redis, which dates the execution, and of Slack. */
const MAX_CLOCK_SKEW_S = 15 * 60;

/**
 * `unreadable`: the history can't be read, or not all of it, so nobody will ever know. `unavailable`: Slack can't tell right
 * now, so posting again might create a second copy.
 */
type Found =
  | { kind: 'found'; ts: string; threadTs: string | null }
  | { kind: 'absent' }
  | { kind: 'unreadable' }
  | { kind: 'unavailable'; waitMs: number | null };

/**
 * Looks up, among our own messages and by its metadata, one whose posting had an unknown outcome. The history is readable only
 * with the optional scopes: without them, a second copy of a card may appear, and a click on it lets us know about it.
 */
export async function findPosted(
  client: WebClient,
  identity: Identity,
  execution: Execution,
  message: Message,
): Promise<Found> {
  if (!identity.scopes.has('channels:history') && !identity.scopes.has('groups:history')) return { kind: 'unreadable' };
  const { channel, createdAt, ref } = execution;
  const root = tsOf(execution.root);
  const key = messageKey(message);
  try {
    const oldest = String(createdAt / 1000 - MAX_CLOCK_SKEW_S);
    const inChannel = () =>
      client.conversations.history({ channel, oldest, include_all_metadata: true, limit: PAGE_LIMIT });
    const inThread = (ts: string) =>
      client.conversations.replies({ channel, ts, include_all_metadata: true, limit: PAGE_LIMIT }).catch((error) => {
        // A reply to a deleted thread ends up in the channel.
        if (slackErrorName(error) === 'thread_not_found') return inChannel();
        throw error;
      });
    const { messages, has_more: hasMore } = await (message.kind === 'root' || root === null
      ? inChannel()
      : inThread(root));
    const ours = (messages ?? []).filter((each) => isOurs(each, identity));
    if (message.kind === 'file') return findFile(ours, execution, message.approvalId, hasMore === true);
    const marked = ours.flatMap((each) => found.safeParse(each).data ?? []);
    const posted = marked.find(
      ({ metadata }) => metadata.event_payload.ref === ref && metadata.event_payload.key === key,
    );
    if (posted) return { kind: 'found', ts: posted.ts, threadTs: posted.thread_ts ?? null };
    return { kind: hasMore ? 'unreadable' : 'absent' };
  } catch (error) {
    return whyNot(error);
  }
}

function isOurs(message: unknown, { botId, botUserId }: Identity): boolean {
  const { user, bot_id } = author.safeParse(message).data ?? {};
  return user === botUserId || (bot_id !== undefined && bot_id === botId);
}

const withFiles = z.object({
  ts: z.string(),
  thread_ts: z.string().optional(),
  files: z.array(z.object({ id: z.string(), name: z.string() })),
});

/** Slack takes no metadata with a file, but its name is that of no other text. */
function findFile(messages: readonly unknown[], execution: Execution, approvalId: string, hasMore: boolean): Found {
  const approval = findApproval(execution, approvalId);
  const name = approval && fileName(execution, approval);
  const all = messages.flatMap((each) => withFiles.safeParse(each).data ?? []);
  const posted = all.flatMap(({ files, thread_ts }) =>
    files.flatMap((file) => (file.name === name ? [{ id: file.id, threadTs: thread_ts ?? null }] : [])),
  );
  const [file] = posted;
  if (file) return { kind: 'found', ts: file.id, threadTs: file.threadTs };
  return { kind: hasMore ? 'unreadable' : 'absent' };
}

/** An outage or a rate limit passes. An error that Slack names, such as a missing scope, doesn't. */
function whyNot(error: unknown): Found {
  const outcome = outcomeOf(error);
  const isRefusal = slackErrorName(error) !== null && outcome.kind !== 'unknown';
  if (isRefusal) return { kind: 'unreadable' };
  return { kind: 'unavailable', waitMs: outcome.kind === 'later' ? outcome.waitMs : null };
}
