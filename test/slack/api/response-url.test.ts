import { afterEach, beforeEach, expect, it } from 'vitest';
import { freePort } from '../../../src/setup/free-port.ts';
import { createSlackFetch, type ObservedSlackCall } from '../../../src/slack/api/clients.ts';
import { respondPrivately } from '../../../src/slack/api/response-url.ts';
import { answerMessage } from '../../../src/slack/ui/modal.ts';
import { type Answering, type AnsweringServer, startAnsweringServer } from '../../crew/answering-server.ts';
import { bareApp, FakeReceiver } from '../../support/fake-receiver.ts';

let server: AnsweringServer;
let url: string;
beforeEach(async () => {
  server = await startAnsweringServer();
  url = `${server.origin}/the-secret-path`;
});
afterEach(() => server.close());

/** What came of an answer to a command, and how the metrics know it. */
async function respondTo(url: string) {
  const outcomes: ObservedSlackCall['outcome'][] = [];
  const fetch = createSlackFetch({
    apiUrl: 'https://slack.test/api/',
    timeoutMs: 200,
    observe({ method, outcome }) {
      expect(method).toBe('response_url');
      outcomes.push(outcome);
    },
  });
  const receiver = new FakeReceiver();
  let taken: unknown;
  bareApp(receiver, { fetch }).command('/kickoff', async ({ respond }) => {
    taken = await respondPrivately(respond, answerMessage('Too late.'));
  });
  await receiver.sendEvent({ body: { command: '/kickoff', response_url: url }, ack: async () => {} });
  return { taken, outcomes };
}

it('posts a message that only the person sees', async () => {
  server.answerWith({ status: 200, body: { ok: true } });
  expect(await respondTo(url)).toEqual({ taken: { ok: true, value: null }, outcomes: ['ok'] });
  const message = { response_type: 'ephemeral', ...answerMessage('Too late.') };
  const posted = server.received.map(({ method, headers, body }) => [
    method,
    headers['content-type'],
    JSON.parse(body),
  ]);
  expect(posted).toEqual([['POST', 'application/json', message]]);
});

it.each<[number, string, string | null, string]>([
  [404, '{"ok":false,"error":"expired_url"}', 'expired_url', 'refused'],
  [404, 'gone', null, 'refused'],
  [200, '{"ok": false, "error": "used_url"}', 'used_url', 'refused'],
  [302, '', null, 'refused'],
  [429, '', null, 'rate-limited'],
  [503, '<html>', null, 'server-error'],
])('says why Slack refuses (%i %j)', async (status, body, reason, outcome) => {
  server.answerWith({ status, body, headers: { location: '/elsewhere' } });
  expect(await respondTo(url)).toEqual({ taken: { ok: false, refusal: { status, reason } }, outcomes: [outcome] });
});

it.each<[string, Answering, string]>([
  ['hangs', () => {}, 'TimeoutError'],
  ['hangs in its answer', (response) => response.writeHead(200).write('{'), 'TimeoutError'],
  ['hangs up', (response) => response.destroy(), 'UND_ERR_SOCKET'],
])('gives up when Slack %s', async (_, answering, reason) => {
  server.answerWith(answering);
  const { taken, outcomes } = await respondTo(url);
  expect([taken, outcomes]).toEqual([{ ok: false, refusal: { status: null, reason } }, ['no-answer']]);
});

it.each([
  ['that nothing listens at', async () => `http://127.0.0.1:${await freePort()}/the-secret-path`, 'ECONNREFUSED'],
  ['that isn’t one', async () => 'the-secret-path', 'ERR_INVALID_URL'],
])('gives up an address %s, without a word of it', async (_, address, reason) => {
  const refusal = { status: null, reason };
  expect(await respondTo(await address())).toEqual({ taken: { ok: false, refusal }, outcomes: ['no-answer'] });
});
