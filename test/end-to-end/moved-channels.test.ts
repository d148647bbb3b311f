import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createCredentials } from '../../src/crew/credentials.ts';
import type { Fixture } from '../support/fixture.ts';
import { startWorld, TEST_SECRET, type World } from '../support/world.ts';

let world: World;
let origin: string;

beforeAll(async () => {
  // Of this one, the settings have an id.
  const settings = { channel: 'C0INCIDNT3' };
  world = await startWorld({ fixtures: 4, crews: [{ name: 'by-id', settings }] });
  origin = `http://127.0.0.1:${(await world.startBot()).port}`;
});
afterAll(() => world.stop());

/** A run that was started elsewhere asks for human input, and so appears in the crew's own channel. */
async function startElsewhere(crew: string, id: string): Promise<void> {
  const authentication = createCredentials([TEST_SECRET]).ofCrew(crew, 'bearer');
  const authorization = authentication.strategy === 'bearer' ? `Bearer ${authentication.token}` : '';
  const body = { kickoff_id: id, execution_id: id, task_id: id, task_output: `Output of ${id}` };
  const { status } = await fetch(`${origin}/webhooks/crews/${crew}/human-input`, {
    ...{ method: 'POST', body: JSON.stringify(body), headers: { 'content-type': 'application/json', authorization } },
  });
  expect(status).toBe(200);
}

const idNow = async ({ jon, channel }: Pick<Fixture, 'jon' | 'channel'>) =>
  (await jon.snapshot()).channels.find(({ name }) => `#${name}` === channel)?.id;

describe.concurrent('a private channel that is shared with another organisation, and so gets another id', () => {
  it('keeps its runs, which go on there', async () => {
    const fixture = await world.fixture();
    const { channel, channelId, jon, maria, start, linkedCard, approve, run } = fixture;
    await start();
    await linkedCard();
    world.slack.admin.shareChannel(channel);
    const id = await idNow(fixture);
    expect(id).not.toBe(channelId);
    const card = await jon.sees(channel, 'Approval needed');
    await approve(card);
    await run('is completed', ({ status }) => status === 'completed');
    const root = await maria.sees(channel, 'Completed');
    await maria.seesInThread(root, 'Finished.');
    await jon.click('History', { in: root });
    await jon.seesModal(`in <#${id}>`);
    const after = world.slack.messages().filter((each) => each.channel === id);
    expect(after.filter(({ broadcast }) => broadcast)).toHaveLength(1);
  });

  it('stays the channel of the crew whose settings have the old id', async () => {
    world.slack.admin.shareChannel('incidents');
    await startElsewhere('by-id', 'E1');
    await world.slack.as('jon').sees('#incidents', 'Output of E1');
  });
});

it('the channel of a crew is the one that has its name now, or had it before', async () => {
  const [one, other] = [await world.fixture(), await world.fixture()];
  await startElsewhere(one.crew, 'E2');
  await one.card('Output of E2');
  world.slack.admin.renameChannel(one.channel, 'former-room');
  await startElsewhere(one.crew, 'E3');
  await one.jon.sees('#former-room', 'Output of E3');
  world.slack.admin.renameChannel(other.channel, one.channel.slice(1));
  const { channelId } = other;
  await world.slack
    .as('priya')
    .waitFor('the event', () =>
      world.slack
        .calls()
        .find(({ name, request }) => name === 'group_rename' && JSON.stringify(request).includes(channelId)),
    );
  await startElsewhere(one.crew, 'E4');
  await other.jon.sees(one.channel, 'Output of E4');
});

it('a shared channel lists its runs, and gets what Slack didn’t take before it told of the new id', async () => {
  const fixture = await world.fixture([{ name: 'draft', humanInput: true, output: 'Draft', hold: 'the sharing' }]);
  const { channel, jon, start } = fixture;
  await world.crews.sandbox.shutGate('the sharing');
  await start();
  world.slack.installAt('http://127.0.0.1:9/slack/events');
  world.slack.admin.shareChannel(channel);
  await world.crews.sandbox.openGate('the sharing');
  await world.slack
    .as('priya')
    .waitFor('a refusal', () =>
      world.slack.calls().find(({ name, error }) => name === 'chat.postMessage' && error === 'channel_not_found'),
    );
  world.slack.installAt(`${origin}/slack/events`);
  await world.slack.redeliver('channel_id_changed');
  await jon.sees(channel, 'Approval needed');
  await jon.command(channel, '/kickoff status');
  await jon.seesPrivately(channel, '1 run in progress');
});
