// Deliveries over HTTP: where each goes, how it is signed, and how a request URL is verified.

import { createHmac, randomUUID } from 'node:crypto';
import { connect } from 'node:net';
import { parseJson, stringAt } from '../json.ts';
import type { AppSettings } from '../runtime/installed-app.ts';
import { nowSeconds, type Workspace } from '../runtime/workspace.ts';
import { ACK_LIMIT_MS, ackLimitOf, type Delivered, type Outgoing, type Transport } from './transport.ts';

type HttpTransportOptions = {
  /** Returns the address for a delivery of this kind. */
  requestUrl: (outgoing: Outgoing) => string | undefined;
  signingSecret: string;
  /** Everywhere that anything goes. */
  requestUrls: () => string[];
  now: () => number;
  ackLimitMs?: number | undefined;
  /** Breaks off deliveries. */
  ended: AbortSignal;
};

/** Delivers with signed POST requests to the app's request URL. */
export function createHttpTransport(options: HttpTransportOptions): Transport {
  // Unknown before the first delivery: don't warn yet.
  let lastReached = true;
  return {
    async deliver(outgoing) {
      const delivered = await post(outgoing, options);
      lastReached = delivered.ok || delivered.reason === 'http_error' || delivered.reason === 'timeout';
      return delivered;
    },
    reachable: () => options.requestUrls().length > 0 && lastReached,
    async probe() {
      const urls = options.requestUrls();
      return urls.length > 0 && (await Promise.all(urls.map(listens))).every((isThere) => isThere);
    },
  };
}

/** Resolves to true if something takes connections there. A request might be something to the app. */
function listens(url: string): Promise<boolean> {
  const { hostname, port, protocol } = new URL(url);
  const host = hostname.replace(/^\[|\]$/g, '');
  const socket = connect({ host, port: Number(port) || (protocol === 'https:' ? 443 : 80), timeout: ACK_LIMIT_MS });
  return new Promise<boolean>((resolve) => {
    socket.once('connect', () => resolve(true));
    for (const event of ['error', 'timeout']) socket.once(event, () => resolve(false));
  }).finally(() => socket.destroy());
}

async function post(outgoing: Outgoing, options: HttpTransportOptions): Promise<Delivered> {
  const url = options.requestUrl(outgoing);
  if (url === undefined) return { ok: false, reason: 'unreachable' };
  const body = encoded(outgoing);
  const limit = new AbortController();
  const end = () => limit.abort();
  // Not AbortSignal.any with AbortSignal.timeout, which Node.js 20 may forget: https://github.com/nodejs/node/issues/57736
  const timer = setTimeout(
    () => limit.abort(new DOMException('', 'TimeoutError')),
    options.ackLimitMs ?? ackLimitOf(outgoing),
  );
  options.ended.addEventListener('abort', end, { once: true });
  try {
    const response = await fetch(url, {
      method: 'POST',
      body,
      headers: headersOf(outgoing, body, options),
      redirect: 'manual',
      signal: limit.signal,
    });
    const text = await response.text();
    if (accepted(outgoing, response.status)) return { ok: true, body: text };
    const noRetry = response.headers.get('x-slack-no-retry') === '1';
    return { ok: false, reason: 'http_error', status: response.status, noRetry };
  } catch (cause) {
    const timedOut = cause instanceof DOMException && cause.name === 'TimeoutError';
    return { ok: false, reason: timedOut ? 'timeout' : 'unreachable' };
  } finally {
    clearTimeout(timer);
    options.ended.removeEventListener('abort', end);
  }
}

/** Slack accepts any 2xx for events, and only 200 for everything else. */
function accepted(outgoing: Outgoing, status: number): boolean {
  return outgoing.kind === 'events_api' ? status >= 200 && status < 300 : status === 200;
}

function encoded(outgoing: Outgoing): string {
  switch (outgoing.kind) {
    case 'slash_commands':
      return new URLSearchParams(
        Object.entries(outgoing.payload).map(([key, value]): [string, string] => [key, String(value)]),
      ).toString();
    case 'interactive':
      return new URLSearchParams({ payload: JSON.stringify(outgoing.payload) }).toString();
    case 'events_api':
      return JSON.stringify(outgoing.payload);
  }
}

/** https://docs.slack.dev/authentication/verifying-requests-from-slack */
function headersOf(outgoing: Outgoing, body: string, options: HttpTransportOptions): Record<string, string> {
  const stamp = String(Math.floor(options.now() / 1000));
  const signature = createHmac('sha256', options.signingSecret).update(`v0:${stamp}:${body}`).digest('hex');
  return {
    'content-type': outgoing.kind === 'events_api' ? 'application/json' : 'application/x-www-form-urlencoded',
    'user-agent': 'Slackbot 1.0 (+https://api.slack.com/robots)',
    'x-slack-request-timestamp': stamp,
    'x-slack-signature': `v0=${signature}`,
    ...(outgoing.retry && {
      'x-slack-retry-num': String(outgoing.retry.attempt),
      'x-slack-retry-reason': outgoing.retry.reason,
    }),
  };
}

type Kind = Pick<Outgoing, 'kind' | 'name'>;

/** Returns the address of a delivery over HTTP: the one URL for everything, or the one of its kind; each command may have its own. */
export function requestUrlOf({ delivery, commands }: AppSettings, { kind, name }: Kind): string | undefined {
  if (delivery.mode === 'socket') return undefined;
  if (delivery.requestUrl !== undefined) return delivery.requestUrl;
  switch (kind) {
    case 'events_api':
      return delivery.urls?.events;
    case 'interactive':
      return delivery.urls?.interactivity;
    case 'slash_commands':
      return commands.find(({ command }) => command === name)?.url;
  }
}

/** Every URL that something is delivered to over HTTP. */
export function requestUrlsOf({ delivery, commands }: AppSettings): string[] {
  if (delivery.mode === 'socket') return [];
  const { requestUrl, urls = {} } = delivery;
  const all = requestUrl === undefined ? [...Object.values(urls), ...commands.map(({ url }) => url)] : [requestUrl];
  return [...new Set(all.filter((url) => url !== undefined))];
}

/**
 * Verifies the request URL as Slack does: sends a signed challenge that must be echoed as text, form or JSON.
 * https://docs.slack.dev/reference/events/url_verification
 */
export async function verifyRequestUrl(workspace: Workspace): Promise<boolean> {
  const { app } = workspace;
  const requestUrl = requestUrlOf(app, { kind: 'events_api', name: 'url_verification' });
  if (requestUrl === undefined) return false;
  const challenge = randomUUID();
  const body = JSON.stringify({ token: app.verificationToken, challenge, type: 'url_verification' });
  const stamp = String(nowSeconds(workspace));
  const signature = createHmac('sha256', app.signingSecret).update(`v0:${stamp}:${body}`).digest('hex');
  const at = workspace.now();
  const answer = await fetch(requestUrl, {
    method: 'POST',
    body,
    headers: {
      'content-type': 'application/json',
      'x-slack-request-timestamp': stamp,
      'x-slack-signature': `v0=${signature}`,
    },
    signal: AbortSignal.timeout(ACK_LIMIT_MS),
  }).then(
    async (response) => ({ status: response.status, text: await response.text() }),
    () => undefined,
  );
  const verified = answer?.status === 200 && echoes(answer.text, challenge);
  workspace.wire.add({
    at,
    direction: 'to-app',
    transport: 'http',
    name: 'url_verification',
    request: { challenge },
    tookMs: workspace.now() - at,
    outcome: verified ? 'ok' : answer ? 'error' : 'unreachable',
    broken: [],
    ...(answer && { status: answer.status, response: answer.text }),
  });
  return verified;
}

function echoes(text: string, challenge: string): boolean {
  const form = new URLSearchParams(text).get('challenge');
  return [text.trim(), form, stringAt(parseJson(text), 'challenge')].includes(challenge);
}
