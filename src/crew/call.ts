// One HTTP call to a crew service or a program, and what it proved: whether it arrived matters more than why it failed.

import type { IncomingHttpHeaders } from 'node:http';
import type { Logger } from 'pino';
import type { Dispatcher, Pool } from 'undici';

export type CallOutcome =
  | { kind: 'answered'; status: number; headers: IncomingHttpHeaders; text: string | null }
  /** The call was never sent, so the service can't have seen it. */
  | { kind: 'not-sent'; reason: string }
  | { kind: 'no-answer'; reason: string };

export interface Call {
  method: 'GET' | 'POST';
  baseUrl: string;
  /** Relative to the base address, already encoded. */
  path: string;
  /** Null where the address itself is the credential. */
  token: string | null;
  /** Headers besides our own. */
  headers?: Record<string, string>;
  /** Secrets besides the token, which no error text may show. */
  secrets?: readonly string[];
  body?: string;
  /** Time limit by `performance.now()`, which also counts while the call connects. */
  until: number;
  /** The `text` of a longer answer is null. */
  mostBytes: number;
}

const CONNECT = { timeout: 8_000 };

/** Enough of an error body to see what went wrong. */
const MOST_ERROR_BYTES = 65_536;

/** Shorter secrets aren't removed: their characters may occur in any text. */
const SHORTEST_SECRET = 8;

/** Makes calls. Follows no redirects, never rejects. */
export function createCaller() {
  let opened: ReturnType<typeof openSenders> | null = null;
  const senders = () => {
    opened ??= openSenders();
    return opened;
  };
  return {
    /**
     * Makes a call that must not be repeated, on a new connection: a keep-alive connection may break on reuse, so that nobody knows
     * whether the call arrived. A failure before that (DNS, TLS, a refused connection) was certainly not sent.
     */
    once: async (call: Call) => send((await senders()).fresh, call),
    /** Makes a call that may be repeated, on a keep-alive connection. */
    repeatable: async (call: Call) => send((await senders()).kept, call),
    async close(): Promise<void> {
      const { fresh, kept } = (await opened) ?? {};
      await Promise.all([fresh?.destroy(), kept?.destroy()]);
    },
  };
}

/** Opens them with the first call: the bot is ready and answers clicks before it needs them. */
async function openSenders() {
  const { Agent, Pool } = await import('undici');
  return {
    fresh: new Pools((origin) => new Pool(origin, { pipelining: 0, connect: CONNECT })),
    kept: new Agent({ connections: 16, connect: CONNECT }),
  };
}

/** Decisions go to a few crews, and to any number of callback addresses. */
const MOST_POOLS = 32;

/**
 * Keeps a pool for each origin, although no connection is used twice: undici's agent discards a pool whose last connection ends, and would
 * create another for nearly each call.
 */
class Pools {
  readonly #create: (origin: string) => Pool;
  /** The one that was used last comes last. */
  readonly #pools = new Map<string, Pool>();
  /** Pools that had to make room, until their calls have ended. */
  readonly #closing = new Set<Pool>();
  #isDestroyed = false;

  constructor(create: (origin: string) => Pool) {
    this.#create = create;
  }

  /** @throws if the pools are destroyed, or the origin isn't one */
  dispatch(options: Dispatcher.DispatchOptions & { origin: string }, handler: Dispatcher.DispatchHandler): void {
    if (this.#isDestroyed) throw new Error('No more calls are made.');
    const { origin } = options;
    const pool = this.#pools.get(origin) ?? this.#create(origin);
    this.#pools.delete(origin);
    this.#pools.set(origin, pool);
    pool.dispatch(options, handler);
    const [[oldest, closing] = []] = this.#pools;
    if (this.#pools.size <= MOST_POOLS || oldest === undefined || closing === undefined) return;
    this.#pools.delete(oldest);
    this.#closing.add(closing);
    const forget = () => this.#closing.delete(closing);
    closing.close().then(forget, forget);
  }

  async destroy(): Promise<void> {
    this.#isDestroyed = true;
    await Promise.all([...this.#pools.values(), ...this.#closing].map((pool) => pool.destroy()));
  }
}

type Sender = Pick<Pools, 'dispatch'>;

function send(sender: Sender, call: Call): Promise<CallOutcome> {
  const { method, baseUrl, path, token, body, headers: others } = call;
  return new Promise((resolve) => {
    const exchange = new Exchange(call, resolve);
    try {
      const { origin, pathname } = new URL(baseUrl);
      const headers = {
        accept: 'application/json',
        ...(token !== null && { authorization: `Bearer ${token}` }),
        'user-agent': 'signoff',
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...others,
      };
      const target = { origin, path: `${pathname.replace(/\/+$/, '')}${path}`, method };
      sender.dispatch({ ...target, headers, body: body ?? null }, exchange);
    } catch (error) {
      exchange.fail(error);
    }
  });
}

/** Collects the answer to one call from undici: https://undici.nodejs.org/#/docs/api/Dispatcher?id=parameter-dispatchhandler */
class Exchange implements Dispatcher.DispatchHandler {
  readonly #call: Call;
  readonly #settle: (outcome: CallOutcome) => void;
  readonly #limit: NodeJS.Timeout;
  /** Null until the request is being sent. */
  #controller: Dispatcher.DispatchController | null = null;
  #isOver = false;
  #answer: { status: number; headers: IncomingHttpHeaders; chunks: Buffer[]; bytes: number } | null = null;

  constructor(call: Call, settle: (outcome: CallOutcome) => void) {
    this.#call = call;
    this.#settle = settle;
    this.#limit = setTimeout(() => this.fail(new TimeLimit()), Math.max(0, call.until - performance.now()));
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    // The time limit has passed while the call connected.
    if (this.#isOver) controller.abort(new TimeLimit());
    else this.#controller = controller;
  }

  onResponseStart(_: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    this.#answer = { status, headers, chunks: [], bytes: 0 };
  }

  onResponseData(_: Dispatcher.DispatchController, chunk: Buffer): void {
    const answer = this.#answer;
    if (!answer) return;
    answer.bytes += chunk.length;
    answer.chunks.push(chunk);
    if (answer.bytes > (answer.status < 300 ? this.#call.mostBytes : MOST_ERROR_BYTES))
      this.#end(this.#answered(false));
  }

  onResponseEnd(): void {
    this.#end(this.#answered(true));
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    this.fail(error);
  }

  /** Ends the call after an error. If an answer had begun, its status counts, which says what matters. */
  fail(error: unknown): void {
    const kind = this.#controller ? 'no-answer' : 'not-sent';
    this.#end(this.#answered(false) ?? { kind, reason: reasonOf(error) });
  }

  #answered(isWhole: boolean): CallOutcome | null {
    if (!this.#answer) return null;
    const { status, headers, chunks } = this.#answer;
    const text = isWhole ? Buffer.concat(chunks).toString('utf8') : null;
    if (status < 300) return { kind: 'answered', status, headers, text };
    const location = headers.location && shownLocation(headers.location, this.#call);
    return {
      kind: 'answered',
      status,
      headers: { ...headers, location },
      text: text && withoutSecrets(text, this.#call),
    };
  }

  #end(outcome: CallOutcome | null): void {
    if (this.#isOver || !outcome) return;
    this.#isOver = true;
    clearTimeout(this.#limit);
    this.#settle(outcome);
    if (outcome.kind !== 'answered' || outcome.text === null) this.#controller?.abort(new TimeLimit());
  }
}

export class TimeLimit extends Error {
  override name = 'TimeoutError';
}

/** Returns the target of a redirect. A secret address may lead to another secret one, so only its host is shown. */
function shownLocation(location: string, call: Call): string {
  if (call.token !== null) return withoutSecrets(location, call);
  return URL.canParse(location, call.baseUrl) ? new URL(location, call.baseUrl).origin : '…';
}

/** Removes secrets from errors and redirects, which people see: some services quote the token or the address of the call. */
function withoutSecrets(text: string, { token, secrets = [] }: Call): string {
  const hidden = [...(token === null ? [] : [token]), ...secrets].filter(({ length }) => length >= SHORTEST_SECRET);
  return hidden.reduce((masked, secret) => masked.replace(anySpelling(secret), '…'), text);
}

/** Matches a secret as it is, as JSON or HTML escape it, or encoded for an address, perhaps more than once. */
function anySpelling(secret: string): RegExp {
  const characters = Array.from(secret, (character) => {
    const bytes = Array.from(Buffer.from(character), (byte) => `%(?:25)*${byte.toString(16).padStart(2, '0')}`);
    const unit = character.charCodeAt(0).toString(16).padStart(4, '0');
    return `(?:\\\\?${character.replace(/[^\w\s]/, '\\$&')}|${bytes.join('')}|\\\\u${unit}${character === '&' ? '|&amp;' : ''})`;
  });
  return new RegExp(characters.join(''), 'gi');
}

/** Returns an error's code. Its message may quote what was sent, or the address. */
export function reasonOf(error: unknown): string {
  // A host with several addresses fails with one error for each.
  if (error instanceof AggregateError && error.errors.length > 0) return reasonOf(error.errors[0]);
  if (!(error instanceof Error)) return 'unknown';
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
}

/** A call for metrics. `outcome` is the kind of its answer, or the reason why the call had no effect. */
export interface ObservedCall {
  crew: string;
  method: CallMethod;
  outcome: string;
  durationMs: number;
}

/** `flow` and `callback` send a decision to its own address. */
type CallMethod = 'kickoff' | 'resume' | 'status' | 'inputs' | 'flow' | 'callback';

/** The ids that a log line carries. */
interface CallIds {
  crew: string;
  method: CallMethod;
  ref?: string;
  hop?: number;
  kickoffId?: string;
}

type WatchCall = <Answer extends { kind: string; reason?: string }>(
  ids: CallIds,
  make: () => Promise<Answer>,
) => Promise<Answer>;

/** Times each call and logs its outcome at debug level. The caller logs what it means. */
export function createWatchCall(log: Logger, observe: ((call: ObservedCall) => void) | undefined): WatchCall {
  return async ({ method, ...ids }, make) => {
    const begin = performance.now();
    const answer = await make();
    const durationMs = Math.round(performance.now() - begin);
    const outcome = answer.reason ?? answer.kind;
    observe?.({ crew: ids.crew, method, outcome, durationMs });
    log.debug({ ...ids, ...factsOf(answer), outcome, durationMs }, method);
    return answer;
  };
}

/** Facts that are neither secret nor content: ids, codes and numbers. */
const FACTS = ['kickoffId', 'doubt', 'waitMs', 'code', 'status'];

function factsOf(answer: object): Record<string, unknown> {
  const inner = Object.entries(answer).flatMap(([name, value]) =>
    name === 'refusal' || name === 'failure' ? Object.entries(Object(value)) : [],
  );
  return Object.fromEntries([...Object.entries(answer), ...inner].filter(([name]) => FACTS.includes(name)));
}
