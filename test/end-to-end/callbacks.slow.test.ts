import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { signingKeys } from '../../src/crew/signature.ts';
import { eventually } from '../../src/sandbox/slack-workspace/driver/queries.ts';
import { visibleText } from '../../src/sandbox/slack-workspace/driver/visible-text.ts';
import { freePort } from '../../src/setup/free-port.ts';
import { type Answering, type AnsweringServer, startAnsweringServer } from '../crew/answering-server.ts';
import { RedisClock } from '../faults/redis-clock.ts';
import { type RedisProxy, startRedisProxy } from '../faults/redis-proxy.ts';
import { SeenScripts } from '../faults/seen-scripts.ts';
import { askingProgram, refOf } from '../support/asks.ts';
import { audit } from '../support/audit-program.ts';
import type { BotProcess } from '../support/bot-process.ts';
import { scrape } from '../support/scrape.ts';
import { startWorld, TEST_SECRET, type World } from '../support/world.ts';

const TWO_HOURS_S = 2 * 3_600;
const A_DAY_S = 86_401;

let world: World;
let receiver: AnsweringServer;
let proxy: RedisProxy;
let ports: [number, number];
let bots: BotProcess[] = [];
const clock = new RedisClock();

beforeAll(async () => {
  receiver = await startAnsweringServer();
  world = await startWorld({
    crews: [{ name: 'deploys', settings: { channel: 'releases', callback_hosts: [new URL(receiver.origin).host] } }],
  });
  proxy = await startRedisProxy({ port: world.redis.port, clock, scripts: new SeenScripts() });
  ports = [await freePort(), await freePort()];
  await startBots();
});
afterAll(async () => {
  await world.stop();
  await proxy.close();
  await receiver.close();
});
beforeEach(() => {
  receiver.received.length = 0;
});

async function startBots(count = 1): Promise<void> {
  const env = { REDIS_URL: `redis://127.0.0.1:${proxy.port}` };
  bots = await Promise.all(ports.slice(0, count).map((port) => world.startBotProcess({ port, env })));
}

/** Kills the bots, and starts one or two this much later. */
async function restartAfter(seconds: number, count = 1): Promise<void> {
  await Promise.all(bots.map((bot) => bot.kill()));
  clock.putForward(seconds);
  await startBots(count);
}

const program = () => askingProgram(() => ports[0], 'deploys');

/** Asks with a callback that is answered so, and approves. */
async function approved(title: string, ...answers: Answering[]) {
  receiver.answerWith(...answers);
  const { ask } = program();
  const asked = { title, id: title, callback: `${receiver.origin}/decided` };
  const ref = refOf(await ask(asked));
  const jon = world.slack.as('jon');
  const card = await jon.sees('#releases', `Approval needed: ${title}\n`);
  await jon.click('Approve', { in: card });
  await called(1);
  return { ref, asked, card, jon };
}

const called = (times: number) =>
  eventually(
    async () => receiver.received.length >= times || undefined,
    async () => `called ${receiver.received.length} times, not ${times}`,
  );

/** Each call was signed when it was made, as any library checks it. */
function expectSigned(): void {
  const [key = ''] = signingKeys([TEST_SECRET], { purpose: 'callback', crew: 'deploys' });
  for (const { body, headers, at } of receiver.received) {
    expect(new Webhook(key).verify(body, headers as Record<string, string>)).toMatchObject({ type: 'ask.decided' });
    expect(Math.abs(at / 1_000 - Number(headers['webhook-timestamp']))).toBeLessThan(4);
  }
}

const updatesOf = ({ ts }: { ts: string }) =>
  world.slack.calls().filter(({ name, request }) => name === 'chat.update' && JSON.stringify(request).includes(ts))
    .length;

it('a callback is sent again under the same id, signed anew, until it is taken, whatever was answered and whoever was killed', async () => {
  const { ref, asked, card, jon } = await approved(
    'Try hard',
    () => {},
    { status: 500 },
    { status: 404 },
    { status: 204 },
  );
  await restartAfter(TWO_HOURS_S);
  // The one that nobody has answered counts as failed only now, so that the next one comes by itself.
  await called(2);
  const waits = visibleText(
    await jon.seesChanged(card, 'hasn’t confirmed this yet. It is saved; Signoff keeps sending it'),
  );
  expect(waits).toContain('Jon Bell approved');
  expect(waits).not.toContain('Send again');
  const updates = updatesOf(card);
  await restartAfter(TWO_HOURS_S);
  await called(3);
  // The program can fetch what it didn't take, and can't take it back.
  expect(await program().withdraw(ref)).toMatchObject({ status: 409, body: { decision: 'approved' } });
  expect(await program().ask(asked)).toMatchObject({ status: 200, body: { ref, decision: 'approved' } });
  expect(updatesOf(card)).toBe(updates);
  await restartAfter(TWO_HOURS_S);
  await jon.seesChanged(card, 'Passed on to the program that asked.');
  expect(receiver.received).toHaveLength(4);
  const told = receiver.received.map(({ headers, body }) => `${headers['webhook-id']} ${body}`);
  expect(new Set(told).size).toBe(1);
  expectSigned();
});

it('a callback that is answered with 410 is sent again by a person only', async () => {
  const { card, jon } = await approved('Gone', { status: 410, body: 'Nothing is here.' });
  const failed = visibleText(await jon.seesChanged(card, 'didn’t take this decision'));
  expect(failed).toContain('The answer (HTTP 410): Nothing is here.');
  await restartAfter(A_DAY_S);
  expect(receiver.received).toHaveLength(1);
  receiver.answerWith({ status: 204 });
  await jon.click('Send again', { in: card, confirm: 'Send again' });
  await jon.seesChanged(card, 'Passed on to the program that asked.');
  expect(receiver.received).toHaveLength(2);
});

it('a callback that nobody takes for a day is not confirmed, which the ledger and the metrics say once, and a person can send it again', async () => {
  const { ref, card, jon } = await approved('Nobody there', { status: 500 });
  const notConfirmed = async () => {
    const each = await Promise.all(ports.map((port) => scrape(port)));
    return each.map((metrics) => metrics.get('signoff_decisions_undelivered_total{reason="not-confirmed"}') ?? 0);
  };
  await jon.seesChanged(card, 'hasn’t confirmed this yet');
  await restartAfter(A_DAY_S, 2);
  await jon.seesChanged(card, 'didn’t confirm this decision');
  await jon.sees('Signoff', /Nobody there(.|\n)*didn’t confirm this decision/);
  const calls = receiver.received.length;
  // A bot counts what it has stored, and people may see it first.
  await expect.poll(async () => (await notConfirmed()).toSorted()).toEqual([0, 1]);
  await restartAfter(TWO_HOURS_S);
  expect(receiver.received).toHaveLength(calls);
  receiver.answerWith({ status: 500 }, { status: 204 });
  await jon.click('Send again', { in: card, confirm: 'Send again' });
  await jon.seesChanged(card, 'hasn’t confirmed this yet');
  await jon.seesChanged(card, 'Passed on to the program that asked.');
  const env = { REDIS_URL: world.redis.url, APP_SECRET: TEST_SECRET };
  const { out } = await audit(['export', '--ref', ref], env);
  const folder = await mkdtemp(join(tmpdir(), 'signoff-callbacks-'));
  const file = join(folder, 'audit.jsonl');
  await writeFile(file, out);
  const kinds = out.split('\n').flatMap((line) => /"kind":"([\w-]+)"/.exec(line)?.[1] ?? []);
  const attempts = (count: number) => Array.from({ length: count }, () => 'sent');
  expect(kinds).toEqual(['asked', 'decided', ...attempts(calls), 'not-confirmed', ...attempts(2), 'confirmed']);
  expect(await audit(['verify', file])).toMatchObject({ code: 0, out: expect.stringContaining('OK: ') });
  await rm(folder, { recursive: true });
});
