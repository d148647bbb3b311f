// conversations.* and users.conversations: channels, who is in them, and what was said there.

import { addChannel, isElsewhere, isNameTaken } from '../administration/channels.ts';
import { compact, type JsonObject, objectAt } from '../json.ts';
import { joinChannel } from '../runtime/membership.ts';
import type { Workspace } from '../runtime/workspace.ts';
import { begunDirectMessage, canSee, directMessage, isIn } from '../state/channels.ts';
import { findMessage, isReply, publicMessages, repliesOf } from '../state/messages.ts';
import { workspacesWith } from '../state/organisation.ts';
import type { StoredChannel, StoredMessage, WorkspaceState } from '../state/workspace-state.ts';
import { ApiError } from './api-error.ts';
import { flagArg, pageOf, requiredArg, textArg } from './arguments.ts';
import { channelArg, channelScope, needScope } from './channel-access.ts';
import { channelJson } from './channel-json.ts';
import { messageJson } from './message-json.ts';
import type { ApiMethods, Remarks } from './method.ts';

const READ = ['channels:read', 'groups:read', 'im:read', 'mpim:read'];
const HISTORY = ['channels:history', 'groups:history', 'im:history', 'mpim:history'];
const bot = { token: 'bot', takesJson: false } as const;

/** Each of these is enough. https://docs.slack.dev/reference/methods/conversations.invite */
const INVITING = {
  public: ['channels:manage', 'channels:write.invites'],
  private: ['groups:write', 'groups:write.invites'],
} as const;

export const CONVERSATION_METHODS: ApiMethods = {
  'conversations.info': { ...bot, scopes: READ, tier: 'tier3', run: info },
  'conversations.list': { ...bot, scopes: READ, tier: 'tier2', isOfWorkspace: true, run: list },
  'users.conversations': { ...bot, scopes: READ, tier: 'tier3', isOfWorkspace: true, run: conversationsOf },
  'conversations.members': { ...bot, scopes: READ, tier: 'tier4', run: members },
  'conversations.history': { ...bot, takesJson: true, scopes: HISTORY, tier: 'tier3', run: history },
  'conversations.replies': { ...bot, scopes: HISTORY, tier: 'tier3', run: replies },
  'conversations.open': {
    ...bot,
    takesJson: true,
    scopes: ['im:write', 'mpim:write', 'channels:manage', 'groups:write'],
    tier: 'tier3',
    run: open,
  },
  'conversations.create': {
    ...bot,
    takesJson: true,
    scopes: ['channels:manage', 'groups:write'],
    tier: 'tier2',
    isOfWorkspace: true,
    run: create,
  },
  'conversations.invite': {
    ...bot,
    takesJson: true,
    scopes: [...INVITING.public, ...INVITING.private],
    tier: 'tier3',
    run: invite,
  },
  'conversations.join': { ...bot, takesJson: true, scopes: ['channels:join'], tier: 'tier3', run: join },
};

/** https://docs.slack.dev/reference/methods/conversations.info */
function info(workspace: Workspace, args: JsonObject): JsonObject {
  const channel = channelArg(workspace, args);
  needScope(workspace, channelScope(channel, 'read'));
  return { channel: channelJson(workspace, channel, flagArg(args, 'include_num_members')) };
}

/** https://docs.slack.dev/reference/methods/conversations.list */
function list(workspace: Workspace, args: JsonObject): JsonObject {
  const kinds = wantedKinds(workspace, args);
  const withoutArchived = flagArg(args, 'exclude_archived');
  const visible = workspace.state.channels.filter(
    (channel) =>
      kinds.includes(channel.kind) &&
      isAskedFor(workspace, args, channel) &&
      canSee(workspace.state, channel, workspace.app.botUserId) &&
      !(withoutArchived && channel.isArchived),
  );
  const { page, nextCursor } = pageOf(visible, args);
  return {
    channels: page.map((channel) => channelJson(workspace, channel, true)),
    response_metadata: { next_cursor: nextCursor },
  };
}

/**
 * The conversations of the bot, or of another member: of the private ones only those that the bot is in, too.
 * https://docs.slack.dev/reference/methods/users.conversations
 */
function conversationsOf(workspace: Workspace, args: JsonObject): JsonObject {
  const { state, app } = workspace;
  const kinds = wantedKinds(workspace, args);
  const userId = textArg(args, 'user') || app.botUserId;
  if (!state.members.some(({ id }) => id === userId)) throw new ApiError('user_not_found');
  const withoutArchived = flagArg(args, 'exclude_archived');
  const theirs = state.channels.filter(
    (channel) =>
      kinds.includes(channel.kind) &&
      isAskedFor(workspace, args, channel) &&
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

/** https://docs.slack.dev/reference/methods/conversations.members */
function members(workspace: Workspace, args: JsonObject): JsonObject {
  const channel = channelArg(workspace, args);
  needScope(workspace, channelScope(channel, 'read'));
  const { page, nextCursor } = pageOf(channel.memberIds, args);
  return { members: page, response_metadata: { next_cursor: nextCursor } };
}

/** https://docs.slack.dev/reference/methods/conversations.join */
function join(workspace: Workspace, args: JsonObject, remarks: Remarks): JsonObject {
  const channel = channelArg(workspace, args);
  if (channel.kind !== 'public') throw new ApiError('method_not_supported_for_channel_type');
  if (channel.isArchived) throw new ApiError('is_archived');
  if (isIn(channel, workspace.app.botUserId)) remarks.warning({ code: 'already_in_channel' });
  joinChannel(workspace, channel, { userId: workspace.app.botUserId });
  return { channel: channelJson(workspace, channel) };
}

/** https://docs.slack.dev/reference/methods/conversations.create */
function create(workspace: Workspace, args: JsonObject): JsonObject {
  const { state, app } = workspace;
  const name = textArg(args, 'name') ?? '';
  const isPrivate = flagArg(args, 'is_private');
  needScope(workspace, isPrivate ? 'groups:write' : 'channels:manage');
  const refusal = whyNotNamed(state, name);
  if (refusal !== undefined) throw new ApiError(refusal);
  const place = state.organisation && { workspaceIds: [requiredArg(args, 'team_id')] };
  const channel = addChannel(workspace, app.botUserId, { name, isPrivate, ...place });
  return { channel: channelJson(workspace, channel) };
}

/** https://docs.slack.dev/reference/methods/conversations.create#naming */
function whyNotNamed(state: WorkspaceState, name: string): string | undefined {
  if (name === '') return 'invalid_name_required';
  if (name.length > 80) return 'invalid_name_maxlength';
  if (/^[_-]+$/.test(name)) return 'invalid_name_punctuation';
  if (!/^[a-z0-9_-]+$/.test(name)) return 'invalid_name_specials';
  return isNameTaken(state, name) ? 'name_taken' : undefined;
}

/**
 * Invites all users, or nobody unless `force` says otherwise. https://docs.slack.dev/reference/methods/conversations.invite
 */
function invite(workspace: Workspace, args: JsonObject): JsonObject {
  const { state, app } = workspace;
  const channel = channelArg(workspace, args);
  if (channel.kind === 'im') throw new ApiError('method_not_supported_for_channel_type');
  const [usual, ...others] = INVITING[channel.kind];
  if (!others.some((scope) => app.scopes.includes(scope))) needScope(workspace, usual);
  if (channel.isArchived) throw new ApiError('is_archived');
  if (!isIn(channel, app.botUserId)) throw new ApiError('not_in_channel');
  const users = (textArg(args, 'users') ?? '').split(',').filter((id) => id !== '');
  if (users.length === 0) throw new ApiError('no_user');
  const errors = users.flatMap((user) => {
    const error = whyNotInvited(state, channel, { user, botUserId: app.botUserId });
    return error === undefined ? [] : [{ ok: false, error, user }];
  });
  const [first] = errors;
  if (first && (!flagArg(args, 'force') || errors.length === users.length)) throw new ApiError(first.error, { errors });
  for (const userId of users.filter((id) => errors.every(({ user }) => user !== id)))
    joinChannel(workspace, channel, { userId, inviter: app.botUserId });
  return { channel: channelJson(workspace, channel), ...(first && { errors }) };
}

/** https://docs.slack.dev/reference/methods/conversations.invite#errors */
function whyNotInvited(
  state: WorkspaceState,
  channel: StoredChannel,
  { user, botUserId }: { user: string; botUserId: string },
): string | undefined {
  const member = state.members.find(({ id }) => id === user);
  if (!member) return 'user_not_found';
  if (user === botUserId) return 'cant_invite_self';
  if (isIn(channel, user)) return 'already_in_channel';
  if (member.kind === 'channel-guest' && isElsewhere(state, channel, user)) return 'ura_max_channels';
  return member.isDeactivated || (member.kind === 'stranger' && !channel.isShared) ? 'cant_invite' : undefined;
}

const MOST_USERS = 8;

/**
 * Opens the direct message with one member; those with several don't exist here.
 * https://docs.slack.dev/reference/methods/conversations.open
 */
function open(workspace: Workspace, args: JsonObject): JsonObject {
  if (textArg(args, 'channel')) return answer(workspace, { channel: channelArg(workspace, args), args, wasOpen: true });
  const users = (textArg(args, 'users') ?? '').split(',').filter((id) => id !== '');
  const [memberId] = users;
  if (memberId === undefined) throw new ApiError('users_list_not_supplied');
  if (users.length > MOST_USERS) throw new ApiError('too_many_users');
  const { state, app } = workspace;
  const member = state.members.find((candidate) => candidate.id === memberId && candidate.kind !== 'app');
  if (!member) throw new ApiError('user_not_found');
  if (member.isDeactivated) throw new ApiError('user_disabled');
  if (users.length > 1) throw new ApiError('method_not_supported_for_channel_type');
  const parties = { botUserId: app.botUserId, memberId };
  const wasOpen = begunDirectMessage(state, parties) !== undefined;
  const channel = directMessage(state, { ...parties, nowMs: workspace.now() });
  workspace.touch();
  return answer(workspace, { channel, args, wasOpen });
}

type Opened = { channel: StoredChannel; args: JsonObject; wasOpen: boolean };

function answer(workspace: Workspace, { channel, args, wasOpen }: Opened): JsonObject {
  return {
    ...(wasOpen && { no_op: true, already_open: true }),
    channel: flagArg(args, 'return_im') ? channelJson(workspace, channel) : { id: channel.id },
  };
}

function readableChannel(workspace: Workspace, args: JsonObject): StoredChannel {
  const channel = channelArg(workspace, args);
  needScope(workspace, channelScope(channel, 'history'));
  if (!isIn(channel, workspace.app.botUserId)) throw new ApiError('not_in_channel');
  return channel;
}

/** Metadata is included only on request. https://docs.slack.dev/messaging/message-metadata */
function shown(workspace: Workspace, message: StoredMessage, args: JsonObject): JsonObject {
  const whole = messageJson(workspace, message);
  if (flagArg(args, 'include_all_metadata')) return whole;
  const { metadata: _, ...rest } = whole;
  const root = objectAt(rest, 'root');
  if (root) delete root.metadata;
  return rest;
}

function inRange(messages: StoredMessage[], args: JsonObject): StoredMessage[] {
  const oldest = timeArg(args, 'oldest') ?? 0;
  const latest = timeArg(args, 'latest') ?? Number.POSITIVE_INFINITY;
  const inclusive = flagArg(args, 'inclusive');
  return messages.filter(({ ts }) =>
    inclusive ? Number(ts) >= oldest && Number(ts) <= latest : Number(ts) > oldest && Number(ts) < latest,
  );
}

/** https://docs.slack.dev/reference/methods/conversations.history#errors */
function timeArg(args: JsonObject, name: 'oldest' | 'latest'): number | undefined {
  const value = textArg(args, name);
  if (!value || value === 'now') return undefined;
  if (!/^\d+(\.\d+)?$/.test(value)) throw new ApiError(`invalid_ts_${name}`);
  return Number(value);
}

/** Newest first, without thread replies. https://docs.slack.dev/reference/methods/conversations.history */
function history(workspace: Workspace, args: JsonObject): JsonObject {
  const channel = readableChannel(workspace, args);
  const all = publicMessages(workspace.state, channel.id).filter((message) => !isReply(message) || message.broadcast);
  const { page, nextCursor } = pageOf(inRange(all, args).reverse(), args);
  const { oldest, latest } = args;
  return {
    ...compact({ oldest, latest }),
    messages: page.map((message) => shown(workspace, message, args)),
    has_more: nextCursor !== '',
    pin_count: 0,
    channel_actions_ts: null,
    channel_actions_count: 0,
    ...(nextCursor !== '' && { response_metadata: { next_cursor: nextCursor } }),
  };
}

/** The root, then its replies, oldest first. https://docs.slack.dev/reference/methods/conversations.replies */
function replies(workspace: Workspace, args: JsonObject): JsonObject {
  const channel = readableChannel(workspace, args);
  const root = findMessage(workspace.state, channel.id, requiredArg(args, 'ts'));
  if (!root || root.onlyFor !== undefined) throw new ApiError('thread_not_found');
  const rest = isReply(root) ? [] : inRange(repliesOf(workspace.state, channel.id, root.ts), args);
  const { page, nextCursor } = pageOf([root, ...rest], args, 1000);
  return {
    messages: page.map((message) => shown(workspace, message, args)),
    has_more: nextCursor !== '',
    ...(nextCursor !== '' && { response_metadata: { next_cursor: nextCursor } }),
  };
}

/** Filters by the one workspace of an organisation that a list is about. */
function isAskedFor({ state }: Workspace, args: JsonObject, channel: StoredChannel): boolean {
  return !state.organisation || workspacesWith(state, channel).includes(textArg(args, 'team_id') ?? '');
}

type Kind = StoredChannel['kind'];

/** There are no group direct messages here. */
const KINDS: { [type: string]: Kind | undefined } = { public_channel: 'public', private_channel: 'private', im: 'im' };
const TYPES = [...Object.keys(KINDS), 'mpim'];
const SCOPES: Record<Kind, string> = { public: 'channels:read', private: 'groups:read', im: 'im:read' };

/** The kinds of conversations that a list is asked for by `types`; needs the scope of each. Default: public channels. */
function wantedKinds(workspace: Workspace, args: JsonObject): Kind[] {
  const types = (textArg(args, 'types') || 'public_channel').split(',').map((type) => type.trim());
  if (types.some((type) => !TYPES.includes(type))) throw new ApiError('invalid_types');
  const kinds = types.flatMap((type) => KINDS[type] ?? []);
  for (const kind of kinds) needScope(workspace, SCOPES[kind]);
  return kinds;
}
