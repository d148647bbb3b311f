import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { connect, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import type { WebhookAnswer, WebhookReceiver } from '../../src/crew/webhooks/context.ts';
import type { WebhookRoute } from '../../src/crew/webhooks/routes.ts';
import { createHttpServer, type HttpServer, type HttpServerOptions } from '../../src/http/server.ts';
import { readableLog, silent } from '../crew/crew-values.ts';

const open: HttpServer[] = [];

afterEach(async () => {
  for (const server of open.splice(0)) await server.close(0);
});

const ACCEPTED: WebhookAnswer = { status: 200, body: { status: 'accepted' } };

/** A server with one webhook, at `/webhooks/hook`, which takes `Bearer right`. */
async function startServer(
  { proof = 'credentials', ...override }: Partial<HttpServerOptions> & Partial<Pick<WebhookRoute, 'proof'>> = {},
  receive: WebhookReceiver = async () => ACCEPTED,
) {
  const seen: string[][] = [];
  const find: HttpServerOptions['webhooks']['find'] = (path) => {
    seen.push([...path]);
    if (JSON.stringify(path) !== '["webhooks","hook"]') return null;
    return { proof, authenticate: (headerOf) => (headerOf('authorization') === 'Bearer right' ? receive : null) };
  };
  const http = createHttpServer({
    webhooks: { find },
    readiness: async () => ({ version: '1.2.3', parts: { redis: true } }),
    metrics: async () => 'signoff_up 1\n',
    log: silent,
    ...override,
  });
  open.push(http);
  const port = await http.listen(0, '127.0.0.1');
  return { http, port, seen, origin: `http://127.0.0.1:${port}` };
}

type SlackRoute = NonNullable<HttpServerOptions['slack']>;

/** Takes what says that it is signed. */
function slackRoute(receive: SlackRoute['receive'] = async () => TAKEN): SlackRoute {
  return { refuse: (headers) => (headers['x-slack-signature'] === undefined ? UNSIGNED : null), receive };
}

const TAKEN = { status: 200, contentType: 'text/plain', body: '' };
const UNSIGNED = { status: 401, contentType: 'text/plain', body: '' };
const SIGNED = { 'x-slack-signature': 'v0=1' };

/** Longer than the limit of a test: where this is waited for, the test fails. */
const NEVER_MS = 3_600_000;
const RIGHT = { authorization: 'Bearer right' };

/** Sends bytes as they are, and reads all that comes back until the connection closes. */
async function raw(port: number, text: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  socket.write(text);
  return textOf(socket);
}

async function textOf(socket: Socket): Promise<string> {
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  socket.on('error', () => {});
  await new Promise((resolve) => socket.once('close', resolve));
  return Buffer.concat(chunks).toString('latin1');
}

describe('health', () => {
  it('is alive whatever the state of its parts', async () => {
    const { origin } = await startServer({ readiness: () => Promise.reject(new Error('away')) });
    const answer = await fetch(`${origin}/healthz`);
    expect([answer.status, await answer.json()]).toEqual([200, { status: 'alive' }]);
  });

  it('is ready when all its parts work', async () => {
    const { origin } = await startServer({
      readiness: async () => ({ version: '1.2.3', parts: { redis: true, slack: true } }),
    });
    const answer = await fetch(`${origin}/readyz`);
    expect([answer.status, await answer.json()]).toEqual([
      200,
      { status: 'ready', version: '1.2.3', parts: { redis: true, slack: true } },
    ]);
  });

  it('names a part that does not work', async () => {
    const { origin } = await startServer({
      readiness: async () => ({ version: '1.2.3', parts: { redis: false, slack: true } }),
    });
    const answer = await fetch(`${origin}/readyz`);
    expect([answer.status, await answer.json()]).toMatchObject([503, { parts: { redis: false } }]);
  });

  it('gives the reason beside a part that does not work', async () => {
    const readiness = { version: '1.2.3', parts: { slack: false }, reasons: { slack: 'link_disabled' } };
    const { origin } = await startServer({ readiness: async () => readiness });
    const answer = await fetch(`${origin}/readyz`);
    expect([answer.status, await answer.json()]).toEqual([503, { status: 'not ready', ...readiness }]);
  });

  it('is not ready when the check fails or takes too long', async () => {
    const failing = await startServer({ readiness: () => Promise.reject(new Error('secret reason')) });
    const answer = await fetch(`${failing.origin}/readyz`);
    expect([answer.status, await answer.json()]).toEqual([503, { status: 'not ready' }]);
    const hanging = await startServer({ readiness: () => new Promise(() => {}), limits: { readinessMs: 20 } });
    expect((await fetch(`${hanging.origin}/readyz`)).status).toBe(503);
  });

  it('gives the metrics in the type that Prometheus expects', async () => {
    const { origin } = await startServer();
    const answer = await fetch(`${origin}/metrics`);
    expect(answer.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
    expect(await answer.text()).toBe('signoff_up 1\n');
  });

  it('answers HEAD without a body', async () => {
    const { origin } = await startServer();
    const answer = await fetch(`${origin}/healthz`, { method: 'HEAD' });
    expect([answer.status, await answer.text()]).toEqual([200, '']);
  });
});

describe('a webhook', () => {
  it('is taken over HTTP/1.1 from a client that asks for HTTP/2 (RFC 9110, 7.8)', async () => {
    const got: string[] = [];
    const { port } = await startServer({}, async (body) => {
      got.push(body.toString());
      return ACCEPTED;
    });
    const head = 'POST /webhooks/hook HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer right\r\nContent-Length: 2\r\n';
    const upgrade = 'Upgrade: h2c\r\nHTTP2-Settings: AAEAAEAA\r\nConnection: Upgrade, HTTP2-Settings, close\r\n\r\n';
    expect(await raw(port, `${head}${upgrade}{}`)).toMatch(/^HTTP\/1\.1 200 /);
    expect(got).toEqual(['{}']);
  });

  it('gets the body as it arrived, and decides the answer', async () => {
    const got: string[] = [];
    const { origin } = await startServer({}, async (body) => {
      got.push(body.toString());
      return { status: 404, body: { status: 'unknown' } };
    });
    const answer = await fetch(`${origin}/webhooks/hook?x=1`, { method: 'POST', headers: RIGHT, body: '{"a":"ü"}' });
    expect([answer.status, await answer.json()]).toEqual([404, { status: 'unknown' }]);
    expect(got).toEqual(['{"a":"ü"}']);
  });

  it('says when to try again while nothing can be stored', async () => {
    const { origin } = await startServer({}, async () => ({
      status: 503,
      retryAfterS: 5,
      body: { status: 'unavailable' },
    }));
    const answer = await fetch(`${origin}/webhooks/hook`, { method: 'POST', headers: RIGHT });
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '5']);
  });

  it('refuses wrong credentials before the body arrives', async () => {
    const { port } = await startServer();
    const socket = connect(port, '127.0.0.1');
    socket.write('POST /webhooks/hook HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n');
    const [first] = await once(socket, 'data');
    expect(String(first)).toMatch(/^HTTP\/1\.1 401 /);
    expect(String(first)).toContain('www-authenticate: Bearer');
    socket.destroy();
  });

  it('accepts 20 MiB and not a byte more', async () => {
    const sizes: number[] = [];
    const { origin } = await startServer({}, async (body) => {
      sizes.push(body.length);
      return ACCEPTED;
    });
    const post = (body: Buffer) => fetch(`${origin}/webhooks/hook`, { method: 'POST', headers: RIGHT, body });
    expect((await post(Buffer.alloc(20 * 1_048_576))).status).toBe(200);
    expect((await post(Buffer.alloc(20 * 1_048_576 + 1))).status).toBe(413);
    expect(sizes).toEqual([20 * 1_048_576]);
  });

  it('stops reading a body of unknown length that is too large', async () => {
    const { port } = await startServer({ limits: { webhookBytes: 1_000 } });
    const answer = await chunked(port, 500);
    expect(answer).toBe(413);
    expect(await chunked(port, 1)).toBe(200);
  });

  async function chunked(port: number, chunks: number): Promise<number | undefined> {
    const request = httpRequest({ port, host: '127.0.0.1', method: 'POST', path: '/webhooks/hook', headers: RIGHT });
    for (let i = 0; i < chunks; i++) request.write(Buffer.alloc(1_000));
    request.end();
    const [response] = await once(request, 'response');
    response.resume();
    return response.statusCode;
  }

  it('is told to try again while other bodies fill the memory budget', async () => {
    const started = signal();
    const finish = signal();
    const { origin } = await startServer({ limits: { webhookHeldBytes: 1_500 } }, async () => {
      started.give();
      await finish.given;
      return ACCEPTED;
    });
    const post = () => fetch(`${origin}/webhooks/hook`, { method: 'POST', headers: RIGHT, body: Buffer.alloc(1_000) });
    const first = post();
    await started.given;
    const second = await post();
    expect([second.status, second.headers.get('retry-after')]).toEqual([503, '5']);
    finish.give();
    expect((await first).status).toBe(200);
    expect((await post()).status).toBe(200);
  });

  it('cuts off a client that keeps sending long after the refusal', async () => {
    const { port } = await startServer();
    const socket = connect(port, '127.0.0.1');
    const answer = textOf(socket);
    socket.write(`POST /webhooks/hook HTTP/1.1\r\nHost: x\r\nContent-Length: ${2 ** 40}\r\n\r\n`);
    const chunk = Buffer.alloc(1_048_576);
    const pump = () => {
      while (!socket.destroyed && socket.write(chunk));
    };
    socket.on('drain', pump);
    pump();
    expect(await answer).toMatch(/^HTTP\/1\.1 401 /);
    expect(socket.bytesWritten).toBeLessThan(64 * 1_048_576);
  });

  it('says no more than that something went wrong, and logs it once', async () => {
    const { log, text } = readableLog();
    const { origin } = await startServer({ log }, () => Promise.reject(new Error('the secret is hunter2')));
    const answer = await fetch(`${origin}/webhooks/hook`, { method: 'POST', headers: RIGHT });
    const body = await answer.text();
    expect([answer.status, JSON.parse(body).status]).toEqual([500, 'refused']);
    expect(body).not.toMatch(/hunter2|at .*:\d+/);
    expect(text().trim().split('\n')).toHaveLength(1);
  });
});

describe('a webhook whose sender signs the body', () => {
  const signed = { proof: 'signature' } as const;

  it('has no body read without a signature in its headers', async () => {
    const { port } = await startServer(signed);
    const socket = connect(port, '127.0.0.1');
    socket.write('POST /webhooks/hook HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n');
    expect(String((await once(socket, 'data'))[0])).toMatch(/^HTTP\/1\.1 401 /);
    socket.destroy();
  });

  it('is refused in the same way if the body proves to be another’s', async () => {
    const { origin } = await startServer(signed, async () => null);
    const post = (headers: Record<string, string>) => fetch(`${origin}/webhooks/hook`, { method: 'POST', headers });
    const [unsigned, forged] = [await post({}), await post(RIGHT)];
    expect([forged.status, await forged.text()]).toEqual([401, await unsigned.text()]);
    expect(forged.headers.get('www-authenticate')).toBe(unsigned.headers.get('www-authenticate'));
  });

  it('has memory of its own, so that made-up signatures keep out neither Slack nor other webhooks', async () => {
    const { port, origin } = await startServer({
      ...signed,
      slack: slackRoute(),
      limits: { signedHeldBytes: 1_500, signedBodyMs: NEVER_MS },
    });
    const slow = connect(port, '127.0.0.1');
    const answer = textOf(slow);
    slow.write(
      'POST /webhooks/hook HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer right\r\nContent-Length: 1400\r\n\r\n',
    );
    slow.write(Buffer.alloc(1_300));
    expect(
      (await fetch(`${origin}/slack/events`, { method: 'POST', headers: SIGNED, body: Buffer.alloc(5_000) })).status,
    ).toBe(200);
    const next = await fetch(`${origin}/webhooks/hook`, { method: 'POST', headers: RIGHT, body: Buffer.alloc(1_000) });
    expect(next.status).toBe(200);
    expect(await answer).toMatch(/^HTTP\/1\.1 503 /);
  });

  it('has half a minute for its body at most, and 20 MiB', async () => {
    const { origin, port } = await startServer({ ...signed, limits: { signedBodyMs: 50 } });
    const slow = connect(port, '127.0.0.1');
    slow.write('POST /webhooks/hook HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer right\r\nContent-Length: 10\r\n\r\n');
    expect(await textOf(slow)).toMatch(/^HTTP\/1\.1 408 /);
    const post = (size: number) =>
      fetch(`${origin}/webhooks/hook`, { method: 'POST', headers: RIGHT, body: Buffer.alloc(size) });
    expect((await post(20 * 1_048_576 + 1)).status).toBe(413);
  });
});

describe('the Slack route', () => {
  it('passes on the body as it arrived', async () => {
    const got: unknown[] = [];
    const { origin } = await startServer({
      slack: slackRoute(async ({ headers, body }) => {
        got.push([headers['x-slack-signature'], body.toString()]);
        return { status: 200, contentType: 'text/plain', body: 'hi' };
      }),
    });
    const answer = await fetch(`${origin}/slack/events`, { method: 'POST', headers: SIGNED, body: 'payload=%7B%7D' });
    expect([answer.status, answer.headers.get('content-type'), await answer.text()]).toEqual([200, 'text/plain', 'hi']);
    expect(got).toEqual([['v0=1', 'payload=%7B%7D']]);
  });

  it('accepts 1 MiB', async () => {
    const { origin } = await startServer({ slack: slackRoute() });
    const post = (size: number) =>
      fetch(`${origin}/slack/events`, { method: 'POST', headers: SIGNED, body: Buffer.alloc(size) });
    expect((await post(1_048_576)).status).toBe(200);
    expect((await post(1_048_577)).status).toBe(413);
  });

  it('does not exist in Socket Mode', async () => {
    const { origin } = await startServer();
    expect((await fetch(`${origin}/slack/events`, { method: 'POST' })).status).toBe(404);
  });
});

describe('anything else', () => {
  it.each([
    ...['/', '//', '///healthz', '/healthz/', '/HEALTHZ', '/./healthz', '/x/../healthz', '/%68ealthz'],
    ...['/healthz%00', '/webhooks', '/webhooks/', '/webhooks//hook', '/webhooks%2Fhook', '/%', '/%zz', '*'],
    ...['/slack%0Aevents', '/webhooks/../healthz', 'http://x/healthz', '/\\healthz', '/healthz;a=1'],
  ])('is a 404 at %s', async (path) => {
    const { port } = await startServer();
    const answer = await raw(port, `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
    expect(answer).toMatch(/^HTTP\/1\.1 404 /);
  });

  it.each([
    ['POST', '/healthz', 'GET, HEAD'],
    ['DELETE', '/metrics', 'GET, HEAD'],
    ['GET', '/webhooks/hook', 'POST'],
    ['PUT', '/slack/events', 'POST'],
  ])('is a 405 that names the allowed methods, for %s %s', async (method, path, allow) => {
    const { origin } = await startServer({ slack: slackRoute() });
    const answer = await fetch(`${origin}${path}`, { method });
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, allow]);
  });

  it('gives webhooks the decoded segments of the path, whatever they hold', async () => {
    const { origin, seen } = await startServer();
    await fetch(`${origin}/webhooks/crews/a%2Fb%20%C3%BC/human-input`);
    expect(seen).toEqual([['webhooks', 'crews', 'a/b ü', 'human-input']]);
  });
});

it('names neither itself nor its software', async () => {
  const { origin } = await startServer();
  const answer = await fetch(`${origin}/nothing`);
  const names = [...answer.headers.keys()].sort();
  expect(names).toEqual([
    'cache-control',
    'connection',
    'content-length',
    'content-type',
    'date',
    'keep-alive',
    'x-content-type-options',
  ]);
});

describe('time limits', () => {
  it('end headers that never finish', async () => {
    const { port } = await startServer({ limits: { headersMs: 50 } });
    expect(await raw(port, 'GET /healthz HTTP/1.1\r\nHost: x\r\nX-Slow: ')).toMatch(/^HTTP\/1\.1 408 /);
  });

  it('end bodies that never finish', async () => {
    const { port } = await startServer({ limits: { headersMs: 50, requestMs: 60 } });
    const head = 'POST /webhooks/hook HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer right\r\nContent-Length: 10\r\n\r\n';
    expect(await raw(port, `${head}{`)).toMatch(/^HTTP\/1\.1 408 /);
  });
});

it('refuses a flood of headers', async () => {
  const { port } = await startServer();
  const flood = Array.from({ length: 5_000 }, (_, i) => `X-${i}: y\r\n`).join('');
  expect(await raw(port, `GET /healthz HTTP/1.1\r\nHost: x\r\n${flood}\r\n`)).toMatch(/^HTTP\/1\.1 431 /);
});

it('ends the connection that has waited for the longest once there are more than allowed', async () => {
  const started = signal();
  const finish = signal();
  const { port, origin } = await startServer({ limits: { connections: 2 } }, async () => {
    started.give();
    await finish.given;
    return ACCEPTED;
  });
  const inProgress = fetch(`${origin}/webhooks/hook`, { method: 'POST', headers: RIGHT });
  await started.given;
  const idle = connect(port, '127.0.0.1');
  const ended = textOf(idle);
  await once(idle, 'connect');
  expect((await fetch(`${origin}/healthz`)).status).toBe(200);
  expect(await ended).toBe('');
  finish.give();
  expect((await inProgress).status).toBe(200);
});

it('accepts no more connections than allowed where all are in use', async () => {
  const started = signal();
  const finish = signal();
  const { origin } = await startServer({ limits: { connections: 1 } }, async () => {
    started.give();
    await finish.given;
    return ACCEPTED;
  });
  const inProgress = fetch(`${origin}/webhooks/hook`, { method: 'POST', headers: RIGHT });
  await started.given;
  await expect(fetch(`${origin}/healthz`)).rejects.toThrow();
  finish.give();
  expect((await inProgress).status).toBe(200);
});

it('rejects when the port is taken', async () => {
  const { port } = await startServer();
  const second = createHttpServer({
    webhooks: { find: () => null },
    readiness: async () => ({ version: '1.2.3', parts: {} }),
    metrics: async () => '',
    log: silent,
  });
  await expect(second.listen(port, '127.0.0.1')).rejects.toThrow('EADDRINUSE');
});

/** A promise that another part of the test resolves. */
function signal(): { given: Promise<void>; give: () => void } {
  let give = () => {};
  const given = new Promise<void>((resolve) => {
    give = resolve;
  });
  return { given, give };
}

describe('closing', () => {
  it('finishes what is in progress and accepts nothing new', async () => {
    const started = signal();
    const finish = signal();
    const { http, origin } = await startServer({}, async () => {
      started.give();
      await finish.given;
      return ACCEPTED;
    });
    const inProgress = fetch(`${origin}/webhooks/hook`, { method: 'POST', headers: RIGHT });
    await started.given;
    const closed = http.close(NEVER_MS);
    await expect(fetch(`${origin}/healthz`)).rejects.toThrow();
    finish.give();
    expect((await inProgress).status).toBe(200);
    await closed;
  });

  it('answers a request that is on its way over an idle connection, and says that the connection ends', async () => {
    const { http, port } = await startServer();
    const socket = connect(port, '127.0.0.1');
    const ask = () => socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n');
    ask();
    await once(socket, 'data');
    ask();
    const closed = http.close(NEVER_MS);
    expect(await textOf(socket)).toMatch(/^HTTP\/1.1 200 OK\r\nconnection: close\r\n/i);
    await closed;
  });

  it('does not wait for idle connections', async () => {
    const { http, origin } = await startServer();
    await (await fetch(`${origin}/healthz`)).text();
    await http.close(NEVER_MS);
  });

  it('cuts off what is not finished in time', async () => {
    const started = signal();
    const { http, origin } = await startServer({}, () => {
      started.give();
      return new Promise(() => {});
    });
    const inProgress = fetch(`${origin}/webhooks/hook`, { method: 'POST', headers: RIGHT });
    const ended = expect(inProgress).rejects.toThrow();
    await started.given;
    await http.close(30);
    await ended;
  });
});
