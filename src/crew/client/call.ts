import type { IncomingHttpHeaders } from 'node:http';
import { Agent, Client, type Dispatcher } from 'undici';

/** What one HTTP call proved. */
export type CallOutcome =
  | { kind: 'answered'; status: number; headers: IncomingHttpHeaders; text: string | null }
  /** No connection was made: the service can't have seen anything of it. */
  | { kind: 'not-sent'; reason: string }
  | { kind: 'no-answer'; reason: string };

export interface Call {
  method: 'GET' | 'POST';
  baseUrl: string;
  /** Below the base address, already encoded. */
  path: string;
  token: string;
  body?: string;
  /** Ends the call; also one that is still connecting. */
  signal: AbortSignal;
  /** An answer with more bytes counts as one without a readable body (`text` is null). */
  mostBytes: number;
}

const CONNECT_MS = 8_000;

/** A text longer than this says nothing more about what went wrong. */
const MOST_ERROR_BYTES = 65_536;

/** A shorter token guards nothing, and its characters may stand in any text. */
const SHORTEST_SECRET = 8;

/**
 * Makes a call that must not be repeated, on a connection of its own: a kept one may break just when it is used again, and
 * then nobody knows whether the call arrived. So whatever fails before the connection stands was surely never sent,
 * be it DNS, TLS or a refusal. Follows no redirects, never throws.
 */
export async function callOnce(call: Call): Promise<CallOutcome> {
  let client: Client | null = null;
  let isConnected = false;
  // undici heeds the signal only once it is connected.
  const giveUp = () => {
    if (!isConnected) client?.destroy().catch(() => {});
  };
  try {
    call.signal.throwIfAborted();
    client = new Client(new URL(call.baseUrl).origin, { connect: { timeout: CONNECT_MS } });
    client.on('connect', () => {
      isConnected = true;
    });
    call.signal.addEventListener('abort', giveUp, { once: true });
    return await request(client, call, 'close');
  } catch (error) {
    return { kind: isConnected ? 'no-answer' : 'not-sent', reason: reasonOf(error) };
  } finally {
    call.signal.removeEventListener('abort', giveUp);
    client?.destroy().catch(() => {});
  }
}

/** Makes calls that may be repeated freely, on kept connections. */
export interface Caller {
  call(call: Call): Promise<CallOutcome>;
  close(): Promise<void>;
}

export function createCaller(): Caller {
  const agent = new Agent({ connections: 16, connect: { timeout: CONNECT_MS } });
  return {
    async call(call) {
      try {
        return await Promise.race([request(agent, call, 'keep'), aborted(call.signal)]);
      } catch (error) {
        return { kind: 'no-answer', reason: reasonOf(error) };
      }
    },
    close: () => agent.destroy(),
  };
}

/** Rejects when the time is over, also for a call that still waits for one of the connections. */
function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}

async function request(dispatcher: Dispatcher, call: Call, after: 'keep' | 'close'): Promise<CallOutcome> {
  const { method, baseUrl, path, token, body, signal, mostBytes } = call;
  const { origin, pathname } = new URL(baseUrl);
  const headers = {
    accept: 'application/json',
    authorization: `Bearer ${token}`,
    'user-agent': 'signoff',
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
  };
  const target = { origin, path: `${pathname.replace(/\/+$/, '')}${path}`, method };
  const options = { headers, body: body ?? null, signal, reset: after === 'close' };
  const response = await dispatcher.request({ ...target, ...options });
  const { statusCode: status } = response;
  const text = await readText(response.body, status < 300 ? mostBytes : MOST_ERROR_BYTES);
  return { kind: 'answered', status, headers: response.headers, text: status < 300 ? text : withoutToken(text, token) };
}

/** A complaint is shown to people, and some services quote in it the token that they don't accept. */
function withoutToken(text: string | null, token: string): string | null {
  return token.length < SHORTEST_SECRET ? text : (text?.replaceAll(token, '…') ?? null);
}

/** Null where the body breaks off or is too long: the status has said what counts. */
async function readText(body: AsyncIterable<Buffer>, mostBytes: number): Promise<string | null> {
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of body) {
      length += chunk.length;
      if (length > mostBytes) return null;
      chunks.push(chunk);
    }
    return Buffer.concat(chunks).toString('utf8');
  } catch {
    return null;
  }
}

/** A code, as it never holds what was sent. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
}
