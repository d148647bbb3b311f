import type { JsonObject } from '../json.ts';
import type { Workspace } from '../runtime/workspace.ts';
import { ApiError } from './api-error.ts';
import { requiredArg } from './arguments.ts';
import { completeUpload } from './complete-upload.ts';
import { fileJson } from './file-json.ts';
import type { ApiMethods } from './method.ts';
import { getUploadUrl } from './upload-url.ts';

/** https://docs.slack.dev/reference/methods/files.info */
function info(workspace: Workspace, args: JsonObject): JsonObject {
  const id = requiredArg(args, 'file');
  const file = workspace.state.files.find((candidate) => candidate.id === id && candidate.isComplete);
  if (!file) throw new ApiError('file_not_found');
  return { file: fileJson(workspace, file), comments: [], response_metadata: { next_cursor: '' } };
}

const write = { token: 'bot', scopes: ['files:write'], tier: 'tier4' } as const;

export const FILE_METHODS: ApiMethods = {
  'files.getUploadURLExternal': { ...write, takesJson: false, run: getUploadUrl },
  'files.completeUploadExternal': { ...write, takesJson: true, run: completeUpload },
  'files.info': { ...write, scopes: ['files:read'], takesJson: false, run: info },
};
