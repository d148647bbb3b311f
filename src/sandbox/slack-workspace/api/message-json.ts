import { createHash } from 'node:crypto';
import { compact, type Json, type JsonObject } from '../json.ts';
import type { Workspace } from '../runtime/workspace.ts';
import { findMessage, repliesOf } from '../state/messages.ts';
import { richTextOf } from '../state/rich-text.ts';
import { SLACKBOT_ID } from '../state/seed.ts';
import type { StoredMessage } from '../state/workspace-state.ts';
import { fileJson } from './file-json.ts';
import { briefProfile } from './user-json.ts';

/**
 * A message as it appears in the Web API, events and interactions. Tombstones are Slackbot's, and hidden:
 * https://github.com/slack-edge/slack-edge/pull/10
 */
export function messageJson(workspace: Workspace, message: StoredMessage): JsonObject {
  const files = message.fileIds.flatMap((id) => workspace.state.files.find((file) => file.id === id) ?? []);
  return compact({
    client_msg_id: message.clientMsgId,
    type: 'message',
    subtype: subtypeOf(message),
    user: message.tombstone ? SLACKBOT_ID : message.userId,
    hidden: message.tombstone || undefined,
    ts: message.ts,
    text: message.text,
    ...authorsTeam(workspace, message),
    ...message.notice,
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
    blocks: blocksOf(message),
    attachments: message.attachments?.length ? (message.attachments as Json[]) : undefined,
    files: files.length > 0 ? files.map((file) => fileJson(workspace, file)) : undefined,
    metadata: message.metadata,
    reactions: message.reactions?.map(({ name, users }) => ({ name, users, count: users.length })),
    root: rootOf(workspace, message),
  });
}

/** Slack says more of people of other organisations: https://github.com/slackapi/bolt-js/pull/2160 */
function authorsTeam(workspace: Workspace, { userId, tombstone }: StoredMessage): JsonObject {
  const { team, members } = workspace.state;
  const stranger = members.find(({ id, kind }) => id === userId && kind === 'stranger');
  if (!stranger || tombstone) return { team: team.id };
  const { teamId } = stranger;
  return { team: teamId, user_team: teamId, source_team: teamId, user_profile: briefProfile(workspace, stranger) };
}

/** Slack makes a block of a text alone, with another id for each version of the message. */
function blocksOf({ blocks, attachments = [], text, ts, tombstone, notice }: StoredMessage): Json[] | undefined {
  if (blocks.length > 0) return blocks;
  if (tombstone || notice || attachments.length > 0) return undefined;
  const block = richTextOf(text, createHash('sha256').update(`${ts} ${text}`).digest('base64').slice(0, 5));
  return block && [block];
}

function subtypeOf(message: StoredMessage): string | undefined {
  if (message.tombstone) return 'tombstone';
  return message.broadcast ? 'thread_broadcast' : undefined;
}

/** https://docs.slack.dev/reference/events/message/thread_broadcast */
function rootOf(workspace: Workspace, { channel, threadTs, broadcast }: StoredMessage): JsonObject | undefined {
  const root = broadcast && threadTs !== undefined ? findMessage(workspace.state, channel, threadTs) : undefined;
  return root && messageJson(workspace, root);
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
