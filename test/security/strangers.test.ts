import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Bot } from '../../src/bot/bot.ts';
import type { Message } from '../../src/sandbox/slack-workspace/people-api.ts';
import { actions, shortcuts, views } from '../../src/slack/app/listeners.ts';
import type { Fixture } from '../support/fixture.ts';
import { askSlackServer, buttonsIn, clickPayload, payloadForm, submissionPayload } from '../support/slack-server.ts';
import { startWorld, type World } from '../support/world.ts';

const OTHER_TEAM = 'T0NORTHWND';
const WORDS = 'Only members of the workspace';
/** The answers to strangers, and what a slow machine shows while it asks Slack. */
const TELLS_NOTHING =
  /Only members of the workspace|You have no vote here to withdraw|Slack can’t tell right now who you are|⏳ /;

let world: World;
let bot: Bot;
let fixture: Fixture;
let root: Message;

beforeAll(async () => {
  world = await startWorld({ fixtures: 1 });
  bot = await world.startBot();
  fixture = await world.fixture();
  root = await fixture.start();
});
afterAll(() => world.stop());

const post = (body: string) => askSlackServer({ port: bot.port, secret: world.slack.signingSecret, body });

/** How often people were told why. */
const told = (words = WORDS) => JSON.stringify(world.slack.calls()).split(words).length - 1;

/** Everything that a stranger could have changed. */
async function traces() {
  const { slack } = world;
  const views = slack.calls().filter(({ name }) => name.startsWith('views.'));
  const opened = views.filter(({ request }) => !TELLS_NOTHING.test(JSON.stringify(request)));
  return {
    // The root is live: it changes by itself while these tests run. Answers in private conversations tell only why.
    messages: slack.messages().filter(({ ts, channel }) => ts !== root.ts && !channel.startsWith('D')),
    isFollowed: JSON.stringify(slack.messages()).includes('Stop tracking…'),
    kickoffs: (await fixture.requests('kickoff')).length,
    resumes: (await fixture.requests('resume')).length,
    opened: opened.length,
  };
}

it.each([...Object.keys(actions)])(
  'a click on %s by a person from another organisation changes and opens nothing',
  async (actionId) => {
    const card = await fixture.card();
    const before = await traces();
    for (const { value } of world.slack.messages().flatMap((message) => buttonsIn([message], ''))) {
      const by = { by: 'USTRANGE6', team: OTHER_TEAM, message: card };
      expect(await post(payloadForm(clickPayload({ actionId, value }, by)))).toMatchObject({ status: 200 });
    }
    expect(await traces()).toEqual(before);
  },
);

it.each([...Object.keys(shortcuts)])(
  'the shortcut %s, used by a person from another organisation, changes and opens nothing',
  async (callbackId) => {
    const card = await fixture.card();
    const before = await traces();
    const user = { id: 'USTRANGE6', name: 'sam', team_id: OTHER_TEAM };
    const message = { ts: '1.2', thread_ts: root.ts, text: 'Bad' };
    const used = { callback_id: callbackId, user, trigger_id: '1.2.3', channel: { id: card.channel }, message };
    for (const type of ['shortcut', 'message_action'])
      expect(await post(payloadForm({ type, ...used }))).toMatchObject({ status: 200 });
    expect(await traces()).toEqual(before);
  },
);

it.each([...Object.keys(views)])(
  'a submission of %s by a person from another organisation is refused with the reason',
  async (callbackId) => {
    const before = await traces();
    const [approve] = buttonsIn(world.slack.messages(), 'Approve');
    const payload = submissionPayload(
      { callbackId, metadata: approve?.value ?? '', values: { feedback: { feedback: { type: 'x', value: 'Bad' } } } },
      { by: 'USTRANGE6', team: OTHER_TEAM },
    );
    const answer = await post(payloadForm(payload));
    expect([answer.status, answer.text.includes(WORDS)]).toEqual([200, true]);
    expect(await traces()).toEqual(before);
  },
);

const kickoff = (text: string) => {
  const who = { user_id: 'USTRANGE6', team_id: OTHER_TEAM, channel_id: fixture.channelId, trigger_id: `t${text}` };
  return post(new URLSearchParams({ command: '/kickoff', text, ...who }).toString());
};

it.each(['status', 'help', 'who', 'who else'])(
  '/kickoff %s by a person from another organisation lists nothing',
  async (text) => {
    const before = await traces();
    const answer = await kickoff(text);
    expect([answer.status, answer.text.includes(WORDS)]).toEqual([200, true]);
    expect(await traces()).toEqual(before);
  },
);

it('a start by a person from another organisation is refused with the reason', async () => {
  const before = await traces();
  for (const text of [`${fixture.crew} topic=tea`, '']) {
    const toldBefore = told();
    const answer = await kickoff(text);
    expect(answer.status).toBe(200);
    // A slow machine acknowledges first and tells why afterwards.
    if (!answer.text.includes(WORDS)) await expect.poll(told).toBeGreaterThan(toldBefore);
  }
  expect(await traces()).toEqual(before);
});

it('a click is refused with the reason while Slack can’t tell who the person is', async () => {
  const card = await fixture.card();
  const [approve] = buttonsIn(world.slack.messages(), 'Approve');
  if (!approve) throw new Error('the card has no button');
  const before = await traces();
  const troubles = [
    ['UAIKO0003', { kind: 'status', status: 500 }],
    ['UMARIA001', { kind: 'rate-limited', retryAfterSeconds: 1 }],
  ] as const;
  for (const [by, effect] of troubles) {
    world.slack.faults.add({ method: 'users.info', where: { user: by }, effect });
    const answer = await post(payloadForm(clickPayload(approve, { by, team: null, message: card })));
    expect(answer).toMatchObject({ status: 200 });
  }
  await expect.poll(() => told('Slack can’t tell right now who you are')).toBeGreaterThan(1);
  expect(await traces()).toEqual(before);
});

it('a click that names no workspace is allowed only once Slack has named it', async () => {
  const card = await fixture.card();
  const [approve] = buttonsIn(world.slack.messages(), 'Approve');
  if (!approve) throw new Error('the card has no button');
  const before = await traces();
  for (const by of ['USTRANGE6', 'UNOBODY00', ''])
    await post(payloadForm(clickPayload(approve, { by, team: null, message: card })));
  expect(await traces()).toEqual(before);
  await post(payloadForm(clickPayload(approve, { by: fixture.jon.id, team: null, message: card })));
  await fixture.asked('resume', 1);
});
