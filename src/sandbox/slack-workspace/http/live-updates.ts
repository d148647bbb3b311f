import { snapshotFor } from '../people/snapshot.ts';
import { BEAT_MS, type LiveUpdate } from '../people-api.ts';
import type { Workspace } from '../runtime/workspace.ts';
import type { Exchange } from './request.ts';

/** Changes within this time are told as one. */
const GATHER_MS = 15;

/** Server-sent events: a whole snapshot after each change, each entry of the wire log, and beats. */
export function streamLiveUpdates(workspace: Workspace, { response }: Exchange, memberId: string): void {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
  const push = (update: LiveUpdate) => response.write(`data: ${JSON.stringify(update)}\n\n`);
  const pushSnapshot = () => push({ type: 'snapshot', snapshot: snapshotFor(workspace, memberId) });
  let gathering: NodeJS.Timeout | undefined;
  const stopChanges = workspace.onChange(() => {
    gathering ??= setTimeout(() => {
      gathering = undefined;
      pushSnapshot();
    }, GATHER_MS);
  });
  const stopWire = workspace.wire.subscribe((entry) => push({ type: 'wire', entry }));
  const beats = setInterval(() => push({ type: 'beat' }), BEAT_MS);
  response.on('close', () => {
    clearInterval(beats);
    clearTimeout(gathering);
    stopChanges();
    stopWire();
  });
  pushSnapshot();
}
