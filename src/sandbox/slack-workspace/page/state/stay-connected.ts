import { HEARTBEAT_MS, type LiveUpdate } from '../../live-update.ts';

const RETRY_MS = 1_000;
const CHECK_MS = 500;
/** Four missed heartbeats. */
const MAX_SILENT_CHECKS = (4 * HEARTBEAT_MS) / CHECK_MS;

type Listener = { onConnection(isConnected: boolean): void; onUpdate(update: LiveUpdate): void };

/**
 * Listens to server-sent events until stopped. On its own, the browser gives up after some failures (such as a server
 * restart) and never notices a silent connection, so this replaces every stream that breaks, falls silent or isn't
 * answered.
 */
export function stayConnected(address: () => string, { onConnection, onUpdate }: Listener): () => void {
  let retry: number | undefined;
  let silentChecks = 0;
  let stream = connect();
  // Counts checks rather than time: after the page was asleep, events that arrived meanwhile must be read first.
  const watch = window.setInterval(() => {
    silentChecks += 1;
    if (silentChecks > MAX_SILENT_CHECKS) replace(0);
  }, CHECK_MS);
  function connect(): EventSource {
    silentChecks = 0;
    const opened = new EventSource(address());
    opened.onopen = () => onConnection(true);
    opened.onmessage = (event: MessageEvent<string>) => {
      silentChecks = 0;
      const update: LiveUpdate = JSON.parse(event.data);
      if (update.type !== 'heartbeat') onUpdate(update);
    };
    opened.onerror = () => replace(RETRY_MS);
    return opened;
  }
  function replace(afterMs: number): void {
    silentChecks = 0;
    stream.close();
    onConnection(false);
    window.clearTimeout(retry);
    retry = window.setTimeout(() => {
      stream = connect();
    }, afterMs);
  }
  return () => {
    window.clearInterval(watch);
    window.clearTimeout(retry);
    stream.close();
  };
}
