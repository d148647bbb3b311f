import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { z } from 'zod';
import { webhookKeys } from '../../../src/ledger/sink/webhook.ts';

/** What a receiver reads in the records of a batch. */
export const RECORD = z.union([
  z.strictObject({
    entry: z.looseObject({ hash: z.string(), kind: z.string(), ref: z.string(), seq: z.number() }),
    index: z.number(),
  }),
  z.strictObject({ policy: z.strictObject({ document: z.unknown(), hash: z.string() }) }),
  z.strictObject({ checkpoint: z.strictObject({ note: z.string() }) }),
]);
export type SinkRecord = z.infer<typeof RECORD>;

const MESSAGE = z.strictObject({
  type: z.literal('audit.entries'),
  timestamp: z.iso.datetime(),
  data: z.strictObject({ from: z.number(), records: z.array(RECORD), until: z.number() }),
});
const TEST = z.strictObject({ type: z.literal('audit.test'), timestamp: z.iso.datetime(), data: z.strictObject({}) });

export interface Message {
  path: string;
  headers: IncomingMessage['headers'];
  body: string;
}

type Answering = 'take' | ((response: ServerResponse, message: Message) => void);

/** Receives webhooks as docs/audit/send-on.md says, with one secret that it was given. */
export interface Siem {
  url: string;
  /** Everything that arrived, taken or not. */
  seen: Message[];
  /** What it took, in the order of arrival, with what came twice. */
  taken(): z.infer<typeof MESSAGE>['data'][];
  /** The entries that it knows, each once, in the order of arrival. */
  entries(): { entry: { hash: string; ref: string; seq: number }; index: number }[];
  /** What it does with the next ones. */
  answerWith(answering: Answering): void;
  goAway(): Promise<void>;
  comeBack(): Promise<void>;
}

export async function startSiem(secret: string): Promise<Siem> {
  const webhook = new Webhook(webhookKeys([secret])[0] ?? '');
  const seen: Message[] = [];
  const bodies: string[] = [];
  let answering: Answering = 'take';
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { url: path = '', headers } = request;
    const message = { path, headers, body: Buffer.concat(chunks).toString() };
    seen.push(message);
    if (answering !== 'take') return answering(response, message);
    response.writeHead(take(message)).end();
  });

  const take = ({ headers, body }: Message): number => {
    try {
      const told = webhook.verify(body, headers as Record<string, string>);
      if (TEST.safeParse(told).success) return 204;
      MESSAGE.parse(told);
    } catch {
      return 401;
    }
    bodies.push(body);
    return 200;
  };

  const port = await listen(server, 0);
  const taken = () => bodies.map((body) => MESSAGE.parse(JSON.parse(body)).data);
  return {
    url: `http://127.0.0.1:${port}/hook`,
    seen,
    taken,
    entries() {
      const records = taken().flatMap((data) => data.records);
      const entries = records.flatMap((record) => ('entry' in record ? [record] : []));
      return [...new Map(entries.map((each) => [each.entry.hash, each])).values()];
    },
    answerWith: (next) => {
      answering = next;
    },
    async goAway() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
    async comeBack() {
      await listen(server, port);
    },
  };
}

async function listen(server: Server, port: number): Promise<number> {
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}
