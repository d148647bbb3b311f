import type { WebClient } from '@slack/web-api';
import { wantedFor } from '../../core/messages/due-messages.ts';
import type { Crew } from '../../core/policy/crew.ts';
import type { OutputStore } from '../../core/ports.ts';
import { type Execution, findRequest, recipientOf, threadTsOf } from '../../core/state/execution.ts';
import { type Message, messageKey, renderingOf } from '../../core/state/message.ts';
import type { HumanRequest } from '../../core/state/request.ts';
import { countMarks } from '../../core/values/secrets.ts';
import { slackErrorName } from '../api/errors.ts';
import type { Say, Sayings } from '../language/say.ts';
import type { Rendered } from '../ui/blocks.ts';
import { READABLE_LENGTH } from '../ui/limits.ts';

/** Place of a posted message; `lostThread` and `channel` as in `PostOutcome`. */
export type Place = { ts: string; lostThread?: string; channel?: string };

/**
 * Everything but what begins the thread and direct messages is a reply; a card in a thread is also broadcast to the channel, so that people see it, unless
 * its crew keeps it in the thread. https://docs.slack.dev/reference/methods/chat.postMessage#arg_reply_broadcast
 * A reply to a deleted thread ends up in the channel only: Slack moves it there and says so only by omitting `thread_ts`
 * (https://github.com/slack-go/slack/issues/1571).
 */
export async function postInPlace(
  { client, crews }: { client: WebClient; crews: ReadonlyMap<string, Crew> },
  execution: Execution,
  message: Message,
  rendered: Rendered,
): Promise<Place> {
  const threadTs = isReply(message) ? threadTsOf(execution) : null;
  const content = {
    channel: recipientOf(execution, message) ?? execution.channel,
    ...rendered,
    unfurl_links: false,
    unfurl_media: false,
    metadata: {
      event_type: METADATA_EVENT,
      event_payload: { ref: execution.ref, key: messageKey(message), shown: wantedFor(execution, message) },
    },
  };
  if (message.kind === 'direct-message') {
    const { ts = '', channel } = await client.chat.postMessage(content);
    return { ts, ...(channel !== undefined && { channel }) };
  }
  if (threadTs === null) return { ts: (await client.chat.postMessage(content)).ts ?? '' };
  const isBroadcast = message.kind === 'card' && crews.get(execution.crew)?.broadcast !== false;
  const reply = isBroadcast
    ? { ...content, thread_ts: threadTs, reply_broadcast: true as const }
    : { ...content, thread_ts: threadTs };
  try {
    const { ts = '', message: stored } = await client.chat.postMessage(reply);
    return stored && stored.thread_ts === undefined ? { ts, lostThread: threadTs } : { ts };
  } catch (error) {
    if (!NO_THREAD.has(slackErrorName(error) ?? '')) throw error;
    return { ts: (await client.chat.postMessage(content)).ts ?? '', lostThread: threadTs };
  }
}

/**
 * Marks our messages, so that Slack notifies us of messages that it has posted without an answer to us, and of messages that somebody
 * deletes. https://docs.slack.dev/messaging/message-metadata
 */
export const METADATA_EVENT = 'signoff_message';

/**
 * Slack rejects a reply with these errors because its thread is gone.
 * https://docs.slack.dev/reference/methods/chat.postMessage#errors
 */
const NO_THREAD = new Set(['thread_not_found', 'cannot_reply_to_message']);

function isReply({ kind }: Message): boolean {
  return kind !== 'root' && kind !== 'direct-message' && kind !== 'notice';
}

/**
 * Uploads the whole text to the thread, byte for byte unless secrets are masked in it, so that its SHA-256 is the one in its name
 * and in the ledger; resolves to the file's id, in place of a message's ts.
 */
export async function uploadFile(
  client: WebClient,
  { outputs, crews, sayings }: { outputs: OutputStore; crews: ReadonlyMap<string, Crew>; sayings: Sayings },
  execution: Execution,
  approvalId: string,
): Promise<string> {
  const request = findRequest(execution, approvalId);
  const text = request && (await outputs.get(execution.ref, request.question.output.hash));
  const threadTs = threadTsOf(execution);
  if (!request || text === null || threadTs === null) return '';
  const say = sayings.ofNamed(crews, execution.crew);
  const answer = await client.filesUploadV2({
    channel_id: execution.channel,
    thread_ts: threadTs,
    filename: fileName(execution, request),
    title: `${execution.crew}-round-${request.question.round}.md`,
    content: text,
    initial_comment: [comment(execution, request, say), hiddenInFile(text, say)].filter(Boolean).join(' '),
  });
  return answer.files[0]?.files?.[0]?.id ?? 'uploaded';
}

/** Returns a name that no other text has. */
function fileName({ crew }: Execution, { question: { round, output } }: HumanRequest): string {
  return `${crew}-round-${round}-sha256-${output.hash}.md`;
}

/** Says that secrets are masked, so that the file isn't the text byte for byte. */
function hiddenInFile(text: string, say: Say): string {
  const secrets = countMarks(text);
  return secrets === 0 ? '' : say('file.masked', { count: secrets });
}

function comment(execution: Execution, request: HumanRequest, say: Say): string {
  const { round, output, keepsText } = request.question;
  const isBare = renderingOf(execution, { kind: 'card', approvalId: request.id }) === 'bare';
  if (isBare) return say('file.unshown', { round });
  const isTooLong = output.length > READABLE_LENGTH;
  return keepsText && !isTooLong ? say('file.approved', { round }) : say('file.too-long', { round });
}
