import type { LiveUpdate } from '../../people-api.ts';

const RETRY_MS = 1000;

type Listener = { onConnection(isConnected: boolean): void; onUpdate(update: LiveUpdate): void };

/**
 * Listens to server-sent events until told to stop. The browser gives up after some failures, for example while the
 * server is starting again, so a broken stream is always replaced by a new one.
 */
export function stayConnected(address: string, { onConnection, onUpdate }: Listener): () => void {
  let retry: number | undefined;
  let stream = connect();
  function connect(): EventSource {
    const opened = new EventSource(address);
    opened.onopen = () => onConnection(true);
    opened.onmessage = (event: MessageEvent<string>) => onUpdate(JSON.parse(event.data));
    opened.onerror = () => {
      opened.close();
      onConnection(false);
      retry = window.setTimeout(() => {
        stream = connect();
      }, RETRY_MS);
    };
    return opened;
  }
  return () => {
    window.clearTimeout(retry);
    stream.close();
  };
}
