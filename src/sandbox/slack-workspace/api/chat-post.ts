import type { JsonObject } from '../json.ts';
import { storeMessage } from '../runtime/store-message.ts';
import type { Workspace } from '../runtime/workspace.ts';
import { repliesOf } from '../state/messages.ts';
import type { StoredChannel } from '../state/workspace-state.ts';
import { ApiError } from './api-error.ts';
import { requiredArg } from './arguments.ts';
import { memberChannel, writableChannel } from './channel-access.ts';
import { messageJson } from './message-json.ts';
import type { Remarks } from './method.ts';
import { postedContent } from './posted-content.ts';
import { threadPlace } from './thread-place.ts';

/** https://docs.slack.dev/reference/methods/chat.postMessage */
export function postMessage(workspace: Workspace, args: JsonObject, remarks: Remarks): JsonObject {
  const channel = destination(workspace, requiredArg(args, 'channel'));
  const message = storeMessage(workspace, {
    ...postedContent(workspace, args, remarks),
    channel: channel.id,
    ...threadPlace(workspace, channel, args, remarks),
  });
  return { channel: channel.id, ts: message.ts, message: messageJson(workspace, message) };
}

/** Metadata is ignored. https://docs.slack.dev/reference/methods/chat.postEphemeral */
export function postEphemeral(workspace: Workspace, args: JsonObject, remarks: Remarks): JsonObject {
  const channel = writableChannel(workspace, requiredArg(args, 'channel'));
  const { state } = workspace;
  const userId = requiredArg(args, 'user');
  const isActive = state.members.some(({ id, isDeactivated }) => id === userId && isDeactivated !== true);
  if (!isActive || !channel.memberIds.includes(userId)) throw new ApiError('user_not_in_channel');
  const { metadata: _, ...content } = postedContent(workspace, args, remarks);
  const { threadTs } = threadPlace(workspace, channel, args, remarks);
  if (threadTs !== undefined && repliesOf(workspace.state, channel.id, threadTs).length === 0)
    remarks.rule({
      code: 'ephemeral_not_shown',
      detail: 'The thread has no replies yet, so the ephemeral message is not shown.',
      documentation: 'https://docs.slack.dev/reference/methods/chat.postEphemeral',
    });
  const message = storeMessage(workspace, {
    ...content,
    channel: channel.id,
    onlyFor: userId,
    ...(threadTs !== undefined && { threadTs }),
  });
  return { message_ts: message.ts };
}

/** A channel by id or name, or a direct message by the member's id. */
function destination(workspace: Workspace, reference: string): StoredChannel {
  return memberChannel(workspace, reference) ?? writableChannel(workspace, reference);
}
