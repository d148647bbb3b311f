import { connect, type Socket } from 'node:net';

/** Sends bytes as they are and reads all that comes back until the connection ends, or for so long. */
export async function rawExchange(port: number, bytes: string | Buffer, mostMs = 5_000): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  socket.write(bytes);
  return receivedBy(socket, mostMs);
}

/** Everything that a connection brings until it ends, or for so long; then it is cut. */
export async function receivedBy(socket: Socket, mostMs = 5_000): Promise<string> {
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  socket.on('error', () => {});
  const patience = setTimeout(() => socket.destroy(), mostMs);
  await new Promise((resolve) => socket.once('close', resolve));
  clearTimeout(patience);
  return Buffer.concat(chunks).toString('latin1');
}

/** The statuses of all answers in what came back. */
export function statusesIn(received: string): number[] {
  return [...received.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));
}
