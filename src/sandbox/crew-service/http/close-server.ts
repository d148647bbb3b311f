import { once } from 'node:events';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { settlesWithin } from '../settles-within.ts';

/** Keeps count of the responses in progress, so that the server can be closed when they are done. */
export function createCloser(server: Server): (withinMs: number) => Promise<void> {
  const inProgress = new Set<ServerResponse>();
  let isClosing = false;
  for (const event of ['request', 'checkContinue'] as const) {
    server.prependListener(event, (_request: IncomingMessage, response: ServerResponse) => {
      inProgress.add(response);
      response.once('close', () => inProgress.delete(response));
      if (isClosing) endAfter(response);
    });
  }

  /** Takes no more connections, answers the requests that have come, and after `withinMs` cuts what is left. */
  return async (withinMs) => {
    if (!server.listening) return;
    const closed = once(server, 'close');
    isClosing = true;
    for (const response of inProgress) endAfter(response);
    server.close();
    await settlesWithin(withinMs, closed);
    server.closeAllConnections();
    await closed;
  };
}

/** Otherwise its connection would stay open for the next request. */
function endAfter(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader('connection', 'close');
}
