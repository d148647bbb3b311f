import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Message } from '../../src/sandbox/slack-workspace/people-api.ts';
import type { Fixture } from '../support/fixture.ts';
import { startWorld, type World } from '../support/world.ts';

let world: World;

beforeAll(async () => {
  world = await startWorld({ fixtures: 4 });
  await world.startBot();
});
afterAll(() => world.stop());

const storedIn = ({ channelId }: Fixture, { ts }: Message) =>
  world.slack.messages().find((message) => message.channel === channelId && message.ts === ts);

/** As Slack does with an update that it carries out after a later one. */
async function showAgain({ channelId: channel }: Fixture, { ts }: Message, blocks: unknown): Promise<void> {
  const answer = await fetch(`${world.slack.apiUrl}chat.update`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${world.slack.botToken}` },
    body: JSON.stringify({ channel, ts, text: 'Approval needed', blocks }),
  });
  expect(await answer.json()).toMatchObject({ ok: true });
}

it.each([
  ['by somebody else', 'maria', 'Approve'],
  ['by whoever has approved it', 'jon', 'Approve'],
  ['to have changes made', 'maria', 'Request changes…'],
  ['to hand it over', 'jon', 'Hand over…'],
] as const)('a card that has got back its buttons loses them again when it is clicked %s', async (_, who, label) => {
  const fixture = await world.fixture();
  await fixture.start();
  const card = await fixture.linkedCard();
  const open = storedIn(fixture, card)?.blocks;
  await fixture.approve(card);
  const isDecided = () => JSON.stringify(storedIn(fixture, card)?.blocks).includes('Sent to the crew.');
  await expect.poll(isDecided).toBe(true);
  await fixture.run('is completed', ({ status }) => status === 'completed');
  await showAgain(fixture, card, open);
  expect(isDecided()).toBe(false);
  await fixture[who].click(label, { in: card });
  await expect.poll(isDecided).toBe(true);
});
