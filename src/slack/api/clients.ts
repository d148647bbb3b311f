import { Agent as HttpAgent, type IncomingMessage, type RequestOptions, request as requestHttp } from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import {
  type FetchFunction,
  LogLevel,
  type Logger as SlackLogger,
  type WebAPICallResult,
  WebClient,
  type WebClientOptions,
} from '@slack/web-api';
import type { Logger } from 'pino';
import type { Mask } from '../../core/values/secrets.ts';
import { maskContent } from '../ui/masking.ts';
import { isContentError, isTokenError } from './errors.ts';
import { answerToResponseUrl, ResponseUrlRefusal } from './response-url.ts';

// Creates Slack's Web API clients: for calls that people wait for, and for all others.

/** A `trigger_id` expires after three seconds. https://docs.slack.dev/interactivity/handling-user-interaction#modal_responses */
const INTERACTIVE_TIMEOUT_MS = 2_500;
/** Shorter than the lease on a post. */
const BACKGROUND_TIMEOUT_MS = 10_000;

/**
 * Two clients, so that a rate-limited post doesn't delay a modal that a person is waiting for. Neither retries: the execution's record
 * says what is due, and a repeated `chat.postMessage` would post twice.
 */
export interface SlackClients {
  interactive: WebClient;
  background: WebClient;
  /** The interactive client for texts that one person may see without masks. */
  unmasked: WebClient;
  /** The options of the interactive client, for the client that Bolt makes for its listeners. */
  interactiveOptions: WebClientOptions;
}

interface FetchOptions {
  apiUrl: string;
  timeoutMs: number;
  mask?: Mask;
  observe?: ObserveSlackCall;
  /** Called when Slack answers a call that the token doesn't work, except for `auth.test`, which asks just that. */
  onTokenError?: () => void;
}

interface ClientOptions extends Omit<FetchOptions, 'timeoutMs'> {
  token: string;
  logger: SlackLogger;
}

export function createSlackClients({ token, logger, ...fetchOptions }: ClientOptions): SlackClients {
  const { apiUrl, mask = 'known' } = fetchOptions;
  const options = (timeoutMs: number): WebClientOptions => ({
    slackApiUrl: apiUrl,
    fetch: createSlackFetch({ ...fetchOptions, timeoutMs }),
    logger,
    retryConfig: { retries: 0 },
    rejectRateLimitedCalls: true,
    allowAbsoluteUrls: false,
  });
  const interactiveOptions = options(INTERACTIVE_TIMEOUT_MS);
  return {
    interactive: new ShowingClient(token, interactiveOptions, mask),
    background: new ShowingClient(token, options(BACKGROUND_TIMEOUT_MS), mask),
    unmasked: new ShowingClient(token, interactiveOptions, 'off'),
    interactiveOptions,
  };
}

/** A client that masks the texts that it sends. */
class ShowingClient extends WebClient {
  readonly #mask: Mask;

  constructor(token: string, options: WebClientOptions, mask: Mask) {
    super(token, options);
    this.#mask = mask;
  }

  override apiCall(method: string, options: Record<string, unknown> = {}): Promise<WebAPICallResult> {
    return super.apiCall(method, maskContent(options, this.#mask));
  }
}

export interface ObservedSlackCall {
  method: string;
  outcome: 'ok' | 'rate-limited' | 'content-refused' | 'refused' | 'server-error' | 'no-answer';
  durationMs: number;
}

type ObserveSlackCall = (call: ObservedSlackCall) => void;

type Outcome = ObservedSlackCall['outcome'];
type FetchInit = NonNullable<Parameters<FetchFunction>[1]>;
type FetchResponse = Awaited<ReturnType<FetchFunction>>;

/** Node.js' own fetch keeps an idle connection as long: https://undici.nodejs.org/#/docs/api/Client */
const KEEP_ALIVE = { keepAlive: true, timeout: 4_000 };
const AGENTS = { http: new HttpAgent(KEEP_ALIVE), https: new HttpsAgent(KEEP_ALIVE) };

class TimeoutError extends Error {
  override name = 'TimeoutError';
}

/**
 * Creates the fetch of Slack's client and of Bolt's `respond`. It follows no redirects. It rejects with the error of Node.js, whose `code`
 * tells whether anything was sent, or with a ResponseUrlRefusal. It limits the time itself: the client would make an abort signal for each
 * call.
 */
export function createSlackFetch(options: FetchOptions): FetchFunction {
  const { apiUrl, timeoutMs, mask = 'known', observe = () => {}, onTokenError = () => {} } = options;
  return async (address, init = {}) => {
    const url = String(address);
    const { body } = init;
    // Only uploads have another body, and they are rare.
    if (typeof body !== 'string') return fetch(url, { ...init, signal: AbortSignal.timeout(timeoutMs) });
    const begin = performance.now();
    const isMethod = url.startsWith(apiUrl);
    const method = isMethod ? url.slice(apiUrl.length) : 'response_url';
    const report = (outcome: Outcome, error?: string) => {
      observe({ method, outcome, durationMs: performance.now() - begin });
      if (error !== undefined && isTokenError(error) && method !== 'auth.test') onTokenError();
    };
    try {
      const answer = await (isMethod
        ? callMethod(url, init, { body, timeoutMs })
        : answerToResponseUrl(url, JSON.stringify(maskContent(JSON.parse(body), mask)), timeoutMs));
      const [outcome, error] = isMethod ? methodOutcome(answer.status, await answer.text()) : (['ok'] as const);
      report(outcome, error);
      return answer;
    } catch (error) {
      report(error instanceof ResponseUrlRefusal ? refusalOutcome(error) : 'no-answer');
      throw error;
    }
  };
}

/** Takes half the processor time of Node.js' own fetch, which uses web streams. */
function callMethod(
  url: string,
  { method = 'GET', headers = {} }: FetchInit,
  { body, timeoutMs }: { body: string; timeoutMs: number },
) {
  const target = new URL(url);
  const isEncrypted = target.protocol === 'https:';
  const options: RequestOptions = {
    method,
    headers: { ...headers, 'content-length': Buffer.byteLength(body) },
    agent: isEncrypted ? AGENTS.https : AGENTS.http,
  };
  return new Promise<FetchResponse>((resolve, reject) => {
    const request = (isEncrypted ? requestHttps : requestHttp)(target, options, (answer) => {
      readText(answer).then((text) => resolve(responseOf(answer, url, text)), reject);
    });
    const limit = setTimeout(() => request.destroy(new TimeoutError('timed out')), timeoutMs);
    request.on('error', reject).on('close', () => clearTimeout(limit));
    request.end(body);
  });
}

function readText(answer: IncomingMessage): Promise<string> {
  const { statusCode = 0 } = answer;
  return new Promise((resolve, reject) => {
    if (statusCode >= 300 && statusCode < 400) reject(new TypeError(`A redirect (${statusCode}) is not followed.`));
    const chunks: Buffer[] = [];
    answer.on('data', (chunk: Buffer) => chunks.push(chunk));
    answer.on('end', () => resolve(Buffer.concat(chunks).toString('utf8')));
    // Node.js emits this also if the connection breaks in the middle.
    answer.on('error', reject);
  });
}

function responseOf({ statusCode = 0, statusMessage = '', headers }: IncomingMessage, url: string, text: string) {
  const entries = Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)]);
  const response: FetchResponse = {
    ok: statusCode >= 200 && statusCode < 300,
    status: statusCode,
    statusText: statusMessage,
    url,
    headers: {
      get: (name) => entries.find(([each]) => each === name.toLowerCase())?.[1] ?? null,
      entries: () => entries,
    },
    text: async () => text,
    json: async () => JSON.parse(text),
    arrayBuffer: async () => new TextEncoder().encode(text).buffer,
  };
  return response;
}

function methodOutcome(status: number, text: string): [Outcome, error?: string] {
  if (status === 429) return ['rate-limited'];
  if (status !== 200) return ['server-error'];
  // Slack begins almost all answers so, and some of them are long.
  if (text.startsWith('{"ok":true')) return ['ok'];
  try {
    const { ok, error = '', response_metadata: metadata } = JSON.parse(text);
    if (ok === true) return ['ok'];
    const isContent = isContentError(String(error), metadata?.messages ?? []);
    return [isContent ? 'content-refused' : 'refused', String(error)];
  } catch {
    return ['refused'];
  }
}

function refusalOutcome({ status }: ResponseUrlRefusal): Outcome {
  if (status === 429) return 'rate-limited';
  return status >= 500 ? 'server-error' : 'refused';
}

/**
 * Adapts our log to Bolt's `logger`. Our own lines begin with an object of facts. Of Slack's packages it takes warnings and errors only: at
 * debug level they print payloads with outputs and tokens.
 */
export function slackLogger(log: Logger): SlackLogger {
  const pass =
    (level: 'debug' | 'info' | 'warn' | 'error') =>
    (first: unknown, ...more: unknown[]) => {
      if (isFacts(first)) log[level](first, textOf(more));
      else if (level === 'warn' || level === 'error') log[level]({ from: 'slack' }, textOf([first, ...more]));
    };
  return {
    debug: pass('debug'),
    info: pass('info'),
    warn: pass('warn'),
    error: pass('error'),
    setLevel() {},
    getLevel: () => LogLevel.WARN,
    setName() {},
  };
}

function isFacts(part: unknown): part is object {
  return typeof part === 'object' && part !== null && !(part instanceof Error);
}

function textOf(parts: unknown[]): string {
  return parts
    .filter((part) => typeof part === 'string')
    .join(' ')
    .slice(0, 500);
}
