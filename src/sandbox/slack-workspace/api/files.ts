// files.*: an upload takes three steps, of which the second is no Web API call.

import { isObject, type Json, type JsonObject, stringAt } from '../json.ts';
import { storeMessage } from '../runtime/messages.ts';
import type { Workspace } from '../runtime/workspace.ts';
import { canSee, channelById, isIn } from '../state/channels.ts';
import { newFile } from '../state/files.ts';
import { findMessage, rootTsOf } from '../state/messages.ts';
import type { StoredChannel, StoredFile, StoredMessage } from '../state/workspace-state.ts';
import { ApiError, argumentError } from './api-error.ts';
import { jsonArg, numberArg, requiredArg, textArg } from './arguments.ts';
import { memberChannel, writableChannel } from './channel-access.ts';
import { fileJson } from './file-json.ts';
import { checkedBlocks, customName } from './message-content.ts';
import type { ApiMethods } from './method.ts';

const write = { token: 'bot', scopes: ['files:write'], tier: 'tier4' } as const;

export const FILE_METHODS: ApiMethods = {
  'files.getUploadURLExternal': { ...write, takesJson: false, run: getUploadUrl },
  'files.completeUploadExternal': { ...write, takesJson: true, run: completeUpload },
  'files.info': { ...write, scopes: ['files:read'], takesJson: false, run: info },
};

const MOST_ALT_TEXT = 1000;
const MOST_SNIPPET_BYTES = 1024 * 1024;

/** Step one of three. https://docs.slack.dev/reference/methods/files.getUploadURLExternal */
function getUploadUrl(workspace: Workspace, args: JsonObject): JsonObject {
  const name = requiredArg(args, 'filename');
  const sizeBytes = announcedSize(args);
  const altText = textArg(args, 'alt_txt');
  if (altText !== undefined && altText.length > MOST_ALT_TEXT) throw new ApiError('alt_txt_too_large');
  if (textArg(args, 'snippet_type') && sizeBytes > MOST_SNIPPET_BYTES) throw new ApiError('snippet_too_large');
  const file = newFile(workspace.state, { name, sizeBytes, userId: workspace.app.botUserId, nowMs: workspace.now() });
  if (altText !== undefined) file.altText = altText;
  return { upload_url: `${workspace.origin()}/upload/${file.id}`, file_id: file.id };
}

/** A length of 0 counts as none. */
function announcedSize(args: JsonObject): number {
  requiredArg(args, 'length');
  const sizeBytes = numberArg(args, 'length', 0);
  if (sizeBytes === 0) throw new ApiError('missing_argument');
  if (!Number.isInteger(sizeBytes) || sizeBytes < 0) throw argumentError('length must be a positive number of bytes');
  return sizeBytes;
}

/** Step two, once: receives the bytes. Returns the HTTP status; the size must match the announced one. */
export function receiveUpload(workspace: Workspace, fileId: string, bytes: Buffer): 200 | 400 | 404 {
  const file = workspace.state.files.find(
    (candidate) => candidate.id === fileId && candidate.contentBase64 === undefined,
  );
  if (!file) return 404;
  if (bytes.length !== file.sizeBytes) return 400;
  file.contentBase64 = bytes.toString('base64');
  workspace.touch();
  return 200;
}

const MOST_CHANNELS = 100;

type Named = { file: StoredFile; title: string | undefined };
type Share = { channel: StoredChannel; message: Parameters<typeof storeMessage>[1] };

/**
 * Step three: shares the files in channels or a thread, all or none. “This method can only be called once”: the upload is
 * then gone. https://docs.slack.dev/reference/methods/files.completeUploadExternal
 */
function completeUpload(workspace: Workspace, args: JsonObject): JsonObject {
  const listed = namedFiles(workspace, jsonArg(args, 'files', 'invalid_arguments'));
  const files = listed.map(({ file }) => file);
  const shares = destinations(workspace, args).map((channel) => shareIn(workspace, channel, { args, files }));
  for (const { file, title } of listed)
    Object.assign(file, { isComplete: true, ...(title !== undefined && { title }) });
  for (const { channel, message } of shares) {
    for (const file of files) file.channels.push(channel.id);
    storeMessage(workspace, message);
  }
  workspace.touch();
  return { files: files.map((file) => fileJson(workspace, file)) };
}

function namedFiles(workspace: Workspace, value: Json | undefined): Named[] {
  if (!Array.isArray(value) || value.length === 0) throw argumentError('missing required field: files');
  return value.map((entry) => {
    const id = stringAt(entry, 'id');
    if (!isObject(entry) || id === undefined) throw argumentError('missing required field: id');
    const file = workspace.state.files.find((candidate) => candidate.id === id);
    if (file?.contentBase64 === undefined || file.isComplete) throw new ApiError('file_not_found');
    // slack-go sends an empty title where the app gives none.
    return { file, title: stringAt(entry, 'title') || undefined };
  });
}

function destinations(workspace: Workspace, args: JsonObject): StoredChannel[] {
  const { app } = workspace;
  const one = textArg(args, 'channel_id');
  const several = (textArg(args, 'channels') ?? '').split(',').filter((id) => id !== '');
  if (several.length > MOST_CHANNELS) throw new ApiError('channels_limit_exceeded');
  const channels = [
    ...(one ? [channelOr(workspace, one, 'channel_not_found')] : []),
    ...several.map((id) => memberChannel(workspace, id) ?? channelOr(workspace, id, 'invalid_channel')),
  ];
  for (const channel of channels) if (!isIn(channel, app.botUserId)) throw new ApiError('not_in_channel');
  return [...new Set(channels)].map(({ id }) => writableChannel(workspace, id));
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

/** https://docs.slack.dev/reference/methods/files.info */
function info(workspace: Workspace, args: JsonObject): JsonObject {
  const id = requiredArg(args, 'file');
  const file = workspace.state.files.find((candidate) => candidate.id === id && candidate.isComplete);
  if (!file) throw new ApiError('file_not_found');
  return { file: fileJson(workspace, file), comments: [], response_metadata: { next_cursor: '' } };
}
