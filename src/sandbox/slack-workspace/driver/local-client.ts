import { act } from '../people/act.ts';
import { snapshotFor } from '../people/snapshot.ts';
import { upload } from '../people/upload.ts';
import { visibleFile } from '../people/visible.ts';
import type { Snapshot } from '../people-api.ts';
import type { Workspace } from '../runtime/workspace.ts';
import type { WorkspaceClient } from './client.ts';

/** A client in the workspace's process. Snapshots are cached until something changes. */
export function createLocalClient(workspace: Workspace): WorkspaceClient {
  const cache = new Map<string, Snapshot>();
  return {
    act: (as, action) => act(workspace, as, action),
    async snapshot(as) {
      const cached = cache.get(as);
      if (cached?.revision === workspace.revision()) return cached;
      const snapshot = snapshotFor(workspace, as);
      cache.set(as, snapshot);
      return snapshot;
    },
    upload: async (as, file) => upload(workspace, { userId: as, ...file }),
    async download(as, fileId) {
      const file = visibleFile(workspace.state, as, fileId);
      return file && Buffer.from(file.contentBase64 ?? '', 'base64');
    },
  };
}
