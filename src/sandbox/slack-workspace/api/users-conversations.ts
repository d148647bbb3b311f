import type { JsonObject } from '../json.ts';
import type { Workspace } from '../runtime/workspace.ts';
import { isIn } from '../state/channels.ts';
import { ApiError } from './api-error.ts';
import { flagArg, textArg } from './arguments.ts';
import { channelJson } from './channel-json.ts';
import { wantedKinds } from './channel-types.ts';
import { pageOf } from './page-of.ts';

/**
 * The conversations of the bot, or of another member: of the private ones only those that the bot is in, too.
 * https://docs.slack.dev/reference/methods/users.conversations
 */
export function conversations(workspace: Workspace, args: JsonObject): JsonObject {
  const { state, app } = workspace;
  const kinds = wantedKinds(workspace, args);
  const userId = textArg(args, 'user') || app.botUserId;
  if (!state.members.some(({ id }) => id === userId)) throw new ApiError('user_not_found');
  const withoutArchived = flagArg(args, 'exclude_archived');
  const theirs = state.channels.filter(
    (channel) =>
      kinds.includes(channel.kind) &&
      isIn(channel, userId) &&
      (channel.kind === 'public' || isIn(channel, app.botUserId)) &&
      !(withoutArchived && channel.isArchived),
  );
  const { page, nextCursor } = pageOf(theirs, args);
  return {
    channels: page.map((channel) => listed(channelJson(workspace, channel))),
    response_metadata: { next_cursor: nextCursor },
  };
}

/** Unlike `conversations.list`, the answer doesn't say whether the bot is a member. */
function listed({ is_member: _, ...channel }: JsonObject): JsonObject {
  return channel;
}
