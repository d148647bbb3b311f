import { checkAttachments, MOST_ATTACHMENTS } from '../block-kit/check-attachments.ts';
import { isObject, type Json, type JsonObject, objectsAt } from '../json.ts';
import type { Attachment } from '../people-api.ts';
import { newId, type Workspace } from '../runtime/workspace.ts';
import { withIds } from '../state/block-ids.ts';
import { ApiError, blockError } from './api-error.ts';
import { jsonArg } from './arguments.ts';

/**
 * Validates attachments, numbers them from 1, and fills in the ids of their blocks; undefined if there is no such
 * argument. Throws `too_many_attachments` or `invalid_attachments`.
 * https://docs.slack.dev/reference/methods/chat.update#errors
 */
export function attachmentsArg(workspace: Workspace, args: JsonObject): Attachment[] | undefined {
  const given = jsonArg(args, 'attachments', 'invalid_attachments');
  if (given === undefined || given === false) return undefined;
  if (!Array.isArray(given)) throw new ApiError('invalid_attachments');
  if (given.length > MOST_ATTACHMENTS) throw new ApiError('too_many_attachments');
  const problems = checkAttachments(given);
  if (problems.length > 0) throw blockError('invalid_attachments', problems);
  return given.filter(isObject).map((attachment, index) => numbered(workspace, attachment, index + 1));
}

function numbered(workspace: Workspace, attachment: JsonObject, id: number): Attachment {
  const { blocks: _, ...rest } = structuredClone<{ [key: string]: Json }>(attachment);
  const blocks = withIds(objectsAt(attachment, 'blocks'), () => newId(workspace, 'b').slice(-5));
  return { ...rest, id, ...(blocks.length > 0 && { blocks }) };
}
