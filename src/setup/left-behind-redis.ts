import { createConnection, type Socket } from 'node:net';
import { SetupError } from './commands.mjs';

const ANSWER_MS = 3_000;

/**
 * Shuts down a server left behind on this socket by a process that was killed: two servers must not share a folder.
 * Does nothing when none is listening.
 * @throws {SetupError} when the server has other clients or doesn't answer
 */
export async function endLeftBehindRedis(socketPath: string): Promise<void> {
  const socket = createConnection(socketPath);
  const connected = new Promise((resolve) => socket.once('connect', () => resolve(true)));
  const closed = new Promise((resolve) => socket.once('close', () => resolve(undefined)));
  // An error ends in `close` too.
  socket.on('error', () => {}).setTimeout(ANSWER_MS, () => socket.destroy());
  if (!(await Promise.race([connected, closed]))) return;
  const clients = await Promise.race([clientsOf(socket), closed]);
  if (clients !== 1) {
    socket.destroy();
    const problem =
      clients === undefined ? 'An unresponsive Redis was left behind' : 'Another process runs with its Redis';
    throw new SetupError(`${problem} on ${socketPath}: stop it first.`);
  }
  // The append-only file already holds everything. Redis answers only by closing the connection.
  socket.write('SHUTDOWN NOSAVE\r\n');
  await closed;
}

/** How many clients it has, including this one: https://redis.io/docs/latest/commands/client-list/ */
function clientsOf(socket: Socket): Promise<number> {
  return new Promise((resolve) => {
    let answer = '';
    socket.setEncoding('utf8').on('data', (text) => {
      answer += text;
      const length = /^\$(\d+)\r\n/.exec(answer);
      const isWhole = length && answer.length >= length[0].length + Number(length[1]);
      if (isWhole) resolve(answer.match(/id=\d+ addr=/g)?.length ?? 0);
    });
    socket.write('CLIENT LIST TYPE NORMAL\r\n');
  });
}
