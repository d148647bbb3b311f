import type { JsonObject } from '../json.ts';
import type { Workspace } from '../runtime/workspace.ts';
import type { StoredFile } from '../state/workspace-state.ts';

/** https://docs.slack.dev/reference/objects/file-object */
export function fileJson(workspace: Workspace, file: StoredFile): JsonObject {
  const address = `${workspace.origin()}/api/files/${file.id}`;
  return {
    id: file.id,
    created: file.created,
    timestamp: file.created,
    name: file.name,
    title: file.title,
    mimetype: file.mimetype,
    filetype: file.name.includes('.') ? (file.name.split('.').at(-1) ?? '') : 'text',
    size: file.sizeBytes,
    user: file.userId,
    mode: 'hosted',
    is_external: false,
    channels: file.channels,
    url_private: address,
    url_private_download: `${address}?download=1`,
    permalink: `${workspace.origin()}/files/${file.id}`,
  };
}
