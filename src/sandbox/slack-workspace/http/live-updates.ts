import { snapshotFor } from '../people/snapshot.ts';
import { HEARTBEAT_MS, type LiveUpdate } from '../people-api.ts';
import type { Workspace } from '../runtime/workspace.ts';
import type { Exchange } from './request.ts';

/** Changes within this time are sent as one snapshot. */
const DEBOUNCE_MS = 15;

/** Server-sent events: a full snapshot after each change, every wire log entry, and heartheartbeat. */
export function streamLiveUpdates(workspace: Workspace, { response }: Exchange, memberId: string): void {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
  const push = (update: LiveUpdate) => response.write(`data: ${JSON.stringify(update)}\n\n`);
  const pushSnapshot = () => push({ type: 'snapshot', snapshot: snapshotFor(workspace, memberId) });
  let pending: NodeJS.Timeout | undefined;
  const stopChanges = workspace.onChange(() => {
    pending ??= setTimeout(() => {
      pending = undefined;
      pushSnapshot();
    }, DEBOUNCE_MS);
  });
  const stopWire = workspace.wire.subscribe((entry) => push({ type: 'wire', entry }));
  const heartbeat = setInterval(() => push({ type: 'heartbeat' }), HEARTBEAT_MS);
  response.on('close', () => {
    clearInterval(heartbeat);
    clearTimeout(pending);
    stopChanges();
    stopWire();
  });
  pushSnapshot();
}
