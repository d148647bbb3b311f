import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { visibleText } from '../../src/sandbox/slack-workspace/driver/visible-text.ts';
import { startWorld, type World } from '../support/world.ts';

let world: World;

beforeAll(async () => {
  world = await startWorld({ fixtures: 6 });
  await world.startBot();
});
afterAll(() => world.stop());

/** The app's messages in a channel, oldest first, each with whether it has a button to decide. */
const messagesIn = (channel: string) =>
  world.slack
    .messages()
    .filter((message) => message.channel === channel && message.onlyFor === undefined && !message.tombstone)
    .map((message) => ({
      text: visibleText({ ...message, files: [] }),
      isOpen: JSON.stringify(message.blocks).includes('"approve"'),
    }));

const refusedCalls = (error: string, channel: string) =>
  world.slack.calls().filter((call) => call.error === error && JSON.stringify(call.request).includes(channel)).length;

/** Half of the time after which it would be tried anyway. */
const AT_ONCE_MS = 30_000;

describe('A message for a channel that takes none', () => {
  const doors = [
    ['is archived', 'is_archived', 'archiveChannel', 'unarchiveChannel'],
    ['has removed the bot', 'channel_not_found', 'removeFromChannel', 'addToChannel'],
  ] as const;

  it.each(doors)('is posted at once when a channel that %s is open again', async (_, error, close, open) => {
    const { start, card, channelId, approve } = await world.fixture();
    const where = { channel: channelId, reply_broadcast: 'true' };
    // Long enough to close the channel before the card is there.
    const effect = { kind: 'rate-limited', retryAfterSeconds: 1 } as const;
    world.slack.faults.add({ method: 'chat.postMessage', where, effect });
    await start();
    world.slack.admin[close](channelId, 'signoff');
    await expect.poll(() => refusedCalls(error, channelId)).toBeGreaterThan(0);
    world.slack.admin[open](channelId, 'signoff');
    const openAt = Date.now();
    const request = await card();
    expect(Date.now() - openAt).toBeLessThan(AT_ONCE_MS);
    await approve(request);
  });
});

describe('a card that Slack lets nobody edit any more', () => {
  const FROZEN = ['edit_window_closed', 'cant_update_message'];

  it.each(FROZEN)('gets no second open card beside it (%s), and its buttons still work', async (error) => {
    const { start, linkedCard, channelId, jon, maria, run } = await world.fixture();
    await start();
    const card = await linkedCard();
    const open = () => messagesIn(channelId).filter(({ isOpen }) => isOpen).length;
    expect(open()).toBe(1);
    world.slack.faults.add({
      method: 'chat.update',
      where: { channel: channelId },
      effect: { kind: 'error', error },
      times: 1_000,
    });
    await jon.click('Approve', { in: card });
    expect((await run('is completed', ({ status }) => status === 'completed')).reviews).toHaveLength(1);
    const tells = (...parts: string[]) =>
      messagesIn(channelId).some(({ text }) => parts.every((part) => text.includes(part)));
    await expect.poll(() => tells('approved this result', 'The card above can no longer be updated')).toBe(true);
    await expect.poll(() => tells('Completed', 'The first message of this thread can no longer be updated')).toBe(true);
    expect(open()).toBe(1);
    await maria.click('Approve', { in: card });
    await maria.seesModal('already approved this');
    expect((await run('is completed', ({ status }) => status === 'completed')).reviews).toHaveLength(1);
  });
});
