import type { Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Dialect } from '../dialects/dialect.ts';
import type { Problem } from './problem.ts';
import { sendAndClose } from './send.ts';

/** Answers requests that are too slow, or no HTTP, in the dialect, and closes their connections. */
export function answerUnreadableRequests(server: Server, dialect: Dialect): void {
  const latest = new WeakMap<Duplex, ServerResponse>();
  const remember = ({ socket }: { socket: Duplex }, response: ServerResponse) => latest.set(socket, response);
  server.on('request', remember).on('checkContinue', remember);
  server.on('clientError', (error: NodeJS.ErrnoException, connection) => {
    // An answer that has begun can't be followed by another one.
    if (connection.writable && latest.get(connection)?.headersSent !== true)
      sendAndClose(connection, dialect.problem(problemOf(error)));
    else connection.destroy();
  });
}

function problemOf({ code }: NodeJS.ErrnoException): Problem {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return { kind: 'timeout', message: 'The request took too long to arrive.' };
  if (code === 'HPE_HEADER_OVERFLOW') return { kind: 'headers-too-large', message: 'The headers are too large.' };
  return { kind: 'malformed', message: 'This is not an HTTP request.' };
}
