import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { visibleText } from '../../src/sandbox/slack-workspace/driver/visible-text.ts';
import { stringAt } from '../../src/sandbox/slack-workspace/json.ts';
import { freePort } from '../../src/setup/free-port.ts';
import type { BotProcess } from '../support/bot-process.ts';
import { oldButtons } from '../support/old-buttons.ts';
import { buttonsIn } from '../support/slack-server.ts';
import { startWorld, type World } from '../support/world.ts';

let world: World;
let port: number;
let bot: BotProcess;

beforeAll(async () => {
  world = await startWorld({ fixtures: 5 });
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

const failing = { kind: 'status', status: 503 } as const;

/** Slack opens no modal, shows no message to one person alone, and for some tries takes no direct message. */
function failAnswers(personId: string, { directMessages }: { directMessages: number }): void {
  world.slack.faults.add({ method: 'views.open', effect: failing, times: 1 });
  world.slack.faults.add({ method: 'chat.postEphemeral', effect: failing, times: 1 });
  const direct = { method: 'chat.postMessage', where: { channel: personId } };
  world.slack.faults.add({ ...direct, effect: failing, times: directMessages });
}

const refusedDirectMessages = (personId: string) =>
  world.slack
    .calls()
    .filter(
      ({ name, error, request }) => name === 'chat.postMessage' && error && stringAt(request, 'channel') === personId,
    );

describe('a click that changed nothing, while Slack takes no answer to it', () => {
  it('is answered by direct message once Slack takes one, as nobody looks at the channel any more', async () => {
    const { maria, channel, request, stale } = await approvedCard();
    failAnswers(maria.id, { directMessages: 1 });
    await maria.click('approve', { in: stale });
    const told = await maria.sees('Signoff', /already approved this.*Open the thread/s);
    expect(JSON.stringify(told.blocks)).toContain(`p${stale.threadTs?.replace('.', '')}`);
    world.slack.faults.clear();

    const old = await oldButtons(world.slack, request, ['gone_long_ago']);
    failAnswers(maria.id, { directMessages: 1 });
    await maria.click('gone_long_ago', { in: old });
    await maria.sees('Signoff', 'out of date');
    world.slack.faults.clear();
    expect(await maria.privately(channel)).toEqual([]);
  });

  it('is answered by another process where the first one dies', async () => {
    const { maria, stale } = await approvedCard();
    failAnswers(maria.id, { directMessages: 1_000 });
    await maria.click('approve', { in: stale });
    await expect.poll(() => refusedDirectMessages(maria.id).length).toBeGreaterThan(1);
    await bot.kill();
    world.slack.faults.clear();
    bot = await world.startBotProcess({ port });
    await expect
      .poll(async () => (await maria.channel('Signoff')).map(visibleText).filter((each) => each.includes('already')))
      .toHaveLength(1);
  });
});

describe('A click while Slack refuses the bot token is answered, as that takes none', () => {
  const REFUSED = 'Slack refuses Signoff’s token right now';

  it.each([
    { who: 'of somebody who can’t be looked up', does: 'Approve', hears: 'Slack can’t tell right now' },
    { who: 'of somebody who is known', does: 'Reject…', hears: REFUSED },
    { who: 'on a button that leads to a form', does: 'Run again', hears: REFUSED },
  ])('$does $who', async ({ does, hears }) => {
    const { start, card, approve, root, jon, maria, channel } = await world.fixture();
    await start();
    const person = does === 'Approve' ? world.slack.as('priya') : maria;
    let where = await card();
    if (does === 'Reject…') {
      await maria.click(does, { in: where });
      await maria.closeModal();
    }
    if (does === 'Run again') {
      await approve(where);
      where = await root();
      await jon.seesChanged(where, 'Completed');
    }
    if (does === 'Approve') await maria.command(channel, '/invite @priya');
    world.slack.admin.setBotToken('token_revoked');
    await person.click(does, { in: where });
    const told = await person.seesPrivately(channel, REFUSED);
    expect(visibleText(told)).toContain(hears);
    expect(told.threadTs).toBe(where.threadTs);
    expect(await jon.privately(channel)).toEqual([]);
    world.slack.admin.setBotToken('valid');
  });
});
