import { afterAll, beforeAll, expect, it } from 'vitest';
import { USUAL_SETTINGS } from '../../src/core/inbox/person-settings.ts';
import type { Fixture } from '../support/fixture.ts';
import { storeSettings } from '../support/person-settings.ts';
import { startWorld, type World } from '../support/world.ts';

let world: World;
/** Its Maria is told of requests in direct messages, which a bot that already runs would learn some seconds later. */
let withMessages: Fixture;

beforeAll(async () => {
  world = await startWorld({ fixtures: 5 });
  withMessages = await world.fixture();
  await storeSettings(world.redis.url, { [withMessages.maria.id]: { ...USUAL_SETTINGS, tell: { kind: 'at-once' } } });
  await world.startBot();
});
afterAll(() => world.stop());

const storedAt = (ts: string) => world.slack.messages().find((message) => message.ts === ts);

/** As Slack does with an update that it carries out after a later one. */
async function showAgain({ channel, ts }: { channel: string; ts: string }, blocks: unknown): Promise<void> {
  const answer = await fetch(`${world.slack.apiUrl}chat.update`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${world.slack.botToken}` },
    body: JSON.stringify({ channel, ts, text: 'Approval needed', blocks }),
  });
  expect(await answer.json()).toMatchObject({ ok: true });
}

/** A run whose request was decided, and what shows it, which has got back its buttons. */
async function overtaken(fixture: Fixture, of: 'the card' | 'the direct message') {
  await fixture.start();
  const card = await fixture.linkedCard();
  const told = of === 'the card' ? card : await fixture.maria.sees('Signoff', fixture.crew);
  const stored = storedAt(told.ts);
  const open = stored?.blocks;
  await fixture.approve(card);
  const isOpen = () => JSON.stringify(storedAt(told.ts)?.blocks).includes('"approve"');
  await expect.poll(isOpen).toBe(false);
  await fixture.run('is completed', ({ status }) => status === 'completed');
  await expect.poll(() => JSON.stringify(storedAt(card.ts)?.blocks)).toContain('Sent to the crew.');
  await showAgain({ channel: stored?.channel ?? '', ts: told.ts }, open);
  expect(isOpen()).toBe(true);
  return { told, isOpen };
}

it.each([
  ['by somebody else', 'maria', 'Approve'],
  ['by whoever has approved it', 'jon', 'Approve'],
  ['to reject it', 'maria', 'Reject…'],
  ['to hand it over', 'jon', 'Add an approver…'],
] as const)('a card that has got back its buttons loses them again when it is clicked %s', async (_, who, label) => {
  const fixture = await world.fixture();
  const { told, isOpen } = await overtaken(fixture, 'the card');
  await fixture[who].click(label, { in: told });
  await expect.poll(isOpen).toBe(false);
  expect(JSON.stringify(storedAt(told.ts)?.blocks)).toContain('Sent to the crew.');
});

it('so does a direct message', async () => {
  const { told, isOpen } = await overtaken(withMessages, 'the direct message');
  await withMessages.maria.click('Approve', { in: told });
  await expect.poll(isOpen).toBe(false);
});
