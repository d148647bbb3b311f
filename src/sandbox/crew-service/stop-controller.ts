import { setMaxListeners } from 'node:events';

/** Ends whatever waits when a part of the service stops. Any number of requests and runs may wait at once. */
export function createStopping(): AbortController {
  const stopping = new AbortController();
  setMaxListeners(0, stopping.signal);
  return stopping;
}
