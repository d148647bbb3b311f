import { act } from '../people/act.ts';
import { upload } from '../people/composer.ts';
import { snapshotFor } from '../people/snapshot.ts';
import { visibleFile } from '../people/visible.ts';
import type { Snapshot } from '../people-api.ts';
import type { ActionOutcome, ChosenFile, PersonAction } from '../person-actions.ts';
import type { Workspace } from '../runtime/workspace.ts';

/** Lets a driven person act and look, in the same process (`createLocalClient`) or over HTTP (`createRemoteClient`). */
export type WorkspaceClient = {
  act(as: string, action: PersonAction): Promise<ActionOutcome>;
  snapshot(as: string): Promise<Snapshot>;
  /** Uploads a file for a `file_input`. */
  upload(as: string, file: { name: string; bytes: Buffer }): Promise<ChosenFile>;
  /** The file's bytes; undefined if the person can't see it. */
  download(as: string, fileId: string): Promise<Buffer | undefined>;
  /** Resolves to true if the app can be reached now, which is tried. */
  isReachable(): Promise<boolean>;
};

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
    isReachable: () => workspace.transport.probe(),
  };
}

/** A client for a workspace in another process. `pageUrl` as returned by `startSlackWorkspace`. */
export function createRemoteClient(pageUrl: string): WorkspaceClient {
  const urlOf = (path: string, as: string) => new URL(`${path}?as=${encodeURIComponent(as)}`, pageUrl);
  return {
    async act(as, action) {
      const response = await fetch(urlOf('/api/act', as), { method: 'POST', body: JSON.stringify(action) });
      return (await jsonOf(response)) as ActionOutcome;
    },
    async snapshot(as) {
      return (await jsonOf(await fetch(urlOf('/api/snapshot', as)))) as Snapshot;
    },
    async upload(as, { name, bytes }) {
      const url = urlOf('/api/uploads', as);
      url.searchParams.set('name', name);
      return (await jsonOf(await fetch(url, { method: 'POST', body: new Uint8Array(bytes) }))) as ChosenFile;
    },
    async download(as, fileId) {
      const response = await fetch(urlOf(`/api/files/${fileId}`, as));
      return response.ok ? Buffer.from(await response.arrayBuffer()) : undefined;
    },
    async isReachable() {
      return (await jsonOf(await fetch(new URL('/api/reachable', pageUrl)))) === true;
    },
  };
}

async function jsonOf(response: Response): Promise<unknown> {
  if (!response.ok) throw new Error(`the workspace answered ${response.status}: ${await response.text()}`);
  return response.json();
}
