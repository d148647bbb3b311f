import { afterAll, beforeAll, expect, it } from 'vitest';
import { eventually } from '../../src/sandbox/slack-workspace/driver/queries.ts';
import { freePort } from '../../src/setup/free-port.ts';
import { type AnsweringServer, startAnsweringServer } from '../crew/answering-server.ts';
import { askingProgram, refOf } from '../support/asks.ts';
import type { BotProcess } from '../support/bot-process.ts';
import { startWorld, type World } from '../support/world.ts';

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
  await jon.seesChanged(card, 'The decision is saved');
  await restart();
  receiver.answerWith({ status: 204 });
  await jon.seesChanged(card, 'Passed on to whoever asked.');
  const told = callsAbout(ref).map(({ headers }) => headers['webhook-id']);
  expect(new Set(told).size).toBe(1);
});

it('never tells the asker again by itself where the answer died with the bot, and says that it isn’t confirmed', async () => {
  const silent: { end(): unknown }[] = [];
  receiver.answerWith((response) => void silent.push(response));
  const { ref, card, jon } = await approved('Died *before the answer*.');
  await called(ref, 1);
  await restart();
  receiver.answerWith({ status: 204 });
  await jon.seesChanged(card, 'didn’t confirm this decision');
  expect(callsAbout(ref)).toHaveLength(1);
  expect((await askingProgram(() => port, 'deploys').fetch(ref)).body).toMatchObject({ decision: 'approved' });
  await jon.click('Send again', { in: card, confirm: 'Send again' });
  await jon.seesChanged(card, 'Passed on to whoever asked.');
  expect(callsAbout(ref)).toHaveLength(2);
  expect(new Set(callsAbout(ref).map(({ headers }) => headers['webhook-id'])).size).toBe(1);
});
