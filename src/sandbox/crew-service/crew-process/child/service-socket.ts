import { Socket } from 'node:net';
import { readLines } from '../json-lines.ts';
import type { FromProcess, ToProcess } from '../messages.ts';

/** The connection to the service. */
interface ServiceSocket {
  say(message: FromProcess): void;
  /** Says why this process ends, and ends it. */
  sayAndEnd(message: FromProcess): void;
}

/** The service gives this process its end of the connection as this file descriptor. */
const DESCRIPTOR = 3;

/** How long what was written may take to leave this process. */
const FLUSH_MS = 300;

export function connectToService(take: (message: ToProcess) => void): ServiceSocket {
  const socket = new Socket({ fd: DESCRIPTOR });
  // With what this process has started.
  const end = () => process.kill(-process.pid, 'SIGKILL');
  const endSoon = () => {
    setTimeout(end, FLUSH_MS);
    flush(end);
  };
  // The service is done with this process, or gone.
  socket.on('error', end).on('close', endSoon);
  readLines({
    from: socket,
    longest: Number.POSITIVE_INFINITY,
    take: (line) => take(JSON.parse(line)),
    tooLong: end,
  });
  const write = (message: FromProcess, done?: () => void) => socket.write(`${JSON.stringify(message)}\n`, done);
  return { say: (message) => write(message), sayAndEnd: (message) => flush(() => write(message, end)) };
}

/** Calls `then` once what crew code has written to stdout and stderr has left this process. */
function flush(then: () => void): void {
  process.stdout.write('', () => process.stderr.write('', then));
}
