import type { IncomingHttpHeaders } from 'node:http';
import { Agent, Client, type Dispatcher } from 'undici';

/** What one HTTP call proved. */
export type CallOutcome =
  | { kind: 'answered'; status: number; headers: IncomingHttpHeaders; text: string | null }
  /** No connection was made, so the service can't have seen the call. */
  | { kind: 'not-sent'; reason: string }
  | { kind: 'no-answer'; reason: string };

interface Call {
  method: 'GET' | 'POST';
  baseUrl: string;
  /** Relative to the base address, already encoded. */
  path: string;
  token: string;
  body?: string;
  /** Aborts the call, also while it is connecting. */
  signal: AbortSignal;
  /** Of a longer answer `text` is null. */
  mostBytes: number;
}

const CONNECT_MS = 8_000;

/** Enough of an error body to tell what went wrong. */
const MOST_ERROR_BYTES = 65_536;

/** A shorter token isn't redacted: its characters may occur in any text. */
const SHORTEST_SECRET = 8;

/**
 * Makes a call that must not be repeated, on a connection of its own: a keep-alive connection may break on reuse, leaving it
 * unknown whether the call arrived. Whatever fails before the connection is made (DNS, TLS, a refusal) was certainly not
 * sent. Follows no redirects, never throws.
 */
export async function callOnce(call: Call): Promise<CallOutcome> {
  let client: Client | null = null;
  let isConnected = false;
  // undici honours the signal only once it is connected.
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

/** Makes calls that may be repeated, on keep-alive connections. */
interface Caller {
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

/** Rejects on abort, also for a call that still waits for a connection. */
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

/** Error texts are shown to people, and some services quote the rejected token in them. */
function withoutToken(text: string | null, token: string): string | null {
  if (text === null || token.length < SHORTEST_SECRET) return text;
  // Some JSON writers escape slashes.
  return text.replaceAll(token, '…').replaceAll(token.replaceAll('/', '\\/'), '…');
}

/** Null if the body breaks off or is too long: the status says what matters. */
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

/** An error's code: its message may contain what was sent. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
}
