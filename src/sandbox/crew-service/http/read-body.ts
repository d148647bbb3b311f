import type { IncomingMessage } from 'node:http';

/** The whole body as UTF-8 text; undefined where it has more than `limitBytes`, of which the rest is not read. */
export async function readBody(request: IncomingMessage, limitBytes: number): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    bytes += chunk.length;
    if (bytes > limitBytes) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
