import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { visibleText } from '../../src/sandbox/slack-workspace/driver/visible-text.ts';
import { privateAnswerTo } from '../support/private-answer.ts';
import { startWorld, type World } from '../support/world.ts';

let world: World;

beforeAll(async () => {
  world = await startWorld({ fixtures: 25, inputs: ['topic', 'audience'] });
  await world.startBot();
});
afterAll(() => world.stop());

describe.concurrent('/kickoff with words', () => {
  it('starts at once when nothing is missing, and heads a thread with crew, starter and inputs', async () => {
    const { start, run, crew, maria } = await world.fixture();
    const root = await start('topic="green tea" audience=“people who drink”');
    expect((await run('was started', () => true)).inputs).toEqual({
      topic: 'green tea',
      audience: 'people who drink',
    });
    for (const words of [crew, 'Maria the', 'green tea', 'people who drink', '<!date^', 'Stop tracking…'])
      await maria.seesChanged(root, words);
  });

  it('opens the form with what was typed when something is missing', async () => {
    const { types, maria, run } = await world.fixture();
    await types('audience=everybody');
    await maria.seesModal('topic');
    await maria.fill('topic', 'tea');
    await maria.submit();
    expect((await run('was started', () => true)).inputs).toEqual({ topic: 'tea', audience: 'everybody' });
  });

  it('tells privately what is going on here with links, and nothing of other channels', async () => {
    const { start, maria, jon, channel, channelId, card, crew } = await world.fixture();
    await jon.command(channel, '/kickoff', 'status');
    await jon.seesPrivately(channel, 'Nothing is running');
    const root = await start('topic=tea audience=all');
    const request = await card();
    await maria.seesChanged(root, `p${request.ts.replace('.', '')}`);
    await jon.command(channel, '/kickoff', 'status');
    const status = await jon.seesPrivately(channel, crew);
    expect(visibleText(status)).toContain(`archives/${channelId}/p${root.ts.replace('.', '')}`);
    expect(visibleText(status)).toContain(`archives/${channelId}/p${request.ts.replace('.', '')}`);
    expect(visibleText(status)).toContain('Waiting');
    expect(visibleText(status).match(/crew-\d+/g)).toEqual([crew]);
    expect((await maria.privately(channel)).map(visibleText).join()).not.toContain('archives');
  });

  it('lists no run that has ended', async () => {
    const { start, setTasks, jon, channel, maria } = await world.fixture();
    await setTasks([{ name: 'only', output: 'Done at once.' }]);
    const root = await start('topic=tea audience=all');
    await maria.seesChanged(root, 'Completed');
    await jon.command(channel, '/kickoff', 'status');
    await jon.seesPrivately(channel, 'Nothing is running');
  });

  it('explains itself', async () => {
    const { jon, channel } = await world.fixture();
    await jon.command(channel, '/kickoff', 'help');
    const help = await jon.seesPrivately(channel, '/kickoff status');
    expect(visibleText(help)).toContain('crew-1');
    await jon.command(channel, '/kickoff', 'help crew-2');
    const ofCrew = visibleText(await jon.seesPrivately(channel, 'It needs 2 inputs'));
    expect(ofCrew).toContain('/kickoff crew-2 topic="…" audience="…"');
    expect(visibleText(help)).not.toContain('stats');
  });

  it.each(['stats', 'stats crew-1'])('answers “/kickoff %s” privately, with where the figures are', async (words) => {
    const { jon, maria, channel } = await world.fixture();
    await jon.command(channel, '/kickoff', words);
    const answer = visibleText(await jon.seesPrivately(channel, 'figures'));
    expect(answer).toContain('in a report and on a dashboard, not in Slack');
    expect(answer).toContain('npm run report');
    expect(await maria.privately(channel)).toEqual([]);
    expect(await maria.screen()).not.toContain('figures');
  });

  it.each([
    ['crew', 'There is no crew named “crew”'],
    ['crew-1 colour=green', 'no input named “colour”'],
    ['crew-1 topic="green tea', 'Missing closing quote near topic="green tea.'],
    ['status topic=tea', 'There is no crew named “status”'],
  ])('opens a form for “/kickoff %s” that says what is wrong, and starts nothing', async (words, answer) => {
    const { jon, channel } = await world.fixture();
    await jon.command(channel, '/kickoff', words);
    const { text } = await privateAnswerTo(jon, channel, answer);
    expect(text).toContain('Nothing has been started yet');
  });
});

describe.concurrent('a line whose crew isn’t known', () => {
  it('starts nothing before a person has chosen one, suggests the nearest, and keeps what was typed', async ({
    expect,
  }) => {
    const { maria, channel, crew, run, runs } = await world.fixture();
    await maria.command(channel, '/kickoff', `${crew.replace('crew', 'crwe')} topic=tea colour=green`);
    const { text } = await privateAnswerTo(maria, channel, 'There is no crew named');
    expect(text).toContain('Did you mean “');
    expect(await maria.chosen('Crew')).toEqual([]);
    await expect(maria.submit()).rejects.toThrow();
    await maria.choose('Crew', crew);
    await maria.seesModal('no input named “colour”');
    expect(await maria.chosen('topic')).toEqual(['tea']);
    expect(await runs()).toEqual([]);
    await maria.fill('audience', 'all');
    await maria.submit();
    expect((await run('was started', () => true)).inputs).toEqual({ topic: 'tea', audience: 'all' });
  });

  it('is read without formatting and invisible marks', async ({ expect }) => {
    const { maria, channel, crew, run } = await world.fixture();
    await maria.command(channel, '/kickoff', `*${crew}\u200f* topic=tea audience=all`);
    expect((await run('was started', () => true)).inputs).toEqual({ topic: 'tea', audience: 'all' });
  });
});

describe('A channel that another organisation sees', () => {
  it('asks before a run starts, also one that a line describes whole', async () => {
    const maria = world.slack.as('maria');
    const topics = async () => (await world.crews.sandbox.runs()).map(({ inputs }) => inputs.topic);
    await maria.command('#partners', '/kickoff', 'crew-1 topic=shared audience=all');
    await maria.seesModal('shared with another organisation');
    await expect(maria.submit()).rejects.toThrow();
    expect(await topics()).not.toContain('shared');
    await maria.choose('Shared channel', 'Post this run here anyway');
    await maria.submit();
    await maria.sees('#partners', 'shared');
    expect(await topics()).toContain('shared');
  });
});

describe.concurrent('an enormous line', () => {
  it.each([
    ['of many words', `crew-1 topic=tea ${'very '.repeat(1_500)}long`, '“very” isn’t an input'],
    ['of many inputs', `crew-1 ${Array.from({ length: 900 }, (_, i) => `a${i}=1`).join(' ')}`, 'no input named “a0”'],
    ['that opens a quote', `crew-1 topic=“${'tea '.repeat(1_700)}`, 'Missing closing quote'],
  ])('%s is answered privately and starts nothing', async (_, words, answer) => {
    const { jon, channel } = await world.fixture();
    await jon.command(channel, '/kickoff', words);
    const { text } = await privateAnswerTo(jon, channel, answer);
    expect(text).toContain('Nothing has been started yet');
    expect(text.length).toBeLessThan(2_000);
  });
});

describe('A channel in which the bot can’t post', () => {
  it('says that it has to be invited, and works once it was', async () => {
    const maria = world.slack.as('maria');
    await maria.command('#random', '/kickoff', 'crew-1 topic=uninvited audience=all');
    await privateAnswerTo(maria, '#random', '/invite @');
    await maria.command('#leadership', '/kickoff');
    await privateAnswerTo(maria, '#leadership', '/invite @');
    await maria.command('#random', '/invite', '@signoff');
    await maria.command('#random', '/kickoff', 'crew-1 topic=coffee audience=all');
    await maria.sees('#random', 'coffee');
    const topics = (await world.crews.sandbox.runs()).map(({ inputs }) => inputs.topic);
    expect(topics).not.toContain('uninvited');
  });

  it('says in the status why an approval is not to be seen', async () => {
    const { start, maria, jon, channel, linkedCard, sent } = await world.fixture();
    await start('topic=tea audience=all');
    const first = await linkedCard();
    await jon.command(channel, '/kickoff', 'status');
    expect(visibleText(await jon.seesPrivately(channel, 'Open the approval'))).not.toContain('/invite');
    await maria.command(channel, '/remove', '@signoff');
    await jon.click('Reject…', { in: first });
    await jon.fill('What should change?', 'Shorter');
    await jon.submit();
    await sent('human-input', 2);
    await jon.command(channel, '/kickoff', 'status');
    await jon.seesPrivately(channel, '/invite @signoff');
  });

  it('names the archive as the reason', async () => {
    const { types, told, channelId, runs } = await world.fixture();
    const method = 'conversations.info';
    world.slack.faults.add({ method, where: { channel: channelId }, effect: { kind: 'error', error: 'is_archived' } });
    await types('topic=tea audience=all');
    await told('archived');
    expect(await runs()).toEqual([]);
  });
});
