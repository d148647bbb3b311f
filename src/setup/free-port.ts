import { randomInt } from 'node:crypto';
import { createSocket, type Socket } from 'node:dgram';
import { createServer } from 'node:net';
import { SetupError } from './commands.mjs';

// Below Linux's ephemeral range: an outgoing connection could take such a port while a server restarts, and a client
// that dials a closed one may even connect to itself.
const PORTS = { from: 20_000, below: 32_000 };

const reservations: Socket[] = [];

/**
 * A free TCP port on 127.0.0.1, reserved until this process ends: no other call returns it, so a server can start on it
 * later or restart.
 * @throws {SetupError} when there is none
 */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < 100; tries += 1) {
    const port = randomInt(PORTS.from, PORTS.below);
    if (await reservePort(port)) return port;
  }
  throw new SetupError(`No TCP port from ${PORTS.from} to ${PORTS.below} is free on this machine.`);
}

/** Reserves a port as `freePort` does. @returns false when it is taken */
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

/** The lock is the UDP port of the same number: all processes see it, and the kernel releases it when ours ends. */
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
