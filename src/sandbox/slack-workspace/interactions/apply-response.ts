import { ApiError } from '../api/api-error.ts';
import { composedMessage, storedTextBytes, UPDATE_TEXT_LIMIT_BYTES } from '../api/composed-message.ts';
import { type JsonObject, stringAt } from '../json.ts';
import type { ResponseTarget } from '../runtime/response-urls.ts';
import { storeMessage } from '../runtime/store-message.ts';
import { newTs, type Workspace } from '../runtime/workspace.ts';
import { findMessage, removeMessage, rootTsOf } from '../state/messages.ts';

/**
 * Applies a message sent to a `response_url` or in answer to a command: posts it (privately unless `in_channel`), or
 * replaces or deletes the original. Also works in channels without the app. Returns an error code, or undefined.
 * https://docs.slack.dev/interactivity/handling-user-interaction#message_responses
 */
export function applyResponse(workspace: Workspace, target: ResponseTarget, answer: JsonObject): string | undefined {
  try {
    if (answer.delete_original === true) return removeOriginal(workspace, target);
    const { text, blocks } = composedMessage(workspace, answer);
    if (!text && !blocks?.length) return 'no_text';
    if (answer.replace_original === true)
      return replaceOriginal(workspace, target, { text: text ?? '', blocks: blocks ?? [] });
    const threadTs = stringAt(answer, 'thread_ts') ?? target.threadTs;
    const parent = threadTs === undefined ? undefined : findMessage(workspace.state, target.channelId, threadTs);
    storeMessage(workspace, {
      channel: target.channelId,
      userId: workspace.app.botUserId,
      botId: workspace.app.botId,
      text: text ?? '',
      blocks: blocks ?? [],
      ...(parent && { threadTs: rootTsOf(parent) }),
      ...(answer.response_type !== 'in_channel' && { onlyFor: target.userId }),
    });
    return undefined;
  } catch (fault) {
    if (fault instanceof ApiError) return fault.code;
    throw fault;
  }
}

function original(workspace: Workspace, target: ResponseTarget) {
  return target.originalTs === undefined
    ? undefined
    : findMessage(workspace.state, target.channelId, target.originalTs);
}

function removeOriginal(workspace: Workspace, target: ResponseTarget): string | undefined {
  const message = original(workspace, target);
  if (!message) return 'message_not_found';
  removeMessage(workspace.state, message);
  workspace.touch();
  return undefined;
}

function replaceOriginal(
  workspace: Workspace,
  target: ResponseTarget,
  content: Pick<Parameters<typeof storeMessage>[1], 'text'> & {
    blocks: NonNullable<Parameters<typeof storeMessage>[1]['blocks']>;
  },
): string | undefined {
  const message = original(workspace, target);
  if (!message) return 'message_not_found';
  if (storedTextBytes(content.text) > UPDATE_TEXT_LIMIT_BYTES) return 'msg_too_long';
  Object.assign(message, content);
  if (message.onlyFor === undefined) message.editedTs = newTs(workspace);
  workspace.touch();
  return undefined;
}
