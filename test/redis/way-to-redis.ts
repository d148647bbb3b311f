import { once } from 'node:events';
import { createConnection, createServer } from 'node:net';

export interface Way {
  url: string;
  close: () => void;
}

/** A way to Redis on which things happen before a request arrives, or by which its answer and the connection are lost. */
export async function wayToRedis(
  port: number,
  {
    before = async () => {},
    isLost = () => false,
  }: { before?: (request: string) => Promise<void>; isLost?: (request: string) => boolean },
): Promise<Way> {
  const way = createServer((near) => {
    const far = createConnection(port, '127.0.0.1');
    let loses = false;
    let earlier = Promise.resolve();
    near.on('data', (data) => {
      const request = data.toString('latin1');
      earlier = earlier.then(async () => {
        await before(request);
        loses ||= isLost(request);
        far.write(data);
      });
    });
    far.on('data', (data) => (loses ? near.destroy() : near.write(data)));
    near.on('error', () => {}).on('close', () => far.destroy());
    far.on('error', () => {}).on('close', () => near.destroy());
  }).listen(0, '127.0.0.1');
  await once(way, 'listening');
  const address = way.address();
  if (address === null || typeof address === 'string') throw new Error('The way has no port.');
  return { url: `redis://127.0.0.1:${address.port}`, close: () => way.close() };
}
