import type { ActionOutcome, PersonAction, Snapshot } from '../people-api.ts';

/** Where a driven person sits: at the workspace itself or at its page's API, with the same powers either way. */
export type Seat = {
  act(as: string, action: PersonAction): Promise<ActionOutcome>;
  snapshot(as: string): Promise<Snapshot>;
  /** The file's bytes; undefined where the person can't see it. */
  download(as: string, fileId: string): Promise<Buffer | undefined>;
};

/** Sits down at a workspace in another process. `pageUrl` as in `startSlackWorkspace`. */
export function remoteSeat(pageUrl: string): Seat {
  const at = (path: string, as: string) => new URL(`${path}?as=${encodeURIComponent(as)}`, pageUrl);
  return {
    async act(as, action) {
      const response = await fetch(at('/api/act', as), { method: 'POST', body: JSON.stringify(action) });
      if (!response.ok) throw new Error(`the workspace answered ${response.status}: ${await response.text()}`);
      return (await response.json()) as ActionOutcome;
    },
    async snapshot(as) {
      const response = await fetch(at('/api/snapshot', as));
      if (!response.ok) throw new Error(`the workspace answered ${response.status}: ${await response.text()}`);
      return (await response.json()) as Snapshot;
    },
    async download(as, fileId) {
      const response = await fetch(at(`/api/files/${fileId}`, as));
      return response.ok ? Buffer.from(await response.arrayBuffer()) : undefined;
    },
  };
}
