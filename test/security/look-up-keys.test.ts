import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Bot } from '../../src/bot/bot.ts';
import type { Fixture } from '../support/fixture.ts';
import { askSlackServer, buttonsIn, clickPayload, payloadForm, submissionPayload } from '../support/slack-server.ts';
import { startWorld, type World } from '../support/world.ts';

const LONG = Array.from({ length: 900 }, (_, i) => `Line ${i} of a long report that has to be read in pages.`).join(
  '\n',
);

let world: World;
let bot: Bot;
let fixture: Fixture;
let other: Fixture;

beforeAll(async () => {
  world = await startWorld({ fixtures: 2 });
  bot = await world.startBot();
  fixture = await world.fixture([{ name: 'draft', humanInput: true, output: LONG }]);
  other = await world.fixture([{ name: 'draft', humanInput: true, output: `The other report.\n${LONG}` }]);
  for (const each of [fixture, other]) await each.start();
  for (const each of [fixture, other]) await each.card();
});
afterAll(() => world.stop());

const post = (body: string) => askSlackServer({ port: bot.port, secret: world.slack.signingSecret, body });
const buttonOf = (at: Fixture, label: string) => {
  const [found] = buttonsIn(
    world.slack.messages().filter(({ channel }) => channel === at.channelId),
    label,
  );
  if (!found) throw new Error(`nothing is called ${label}`);
  return found;
};

/** Everything that a person could have decided or read. */
async function resumes() {
  return (await world.crews.sandbox.requests()).filter(({ route }) => route === 'resume');
}

/** The modals opened or updated after the first `calls` calls. */
const shownSince = (calls: number) =>
  world.slack
    .calls()
    .slice(calls)
    .filter(({ name }) => name.startsWith('views.'))
    .map(({ request }) => JSON.stringify(request));

const VALUES: [string, () => string][] = [
  ['nothing', () => ''],
  ['no JSON', () => 'approve'],
  ['null', () => 'null'],
  ['an array', () => '[]'],
  ['another ref', () => JSON.stringify({ ref: 'a'.repeat(26), approvalId: '1' })],
  ['a ref that is none', () => JSON.stringify({ ref: '../x', approvalId: '1' })],
  ['a key of Redis for a ref', () => JSON.stringify({ ref: '{07}:execution:x', approvalId: '1' })],
  ['another approval', () => JSON.stringify({ ...JSON.parse(buttonOf(fixture, 'Approve').value), approvalId: '99' })],
  ['a prototype for an approval', () => tampered({ approvalId: '__proto__' })],
  ['a number for an approval', () => tampered({ approvalId: 1 })],
  ['an object for a ref', () => tampered({ ref: { length: 26 } })],
  ['two thousand characters', () => 'x'.repeat(2_000)],
];

function tampered(change: object): string {
  return JSON.stringify({ ...JSON.parse(buttonOf(fixture, 'Approve').value), ...change });
}

describe('a foreign button value', () => {
  it.each(VALUES)('(%s) decides nothing, and the person is told so', async (_, value) => {
    const message = buttonOf(fixture, 'Approve').message;
    for (const actionId of [
      'approve',
      'reject',
      'approve_with_note',
      'send_again',
      'read_all',
      'read_next',
      'review',
      'review_next',
      'skip',
      'stop_following',
      'track_again',
    ]) {
      const body = payloadForm(clickPayload({ actionId, value: value() }, { by: fixture.jon.id, message }));
      expect(await post(body)).toMatchObject({ status: 200 });
    }
    for (const callbackId of ['give_feedback', 'write_note', 'send_note', 'stop_following', 'kickoff']) {
      const values = { feedback: { feedback: { type: 'plain_text_input', value: 'Bad' } } };
      const payload = submissionPayload({ callbackId, metadata: value(), values }, { by: fixture.jon.id });
      expect(await post(payloadForm(payload))).toMatchObject({ status: 200 });
    }
    expect(await resumes()).toEqual([]);
  });
});

describe('the key of a text', () => {
  const keyOf = (at: Fixture) => JSON.parse(buttonOf(at, 'Review').value);
  const read = async (key: object, actionId = 'review') => {
    const calls = world.slack.calls().length;
    const { message } = buttonOf(fixture, 'Review');
    const body = payloadForm(clickPayload({ actionId, value: JSON.stringify(key) }, { by: fixture.jon.id, message }));
    expect(await post(body)).toMatchObject({ status: 200 });
    await expect.poll(() => shownSince(calls).length, { timeout: 5_000 }).toBeGreaterThan(0);
    return shownSince(calls).join('');
  };

  it('opens the text of its execution', async () => {
    expect(await read(keyOf(fixture))).toContain('Line 1 of a long report');
  });

  it('finds nothing of another execution', async () => {
    const mixed = { ...keyOf(fixture), hash: keyOf(other).hash };
    expect(await read(mixed)).toContain(`no longer stored. SHA-256, as in the ledger: \`${mixed.hash}\``);
  });

  it.each(['record', '__proto__', '*', '', 'x'.repeat(1_000)])('finds nothing by the hash %j', async (hash) => {
    expect(await read({ ...keyOf(fixture), hash })).toContain('no longer stored');
  });
});

it.each([-1, 1e9, 1e308, 0.5, Number.MAX_SAFE_INTEGER])('page %d of a text is one that there is', async (page) => {
  const { message, value } = buttonOf(fixture, 'Review');
  const [card] = await fixture.jon.channel(fixture.channel).then((all) => all.filter(({ ts }) => ts === message.ts));
  if (!card) throw new Error('Jon does not see the card');
  await fixture.jon.click('Review', { in: card });
  const { id } = await fixture.jon.seesModal('Review');
  const next = { actionId: 'review_next', value: JSON.stringify({ ...JSON.parse(value), page }) };
  const click = { ...Object(clickPayload(next, { by: fixture.jon.id, message })), view: { id, hash: '' } };
  expect(await post(payloadForm(click))).toMatchObject({ status: 200 });
  await fixture.jon.seesModal('of a long report');
  await fixture.jon.closeModal();
});

it('the right key still decides, once all that was tried', async () => {
  const { message, ...approve } = buttonOf(fixture, 'Approve');
  await post(payloadForm(clickPayload(approve, { by: fixture.jon.id, message })));
  await fixture.asked('resume', 1);
  expect(await resumes()).toHaveLength(1);
});
