import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { replaceAsk } from '../../src/core/request/cancel.ts';
import { createRefs } from '../../src/crew/credentials.ts';
import { createAskThreads } from '../../src/redis/ask-threads.ts';
import { closeRedis, connectRedis } from '../../src/redis/connection.ts';
import { createExecutionStore } from '../../src/redis/executions.ts';
import { eventually } from '../../src/sandbox/slack-workspace/driver/queries.ts';
import { visibleText } from '../../src/sandbox/slack-workspace/driver/visible-text.ts';
import { freePort } from '../../src/setup/free-port.ts';
import { type AnsweringServer, startAnsweringServer } from '../crew/answering-server.ts';
import { askingProgram, refOf } from '../support/asks.ts';
import type { BotProcess } from '../support/bot-process.ts';
import { startWorld, TEST_SECRET, type World } from '../support/world.ts';

let world: World;
let receiver: AnsweringServer;
let port: number;
let bot: BotProcess;

beforeAll(async () => {
  receiver = await startAnsweringServer();
  world = await startWorld({
    crews: [
      { name: 'deploys', settings: { channel: 'releases', callback_hosts: [new URL(receiver.origin).host] } },
      { name: 'others', settings: { channel: 'releases' } },
    ],
  });
  port = await freePort();
  bot = await world.startBotProcess({ port });
});
afterAll(async () => {
  await world.stop();
  await receiver.close();
});

/** Asks with a callback, and approves. Resolves to the ref and the card. */
async function approved(text: string) {
  const { ask } = askingProgram(() => port, 'deploys');
  const ref = refOf(await ask({ text, callback: `${receiver.origin}/decided` }));
  const jon = world.slack.as('jon');
  const card = await jon.sees('#releases', text);
  await jon.click('Approve', { in: card });
  return { ref, card, jon };
}

const callsAbout = (ref: string) => receiver.received.filter(({ body }) => body.includes(ref));
const called = (ref: string, times: number) =>
  eventually(
    async () => callsAbout(ref).length >= times || undefined,
    async () => `called ${callsAbout(ref).length} times about ${ref}, not ${times}`,
  );
const restart = async () => {
  await bot.kill();
  bot = await world.startBotProcess({ port });
};

it('tells the asker once what was decided before the bot died', async () => {
  receiver.answerWith({ status: 503, headers: { 'retry-after': '1' } });
  const { ref, card, jon } = await approved('Died *after the click*.');
  await jon.seesChanged(card, 'hasn’t confirmed this yet');
  await restart();
  receiver.answerWith({ status: 204 });
  await jon.seesChanged(card, 'Passed on to the program that asked.');
  const told = callsAbout(ref).map(({ headers }) => headers['webhook-id']);
  expect(new Set(told).size).toBe(1);
});

it('tells the asker again, under the same id, where the answer died with the bot', async () => {
  const silent: { end(): unknown }[] = [];
  receiver.answerWith((response) => void silent.push(response));
  const { ref, card, jon } = await approved('Died *before the answer*.');
  await called(ref, 1);
  await restart();
  receiver.answerWith({ status: 204 });
  await jon.seesChanged(card, 'Passed on to the program that asked.');
  expect((await askingProgram(() => port, 'deploys').fetch(ref)).body).toMatchObject({ decision: 'approved' });
  expect(callsAbout(ref)).toHaveLength(2);
  expect(new Set(callsAbout(ref).map(({ headers }) => headers['webhook-id'])).size).toBe(1);
});

describe('a thread of a program', () => {
  const program = () => askingProgram(() => port, 'deploys');
  const channelOf = ({ channels }: Awaited<ReturnType<ReturnType<typeof world.slack.as>['snapshot']>>) =>
    channels.find(({ name }) => name === 'releases')?.id ?? '';

  it('is one, also where the bot dies before its first card is there', async () => {
    const jon = world.slack.as('jon');
    const where = { channel: channelOf(await jon.snapshot()) };
    world.slack.faults.add({
      method: 'chat.postMessage',
      where,
      times: 99,
      effect: { kind: 'error', error: 'is_archived' },
    });
    const { ask } = program();
    refOf(await ask({ title: 'Before the crash', thread: 'crash' }));
    refOf(await ask({ title: 'Before the crash, too', text: 'All **blue**.', thread: 'crash' }));
    await restart();
    world.slack.faults.clear();
    refOf(await ask({ title: 'After the crash', text: 'All **red**.', thread: 'crash' }));
    const root = await jon.sees('#releases', /Approval needed: Before the crash\n/, { withinMs: 90_000 });
    await jon.seesInThread(root, 'Approval needed: Before the crash, too');
    const last = await jon.seesInThread(root, 'Approval needed: After the crash');
    expect(visibleText(last)).toMatch(/Round 3(.|\n)*Changed since round 2/);
  });

  it('asks once what was replaced before the bot died, and is asked again', async () => {
    const { ask, fetch } = program();
    const jon = world.slack.as('jon');
    const first = refOf(await ask({ text: 'To be *replaced*.', thread: 'replacing' }));
    const root = await jon.sees('#releases', 'To be *replaced*.');
    const asks = { text: 'In its *place*.', thread: 'replacing', id: 'again', replaces: first };
    // What the bot does before it stores what is asked.
    const ref = createRefs([TEST_SECRET]).askRef('deploys', 'again');
    const redis = connectRedis(world.redis.url, { onTrouble: () => {} });
    const waitMs = 60_000;
    await createAskThreads(redis, { retentionDays: 30 }).join(
      { crew: 'deploys', thread: 'replacing' },
      { ref, channel: root.channel, waitMs },
    );
    const store = createExecutionStore(redis, { retentionDays: 30, auditDays: 400, replication: null });
    await store.change(first, (execution, now) => replaceAsk(execution, ref, now));
    await closeRedis(redis);
    await restart();
    expect(await ask(asks)).toMatchObject({ status: 201, body: { ref } });
    expect(await ask(asks)).toMatchObject({ status: 200, body: { ref } });
    expect((await fetch(first)).body.status).toBe('closed');
    const card = await jon.seesInThread(root, 'In its *place*.');
    expect(visibleText(card)).toContain('Round 2');
  });

  it('is begun by what is asked, where an earlier ask was announced and never stored', async () => {
    const jon = world.slack.as('jon');
    const redis = connectRedis(world.redis.url, { onTrouble: () => {} });
    const threads = createAskThreads(redis, { retentionDays: 30 });
    const key = { crew: 'deploys', thread: 'announced' };
    await threads.join(key, {
      ref: 'aaaabbbbccccddddeeeeffff22',
      channel: channelOf(await jon.snapshot()),
      waitMs: 60_000,
    });
    await closeRedis(redis);
    await program().ask({ text: 'Really *asked*.', thread: 'announced' });
    const card = await jon.sees('#releases', 'Really *asked*.');
    expect([undefined, card.ts]).toContain(card.threadTs);
    expect(visibleText(card)).not.toContain('Round');
  });
});
