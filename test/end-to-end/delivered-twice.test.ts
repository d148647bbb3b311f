import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../../src/sandbox/slack-workspace/driver/queries.ts';
import { startWorld, type World } from '../support/world.ts';

/** The newest request of a kind is redelivered, so these tests run one after the other. */
describe('a repeated delivery by Slack', () => {
  let world: World;

  beforeAll(async () => {
    world = await startWorld({ fixtures: 2, crews: [{ name: 'sleepy', inputs: ['dream'] }] });
    // Otherwise the bot would remember the inputs from its start.
    await world.crews.sandbox.addFault({ route: 'inputs', crew: 'sleepy', respond: { status: 500 } });
    await world.startBot();
    const asked = async () => (await world.crews.sandbox.requests()).find(({ crew }) => crew === 'sleepy');
    await eventually(asked, async () => 'the bot did not ask the crews at its start');
    await world.crews.sandbox.addFault({ route: 'inputs', crew: 'sleepy', delayMs: 1_200 });
  });
  afterAll(() => world.stop());

  it('opens one form for a command, and says no more of it', async () => {
    const { types, maria, channel } = await world.fixture();
    await types('');
    await maria.seesModal('topic');
    await world.slack.redeliver('/kickoff');
    await maria.command(channel, '/kickoff', 'help');
    await maria.seesPrivately(channel, '/kickoff status');
    expect(await maria.privately(channel)).toHaveLength(1);
    expect((await maria.snapshot()).modals).toHaveLength(1);
  });

  it('starts one crew for a command, also where the crew is slow to say what it needs', async () => {
    const { maria, channel } = await world.fixture();
    await maria.command(channel, '/kickoff', 'sleepy dream=deep');
    await maria.seesModal('Asking');
    await world.slack.redeliver('/kickoff');
    await maria.seesModal('Started');
    await maria.sees(channel, 'Approval needed');
    const asked = (await world.crews.sandbox.requests()).filter(({ crew }) => crew === 'sleepy');
    expect(asked.filter(({ route }) => route === 'kickoff')).toHaveLength(1);
    expect(await maria.privately(channel)).toEqual([]);
  });
});

describe.each(['http', 'socket'] as const)('a repeated delivery by Slack over %s', (slackMode) => {
  let world: World;

  beforeAll(async () => {
    world = await startWorld({ slackMode, fixtures: 2 });
    await world.startBot();
  });
  afterAll(() => world.stop());

  it('starts one crew for a command', async () => {
    const { start, run, runs, maria, channel } = await world.fixture();
    await start();
    await world.slack.redeliver('/kickoff');
    await run('was started', () => true);
    expect(await runs()).toHaveLength(1);
    expect((await maria.channel(channel)).filter(({ text }) => text.includes('Started by'))).toHaveLength(1);
  });

  it('makes one decision of a rejection', async () => {
    const { start, card, reject, resumes, jon } = await world.fixture();
    await start();
    await reject(await card(), 'Shorter');
    await world.slack.redeliver('view_submission');
    await card('Round 2');
    expect(await jon.modal()).toBeUndefined();
    expect(await resumes()).toHaveLength(1);
  });
});
