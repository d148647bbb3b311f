import { compact, type Json, type JsonObject } from '../json.ts';
import type { Workspace } from '../runtime/workspace.ts';
import { repliesOf } from '../state/messages.ts';
import type { StoredMessage } from '../state/workspace-state.ts';
import { fileJson } from './file-json.ts';

/** A message as it appears in the Web API, events and interactions. */
export function messageJson(workspace: Workspace, message: StoredMessage): JsonObject {
  const files = message.fileIds.flatMap((id) => workspace.state.files.find((file) => file.id === id) ?? []);
  return compact({
    type: 'message',
    subtype: subtypeOf(message),
    user: message.userId,
    ts: message.ts,
    text: message.text,
    team: workspace.state.team.id,
    ...(message.botId !== undefined && {
      bot_id: message.botId,
      app_id: workspace.app.appId,
      bot_profile: botProfile(workspace),
    }),
    username: message.username,
    thread_ts: message.threadTs,
    parent_user_id: parentUser(workspace, message),
    ...threadFacts(workspace, message),
    edited: message.editedTs === undefined ? undefined : { user: message.userId, ts: message.editedTs },
    blocks: message.blocks.length > 0 ? (message.blocks as Json[]) : undefined,
    files: files.length > 0 ? files.map((file) => fileJson(workspace, file)) : undefined,
    metadata: message.metadata,
  });
}

function subtypeOf(message: StoredMessage): string | undefined {
  if (message.tombstone) return 'tombstone';
  return message.broadcast ? 'thread_broadcast' : undefined;
}

function parentUser(workspace: Workspace, message: StoredMessage): string | undefined {
  if (message.threadTs === undefined || message.threadTs === message.ts) return undefined;
  return workspace.state.messages.find((root) => root.channel === message.channel && root.ts === message.threadTs)
    ?.userId;
}

function threadFacts(workspace: Workspace, message: StoredMessage): JsonObject {
  if (message.threadTs !== message.ts) return {};
  const replies = repliesOf(workspace.state, message.channel, message.ts);
  const users = [...new Set(replies.map((reply) => reply.userId))];
  return {
    reply_count: replies.length,
    reply_users_count: users.length,
    reply_users: users.slice(0, 5),
    latest_reply: replies.at(-1)?.ts ?? message.ts,
    is_locked: false,
  };
}

export function botProfile(workspace: Workspace): JsonObject {
  const { app, state } = workspace;
  return {
    id: app.botId,
    app_id: app.appId,
    user_id: app.botUserId,
    name: app.name,
    team_id: state.team.id,
    deleted: false,
    updated: 0,
    icons: {},
  };
}
