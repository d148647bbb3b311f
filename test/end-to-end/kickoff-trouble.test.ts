import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../../src/sandbox/slack-workspace/driver/queries.ts';
import { modalText, visibleText } from '../../src/sandbox/slack-workspace/driver/visible-text.ts';
import { freePort } from '../../src/setup/free-port.ts';
import { startedFrom } from '../support/started-from.ts';
import { startWorld, type World } from '../support/world.ts';

const MISSING = { status: 422, body: { detail: 'Missing inputs: audience' } };

let world: World;
let closing: Awaited<ReturnType<typeof crewThatCloses>>;

beforeAll(async () => {
  closing = await crewThatCloses();
  world = await startWorld({
    crews: [
      { name: 'gone', settings: { base_url: `http://127.0.0.1:${await freePort()}` } },
      { name: 'closing', settings: { base_url: closing.address } },
      { name: 'tired', settings: { base_url: await crewThatTires() } },
      { name: 'forgetful', inputs: ['topic', 'audience'] },
    ],
    fixtures: 26,
    inputs: ['topic', 'audience'],
  });
  const onlyTopic = { status: 200, body: { inputs: ['topic'] } };
  await world.crews.sandbox.addFault({ route: 'inputs', crew: 'forgetful', respond: onlyTopic, times: 1_000 });
  await world.startBot();
});
afterAll(() => world.stop());

/** Says what it needs, and is gone before it is started. */
async function crewThatCloses() {
  const server = createServer((_, response) => response.end('{"inputs":["topic"]}', () => server.emit('asked')));
  const asked = once(server, 'asked');
  const port = await freePort();
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const close = async () => {
    await asked;
    await new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  };
  return { address: `http://127.0.0.1:${port}`, close };
}

/** Says at once what it needs when it is asked for the first time, and slower than Slack waits ever after. */
async function crewThatTires(): Promise<string> {
  let asked = 0;
  const server = createServer((request, response) => {
    if (!request.url?.endsWith('/inputs')) return request.destroy();
    asked += 1;
    return setTimeout(() => response.end('{"inputs":["topic"]}'), asked > 1 ? 4_000 : 0);
  });
  server.listen(0, '127.0.0.1').unref();
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe.concurrent('a crew that wants more inputs than the form had', () => {
  it('turns the open form into itself again, naming what is missing and keeping what was typed', async () => {
    const { types, maria, addFault, run, runs } = await world.fixture();
    await addFault({ route: 'kickoff', respond: MISSING });
    await types('');
    await maria.fill('topic', 'green tea');
    await maria.fill('audience', 'unknown');
    await maria.submit();
    await maria.seesModal('Still missing: “audience”');
    await maria.submit();
    expect((await run('was started', () => true)).inputs.topic).toBe('green tea');
    await startedFrom(maria);
    expect(await runs()).toHaveLength(1);
  });

  it('asks for an input that the crew had not named before', async () => {
    const { maria, channel } = await world.fixture();
    const runs = async () => (await world.crews.sandbox.runs()).filter(({ crew }) => crew === 'forgetful');
    await maria.command(channel, '/kickoff', 'forgetful');
    await maria.fill('topic', 'green tea');
    await maria.submit();
    await maria.seesModal('Still missing: “audience”');
    await maria.fill('⚠️ audience (missing)', 'all');
    await maria.submit();
    await startedFrom(maria);
    expect((await runs()).map(({ inputs }) => inputs)).toEqual([{ topic: 'green tea', audience: 'all' }]);
  });

  it('asks as often as the crew does, keeps what was given before, and runs again with all of it', async () => {
    const { types, maria, root, addFault, asked, setTasks } = await world.fixture();
    await setTasks([{ name: 'only', output: 'Done.' }]);
    const missing = (names: string) => ({ status: 422, body: { detail: `Missing inputs: ${names}` } });
    await addFault({ route: 'kickoff', respond: missing('tone, length') });
    await addFault({ route: 'kickoff', skip: 1, respond: missing('style') });
    await types('');
    await maria.fill('topic', 'tea');
    await maria.fill('audience', 'all');
    await maria.submit();
    await maria.seesModal('Still missing: “tone” and “length”');
    await maria.fill('⚠️ tone (missing)', 'calm');
    await maria.fill('⚠️ length (missing)', 'short');
    await maria.submit();
    await maria.seesModal('Still missing: “style”');
    await maria.fill('⚠️ style (missing)', 'plain');
    await maria.submit();
    const inputs = { topic: 'tea', audience: 'all', tone: 'calm', length: 'short', style: 'plain' };
    const inputsOf = async (time: number) => JSON.parse((await asked('kickoff', time)).at(-1)?.body ?? '{}').inputs;
    expect(await inputsOf(3)).toEqual(inputs);
    await startedFrom(maria);
    await maria.seesChanged(await root(), 'Completed');
    await maria.click('Run again', { in: await root() });
    await maria.seesModal('style');
    await maria.submit();
    expect(await inputsOf(4)).toEqual(inputs);
  });

  it('says in the form what the crew finds wrong with an input that is there', async () => {
    const { types, maria, addFault, told } = await world.fixture();
    const detail = [{ loc: ['body', 'inputs', 'audience'], msg: 'value is not a valid <integer>' }];
    await addFault({ route: 'kickoff', respond: { status: 422, body: { detail } }, times: 2 });
    await types('');
    await maria.fill('topic', 'tea');
    await maria.fill('audience', 'all');
    await maria.submit();
    await maria.seesModal('⚠️ audience');
    await maria.seesModal('value is not a valid <integer>');
    await maria.closeModal();
    await types('topic=tea audience=all');
    expect((await told('Check “audience”')).text).toContain('value is not a valid <integer>');
  });

  it('opens the form from a private message when the first one was closed', async () => {
    const { types, maria, jon, addFault, run, channel } = await world.fixture();
    await addFault({ route: 'kickoff', respond: MISSING, delayMs: 3_200 });
    await types('');
    await maria.fill('topic', 'green tea');
    await maria.fill('audience', 'x');
    await maria.submit();
    await maria.seesModal('Starting');
    await maria.closeModal();
    const told = await maria.seesPrivately(channel, '“audience”');
    expect(await jon.privately(channel)).toEqual([]);
    await maria.click('Fill in', { in: told });
    await maria.seesModal('Still missing');
    await maria.submit();
    expect((await run('was started', () => true)).inputs).toEqual({ topic: 'green tea', audience: 'x' });
  });
});

describe.concurrent('a crew that takes longer to start than Slack waits', () => {
  it.each([
    ['the form', ''],
    ['the command line', 'topic=tea audience=all'],
  ])('is waited for in a window that says *Starting…*, then *Started* with a link, after %s', async (_, words) => {
    const { types, maria, channel, channelId, addFault, root, runs } = await world.fixture();
    await addFault({ route: 'kickoff', delayMs: 3_500 });
    await types(words);
    if (words === '') {
      await maria.fill('topic', 'tea');
      await maria.fill('audience', 'all');
      await maria.submit();
    }
    await maria.seesModal('Starting…');
    expect(modalText(await maria.seesModal('Started'))).toContain(`archives/${channelId}/p`);
    await root();
    expect(await runs()).toHaveLength(1);
    expect(await maria.privately(channel)).toEqual([]);
  });
});

const ANSWERS = [['401', { status: 401, body: { detail: 'Invalid token' } }, 'access token']] as const;

describe.concurrent('a crew that says no', () => {
  it.each(ANSWERS)('is told to the person who asked, with a way to try again, for %s', async (_, respond, sentence) => {
    const { types, maria, jon, addFault, channel, run, asked, told } = await world.fixture();
    await addFault({ route: 'kickoff', respond });
    await types('topic=tea audience=all');
    const trouble = await told(sentence);
    expect([...(await jon.privately(channel)), ...(await jon.channel(channel))]).toEqual([]);
    if (trouble.in !== 'modal') await maria.click('Try again', trouble);
    await maria.seesModal('audience');
    await maria.submit();
    expect((await run('was started', () => true)).inputs).toEqual({ topic: 'tea', audience: 'all' });
    expect(await asked('kickoff', 2)).toHaveLength(2);
  });

  it('says in the open form what is wrong, and tries again in the same window', async () => {
    const { types, maria, addFault, run } = await world.fixture();
    await addFault({ route: 'kickoff', respond: { status: 401, body: { detail: 'Invalid token' } } });
    await types('');
    await maria.fill('topic', 'tea');
    await maria.fill('audience', 'all');
    await maria.submit();
    await maria.seesModal('access token');
    await maria.submit();
    expect((await run('was started', () => true)).inputs).toEqual({ topic: 'tea', audience: 'all' });
  });

  it('is asked again by machine where surely nothing was started', async () => {
    const { start, maria, addFault, run, runs } = await world.fixture();
    await addFault({ route: 'kickoff', respond: { status: 503, headers: { 'retry-after': '1' } }, times: 2 });
    await addFault({ route: 'kickoff', skip: 2, respond: { status: 429, headers: { 'retry-after': '1' } } });
    const root = await start('topic=tea audience=all');
    await run('was started', () => true);
    await maria.seesChanged(root, 'Waiting');
    expect(await runs()).toHaveLength(1);
  });

  it('can’t be reached, which is said by direct message, or in an open modal, after a few tries', async () => {
    const { maria, jon, toldLate, channel } = await world.fixture();
    await closing.close();
    await maria.command(channel, '/kickoff', 'closing topic=tea');
    await toldLate('can’t start: it can’t be reached');
    expect((await maria.privately(channel)).map(visibleText).join()).not.toContain('can’t start');
    expect(await jon.channel(channel)).toEqual([]);
  });

  it('is starting or busy for several tries, which is said and not that it can’t be reached', async () => {
    const { types, toldLate, addFault, runs } = await world.fixture();
    await addFault({ route: 'kickoff', respond: { status: 503, headers: { 'retry-after': '1' } }, times: 4 });
    await types('topic=tea audience=all');
    await toldLate('can’t start: its service is starting or busy');
    expect(await runs()).toEqual([]);
  });

  it('is slower than Slack waits for a form that is sent, which is said in it, and starts nothing', async () => {
    const { maria, channel } = await world.fixture();
    await maria.command(channel, '/kickoff', 'tired');
    await maria.fill('topic', 'tea');
    // The new bot has heard nothing of this crew yet.
    await world.startBot();
    await expect(maria.submit()).rejects.toThrow('Press Start again');
    expect(JSON.stringify(await maria.channel(channel))).not.toContain('tired');
    await eventually(
      () =>
        maria.submit().then(
          () => true,
          () => undefined,
        ),
      async () => 'the form was never taken',
    );
    await maria.seesModal('may have started');
  });

  it('can’t even be asked what it needs', async () => {
    const { maria, channel } = await world.fixture();
    await maria.command(channel, '/kickoff', 'gone');
    await maria.seesModal('can’t be reached');
    await maria.click('Try again');
    await maria.seesModal('can’t be reached');
  });
});

const DOUBTS = [['500', { status: 500, body: 'Internal Server Error' }]] as const;

describe.concurrent('a start that may not have worked', () => {
  it.each(DOUBTS)(
    'says “maybe started” in root and private message, and is never repeated, after %s',
    async (_, respond) => {
      const { start, maria, addFault, told, requests, run } = await world.fixture();
      await addFault({ route: 'kickoff', respond, apply: false });
      const root = await start('topic=tea audience=all');
      const trouble = await told('may have started');
      expect(visibleText(await maria.seesChanged(root, 'Start not confirmed'))).toContain('may have started');
      expect(await requests('kickoff')).toHaveLength(1);
      await maria.click('Try again', trouble);
      await maria.seesModal('isn’t confirmed, and may have worked');
      await maria.closeModal();
      await maria.click('Run again', { in: root });
      expect(modalText(await maria.seesModal('starting it again runs it twice'))).toContain('[Run again]');
      expect(await requests('kickoff')).toHaveLength(1);
      await maria.submit();
      await run('was started', () => true);
    },
  );

  it('goes on in its thread when the crew had started after all', async () => {
    const { start, maria, addFault, card, approve, runs } = await world.fixture();
    await addFault({ route: 'kickoff', respond: 'disconnect', apply: true });
    const root = await start('topic=tea audience=all');
    await approve(await card());
    await maria.seesChanged(root, 'Completed');
    expect(new Set((await runs()).map(({ executionId }) => executionId)).size).toBe(1);
  });
});

describe.concurrent('a run that has ended', () => {
  it('is run again from its root message, with the form prefilled', async () => {
    const { start, maria, setTasks, runs, run } = await world.fixture();
    await setTasks([{ name: 'only', output: 'Done.' }]);
    const root = await start('topic="green tea" audience=all');
    await maria.seesChanged(root, 'Completed');
    await maria.click('Run again', { in: root });
    await maria.seesModal('audience');
    await maria.fill('audience', 'nobody');
    await maria.submit();
    await run('is the second one', ({ inputs }) => inputs.audience === 'nobody');
    expect((await runs()).map(({ inputs }) => inputs.topic)).toEqual(['green tea', 'green tea']);
  });

  it('is not run again where the bot can’t post any more, and says what to do', async () => {
    const { start, maria, setTasks, runs, channelId } = await world.fixture();
    await setTasks([{ name: 'only', output: 'Done.' }]);
    const root = await start('topic=tea audience=all');
    await maria.seesChanged(root, 'Completed');
    const effect = { kind: 'error', error: 'channel_not_found' } as const;
    world.slack.faults.add({ method: 'conversations.info', where: { channel: channelId }, effect });
    await maria.click('Run again', { in: root });
    await maria.seesModal('/invite @');
    await maria.closeModal();
    await maria.click('Run again', { in: root });
    await maria.seesModal('audience');
    expect(await runs()).toHaveLength(1);
  });
});
