import { setMaxListeners } from 'node:events';

/** Aborts everything that waits when a part of the service stops. Any number of requests and runs may listen. */
export function createStopController(): AbortController {
  const controller = new AbortController();
  setMaxListeners(0, controller.signal);
  return controller;
}
