import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Bot } from '../../src/bot/bot.ts';
import { createCredentials } from '../../src/crew/credentials.ts';
import { createHttpServer, type HttpLimits, type HttpServer } from '../../src/http/server.ts';
import { headerOf, readableLog, silent } from '../crew/crew-values.ts';
import type { Fixture } from '../support/fixture.ts';
import { rawExchange, receivedBy, statusesIn } from '../support/raw-http.ts';
import { startWorld, TEST_SECRET, type World } from '../support/world.ts';

const credentials = createCredentials([TEST_SECRET]);
const { log, text: logged } = readableLog();

let world: World;
let bot: Bot;
let fixture: Fixture;
let ref: string;
/** The head of a request for human input that has the right credentials. */
let rightHead: string;

beforeAll(async () => {
  world = await startWorld({ fixtures: 1 });
  bot = await world.startBot({ log });
  fixture = await world.fixture();
  await fixture.start();
  await fixture.card();
  const [kickoff] = await fixture.requests('kickoff');
  ref = /executions\/([a-z2-7]{26})\//.exec(kickoff?.body ?? '')?.[1] ?? '';
  const authorization = headerOf(credentials.ofExecution({ ref, hop: 0 }, 'bearer'));
  rightHead = `POST /webhooks/executions/${ref}/human-input HTTP/1.1\r\nHost: x\r\nAuthorization: ${authorization}\r\n`;
});
afterAll(() => world.stop());

const servers: HttpServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close(0);
  const health = await fetch(`http://127.0.0.1:${bot.port}/healthz`);
  expect(health.status).toBe(200);
});

const TRACE = /\.[tj]s:\d|node_modules|Error:|at \w+ \(/;

describe('a path', () => {
  const token = () => credentials.pathToken({ ref, hop: 0 });
  const secret = () => credentials.humanInputToken({ ref, hop: 0 });
  const stream = () => credentials.ofStream({ ref, hop: 0 });
  const TRICKS: [string, () => string][] = [
    ['//', () => '//'],
    ['//webhooks', () => `//webhooks/executions/${ref}/human-input`],
    ['dots', () => `/webhooks/executions/${'a'.repeat(26)}/../${ref}/${token()}/step`],
    ['encoded dots', () => `/webhooks/executions/%2e%2e/executions/${ref}/${token()}/step`],
    ['an encoded slash', () => `/webhooks%2Fexecutions%2F${ref}%2F${token()}%2Fstep`],
    ['an encoded slash in the ref', () => `/webhooks/executions/x%2F${ref}/${token()}/step`],
    ['a NUL behind the ref', () => `/webhooks/executions/${ref}%00/${token()}/step`],
    ['a newline behind the token', () => `/webhooks/executions/${ref}/${token()}%0A/step`],
    [
      'a secret address for requests and a slash at the end',
      () => `/webhooks/executions/${ref}/${secret()}/human-input/`,
    ],
    ['the bearer of a stream in the path', () => `/webhooks/executions/${ref}/${stream()}/events`],
    ['a slash behind a stream', () => `/webhooks/executions/${ref}/events/`],
    ['more behind a stream', () => `/webhooks/executions/${ref}/events/task_completed`],
    ['the stream of a crew', () => '/webhooks/crews/crew-1/events'],
    ['more behind a secret address', () => `/webhooks/executions/${ref}/${secret()}/human-input/task`],
    ['an encoded slash before the token', () => `/webhooks/executions/${ref}%2F${secret()}/human-input`],
    ['a NUL behind the secret token', () => `/webhooks/executions/${ref}/${secret()}%00/human-input`],
    ['the secret in the query', () => `/webhooks/executions/${ref}/human-input?token=${secret()}`],
    ['a slash at the end', () => `/webhooks/executions/${ref}/${token()}/step/`],
    ['more behind it', () => `/webhooks/executions/${ref}/${token()}/step/step`],
    ['an event that is none', () => `/webhooks/executions/${ref}/${token()}/constructor`],
    ['a broken %-code', () => `/webhooks/executions/${ref}/${token()}/step%`],
    ['bytes that are no UTF-8', () => `/webhooks/executions/${ref}/${token()}/%ff%fe`],
    ['backslashes', () => `\\webhooks\\executions\\${ref}\\${token()}\\step`],
    ['other case', () => `/WEBHOOKS/executions/${ref}/${token()}/step`],
    ['a whole address', () => `http://evil.example/webhooks/executions/${ref}/${token()}/step`],
    ['prototypes', () => '/webhooks/__proto__/constructor/human-input'],
    ['thousands of segments', () => `/webhooks/executions${'/a'.repeat(4_000)}`],
  ];

  it.each(TRICKS)('with %s leads nowhere', async (_, path) => {
    const received = await rawExchange(
      bot.port,
      `POST ${path()} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 2\r\n\r\n{}`,
    );
    expect([400, 401, 404]).toContain(statusesIn(received)[0]);
    expect(received).not.toMatch(TRACE);
  });

  it('of twenty thousand characters is refused', async () => {
    const received = await rawExchange(bot.port, `GET /${'a'.repeat(20_000)} HTTP/1.1\r\nHost: x\r\n\r\n`);
    expect(statusesIn(received)).toEqual([431]);
  });
});

describe('a body with the right credentials', () => {
  const send = async (body: string) =>
    statusesIn(
      await rawExchange(
        bot.port,
        `${rightHead}Connection: close\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
        120_000,
      ),
    );

  it.each([
    ['arrays a million deep', `${'['.repeat(1_000_000)}${']'.repeat(1_000_000)}`],
    ['objects a hundred thousand deep', `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`],
    ['an output a thousand deep', `{"task_id":"T","task_output":${'['.repeat(1_000)}${']'.repeat(1_000)}}`],
    ['text that is no JSON', 'execution_id=E1'],
    ['half of a text', '{"task_id":"T'],
    ['nothing', ''],
    ['a number beyond all numbers', `{"task_output":${'9'.repeat(100_000)}x}`],
  ])('of %s is refused', async (_, body) => {
    expect(await send(body)).toEqual([400]);
  });

  it.each(['null', '[]', '"text"', '0', '{}', '[[]]', '{"task_id":null}', '{"data":{"data":{"data":{}}}}'])(
    'of %s is kept as it came',
    async (body) => {
      expect(await send(body)).toEqual([200]);
    },
  );

  it('with hundreds of thousands of keys is answered', async () => {
    const body = `{${Array.from({ length: 200_000 }, (_, i) => `"k${i}":${i}`).join(',')}}`;
    expect(await send(body)).toEqual([200]);
  });

  it('with prototype keys changes no prototype and shows its text', async () => {
    const body = `{"__proto__":{"task_id":"X","polluted":1},"constructor":{"prototype":{"polluted":1}},
      "execution_id":"__proto__","kickoff_id":"constructor","task_id":"__proto__","task_output":"hasOwnProperty"}`;
    expect(await send(body)).toEqual([200]);
    await fixture.card('hasOwnProperty');
    expect('polluted' in {}).toBe(false);
  });
});

describe('requests that two servers could read differently', () => {
  const SMUGGLED = `GET /readyz HTTP/1.1\r\nHost: x\r\n\r\n`;
  const SHAPES: [string, string][] = [
    ['two lengths', `Content-Length: 5\r\nContent-Length: 0\r\n\r\n${SMUGGLED}`],
    ['a list of lengths', `Content-Length: 0, 5\r\n\r\n${SMUGGLED}`],
    ['a length and chunks', `Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${SMUGGLED}`],
    ['chunks and a length', `Transfer-Encoding: chunked\r\nContent-Length: 4\r\n\r\n0\r\n\r\n${SMUGGLED}`],
    ['chunks twice', `Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n0\r\n\r\n${SMUGGLED}`],
    ['an unknown encoding', `Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n${SMUGGLED}`],
    ['a space before the colon', `Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n${SMUGGLED}`],
    ['a folded header', `Transfer-Encoding:\r\n chunked\r\nContent-Length: 4\r\n\r\n0\r\n\r\n${SMUGGLED}`],
    ['a negative length', `Content-Length: -1\r\n\r\n${SMUGGLED}`],
    ['a length with a sign', `Content-Length: +0\r\n\r\n${SMUGGLED}`],
    ['a hexadecimal length', `Content-Length: 0x0\r\n\r\n${SMUGGLED}`],
    ['a chunk with a sign', `Transfer-Encoding: chunked\r\n\r\n+0\r\n\r\n${SMUGGLED}`],
    ['a bare line feed', `X-A: b\nContent-Length: 0\r\n\r\n${SMUGGLED}`],
    ['a NUL in a header', `X-A: b\u0000c\r\n\r\n${SMUGGLED}`],
    ['a bare carriage return', `X-A: b\rContent-Length: 5\r\n\r\n${SMUGGLED}`],
  ];

  it.each(SHAPES)('(%s) are refused, and nothing behind them is answered', async (_, rest) => {
    const received = await rawExchange(bot.port, `${rightHead}${rest}`, 3_000);
    expect(statusesIn(received)).toEqual([400]);
    expect(received).not.toContain('"ready"');
  });

  it.each(['CONNECT x:1', 'GARBAGE /healthz', 'PRI *', 'get /healthz'])('(%s) are not answered', async (line) => {
    const received = await rawExchange(bot.port, `${line} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`, 3_000);
    expect(statusesIn(received).filter((status) => status < 400)).toEqual([]);
  });

  it('(an upgrade) get what they would have got without it', async () => {
    const upgrade = 'GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n';
    expect(statusesIn(await rawExchange(bot.port, upgrade, 500))).toEqual([200]);
  });
});

describe('A slow sender', () => {
  async function impatientServer(limits: Partial<HttpLimits>): Promise<number> {
    const server = createHttpServer({
      webhooks: { find: () => null },
      slack: {
        refuse: () => null,
        receive: async () => ({ status: 200, contentType: 'text/plain', body: '' }),
      },
      readiness: async () => ({ version: '1.2.3', parts: {} }),
      metrics: async () => '',
      log: silent,
      limits,
    });
    servers.push(server);
    return server.listen(0, '127.0.0.1');
  }

  /** A byte every now and then, for as long as the other side listens. */
  async function trickle(port: number, head: string): Promise<string> {
    const socket = connect(port, '127.0.0.1');
    await once(socket, 'connect');
    socket.write(head);
    const drip = setInterval(() => socket.write('x'), 10);
    const received = await receivedBy(socket, 15_000);
    clearInterval(drip);
    return received;
  }

  it('one byte of a header after the other is cut off', async () => {
    const port = await impatientServer({ headersMs: 100 });
    expect(statusesIn(await trickle(port, 'POST /slack/events HTTP/1.1\r\nHost: x\r\nX-Slow: '))).toEqual([408]);
  });

  it('one byte of a body after the other is cut off', async () => {
    const port = await impatientServer({ headersMs: 100, requestMs: 200 });
    const head = 'POST /slack/events HTTP/1.1\r\nHost: x\r\nContent-Length: 100000\r\n\r\n';
    expect(statusesIn(await trickle(port, head))).toEqual([408]);
  });

  it('delays no one else', async () => {
    const idle = Array.from({ length: 200 }, () => connect(bot.port, '127.0.0.1'));
    await Promise.all(idle.map((socket) => once(socket, 'connect')));
    for (const socket of idle) socket.write('POST /slack/events HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n{');
    expect((await fetch(`http://127.0.0.1:${bot.port}/readyz`)).status).toBe(200);
    for (const socket of idle) socket.destroy();
  });
});

describe('a flood', () => {
  it('of headers is refused', async () => {
    const flood = Array.from({ length: 3_000 }, (_, i) => `X-${i}: y\r\n`).join('');
    const received = await rawExchange(bot.port, `GET /healthz HTTP/1.1\r\nHost: x\r\n${flood}\r\n`);
    expect(statusesIn(received)).toEqual([431]);
  });

  it('of one header is refused', async () => {
    const received = await rawExchange(
      bot.port,
      `GET /healthz HTTP/1.1\r\nHost: x\r\nX: ${'y'.repeat(70_000)}\r\n\r\n`,
    );
    expect(statusesIn(received)).toEqual([431]);
  });

  it('of pipelined requests is answered in its order', async () => {
    const one = 'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n';
    const last = 'GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';
    const statuses = statusesIn(await rawExchange(bot.port, `${one.repeat(500)}${last}`, 15_000));
    expect(statuses).toEqual(Array.from({ length: 501 }, () => 200));
  });
});

it('none of it is logged as our error', () => {
  const levels = logged()
    .trim()
    .split('\n')
    .map((line) => z.object({ level: z.number(), msg: z.string() }).parse(JSON.parse(line)));
  expect(levels.filter(({ level }) => level >= 50)).toEqual([]);
});
