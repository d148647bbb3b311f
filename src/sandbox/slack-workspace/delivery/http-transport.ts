import { createHmac } from 'node:crypto';
import type { Delivered, Outgoing, Transport } from './transport.ts';

type HttpTransportOptions = {
  /** Where a delivery of this kind goes. */
  requestUrl: (outgoing: Outgoing) => string | undefined;
  signingSecret: string;
  /** Whether anything goes anywhere. */
  hasRequestUrl: () => boolean;
  now: () => number;
  ackLimitMs: number;
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
    reachable: () => options.hasRequestUrl() && lastReached,
  };
}

async function post(outgoing: Outgoing, options: HttpTransportOptions): Promise<Delivered> {
  const url = options.requestUrl(outgoing);
  if (url === undefined) return { ok: false, reason: 'unreachable' };
  const body = encoded(outgoing);
  try {
    const response = await fetch(url, {
      method: 'POST',
      body,
      headers: headersOf(outgoing, body, options),
      redirect: 'manual',
      signal: AbortSignal.timeout(options.ackLimitMs),
    });
    const text = await response.text();
    if (accepted(outgoing, response.status)) return { ok: true, body: text };
    const noRetry = response.headers.get('x-slack-no-retry') === '1';
    return { ok: false, reason: 'http_error', status: response.status, noRetry };
  } catch (cause) {
    const timedOut = cause instanceof DOMException && cause.name === 'TimeoutError';
    return { ok: false, reason: timedOut ? 'timeout' : 'unreachable' };
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
