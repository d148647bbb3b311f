import { randomInt } from 'node:crypto';
import { createSocket, type Socket } from 'node:dgram';
import { createServer } from 'node:net';
import { SetupError } from './commands.mjs';

// Below the range that Linux gives to outgoing connections: one of those could take the port while a server is
// restarted, and a client that dials a dead port of that range may even connect to itself.
const PORTS = { from: 20_000, below: 32_000 };

const reservations: Socket[] = [];

/**
 * A TCP port of 127.0.0.1 on which nobody listens, and which no process is given again until this one has ended: a server
 * that starts later, or is away for a while, finds it free.
 * @throws {SetupError} where there is none
 */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < 100; tries += 1) {
    const port = randomInt(PORTS.from, PORTS.below);
    if (await reservePort(port)) return port;
  }
  throw new SetupError(`No TCP port from ${PORTS.from} to ${PORTS.below} is free on this machine.`);
}

/** Makes a port ours as `freePort` does, or says that it isn't free. */
export async function reservePort(port: number): Promise<boolean> {
  const reservation = await bound(port);
  if (reservation === null) return false;
  if (await isFree(port)) {
    reservations.push(reservation);
    return true;
  }
  reservation.close();
  return false;
}

/** The UDP port of the same number, which nobody else uses: all processes see who has it, and it is free when ours ends. */
function bound(port: number): Promise<Socket | null> {
  return new Promise((resolve) => {
    const socket = createSocket('udp4').unref();
    socket.once('error', () => {
      socket.close();
      resolve(null);
    });
    socket.bind({ port, address: '127.0.0.1', exclusive: true }, () => resolve(socket));
  });
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
