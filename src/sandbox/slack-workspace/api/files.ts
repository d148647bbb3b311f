import { type JsonObject, objectsAt, stringAt } from '../json.ts';
import { storeMessage } from '../runtime/store-message.ts';
import { newId, type Workspace } from '../runtime/workspace.ts';
import { findMessage, rootTsOf } from '../state/messages.ts';
import type { StoredFile } from '../state/workspace-state.ts';
import { ApiError, argumentError } from './api-error.ts';
import { jsonArg, numberArg, requiredArg, textArg } from './arguments.ts';
import { writableChannel } from './channel-access.ts';
import { checkedBlocks } from './composed-message.ts';
import { fileJson } from './file-json.ts';
import type { ApiMethods } from './method.ts';

const TYPES: { [extension: string]: string } = {
  md: 'text/markdown',
  txt: 'text/plain',
  json: 'application/json',
  csv: 'text/csv',
  html: 'text/html',
  pdf: 'application/pdf',
  png: 'image/png',
  jpg: 'image/jpeg',
};

/** Step one of three. https://docs.slack.dev/reference/methods/files.getUploadURLExternal */
function getUploadUrl(workspace: Workspace, args: JsonObject): JsonObject {
  const name = requiredArg(args, 'filename');
  const sizeBytes = numberArg(args, 'length', 0);
  if (sizeBytes <= 0) throw argumentError('length must be a positive number of bytes');
  const file: StoredFile = {
    id: newId(workspace, 'F'),
    name,
    title: name,
    mimetype: TYPES[name.split('.').at(-1)?.toLowerCase() ?? ''] ?? 'text/plain',
    sizeBytes,
    userId: workspace.app.botUserId,
    channels: [],
    created: Math.floor(workspace.now() / 1000),
  };
  workspace.state.files.push(file);
  return { upload_url: `${workspace.origin()}/upload/${file.id}`, file_id: file.id };
}

/** Step two: receives the bytes. Returns the HTTP status; the size must match the announced one. */
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

/** Step three: shares the files in a channel or thread. https://docs.slack.dev/reference/methods/files.completeUploadExternal */
function completeUpload(workspace: Workspace, args: JsonObject): JsonObject {
  const named = objectsAt({ files: jsonArg(args, 'files', 'invalid_arguments') ?? null }, 'files');
  if (named.length === 0) throw argumentError('missing required field: files');
  const files = named.map((entry) => uploaded(workspace, stringAt(entry, 'id'), stringAt(entry, 'title')));
  const destinations = [textArg(args, 'channel_id'), ...(textArg(args, 'channels') ?? '').split(',')];
  for (const channelId of new Set(destinations.filter((id): id is string => !!id)))
    share(workspace, channelId, files, args);
  workspace.touch();
  return { files: files.map((file) => fileJson(workspace, file)) };
}

function uploaded(workspace: Workspace, id: string | undefined, title: string | undefined): StoredFile {
  const file = workspace.state.files.find((candidate) => candidate.id === id);
  if (!file || file.contentBase64 === undefined) throw new ApiError('file_not_found');
  if (title !== undefined) file.title = title;
  return file;
}

function share(workspace: Workspace, channelId: string, files: StoredFile[], args: JsonObject): void {
  const channel = writableChannel(workspace, channelId);
  const threadTs = textArg(args, 'thread_ts');
  const parent = threadTs ? findMessage(workspace.state, channel.id, threadTs) : undefined;
  if (threadTs && !parent) throw new ApiError('invalid_thread_ts');
  const blocks = jsonArg(args, 'blocks', 'invalid_blocks_format');
  storeMessage(workspace, {
    channel: channel.id,
    userId: workspace.app.botUserId,
    botId: workspace.app.botId,
    text: textArg(args, 'initial_comment') ?? '',
    fileIds: files.map((file) => file.id),
    ...(blocks !== undefined && { blocks: checkedBlocks(workspace, blocks) }),
    ...(parent && { threadTs: rootTsOf(parent) }),
  });
  for (const file of files) if (!file.channels.includes(channel.id)) file.channels.push(channel.id);
}

const write = { token: 'bot', scopes: ['files:write'], tier: 'tier4' } as const;

export const FILE_METHODS: ApiMethods = {
  'files.getUploadURLExternal': { ...write, takesJson: false, run: getUploadUrl },
  'files.completeUploadExternal': { ...write, takesJson: true, run: completeUpload },
};
