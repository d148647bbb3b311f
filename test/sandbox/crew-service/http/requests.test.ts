import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { scriptedCrew } from '../../../../src/sandbox/crew-service/sandbox-api/scripted-crew.ts';
import { type CrewService, startCrewService } from '../../../../src/sandbox/crew-service/service.ts';
import { rawExchange, receivedBy, statusesIn } from '../../../support/raw-http.ts';
import { sharedRedis } from '../../shared.ts';
import { crewCaller } from '../crew-caller.ts';
import { until } from '../until.ts';

const TOKENS = { organisation: 'org-token', users: [{ user: 'maria', token: 'maria-token' }] };
const AUTHORIZED = 'Authorization: Bearer org-token\r\n';
const JSON_TYPE = 'Content-Type: application/json\r\n';

const redis = sharedRedis();

describe.each(['spec', 'observed'] as const)('HTTP, in the dialect %s', (dialect) => {
  let service: CrewService;

  beforeAll(async () => {
    service = await startCrewService({
      crews: [scriptedCrew({ name: 'demo', inputs: [], tasks: [{ name: 'only', output: 'done' }] })],
      tokens: TOKENS,
      redisUrl: redis.socketPath,
      keyPrefix: `${dialect}:`,
      dialect,
      bodyLimitBytes: 100_000,
      sandboxApi: 'on',
    });
  });

  afterAll(() => service.close());

  const as = (token: string | undefined, crew = 'demo') => crewCaller(service.baseUrlOf(crew), token);
  const raw = (head: string, body: string | Buffer = '') =>
    rawExchange(service.port, Buffer.concat([Buffer.from(`${head}Connection: close\r\n\r\n`), Buffer.from(body)]));
  const runs = async () => (await service.sandbox.runs()).length;

  it('takes a target in absolute form, whatever host it names (RFC 9112, 3.2.2)', async () => {
    for (const origin of ['http://crews.example', 'HTTP://[::1]:80', 'https://x']) {
      const answer = await raw(`GET ${origin}/crews/demo/inputs?x=1 HTTP/1.1\r\nHost: another\r\n${AUTHORIZED}`);
      expect(answer).toMatch(/^HTTP\/1\.1 200 .*\{"inputs":\[\]\}$/s);
    }
    expect(statusesIn(await raw(`GET http://x HTTP/1.1\r\nHost: x\r\n${AUTHORIZED}`))).toEqual([404]);
  });

  it('answers a client that asks for HTTP/2 over HTTP/1.1 (RFC 9110, 7.8)', async () => {
    const upgrade = 'Upgrade: h2c\r\nHTTP2-Settings: AAEAAEAA\r\nConnection: Upgrade, HTTP2-Settings\r\n';
    expect(await raw(`GET /crews/demo/inputs HTTP/1.1\r\nHost: x\r\n${AUTHORIZED}${upgrade}`)).toMatch(
      /^HTTP\/1\.1 200 /,
    );
  });

  it('reads percent-encoded targets, and has nothing at those that are encoded wrongly (RFC 3986, 2.1)', async () => {
    const org = as(TOKENS.organisation);
    const { body } = await org.post('/kickoff', {});
    const encoded = `${body.kickoff_id}`.replaceAll('-', '%2D');
    expect((await crewCaller(service.origin, 'org-token').get(`/crews/d%65mo/executions/${encoded}`)).status).toBe(200);
    for (const path of ['/status/%', '/executions/%zz', '/status/%ff']) expect((await org.get(path)).status).toBe(404);
    expect((await crewCaller(service.origin, 'org-token').get('/_sandbox/gates/%zz')).status).toBe(404);
  });

  it.each([
    ['an invalid byte', [0x22, 0xff, 0x22]],
    ['a character that is cut', [0x22, 0xc3, 0x22]],
    ['half a surrogate pair', [0x22, 0xed, 0xa0, 0x80, 0x22]],
  ])('refuses a body with %s, which is no UTF-8 (RFC 8259, 8.1)', async (_what, bytes) => {
    const before = await runs();
    const body = Buffer.concat([Buffer.from('{"inputs":{"topic":'), Buffer.from(bytes), Buffer.from('}}')]);
    const head = `Host: x\r\n${AUTHORIZED}${JSON_TYPE}Content-Length: ${body.length}\r\n`;
    const answer = await raw(`POST /crews/demo/kickoff HTTP/1.1\r\n${head}`, body);
    expect(answer).toMatch(/^HTTP\/1\.1 400 .*The body is not UTF-8\./s);
    expect(statusesIn(await raw(`PUT /_sandbox/gates/x HTTP/1.1\r\n${head}`, body))).toEqual([400]);
    expect(await runs()).toBe(before);
  });

  it('refuses a compressed body with a sentence that says so (RFC 9110, 15.5.16)', async () => {
    const body = gzipSync('{"inputs":{}}');
    const head = `Host: x\r\n${AUTHORIZED}${JSON_TYPE}Content-Encoding: gzip\r\nContent-Length: ${body.length}\r\n`;
    const answer = await raw(`POST /crews/demo/kickoff HTTP/1.1\r\n${head}`, body);
    expect(answer).toMatch(/^HTTP\/1\.1 415 .*The body has a Content-Encoding; send it without one\./s);
  });

  it.each([
    ['Authorization', `${AUTHORIZED}Authorization: Bearer another\r\nHost: x\r\n`],
    ['Host', `${AUTHORIZED}Host: x\r\nHost: y\r\n`],
    ['Content-Type', `${AUTHORIZED}Host: x\r\n${JSON_TYPE}${JSON_TYPE}`],
    ['Content-Length', `${AUTHORIZED}Host: x\r\n${JSON_TYPE}Content-Length: 2\r\nContent-Length: 3\r\n`],
    ['no Host', AUTHORIZED],
  ])(
    'refuses a request with two of a header that may be given once, or without Host: %s (RFC 9110, 5.3)',
    async (_name, headers) => {
      const before = await runs();
      const length = headers.includes('Content-Length') ? '' : 'Content-Length: 2\r\n';
      const answer = await raw(`POST /crews/demo/kickoff HTTP/1.1\r\n${headers}${length}`, '{}');
      expect(statusesIn(answer)).toEqual([400]);
      expect(await runs()).toBe(before);
    },
  );

  it('answers HEAD like GET without the content, and names the methods that work (RFC 9110, 9.3.2 and 15.5.6)', async () => {
    const [head = '', content] = (await raw(`HEAD /crews/demo/inputs HTTP/1.1\r\nHost: x\r\n${AUTHORIZED}`)).split(
      '\r\n\r\n',
    );
    expect(head).toMatch(/^HTTP\/1\.1 200 .*content-type: application\/json\r\ncontent-length: 13\r\n/s);
    expect(content).toBe('');
    for (const [method, path, allow] of [
      ['POST', '/inputs', 'GET, HEAD'],
      ['DELETE', '/status/x', 'GET, HEAD'],
      ['PUT', '/resume', 'POST'],
    ] as const) {
      const answer = await as(TOKENS.organisation).send(method, path, {});
      expect([answer.status, answer.headers.allow]).toEqual([405, allow]);
    }
    for (const method of ['HEAD', 'OPTIONS', 'BREW'])
      expect(await raw(`${method} /crews/demo/kickoff HTTP/1.1\r\nHost: x\r\n${AUTHORIZED}`)).toMatch(
        method === 'BREW' ? /^HTTP\/1\.1 400 / : /^HTTP\/1\.1 405 .*allow: POST\r\n/s,
      );
  });

  describe('a body that is too large', () => {
    const headers = { authorization: 'Bearer org-token', 'content-type': 'application/json' };
    const MEGABYTE = Buffer.alloc(1_000_000, 'x');

    it('is answered with a 413 that fetch and undici read, though they send five megabytes (RFC 9110, 15.5.14)', async () => {
      const text = JSON.stringify({ inputs: { topic: 'x'.repeat(5_000_000) } });
      const parts = async function* () {
        for (let count = 0; count < 5; count++) yield MEGABYTE;
      };
      for (let count = 0; count < 5; count++) {
        const answer = await as(TOKENS.organisation).send('POST', '/kickoff', { body: text, headers });
        expect([answer.status, answer.text]).toEqual([413, expect.stringContaining('too large')]);
      }
      for (const body of [text, ReadableStream.from(parts())]) {
        const answer = await fetch(`${service.baseUrlOf('demo')}/kickoff`, {
          ...{ method: 'POST', headers, body, duplex: 'half' },
        });
        expect([answer.status, await answer.text()]).toEqual([413, expect.stringContaining('too large')]);
      }
    });

    it('is answered while the client still sends, which may finish and go on', async () => {
      const socket = connect(service.port, '127.0.0.1');
      const received = receivedBy(socket);
      socket.write(
        `POST /crews/demo/kickoff HTTP/1.1\r\nHost: x\r\n${AUTHORIZED}${JSON_TYPE}Content-Length: 2000000\r\n\r\n`,
      );
      socket.write(MEGABYTE);
      await until('the 413', () => socket.bytesRead > 0);
      socket.write(MEGABYTE);
      socket.write(`GET /crews/demo/inputs HTTP/1.1\r\nHost: x\r\n${AUTHORIZED}Connection: close\r\n\r\n`);
      expect(statusesIn(await received)).toEqual([413, 200]);
    });

    it('is cut where it never ends', async () => {
      const socket = connect(service.port, '127.0.0.1');
      const received = receivedBy(socket);
      socket.write(
        `POST /crews/demo/kickoff HTTP/1.1\r\nHost: x\r\n${AUTHORIZED}${JSON_TYPE}Transfer-Encoding: chunked\r\n\r\n`,
      );
      const chunk = Buffer.concat([Buffer.from('f4240\r\n'), MEGABYTE, Buffer.from('\r\n')]);
      let sent = 0;
      while (!socket.destroyed && sent < 500) {
        sent++;
        await new Promise<void>((resolve) => socket.write(chunk, () => resolve()));
      }
      expect(statusesIn(await received)).toEqual([413]);
      expect(sent).toBeLessThan(100);
    });

    it('is refused before it is sent where the client asks first (RFC 9110, 10.1.1)', async () => {
      const ask = (length: number) =>
        `POST /crews/demo/kickoff HTTP/1.1\r\nHost: x\r\n${AUTHORIZED}${JSON_TYPE}Expect: 100-continue\r\nContent-Length: ${length}\r\n\r\n`;
      expect(statusesIn(await rawExchange(service.port, ask(5_000_000)))).toEqual([413]);
      const socket = connect(service.port, '127.0.0.1');
      const received = receivedBy(socket);
      socket.write(ask(2));
      await until('100 Continue', () => socket.bytesRead > 0);
      socket.write('{}');
      await until('the answer', () => socket.bytesRead > 100);
      socket.end();
      expect(statusesIn(await received)).toEqual([100, 200]);
    });
  });

  describe('a request that is too slow', () => {
    let impatient: CrewService;

    beforeAll(async () => {
      const options = { crews: [], tokens: TOKENS, redisUrl: redis.socketPath, keyPrefix: `${dialect}-impatient:` };
      impatient = await startCrewService({ ...options, dialect, requestTimeoutMs: 300 });
    });

    afterAll(() => impatient.close());

    it.each([
      [
        'the body and its end',
        `POST /crews/demo/kickoff HTTP/1.1\r\nHost: x\r\n${AUTHORIZED}${JSON_TYPE}Content-Length: 10\r\n\r\n{`,
      ],
      ['the headers', 'GET /crews/demo/inputs HTTP/1.1\r\nHost:'],
    ])('is answered with 408 where %s never come (RFC 9110, 15.5.9)', async (_what, bytes) => {
      const answer = await rawExchange(impatient.port, bytes);
      expect(statusesIn(answer)).toEqual([408]);
      expect(errorIn(answer)).toContain('took too long');
    });
  });

  it.each([
    [400, 'NONSENSE\r\n\r\n'],
    [431, `GET /crews/demo/inputs HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`],
  ])('answers %i for what is not HTTP, in the same form as other errors', async (status, bytes) => {
    const answer = await rawExchange(service.port, bytes);
    expect(statusesIn(answer)).toEqual([status]);
    expect(errorIn(answer)).toEqual(expect.any(String));
  });

  /** What it says, in the field of the dialect. */
  const errorIn = (answer: string) =>
    JSON.parse(answer.slice(answer.indexOf('\r\n\r\n')))[dialect === 'spec' ? 'message' : 'detail'];

  it('challenges with each 401, and names an error where a token was given (RFC 6750, 3)', async () => {
    const challenges = {
      given: 'Bearer realm="crew service", error="invalid_token"',
      none: 'Bearer realm="crew service"',
    };
    for (const path of ['/crews/demo/inputs', '/crews/nobody/inputs', '/_sandbox/runs']) {
      const at = (token: string | undefined) => crewCaller(service.origin, token).get(path);
      expect((await at(undefined)).headers['www-authenticate']).toBe(challenges.none);
      expect((await at('wrong')).headers['www-authenticate']).toBe(challenges.given);
    }
    const forbidden = await as('maria-token').get('/executions/x');
    expect([forbidden.status, forbidden.headers['www-authenticate']]).toEqual([
      403,
      'Bearer realm="crew service", error="insufficient_scope"',
    ]);
  });

  it('tells the crews that it has from others only to those with a token', async () => {
    const seen = async (token: string | undefined, crew: string) => {
      const { status, text, headers } = await as(token, crew).get('/inputs');
      const { date: _, ...others } = headers;
      return { status, text, others };
    };
    for (const token of [undefined, 'wrong', '']) {
      const known = await seen(token, 'demo');
      expect(known.status).toBe(401);
      for (const crew of ['nobody', 'constructor', '__proto__']) expect(await seen(token, crew)).toEqual(known);
    }
    expect((await seen('org-token', 'nobody')).status).toBe(404);
    expect((await seen('maria-token', 'constructor')).status).toBe(404);
    await service.sandbox.revokeUserToken('maria-token');
    expect(await seen('maria-token', 'nobody')).toEqual(await seen('wrong', 'demo'));
  });
});
