import { snapshotFor } from '../people/snapshot.ts';
import { inSession } from '../people/visible.ts';
import { HEARTBEAT_MS, type LiveUpdate } from '../people-api.ts';
import type { Workspace } from '../runtime/workspace.ts';
import { latestTs } from '../state/identifiers.ts';
import type { Exchange } from './request.ts';

/** Changes within this time are sent as one snapshot. */
const DEBOUNCE_MS = 15;

/** Server-sent events: a full snapshot after each change, every wire log entry, the bar of controls, and a heartbeat. */
export function streamLiveUpdates(workspace: Workspace, { response, url }: Exchange, memberId: string): void {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
  const push = (update: LiveUpdate) => response.write(`data: ${JSON.stringify(update)}\n\n`);
  const session = url.searchParams.get('session') ?? latestTs(workspace.state);
  const pushSnapshot = () => push({ type: 'snapshot', snapshot: inSession(snapshotFor(workspace, memberId), session) });
  let pending: NodeJS.Timeout | undefined;
  const stopChanges = workspace.onChange(() => {
    pending ??= setTimeout(() => {
      pending = undefined;
      pushSnapshot();
    }, DEBOUNCE_MS);
  });
  const stopWire = workspace.wire.subscribe((entry) => push({ type: 'wire', entry }));
  const pushControls = () => push({ type: 'controls', bar: workspace.pageControls.bar() });
  const stopControls = workspace.pageControls.onChange(pushControls);
  const heartbeat = setInterval(() => push({ type: 'heartbeat' }), HEARTBEAT_MS);
  response.on('close', () => {
    clearInterval(heartbeat);
    clearTimeout(pending);
    stopChanges();
    stopWire();
    stopControls();
  });
  push({ type: 'session', session });
  pushControls();
  pushSnapshot();
}
