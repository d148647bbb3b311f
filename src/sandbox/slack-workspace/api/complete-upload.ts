import { isObject, type Json, type JsonObject, stringAt } from '../json.ts';
import { storeMessage } from '../runtime/store-message.ts';
import type { Workspace } from '../runtime/workspace.ts';
import { canSee, channelById, isIn } from '../state/channels.ts';
import { findMessage, rootTsOf } from '../state/messages.ts';
import type { StoredChannel, StoredFile, StoredMessage } from '../state/workspace-state.ts';
import { ApiError, argumentError } from './api-error.ts';
import { jsonArg, textArg } from './arguments.ts';
import { memberChannel, writableChannel } from './channel-access.ts';
import { checkedBlocks } from './composed-message.ts';
import { fileJson } from './file-json.ts';
import { customName } from './posted-content.ts';

const MOST_CHANNELS = 100;

type Named = { file: StoredFile; title: string | undefined };
type Share = { channel: StoredChannel; message: Parameters<typeof storeMessage>[1] };

/**
 * Step three: shares the files in channels or a thread, all or none. “This method can only be called once”: the upload is
 * then gone. https://docs.slack.dev/reference/methods/files.completeUploadExternal
 */
export function completeUpload(workspace: Workspace, args: JsonObject): JsonObject {
  const named = namedFiles(workspace, jsonArg(args, 'files', 'invalid_arguments'));
  const files = named.map(({ file }) => file);
  const shares = destinations(workspace, args).map((channel) => shareIn(workspace, channel, { args, files }));
  for (const { file, title } of named) Object.assign(file, { isComplete: true, ...(title !== undefined && { title }) });
  for (const { channel, message } of shares) {
    for (const file of files) file.channels.push(channel.id);
    storeMessage(workspace, message);
  }
  workspace.touch();
  return { files: files.map((file) => fileJson(workspace, file)) };
}

function namedFiles(workspace: Workspace, given: Json | undefined): Named[] {
  if (!Array.isArray(given) || given.length === 0) throw argumentError('missing required field: files');
  return given.map((entry) => {
    const id = stringAt(entry, 'id');
    if (!isObject(entry) || id === undefined) throw argumentError('missing required field: id');
    const file = workspace.state.files.find((candidate) => candidate.id === id);
    if (file?.contentBase64 === undefined || file.isComplete) throw new ApiError('file_not_found');
    return { file, title: stringAt(entry, 'title') };
  });
}

function destinations(workspace: Workspace, args: JsonObject): StoredChannel[] {
  const { app } = workspace;
  const one = textArg(args, 'channel_id');
  const several = (textArg(args, 'channels') ?? '').split(',').filter((id) => id !== '');
  if (several.length > MOST_CHANNELS) throw new ApiError('channels_limit_exceeded');
  const found = [
    ...(one ? [channelOr(workspace, one, 'channel_not_found')] : []),
    ...several.map((id) => memberChannel(workspace, id) ?? channelOr(workspace, id, 'invalid_channel')),
  ];
  for (const channel of found) if (!isIn(channel, app.botUserId)) throw new ApiError('not_in_channel');
  return [...new Set(found)].map(({ id }) => writableChannel(workspace, id));
}

function channelOr(workspace: Workspace, id: string, refusal: string): StoredChannel {
  const channel = channelById(workspace.state, id);
  if (!channel || !canSee(workspace.state, channel, workspace.app.botUserId)) throw new ApiError(refusal);
  return channel;
}

function shareIn(
  workspace: Workspace,
  channel: StoredChannel,
  { args, files }: { args: JsonObject; files: readonly StoredFile[] },
): Share {
  const { app } = workspace;
  const parent = parentOf(workspace, channel, textArg(args, 'thread_ts'));
  const comment = textArg(args, 'initial_comment') ?? '';
  const blocks = comment === '' ? jsonArg(args, 'blocks', 'invalid_blocks') : undefined;
  const username = customName(workspace, args);
  const message = {
    channel: channel.id,
    userId: app.botUserId,
    botId: app.botId,
    text: comment,
    fileIds: files.map((file) => file.id),
    ...(blocks !== undefined && { blocks: checkedBlocks(workspace, blocks) }),
    ...(parent && { threadTs: rootTsOf(parent) }),
    ...(username !== undefined && { username }),
  };
  return { channel, message };
}

function parentOf(workspace: Workspace, { id }: StoredChannel, threadTs?: string): StoredMessage | undefined {
  const parent = threadTs ? findMessage(workspace.state, id, threadTs) : undefined;
  if (threadTs && !parent) throw new ApiError('invalid_thread_ts');
  return parent;
}
