import type { Snapshot } from '../people-api.ts';
import type { ActionOutcome, ChosenFile } from '../person-actions.ts';
import type { WorkspaceClient } from './client.ts';

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
  };
}

async function jsonOf(response: Response): Promise<unknown> {
  if (!response.ok) throw new Error(`the workspace answered ${response.status}: ${await response.text()}`);
  return response.json();
}
