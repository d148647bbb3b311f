import type { WebClient } from '@slack/web-api';
import { z } from 'zod';
import type { Approval } from '../../core/approval/approval.ts';
import { type Execution, findApproval } from '../../core/execution/execution.ts';
import { directlyTo, type Message, messageKey, renderingOf } from '../../core/messages/message.ts';
import { tsOf } from '../../core/messages/post.ts';
import { outcomeOf, slackErrorName } from '../api/errors.ts';
import type { Identity } from '../api/identity.ts';
import { type Say, sayOfNamed } from '../language/say.ts';
import type { Rendered } from '../ui/blocks.ts';
import { PAGE_LIMIT, READABLE_LENGTH } from '../ui/limits.ts';
import type { RenderPorts } from './render.ts';

/** Where a message was posted; `lostThread` and `channel` as in `PostOutcome`. */
export type Place = { ts: string; lostThread?: string; channel?: string };

/**
 * Everything but the root and direct messages is a reply; a card is also broadcast to the channel, so that people see it. A
 * reply to a deleted thread ends up in the channel only: Slack moves it there and says so only by omitting `thread_ts`
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
    channel: directlyTo(execution, message) ?? execution.channel,
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

/**
 * Marks our messages, so that one whose posting had an unknown outcome can be looked up.
 * https://docs.slack.dev/messaging/message-metadata
 */
const METADATA_EVENT = 'signoff_message';

/**
 * With these errors Slack rejects a reply because its thread is gone.
 * https://docs.slack.dev/reference/methods/chat.postMessage#errors
 */
const NO_THREAD = new Set(['thread_not_found', 'cannot_reply_to_message']);

/** A reply that Slack put outside its thread has lost that thread. */
export function placeOf(execution: Execution, message: Message, at: { ts: string; threadTs: string | null }): Place {
  const meantFor = isReply(message) ? tsOf(execution.root) : null;
  return meantFor !== null && at.threadTs === null ? { ts: at.ts, lostThread: meantFor } : { ts: at.ts };
}

function isReply({ kind }: Message): boolean {
  return kind !== 'root' && kind !== 'direct-message' && kind !== 'notice';
}

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
    return lookUpFailure(error);
  }
}

/** Allowed difference between the clocks of Redis, which dates the execution, and of Slack. */
const MAX_CLOCK_SKEW_S = 15 * 60;

const found = z.object({
  ts: z.string(),
  thread_ts: z.string().optional(),
  metadata: z.object({ event_payload: z.object({ ref: z.string(), key: z.string() }) }),
});

/** Whose a message is, by what Slack itself says: other apps can use our metadata, and people the name of our file. */
const author = z.object({ user: z.string().optional(), bot_id: z.string().optional() });

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
  for (const message of messages) {
    const { files = [], thread_ts: threadTs = null } = withFiles.safeParse(message).data ?? {};
    const file = files.find((each) => each.name === name);
    if (file) return { kind: 'found', ts: file.id, threadTs };
  }
  return { kind: hasMore ? 'unreadable' : 'absent' };
}

/** An outage or a rate limit passes. An error that Slack names, such as a missing scope, doesn't. */
function lookUpFailure(error: unknown): Found {
  const outcome = outcomeOf(error);
  const isRefusal = slackErrorName(error) !== null && outcome.kind !== 'unknown';
  if (isRefusal) return { kind: 'unreadable' };
  return { kind: 'unavailable', waitMs: outcome.kind === 'later' ? outcome.waitMs : null };
}

/**
 * Uploads the whole text to the thread, byte for byte, so that its SHA-256 is the one in its name and in the ledger; resolves to
 * the file's id, in place of a message's ts.
 */
export async function uploadFile(
  client: WebClient,
  { outputs, crews }: Pick<RenderPorts, 'outputs' | 'crews'>,
  execution: Execution,
  approvalId: string,
): Promise<string> {
  const approval = findApproval(execution, approvalId);
  const text = approval && (await outputs.get(execution.ref, approval.output.hash));
  const threadTs = tsOf(execution.root);
  if (!approval || text === null || threadTs === null) return '';
  const say = sayOfNamed(crews, execution.crew);
  const answer = await client.filesUploadV2({
    channel_id: execution.channel,
    thread_ts: threadTs,
    filename: fileName(execution, approval),
    title: `${execution.crew}-round-${approval.round}.md`,
    content: text,
    initial_comment: comment(execution, approval, say),
  });
  return answer.files[0]?.files?.[0]?.id ?? 'uploaded';
}

/** No other text has this name. */
function fileName({ crew }: Execution, { round, output }: Approval): string {
  return `${crew}-round-${round}-sha256-${output.hash}.md`;
}

function comment(execution: Execution, approval: Approval, say: Say): string {
  const { round, output, keepsText } = approval;
  const isBare = renderingOf(execution, { kind: 'card', approvalId: approval.id }) === 'bare';
  if (isBare) return say('file.unshown', { round });
  const isTooLong = output.length > READABLE_LENGTH;
  return keepsText && !isTooLong ? say('file.approved', { round }) : say('file.too-long', { round });
}
