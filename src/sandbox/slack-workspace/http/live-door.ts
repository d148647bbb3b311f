import { snapshotFor } from '../people/snapshot.ts';
import type { LiveUpdate } from '../people-api.ts';
import type { Workspace } from '../runtime/workspace.ts';
import type { Exchange } from './request.ts';

/** Changes within this time are told as one. */
const GATHER_MS = 15;
const KEEP_ALIVE_MS = 15_000;

/** Server-sent events: a whole snapshot after each change, and each entry of the wire log. */
export function liveDoor(workspace: Workspace, { response }: Exchange, memberId: string): void {
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
  const alive = setInterval(() => response.write(': alive\n\n'), KEEP_ALIVE_MS);
  response.on('close', () => {
    clearInterval(alive);
    clearTimeout(gathering);
    stopChanges();
    stopWire();
  });
  pushSnapshot();
}
