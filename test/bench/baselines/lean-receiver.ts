import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { parse } from 'node:querystring';
import type { App, Receiver } from '@slack/bolt';
import { readBody } from '../read-body.ts';

/** A receiver that verifies and decodes each request once, and answers with the ack. */
export class LeanReceiver implements Receiver {
  readonly #signingSecret: string;
  #app: App | null = null;

  constructor(signingSecret: string) {
    this.#signingSecret = signingSecret;
  }

  init(app: App): void {
    this.#app = app;
  }

  async start(port: number): Promise<void> {
    const server = createServer((request, response) => void this.#handle(request, response));
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  }

  async stop(): Promise<void> {}

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const raw = await readBody(request);
    if (!this.#isSigned(request, raw)) return void response.writeHead(401).end();
    const body = JSON.parse(String(parse(raw.toString()).payload));
    await this.#app?.processEvent({ body, ack: async () => void response.writeHead(200).end() });
  }

  #isSigned({ headers }: IncomingMessage, raw: Buffer): boolean {
    const stamp = String(headers['x-slack-request-timestamp']);
    if (Math.abs(Date.now() / 1_000 - Number(stamp)) > 300) return false;
    const mac = createHmac('sha256', this.#signingSecret).update(`v0:${stamp}:`).update(raw).digest('hex');
    return timingSafeEqual(Buffer.from(`v0=${mac}`), Buffer.from(String(headers['x-slack-signature'])));
  }
}
