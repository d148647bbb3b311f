import type { Dispatcher } from 'undici';
import { reasonOf, TimeLimit } from '../../crew/call.ts';

/** One request and its answer. */
export interface SinkRequest {
  method: 'GET' | 'POST' | 'PUT';
  url: string;
  headers: Record<string, string>;
  body?: string;
  signal?: AbortSignal | undefined;
}

/** `text` may be cut. */
export type Answer = { kind: 'answered'; status: number; text: string } | { kind: 'no-answer'; reason: string };

/** Makes requests for sinks. Follows no redirects, never rejects. */
export interface Exchange {
  send(request: SinkRequest): Promise<Answer>;
  close(): Promise<void>;
}

/** The standard recommends this: https://www.standardwebhooks.com */
const ANSWER_MS = 15_000;
const CONNECT_MS = 8_000;

/** Enough of an answer to see why something was refused. */
const MOST_BYTES = 65_536;

/** @param answerMs time limit of one request with its whole answer */
export function createExchange({ answerMs = ANSWER_MS }: { answerMs?: number | undefined } = {}): Exchange {
  let agent: Dispatcher | null = null;
  return {
    async send({ signal, url, ...request }) {
      // Loaded with the first request, so that the bot starts without it.
      const undici = await import('undici');
      agent ??= new undici.Agent({ connections: 2, connect: { timeout: CONNECT_MS } });
      const giveUp = new AbortController();
      const abort = () => giveUp.abort(new TimeLimit());
      const limit = setTimeout(abort, answerMs);
      signal?.addEventListener('abort', abort);
      if (signal?.aborted) abort();
      try {
        const options = { ...request, signal: giveUp.signal, dispatcher: agent };
        const { statusCode: status, body } = await undici.request(url, options);
        return { kind: 'answered', status, text: await beginningOf(body) };
      } catch (error) {
        return { kind: 'no-answer', reason: reasonOf(error) };
      } finally {
        clearTimeout(limit);
        signal?.removeEventListener('abort', abort);
      }
    },
    async close() {
      await agent?.destroy();
    },
  };
}

/** Returns the beginning of a body. If the rest breaks off or is too long, the status says what matters. */
async function beginningOf(body: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of body) {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes > MOST_BYTES) break;
    }
  } catch {}
  return Buffer.concat(chunks).toString('utf8', 0, MOST_BYTES);
}
