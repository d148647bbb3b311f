import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterEach, expect, it } from 'vitest';
import { freePort } from '../../../src/setup/free-port.ts';
import type { ObservedSlackCall } from '../../../src/slack/api/observed-client.ts';
import { createRespond } from '../../../src/slack/api/response-url.ts';
import { answerMessage } from '../../../src/slack/ui/answer-modal.ts';

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

async function urlOf(answer: RequestListener): Promise<string> {
  const port = await freePort();
  const server = createServer(answer).listen(port, '127.0.0.1');
  servers.push(server);
  await once(server, 'listening');
  return `http://127.0.0.1:${port}/the-secret-path`;
}

/** What came of an answer, and how the metrics know it. */
async function respondTo(url: string) {
  const outcomes: ObservedSlackCall['outcome'][] = [];
  const respond = createRespond({
    timeoutMs: 200,
    observe({ method, outcome }) {
      expect(method).toBe('response_url');
      outcomes.push(outcome);
    },
  });
  return { taken: await respond(url, answerMessage('Too late.')), outcomes };
}

it('posts a message that only the person sees', async () => {
  const posted: unknown[] = [];
  const url = await urlOf(async (request, response) => {
    posted.push(request.method, request.headers['content-type'], JSON.parse(await text(request)));
    response.end('{"ok":true}');
  });
  expect(await respondTo(url)).toEqual({ taken: { ok: true, value: null }, outcomes: ['ok'] });
  const message = { response_type: 'ephemeral', ...answerMessage('Too late.') };
  expect(posted).toEqual(['POST', 'application/json', message]);
});

it.each<[number, string, string | null, string]>([
  [404, '{"ok":false,"error":"expired_url"}', 'expired_url', 'refused'],
  [404, 'gone', null, 'refused'],
  [200, '{"ok": false, "error": "used_url"}', 'used_url', 'refused'],
  [302, '', null, 'refused'],
  [429, '', null, 'rate-limited'],
  [503, '<html>', null, 'server-error'],
])('says why Slack refuses (%i %j)', async (status, body, reason, outcome) => {
  const url = await urlOf((_, response) => response.writeHead(status, { location: '/elsewhere' }).end(body));
  expect(await respondTo(url)).toEqual({ taken: { ok: false, refusal: { status, reason } }, outcomes: [outcome] });
});

it.each<[string, RequestListener, string]>([
  ['hangs', () => {}, 'TimeoutError'],
  ['hangs in its answer', (_, response) => response.writeHead(200).write('{'), 'TimeoutError'],
  ['hangs up', (request) => request.destroy(), 'UND_ERR_SOCKET'],
])('gives up when Slack %s', async (_, listener, reason) => {
  const { taken, outcomes } = await respondTo(await urlOf(listener));
  expect([taken, outcomes]).toEqual([{ ok: false, refusal: { status: null, reason } }, ['no-answer']]);
});

it.each([
  ['that nothing listens at', async () => `http://127.0.0.1:${await freePort()}/the-secret-path`, 'ECONNREFUSED'],
  ['that isn’t one', async () => 'the-secret-path', 'ERR_INVALID_URL'],
])('gives up an address %s, without a word of it', async (_, url, reason) => {
  const refusal = { status: null, reason };
  expect(await respondTo(await url())).toEqual({ taken: { ok: false, refusal }, outcomes: ['no-answer'] });
});
