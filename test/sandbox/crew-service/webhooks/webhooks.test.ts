import { once } from 'node:events';
import { createServer } from 'node:net';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { CrewServiceOptions } from '../../../../src/sandbox/crew-service/options.ts';
import { scriptedCrew } from '../../../../src/sandbox/crew-service/sandbox-api/scripted-crew.ts';
import { type CrewService, startCrewService } from '../../../../src/sandbox/crew-service/service.ts';
import { collectGarbage } from '../../../support/collect-garbage.ts';
import { sharedRedis } from '../../shared.ts';
import { converse } from '../conversation.ts';
import { crewCaller } from '../crew-caller.ts';
import { listIn, textIn } from '../json-body.ts';
import { until } from '../until.ts';
import { startReceiver, type WebhookReceiver } from '../webhook-receiver.ts';

const token = 'org-token';
const demo = scriptedCrew({
  name: 'demo',
  tasks: [{ name: 'ask', humanInput: true, steps: 20, output: 'what do you think?' }],
});

const brief = scriptedCrew({ name: 'brief', tasks: [{ name: 'ask', humanInput: true }] });

const redis = sharedRedis();
let receiver: WebhookReceiver;
let service: CrewService;

beforeEach(async () => {
  await redis.flush();
  receiver = await startReceiver();
});

afterEach(async () => {
  await service.close();
  await receiver.close();
});

async function start(options: Partial<CrewServiceOptions> = {}) {
  const tokens = { organisation: token, users: [{ user: 'maria', token: 'maria-token' }] };
  service = await startCrewService({ crews: [demo, brief], tokens, redisUrl: redis.socketPath, ...options });
  const crew = crewCaller(service.baseUrlOf('demo'), token);
  return { crew, conversation: converse({ service, receiver, dialect: options.dialect ?? 'spec', token }) };
}

it('tries again with growing pauses while the receiver fails, and shows when what was delivered', async () => {
  const { crew, conversation } = await start({ webhookRetry: { firstPauseMs: 20, attempts: 10 } });
  receiver.answerWith(503);
  const run = await conversation.start('demo', {}, { strategy: 'bearer', token: 'very-secret' });
  await run.pause(3);
  receiver.answerWith(200);
  const report = await until('the delivery', async () => {
    const { body, text } = await crew.get(`/executions/${run.kickoffId}`);
    expect(text).not.toContain('very-secret');
    return listIn(body, 'webhooks')[0]?.status === 'delivered' && body;
  });
  const [delivery = {}] = listIn(report, 'webhooks');
  expect(delivery).toMatchObject({ event: 'human-input', authentication: 'bearer' });
  const attempts = listIn(delivery, 'attempts');
  expect(attempts.slice(0, 3).map(({ status }) => status)).toEqual([503, 503, 503]);
  expect(attempts.at(-1)?.status).toBe(200);
  const [first = 0, second = 0, third = 0] = attempts.map((attempt) => Date.parse(textIn(attempt, 'at')));
  expect(second - first).toBeGreaterThanOrEqual(19);
  expect(third - second).toBeGreaterThanOrEqual(39);
  expect(listIn(report, 'runs')[0]).toMatchObject({
    kickoff_id: run.kickoffId,
    started_by: 'organisation',
    state: { status: 'waiting', task: 'ask', round: 1 },
  });
});

it('gives up after the last try, and at once where the receiver refuses', async () => {
  const { crew, conversation } = await start({ webhookRetry: { firstPauseMs: 5, attempts: 3 } });
  for (const [status, tries] of [
    [500, 3],
    [404, 1],
    [302, 1],
  ] as const) {
    receiver.answerWith(status);
    const run = await conversation.start('demo', {});
    const delivery = await until('giving up', async () => {
      const { body } = await crew.get(`/executions/${run.kickoffId}`);
      return listIn(body, 'webhooks').find(({ status }) => status === 'given-up');
    });
    expect(delivery.attempts).toHaveLength(tries);
  }
});

it('loses the event of a receiver that is down in the dialect observed', async () => {
  const { crew, conversation } = await start({ dialect: 'observed' });
  receiver.answerWith(503);
  const run = await conversation.start('demo', {});
  await until('giving up', async () => {
    const { body } = await crew.get(`/executions/${run.kickoffId}`);
    return listIn(body, 'webhooks')[0]?.status === 'given-up';
  });
  expect(await service.sandbox.webhooks()).toHaveLength(1);
});

it('keeps the order of the events of an execution', async () => {
  const { conversation } = await start();
  const run = await conversation.start('demo', {});
  await run.resume(await run.pause(1), { approved: false, text: 'again' }, { events: 'named' });
  await run.pause(2);
  await run.event('step', 20);
  expect(run.events('step').map((one) => one.body.thought)).toEqual(
    Array.from({ length: 20 }, (_, index) => `Step ${index + 1} of ask`),
  );
});

it('shows the report to the organisation alone', async () => {
  const { crew, conversation } = await start();
  const run = await conversation.start('demo', {}, undefined, { token: 'maria-token' });
  await run.pause(1);
  const maria = crewCaller(service.baseUrlOf('demo'), 'maria-token');
  expect((await maria.get(`/executions/${run.kickoffId}`)).status).toBe(403);
  const { body } = await crew.get(`/executions/${run.kickoffId}`);
  expect(body.runs).toMatchObject([{ started_by: 'maria' }]);
  expect((await crew.get('/executions/unknown')).status).toBe(404);
});

it('tries again where a receiver never answers, even when garbage is collected meanwhile', async () => {
  const { conversation } = await start({ webhookRetry: { firstPauseMs: 20, timeoutMs: 300 } });
  receiver.answerWith('silence');
  const run = await conversation.start('demo', {});
  await run.pause(1);
  receiver.answerWith(200);
  collectGarbage();
  await run.pause(2);
});

it('asks people while the address of the steps is slow', async () => {
  const { conversation } = await start();
  receiver.answerWith('silence', '/step');
  const run = await conversation.start('demo', {});
  await run.resume(await run.pause(1), { approved: false, text: 'again' }, { events: 'named' });
  await run.pause(2);
  expect(run.events('step')).toHaveLength(1);
  expect((await service.sandbox.webhooks()).filter(({ kind }) => kind === 'step')).toEqual([]);
});

/** A server that accepts connections and never answers. */
async function silentServer() {
  const open = new Set<object>();
  const server = createServer((socket) => {
    open.add(socket);
    socket.on('error', () => {}).once('close', () => open.delete(socket));
    socket.resume();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/hook`;
  return { url, open, close: () => server.close() };
}

const silentServers = (count: number) => Promise.all(Array.from({ length: count }, silentServer));

it('keeps 16 connections to a server that never answers, and 128 in all', async () => {
  await start({ webhookRetry: { timeoutMs: 60_000 } });
  const crew = crewCaller(service.baseUrlOf('brief'), token);
  const silent = await silentServers(9);
  const ask = (url: string) => crew.post('/kickoff', { inputs: {}, humanInputWebhook: { url } });
  const askAll = async (some: typeof silent) => {
    for (const { url } of some) await Promise.all(Array.from({ length: 20 }, () => ask(url)));
  };
  const connections = () => silent.map(({ open }) => open.size);
  const first = silent.slice(0, 7);
  await askAll(first);
  await until('connections to all', () => first.every(({ open }) => open.size === 16));
  await ask(receiver.urlOf('/answers'));
  await receiver.nth('/answers', 1);
  expect(connections()).toEqual([...Array(7).fill(16), 0, 0]);
  await askAll(silent.slice(7));
  await until('all connections', () => connections().reduce((sum, count) => sum + count) === 128);
  await ask(receiver.urlOf('/waits'));
  expect(receiver.at('/waits')).toEqual([]);
  expect(connections().reduce((sum, count) => sum + count)).toBe(128);
  for (const one of silent) one.close();
});

it('logs what was sent, what will be tried again and what was given up, never the secrets of an address', async () => {
  const lines: string[] = [];
  const logger = pino({ level: 'info' }, { write: (line: string) => void lines.push(line) });
  const { crew } = await start({ logger, webhookRetry: { firstPauseMs: 5, attempts: 3 } });
  const logged = () => lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg.startsWith('webhook'));
  const ask = async (status: number, token: string) => {
    receiver.answerWith(status);
    const url = receiver.urlOf('/s3cret-path?key=s3cret');
    const authentication = { strategy: 'bearer', token };
    await crew.post('/kickoff', { inputs: {}, humanInputWebhook: { url, authentication } });
  };
  const to = new URL(receiver.urlOf('/')).origin;
  await ask(503, 's3cret-token');
  await until('giving up', () => logged().length === 3);
  await ask(200, 's3cret-token');
  await until('sending', () => logged().length === 4);
  expect(logged()).toMatchObject([
    { level: 40, msg: 'webhook failed, will be retried', to, attempt: 1, nextAttemptAt: expect.any(String) },
    { level: 40, msg: 'webhook failed, will be retried', to, attempt: 2, outcome: { status: 503 } },
    { level: 50, msg: 'webhook failed, given up', to, attempt: 3, outcome: { status: 503 } },
    { level: 30, msg: 'webhook sent', to, attempt: 1, outcome: { status: 200 } },
  ]);
  expect(lines.join('')).not.toContain('s3cret');
});
