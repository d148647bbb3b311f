// reactions.*: emoji that the app adds to messages.

import { sendEvent } from '../interactions/events.ts';
import { actionTs } from '../interactions/payload-facts.ts';
import type { JsonObject } from '../json.ts';
import { emojiCharacters } from '../page/text/emoji.ts';
import { channelOf, type Workspace } from '../runtime/workspace.ts';
import { isIn } from '../state/channels.ts';
import { findMessage } from '../state/messages.ts';
import type { StoredMessage } from '../state/workspace-state.ts';
import { ApiError } from './api-error.ts';
import { textArg } from './arguments.ts';
import { channelArg } from './channel-access.ts';
import type { ApiMethods } from './method.ts';

const write = { token: 'bot', scopes: ['reactions:write'], takesJson: true } as const;

export const REACTION_METHODS: ApiMethods = {
  'reactions.add': { ...write, tier: 'tier3', run: add },
  'reactions.remove': { ...write, tier: 'tier2', run: remove },
};

/** https://docs.slack.dev/reference/methods/reactions.add */
function add(workspace: Workspace, args: JsonObject): JsonObject {
  const { message, name } = reacted(workspace, args);
  const { botUserId } = workspace.app;
  const users = usersOf(message, name);
  if (users.includes(botUserId)) throw new ApiError('already_reacted');
  setUsers({ message, name }, [...users, botUserId]);
  tellApp(workspace, 'reaction_added', { message, name });
  return {};
}

/** https://docs.slack.dev/reference/methods/reactions.remove */
function remove(workspace: Workspace, args: JsonObject): JsonObject {
  const { message, name } = reacted(workspace, args);
  const { botUserId } = workspace.app;
  const users = usersOf(message, name);
  if (!users.includes(botUserId)) throw new ApiError('no_reaction');
  setUsers(
    { message, name },
    users.filter((id) => id !== botUserId),
  );
  tellApp(workspace, 'reaction_removed', { message, name });
  return {};
}

/** Those who have reacted to a message with an emoji. */
function usersOf({ reactions = [] }: StoredMessage, name: string): string[] {
  return reactions.find((reaction) => reaction.name === name)?.users ?? [];
}

/** A new emoji comes last; one that nobody reacts with any more goes. */
function setUsers({ message, name }: Reacted, users: string[]): void {
  const { reactions = [] } = message;
  const isNew = reactions.every((reaction) => reaction.name !== name);
  const all = isNew
    ? [...reactions, { name, users }]
    : reactions.map((reaction) => (reaction.name === name ? { name, users } : reaction));
  const remaining = all.filter((reaction) => reaction.users.length > 0);
  if (remaining.length > 0) message.reactions = remaining;
  else delete message.reactions;
}

type Reacted = { message: StoredMessage; name: string };

/** The message and the emoji. An emoji is named as on https://docs.slack.dev/messaging/formatting-message-text#emoji */
function reacted(workspace: Workspace, args: JsonObject): Reacted {
  const name = textArg(args, 'name') ?? '';
  if (emojiCharacters(name) === undefined) throw new ApiError('invalid_name');
  const ts = textArg(args, 'timestamp') ?? '';
  if (!textArg(args, 'channel') || ts === '') throw new ApiError('no_item_specified');
  if (!/^\d+\.\d+$/.test(ts)) throw new ApiError('bad_timestamp');
  const channel = channelArg(workspace, args);
  if (channel.isArchived) throw new ApiError('is_archived');
  if (!isIn(channel, workspace.app.botUserId)) throw new ApiError('not_in_channel');
  const message = findMessage(workspace.state, channel.id, ts);
  if (!message || message.onlyFor !== undefined || message.tombstone) throw new ApiError('message_not_found');
  return { message, name };
}

/** https://docs.slack.dev/reference/events/reaction_added, https://docs.slack.dev/reference/events/reaction_removed */
function tellApp(workspace: Workspace, type: 'reaction_added' | 'reaction_removed', { message, name }: Reacted): void {
  workspace.touch();
  const event = {
    type,
    user: workspace.app.botUserId,
    reaction: name,
    item: { type: 'message', channel: message.channel, ts: message.ts },
    item_user: message.userId,
    event_ts: actionTs(workspace),
  };
  sendEvent(workspace, type, event, channelOf(workspace, message.channel));
}
