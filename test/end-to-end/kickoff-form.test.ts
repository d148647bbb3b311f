import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../../src/sandbox/slack-workspace/driver/queries.ts';
import { modalText } from '../../src/sandbox/slack-workspace/driver/visible-text.ts';
import { startedFrom } from '../support/started-from.ts';
import { startWorld, type World } from '../support/world.ts';

const HINTS = {
  title: { label: 'Title', help: 'What readers see first.' },
  notes: { label: 'Notes', type: 'long_text' },
  count: { label: 'How many', type: 'number', default: 3 },
  urgent: { label: 'Is it urgent?', type: 'yes_no' },
  kind: { label: 'Kind', type: 'choice', options: ['blog', 7, true] },
  day: { label: 'Day', type: 'date' },
  data: { label: 'Data', type: 'json' },
};

let world: World;

beforeAll(async () => {
  world = await startWorld({
    crews: [
      { name: 'typed', inputs: Object.keys(HINTS), settings: { inputs: HINTS } },
      { name: 'no-inputs', inputs: [] },
      { name: 'sleepy', inputs: ['dream'] },
    ],
    fixtures: 11,
  });
  // Otherwise the bot would remember the inputs from its start.
  await world.crews.sandbox.addFault({ route: 'inputs', crew: 'sleepy', respond: { status: 500 } });
  await world.startBot();
  const asked = async () => (await world.crews.sandbox.requests()).find(({ crew }) => crew === 'crew-11');
  await eventually(asked, async () => 'the bot did not ask the crews at its start');
});
afterAll(() => world.stop());

const runsOf = async (crew: string) => (await world.crews.sandbox.runs()).filter((run) => run.crew === crew);

describe.concurrent('the form of a start', () => {
  it('offers the crews where there are several, and shows the inputs of the one that is picked', async () => {
    const { maria, channel, crew, run } = await world.fixture();
    await maria.command(channel, '/kickoff');
    await maria.seesModal('Title');
    await maria.choose('Crew', crew);
    await maria.seesModal('topic');
    await maria.fill('topic', 'tea');
    await maria.submit();
    const started = await run('was started', () => true);
    expect(started.inputs).toEqual({ topic: 'tea' });
    await startedFrom(maria);
  });

  it('sends every input with the JSON type that its hint names', async () => {
    const { maria, channel } = await world.fixture();
    await maria.command(channel, '/kickoff');
    const form = await maria.seesModal('What readers see first.');
    expect(modalText(form)).toContain('How many');
    await maria.fill('Title', '12');
    await maria.fill('Notes', 'Two\nlines');
    await maria.fill('How many', '2.5');
    await maria.choose('Is it urgent?', 'No');
    await maria.choose('Kind', '7');
    await maria.fill('Day', '2026-12-31');
    await maria.fill('Data', '{"tags": ["a", 1, null]}');
    await maria.submit();
    await startedFrom(maria);
    const [run] = (await runsOf('typed')).filter(({ inputs }) => inputs.title === '12');
    expect(run?.inputs).toEqual({
      title: '12',
      notes: 'Two\nlines',
      count: 2.5,
      urgent: false,
      kind: 7,
      day: '2026-12-31',
      data: { tags: ['a', 1, null] },
    });
  });

  it('says at its field what can’t be used, keeps the rest, and takes the default of what is left empty', async () => {
    const { maria, channel } = await world.fixture();
    await maria.command(channel, '/kickoff', 'typed title=Sale urgent=yes kind=blog day=2026-01-02 notes=-');
    await maria.fill('Data', '{oops');
    await expect(maria.submit()).rejects.toThrow('JSON');
    await maria.seesModal('JSON');
    await maria.fill('Data', '[]');
    await maria.submit();
    await startedFrom(maria);
    const [run] = (await runsOf('typed')).filter(({ inputs }) => inputs.title === 'Sale');
    expect(run?.inputs).toEqual({
      title: 'Sale',
      notes: '-',
      count: 3,
      urgent: true,
      kind: 'blog',
      day: '2026-01-02',
      data: [],
    });
  });

  it('starts a crew that needs nothing with one click', async () => {
    const { maria, channel } = await world.fixture();
    await maria.command(channel, '/kickoff');
    await maria.choose('Crew', 'no-inputs');
    await maria.seesModal('needs no inputs');
    await maria.submit();
    await startedFrom(maria);
    expect((await runsOf('no-inputs'))[0]?.inputs).toEqual({});
  });

  it('shows a loading view at once where the crew is slow to say what it needs, then the form, and remembers it', async () => {
    const { maria, channel } = await world.fixture();
    await world.crews.sandbox.addFault({ route: 'inputs', crew: 'sleepy', delayMs: 4_000 });
    await maria.command(channel, '/kickoff', 'sleepy');
    await maria.seesModal('Asking');
    await maria.seesModal('dream');
    await maria.closeModal();
    await maria.command(channel, '/kickoff', 'sleepy');
    await maria.seesModal('dream');
    const asked = (await world.crews.sandbox.requests()).filter(
      ({ crew, route }) => crew === 'sleepy' && route === 'inputs',
    );
    expect(asked).toHaveLength(2);
  });

  it('starts nothing when it is closed', async ({ expect }) => {
    const { maria, jon, channel, types, runs, root } = await world.fixture();
    await types('');
    await maria.seesModal('topic');
    await maria.closeModal();
    await types('topic=later');
    await root();
    await expect.poll(() => runs()).toHaveLength(1);
    const roots = (await jon.channel(channel)).filter(({ ts, threadTs = ts }) => threadTs === ts);
    expect(roots).toHaveLength(1);
  });
});

describe.concurrent('a start from anywhere', () => {
  it('asks for the crew, proposes its own channel, and says where the run is', async ({ expect }) => {
    const { maria, channel, crew, run, root } = await world.fixture();
    await maria.globalShortcut('Start a crew');
    await maria.choose('Crew', crew);
    await expect.poll(() => maria.chosen('Channel')).toEqual([channel.slice(1)]);
    await maria.submit();
    await maria.seesModal('The run gets a thread in');
    await maria.fill('topic', 'tea');
    await maria.submit();
    await maria.seesModal(`*${crew}* has started.`);
    expect((await run('was started', () => true)).inputs).toEqual({ topic: 'tea' });
    await root();
    await maria.back();
    await maria.seesNoModal();
  });

  it('says beside the channel why nothing can be started there, and goes back to the choice', async ({ expect }) => {
    const { maria, channel, crew, runs } = await world.fixture();
    await maria.globalShortcut('Start a crew');
    await maria.choose('Crew', crew);
    await expect.poll(() => maria.chosen('Channel')).toEqual([channel.slice(1)]);
    await maria.choose('Channel', '#random');
    await expect(maria.submit()).rejects.toThrow('Signoff isn’t in this channel. Type /invite @signoff there');
    await maria.choose('Channel', '#partners');
    await maria.submit();
    await maria.seesModal('This channel is shared with another organisation.');
    await maria.back();
    expect(await maria.chosen('Channel')).toEqual(['partners']);
    await maria.choose('Channel', channel);
    await maria.submit();
    await maria.seesModal('The run gets a thread in');
    await maria.closeModal();
    expect(await runs()).toEqual([]);
  });

  it('begins with a message in the input that was chosen', async ({ expect }) => {
    const { maria, jon, channel, crew, run } = await world.fixture();
    await maria.messageShortcut(
      'Start a crew with it',
      await jon.say(channel, 'Write about\n<tea> & https://tea.example'),
    );
    await maria.choose('Crew', 'no-inputs');
    await maria.seesModal('*no-inputs* has no text input');
    await expect(maria.submit()).rejects.toThrow('no-inputs has no text input. Choose another crew.');
    await maria.choose('Crew', 'typed');
    await expect.poll(() => maria.chosen('The message goes into')).toEqual(['Notes']);
    expect(await maria.chosen('Channel')).toEqual([channel.slice(1)]);
    await maria.submit();
    await expect.poll(() => maria.chosen('Notes')).toEqual(['Write about\n<tea> & https://tea.example']);
    await maria.back();
    await maria.fill('Message', 'Write about tea');
    await maria.choose('Crew', crew);
    await maria.seesModal('It goes into “topic”.');
    await maria.submit();
    await expect.poll(() => maria.chosen('topic')).toEqual(['Write about tea']);
    await maria.submit();
    await maria.seesModal('has started');
    expect((await run('was started', () => true)).inputs).toEqual({ topic: 'Write about tea' });
    await maria.closeModal();
  });
});
