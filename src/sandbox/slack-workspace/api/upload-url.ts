import type { JsonObject } from '../json.ts';
import type { Workspace } from '../runtime/workspace.ts';
import { newFile } from '../state/new-file.ts';
import { ApiError, argumentError } from './api-error.ts';
import { numberArg, requiredArg, textArg } from './arguments.ts';

const MOST_ALT_TEXT = 1000;
const MOST_SNIPPET_BYTES = 1024 * 1024;

/** Step one of three. https://docs.slack.dev/reference/methods/files.getUploadURLExternal */
export function getUploadUrl(workspace: Workspace, args: JsonObject): JsonObject {
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
