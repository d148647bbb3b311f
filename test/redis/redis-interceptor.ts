import { once } from 'node:events';
import { createConnection, createServer } from 'node:net';

export interface RedisInterceptor {
  url: string;
  close: () => void;
}

/** A proxy to Redis that can act before it passes on a request, or drop the connection instead of passing on the answer. */
export async function startRedisInterceptor(
  port: number,
  {
    before = async () => {},
    isLost = () => false,
  }: { before?: (request: string) => Promise<void>; isLost?: (request: string) => boolean },
): Promise<RedisInterceptor> {
  const proxy = createServer((client) => {
    const server = createConnection(port, '127.0.0.1');
    let isAnswerLost = false;
    let earlier = Promise.resolve();
    client.on('data', (data) => {
      const request = data.toString('latin1');
      earlier = earlier.then(async () => {
        await before(request);
        isAnswerLost ||= isLost(request);
        server.write(data);
      });
    });
    server.on('data', (data) => (isAnswerLost ? client.destroy() : client.write(data)));
    client.on('error', () => {}).on('close', () => server.destroy());
    server.on('error', () => {}).on('close', () => client.destroy());
  }).listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const address = proxy.address();
  if (address === null || typeof address === 'string') throw new Error('The proxy has no port.');
  return { url: `redis://127.0.0.1:${address.port}`, close: () => proxy.close() };
}
