import { Agent as HttpAgent, type IncomingMessage, type RequestOptions, request as requestHttp } from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import type { FetchFunction } from '@slack/web-api';

type FetchResponse = Awaited<ReturnType<FetchFunction>>;

/** As long as Node.js' own fetch keeps an idle connection: https://undici.nodejs.org/#/docs/api/Client */
const KEEP_ALIVE = { keepAlive: true, timeout: 4_000 };
const AGENTS = { http: new HttpAgent(KEEP_ALIVE), https: new HttpsAgent(KEEP_ALIVE) };

/**
 * What Slack's client needs of fetch, at half the processor time of Node.js' own, which goes through streams of the web.
 * Follows no redirects. Rejects with the error of Node.js, whose `code` tells whether anything was sent.
 */
export const slackFetch: FetchFunction = (url, init = {}) => {
  const { method = 'GET', headers = {}, body = '', signal } = init;
  // Only uploads have one, which are rare.
  if (typeof body !== 'string') return fetch(url, { ...init, signal: signal ?? null });
  const target = new URL(url);
  const isEncrypted = target.protocol === 'https:';
  const options: RequestOptions = {
    method,
    headers: { ...headers, 'content-length': Buffer.byteLength(body) },
    agent: isEncrypted ? AGENTS.https : AGENTS.http,
    ...(signal && { signal }),
  };
  return new Promise((resolve, reject) => {
    const request = (isEncrypted ? requestHttps : requestHttp)(target, options, (answer) => {
      readText(answer).then((text) => resolve(responseOf(answer, target, text)), reject);
    });
    request.on('error', reject);
    request.end(body);
  });
};

function readText(answer: IncomingMessage): Promise<string> {
  const { statusCode = 0 } = answer;
  return new Promise((resolve, reject) => {
    if (statusCode >= 300 && statusCode < 400) reject(new TypeError(`A redirect (${statusCode}) is not followed.`));
    const chunks: Buffer[] = [];
    answer.on('data', (chunk: Buffer) => chunks.push(chunk));
    answer.on('end', () => resolve(Buffer.concat(chunks).toString('utf8')));
    // Also where the connection breaks in the middle.
    answer.on('error', reject);
  });
}

function responseOf({ statusCode = 0, statusMessage = '', headers }: IncomingMessage, url: URL, text: string) {
  const entries = Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)]);
  const response: FetchResponse = {
    ok: statusCode >= 200 && statusCode < 300,
    status: statusCode,
    statusText: statusMessage,
    url: url.href,
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
