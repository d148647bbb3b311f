import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../../src/setup/free-port.ts';
import type { BotProcess } from '../support/bot-process.ts';
import { oldButtons } from '../support/old-buttons.ts';
import { buttonsIn } from '../support/slack-server.ts';
import { startWorld, type World } from '../support/world.ts';

let world: World;
let port: number;
let bot: BotProcess;

beforeAll(async () => {
  world = await startWorld({ fixtures: 2 });
  port = await freePort();
  bot = await world.startBotProcess({ port });
});
afterAll(() => world.stop());

/** A card that Jon has approved, with the buttons that Maria still sees. */
async function approvedCard() {
  const fixture = await world.fixture();
  await fixture.start();
  const request = await fixture.card();
  const stored = world.slack.messages().filter(({ ts }) => ts === request.ts);
  const value = buttonsIn(stored, 'Approve')[0]?.value ?? '';
  await fixture.approve(request);
  await fixture.jon.seesChanged(request, 'Sent to the crew.');
  return { ...fixture, request, stale: await oldButtons(world.slack, request, [['approve', value]]) };
}

/** Slack opens no modal, and posts nothing that only one person sees. */
function failAnswers(times: number): void {
  world.slack.faults.add({ method: 'views.open', effect: { kind: 'status', status: 503 }, times });
  world.slack.faults.add({ method: 'chat.postEphemeral', effect: { kind: 'status', status: 503 }, times });
}

const tries = () => world.slack.calls().filter(({ name }) => name === 'chat.postEphemeral').length;

describe('a click that changed nothing, while Slack takes no answer to it', () => {
  it('is answered once Slack takes answers again', async () => {
    const { maria, channel, request, stale } = await approvedCard();
    failAnswers(3);
    await maria.click('approve', { in: stale });
    const told = await maria.seesPrivately(channel, 'already approved this');
    expect(told.threadTs).toBe(stale.threadTs);
    world.slack.faults.clear();

    const old = await oldButtons(world.slack, request, ['gone_long_ago']);
    failAnswers(2);
    await maria.click('gone_long_ago', { in: old });
    await maria.seesPrivately(channel, 'out of date');
    world.slack.faults.clear();
    expect(await maria.privately(channel)).toHaveLength(2);
  });

  it('is answered by another process where the first one dies', async () => {
    const { maria, channel, stale } = await approvedCard();
    const before = tries();
    failAnswers(1_000);
    await maria.click('approve', { in: stale });
    await expect.poll(tries, { timeout: 60_000 }).toBeGreaterThan(before + 1);
    await bot.kill();
    world.slack.faults.clear();
    bot = await world.startBotProcess({ port });
    await maria.seesPrivately(channel, 'already approved this');
    expect(await maria.privately(channel)).toHaveLength(1);
  });
});
