import { ApiError } from '../api/api-error.ts';
import { composedMessage, saysNothing, truncated } from '../api/message-content.ts';
import type { Remarks } from '../api/method.ts';
import { type JsonObject, stringAt } from '../json.ts';
import type { ResponseTarget } from '../runtime/grants.ts';
import { changeMessage, deleteMessage, storeMessage } from '../runtime/messages.ts';
import type { Workspace } from '../runtime/workspace.ts';
import { findMessage, rootTsOf } from '../state/messages.ts';
import { storedText } from '../state/typed-text.ts';
import type { StoredMessage } from '../state/workspace-state.ts';
import type { BrokenRule } from '../wire-entry.ts';

type Content = Required<Pick<StoredMessage, 'text' | 'blocks' | 'attachments'>>;

/**
 * Applies a message sent to a `response_url` or in answer to a command: posts it (privately unless `in_channel`), or
 * replaces or deletes the original. Also works in channels without the app. A command has no original: Slack leaves what
 * the person typed alone. The error code is undefined if it was applied.
 * https://docs.slack.dev/interactivity/handling-user-interaction#message_responses
 */
export function applyResponse(
  workspace: Workspace,
  target: Answered,
  answer: JsonObject,
): { error: string | undefined; broken: BrokenRule[] } {
  const broken: BrokenRule[] = [];
  const remarks: Remarks = {
    rule: (rule) => broken.push(rule),
    warning: () => {},
    token: 'bot',
    executionId: undefined,
  };
  try {
    apply(workspace, { target, answer, remarks });
    return { error: undefined, broken };
  } catch (fault) {
    if (fault instanceof ApiError) return { error: fault.code, broken };
    throw fault;
  }
}

/** The command that is answered at once, as the person typed it. */
type Answered = ResponseTarget & { typed?: string };

type Response = { target: Answered; answer: JsonObject; remarks: Remarks };

function apply(workspace: Workspace, { target, answer, remarks }: Response): void {
  const composed = composedMessage(workspace, answer, remarks);
  const isEmpty = saysNothing(composed);
  const deletes = isTrue(answer, 'delete_original') && target.originalTs !== undefined;
  const showsCommand = target.typed !== undefined && answer.response_type === 'in_channel';
  if (isEmpty && !deletes && !showsCommand) throw new ApiError('no_text');
  if (showsCommand) postCommand(workspace, target);
  if (deletes) removeOriginal(workspace, target);
  if (isEmpty) return;
  const { text = '', blocks = [], attachments = [] } = composed;
  const content = { text: truncated(text, remarks), blocks, attachments };
  const replaces = isTrue(answer, 'replace_original') && target.originalTs !== undefined && !deletes;
  if (replaces) replaceOriginal(workspace, target, content);
  else post(workspace, { target, answer, content });
}

/**
 * “Both the response message and the initial slash command typed by the user will be shared in the channel.”
 * https://docs.slack.dev/interactivity/implementing-slash-commands#responding_response_url
 */
function postCommand(workspace: Workspace, { channelId, userId, typed = '' }: Answered): void {
  storeMessage(workspace, { channel: channelId, userId, text: storedText(workspace.state, typed) });
}

/** Slack's own examples have it as text. */
function isTrue(answer: JsonObject, name: 'delete_original' | 'replace_original'): boolean {
  return answer[name] === true || answer[name] === 'true';
}

/**
 * Only `thread_ts` puts a response into a thread, also if the original is in one:
 * https://github.com/slackapi/node-slack-sdk/issues/674
 */
function post(workspace: Workspace, response: Omit<Response, 'remarks'> & { content: Content }): void {
  const { target, answer, content } = response;
  const threadTs = stringAt(answer, 'thread_ts');
  const parent = threadTs === undefined ? undefined : findMessage(workspace.state, target.channelId, threadTs);
  storeMessage(workspace, {
    channel: target.channelId,
    userId: workspace.app.botUserId,
    botId: workspace.app.botId,
    ...content,
    ...(parent && { threadTs: rootTsOf(parent) }),
    ...(answer.response_type !== 'in_channel' && { onlyFor: target.userId }),
  });
}

/** Throws `message_not_found` if it is gone. */
function originalOf(workspace: Workspace, { channelId, originalTs = '' }: ResponseTarget): StoredMessage {
  const message = findMessage(workspace.state, channelId, originalTs);
  if (!message) throw new ApiError('message_not_found');
  return message;
}

function removeOriginal(workspace: Workspace, target: ResponseTarget): void {
  deleteMessage(workspace, originalOf(workspace, target));
}

function replaceOriginal(workspace: Workspace, target: ResponseTarget, content: Content): void {
  changeMessage(workspace, originalOf(workspace, target), content);
}
