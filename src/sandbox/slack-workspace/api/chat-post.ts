import { compact, type JsonObject } from '../json.ts';
import { storeMessage } from '../runtime/store-message.ts';
import type { Workspace } from '../runtime/workspace.ts';
import { directMessage } from '../state/channels.ts';
import { linkedNames } from '../state/link-names.ts';
import { repliesOf } from '../state/messages.ts';
import type { StoredChannel } from '../state/workspace-state.ts';
import { ApiError } from './api-error.ts';
import { flagArg, requiredArg, textArg } from './arguments.ts';
import { needMessagesTab, needScope, writableChannel } from './channel-access.ts';
import { composedMessage, POST_TEXT_LIMIT } from './composed-message.ts';
import { messageJson } from './message-json.ts';
import type { ReportRule } from './method.ts';
import { threadPlace } from './thread-place.ts';

/** https://docs.slack.dev/reference/methods/chat.postMessage */
export function postMessage(workspace: Workspace, args: JsonObject, reportRule: ReportRule): JsonObject {
  const channel = destination(workspace, requiredArg(args, 'channel'));
  const { text, blocks, metadata } = composedMessage(workspace, args);
  if (!text && !blocks?.length) throw new ApiError('no_text');
  const username = customName(workspace, args);
  const message = storeMessage(workspace, {
    ...authoredByApp(workspace),
    channel: channel.id,
    text: postedText(workspace, text ?? '', args, reportRule),
    blocks: blocks ?? [],
    ...threadPlace(workspace, channel, args, reportRule),
    ...(metadata && Object.keys(metadata).length > 0 && { metadata }),
    ...(username !== undefined && { username }),
  });
  return { channel: channel.id, ts: message.ts, message: messageJson(workspace, message) };
}

/** https://docs.slack.dev/reference/methods/chat.postEphemeral */
export function postEphemeral(workspace: Workspace, args: JsonObject, reportRule: ReportRule): JsonObject {
  const channel = writableChannel(workspace, requiredArg(args, 'channel'));
  const { state } = workspace;
  const userId = requiredArg(args, 'user');
  const isActive = state.members.some(({ id, isDeactivated }) => id === userId && isDeactivated !== true);
  if (!isActive || !channel.memberIds.includes(userId)) throw new ApiError('user_not_in_channel');
  const { text, blocks } = composedMessage(workspace, args);
  if (!text && !blocks?.length) throw new ApiError('no_text');
  const { threadTs } = threadPlace(workspace, channel, args, reportRule);
  if (threadTs !== undefined && repliesOf(workspace.state, channel.id, threadTs).length === 0)
    reportRule({
      code: 'ephemeral_not_shown',
      detail: 'The thread has no replies yet, so the ephemeral message is not shown.',
      documentation: 'https://docs.slack.dev/reference/methods/chat.postEphemeral',
    });
  const message = storeMessage(workspace, {
    ...authoredByApp(workspace),
    channel: channel.id,
    text: postedText(workspace, text ?? '', args, reportRule),
    blocks: blocks ?? [],
    onlyFor: userId,
    ...(threadTs !== undefined && { threadTs }),
  });
  return { message_ts: message.ts };
}

function authoredByApp({ app }: Workspace): { userId: string; botId: string } {
  return { userId: app.botUserId, botId: app.botId };
}

/** A channel by id or name; a member's id stands for the direct message with them. */
function destination(workspace: Workspace, reference: string): StoredChannel {
  const { state, app } = workspace;
  const member = state.members.find((candidate) => candidate.id === reference && candidate.kind !== 'app');
  if (!member) return writableChannel(workspace, reference);
  if (member.isDeactivated) throw new ApiError('channel_not_found');
  needMessagesTab(workspace);
  return directMessage(state, { botUserId: app.botUserId, memberId: member.id, nowMs: workspace.now() });
}

/** A custom name or icon needs `chat:write.customize`. */
function customName(workspace: Workspace, args: JsonObject): string | undefined {
  const { username, icon_emoji, icon_url } = args;
  if (Object.keys(compact({ username, icon_emoji, icon_url })).length > 0) needScope(workspace, 'chat:write.customize');
  return textArg(args, 'username');
}

/** `link_names` and `parse=full` turn names into mentions; text over 40,000 characters is truncated. */
function postedText(workspace: Workspace, text: string, args: JsonObject, reportRule: ReportRule): string {
  const linking = flagArg(args, 'link_names') || textArg(args, 'parse') === 'full';
  if (text.length > POST_TEXT_LIMIT)
    reportRule({
      code: 'message_truncated',
      detail: `Text over ${POST_TEXT_LIMIT} characters is truncated.`,
      documentation: 'https://docs.slack.dev/changelog/2018-truncating-really-long-messages',
    });
  const kept = text.slice(0, POST_TEXT_LIMIT);
  return linking ? linkedNames(workspace.state, kept) : kept;
}
