import { HEARTBEAT_MS, type LiveUpdate } from '../../people-api.ts';

const RETRY_MS = 1_000;
const LOOK_MS = 500;
/** Four beats missed. */
const MOST_SILENT_LOOKS = (4 * HEARTBEAT_MS) / LOOK_MS;

type Listener = { onConnection(isConnected: boolean): void; onUpdate(update: LiveUpdate): void };

/**
 * Listens to server-sent events until told to stop. The browser gives up after some failures, for example while the
 * server is starting again, and never on a connection on which nothing comes: so a stream that broke or fell silent,
 * or was never answered, is always replaced by a new one.
 */
export function stayConnected(address: string, { onConnection, onUpdate }: Listener): () => void {
  let retry: number | undefined;
  let silentLooks = 0;
  let stream = connect();
  // Looks are counted, not time: what came while the page was asleep has to be read before it counts as silence.
  const watch = window.setInterval(() => {
    silentLooks += 1;
    if (silentLooks > MOST_SILENT_LOOKS) replace(0);
  }, LOOK_MS);
  function connect(): EventSource {
    silentLooks = 0;
    const opened = new EventSource(address);
    opened.onopen = () => onConnection(true);
    opened.onmessage = (event: MessageEvent<string>) => {
      silentLooks = 0;
      const update: LiveUpdate = JSON.parse(event.data);
      if (update.type !== 'heartbeat') onUpdate(update);
    };
    opened.onerror = () => replace(RETRY_MS);
    return opened;
  }
  function replace(afterMs: number): void {
    silentLooks = 0;
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
