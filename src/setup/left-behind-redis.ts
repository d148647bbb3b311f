import { createConnection, type Socket } from 'node:net';
import { SetupError } from './commands.mjs';

const ANSWER_MS = 3_000;

/**
 * Ends the server that listens on this socket, if there is one and nobody uses it any more: a process that was killed
 * leaves its Redis behind, and two servers must not share one folder.
 * @throws {SetupError} where somebody still uses it, or it doesn't answer
 */
export async function endLeftBehindRedis(socketPath: string): Promise<void> {
  const socket = createConnection(socketPath);
  const connected = new Promise((resolve) => socket.once('connect', () => resolve(true)));
  const closed = new Promise((resolve) => socket.once('close', () => resolve(undefined)));
  // What went wrong is seen by what doesn't come.
  socket.on('error', () => {}).setTimeout(ANSWER_MS, () => socket.destroy());
  if (!(await Promise.race([connected, closed]))) return;
  const clients = await Promise.race([clientsOf(socket), closed]);
  if (clients !== 1) {
    socket.destroy();
    const who = clients === undefined ? 'A Redis that does not answer is left' : 'Another process runs with its Redis';
    throw new SetupError(`${who} on ${socketPath}: please end it first.`);
  }
  // Its append-only file holds everything already. Its last word is the end of the connection.
  socket.write('SHUTDOWN NOSAVE\r\n');
  await closed;
}

/** How many clients it has, this one among them: https://redis.io/docs/latest/commands/client-list/ */
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
