import { afterAll, beforeAll, expect, it } from 'vitest';
import { USUAL_SETTINGS } from '../../src/core/inbox/person-settings.ts';
import { storeSettings } from '../support/person-settings.ts';
import { startWorld, type World } from '../support/world.ts';

let world: World;

beforeAll(async () => {
  world = await startWorld({ fixtures: 5 });
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
async function overtaken(of: 'the card' | 'the direct message') {
  const fixture = await world.fixture();
  if (of === 'the direct message')
    await storeSettings(world.redis.url, { [fixture.maria.id]: { ...USUAL_SETTINGS, tell: { kind: 'at-once' } } });
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
  return { fixture, told, isOpen };
}

it.each([
  ['by somebody else', 'maria', 'Approve'],
  ['by whoever has approved it', 'jon', 'Approve'],
  ['to have changes made', 'maria', 'Request changes…'],
  ['to hand it over', 'jon', 'Hand over…'],
] as const)('a card that has got back its buttons loses them again when it is clicked %s', async (_, who, label) => {
  const { fixture, told, isOpen } = await overtaken('the card');
  await fixture[who].click(label, { in: told });
  await expect.poll(isOpen).toBe(false);
  expect(JSON.stringify(storedAt(told.ts)?.blocks)).toContain('Sent to the crew.');
});

it('so does a direct message', async () => {
  const { fixture, told, isOpen } = await overtaken('the direct message');
  await fixture.maria.click('Approve', { in: told });
  await expect.poll(isOpen).toBe(false);
});
