import { Redis } from 'ioredis';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createLog } from '../../src/logging.ts';
import type { Person } from '../../src/sandbox/slack-workspace/driver/person.ts';
import { visibleText } from '../../src/sandbox/slack-workspace/driver/visible-text.ts';
import type { Message } from '../../src/sandbox/slack-workspace/people-api.ts';
import { collectLog } from '../support/collected-log.ts';
import { privateAnswerTo } from '../support/private-answer.ts';
import { startTokenGate, type TokenGate } from '../support/token-gate.ts';
import { CREW_TOKEN, startWorld, type World } from '../support/world.ts';

const CHANNEL = '#releases';
const FIRST = 'maria-own-token/first+one=';
const SECOND = 'maria-own-token/second+one=';
const WRONG = 'maria-own-token/mistyped=';

let gate: TokenGate;
let world: World;
let maria: Person;
let jon: Person;
const logged = collectLog();

beforeAll(async () => {
  gate = await startTokenGate();
  const crewOf = (name: string) => ({ name, settings: { channel: 'releases', base_url: gate.addressOf(name) } });
  const strict = { name: 'strict', settings: { ...crewOf('strict').settings, require_user_token: true } };
  const pair = { name: 'pair', settings: { ...crewOf('pair').settings, approval: { quorum: 2 } } };
  world = await startWorld({ crews: [crewOf('research'), crewOf('editorial'), strict, pair] });
  gate.forwardTo((crew) => world.crews.baseUrlOf(crew));
  await world.startBot({ log: createLog({ level: 'trace', readable: false, to: logged.to }) });
  maria = world.slack.as('maria');
  jon = world.slack.as('jon');
});
afterAll(async () => {
  await world.stop();
  await gate.close();
});

beforeEach(async () => {
  gate.valid.clear();
  gate.valid.add(FIRST).add(SECOND);
  gate.calls.length = 0;
});

const tokensOf = (route: string) => gate.calls.filter((call) => call.route === route).map(({ token }) => token);
const told = (wanted: string) => privateAnswerTo(maria, CHANNEL, wanted);
const types = (words: string) => maria.command(CHANNEL, '/kickoff', words);

async function connect(token: string, crew = 'research'): Promise<void> {
  await types(`connect ${crew}`);
  await maria.fill('Your token', token);
  await maria.submit();
  await maria.seesModal('is connected');
  await maria.closeModal();
}

/** Starts the crew, and resolves to its root message and its first card. */
async function start(by: Person, topic: string): Promise<{ root: Message; card: Message }> {
  await by.command(CHANNEL, '/kickoff', `research topic="${topic}"`);
  const root = await rootOf(topic);
  return { root, card: await by.seesInThread(root, 'Approval needed') };
}

const rootOf = (topic: string) =>
  maria.waitFor(`the root of ${topic}`, (seen) =>
    Object.values(seen.messages)
      .flat()
      .find((each) => !each.ephemeral && each.userId !== maria.id && visibleText(each).includes(topic)),
  );

describe('a person’s own token', () => {
  it('is connected in a window, and used for what they start and decide', async () => {
    await types('connect RESEARCH');
    await maria.seesModal('User Bearer Token');
    await maria.fill('Your token', ` Bearer ${FIRST} `);
    await maria.submit();
    await maria.seesModal('is connected');
    await maria.closeModal();
    expect(tokensOf('inputs')).toContain(FIRST);
    const { root, card } = await start(maria, 'green tea');
    expect(tokensOf('kickoff')).toEqual([FIRST]);
    await jon.click('Reject…', { in: card });
    await jon.fill('What should change?', 'shorter');
    await jon.submit();
    const second = await maria.seesInThread(root, 'Round 2');
    await maria.click('Approve', { in: second });
    await maria.seesChanged(root, 'Completed');
    expect(new Set(tokensOf('resume'))).toEqual(new Set([CREW_TOKEN, FIRST]));
    expect(tokensOf('resume').at(-1)).toBe(FIRST);
  });

  it('is not stored when the crew doesn’t accept it, which is said at its field', async () => {
    await types('disconnect research');
    await types('connect research');
    await maria.fill('Your token', WRONG);
    await expect(maria.submit()).rejects.toThrow('doesn’t accept this token');
    await maria.fill('Your token', 'two words');
    await expect(maria.submit()).rejects.toThrow('tokens never have');
    await maria.fill('Your token', 'short');
    await expect(maria.submit()).rejects.toThrow('too short');
    await maria.closeModal();
    await types('disconnect research');
    await told('You have no token connected for *research*.');
  });

  it('may be checked by a slow crew, whose answer replaces the window or arrives in a message', async () => {
    let release = () => {};
    const hold = () => {
      gate.held = new Promise((resolve) => {
        release = resolve;
      });
    };
    hold();
    await types('connect editorial');
    await maria.fill('Your token', WRONG);
    await maria.submit();
    await maria.seesModal('whether it accepts your token');
    release();
    await maria.seesModal('doesn’t accept this token');
    hold();
    await maria.fill('Your token', FIRST);
    await maria.submit();
    await maria.seesModal('whether it accepts your token');
    await maria.closeModal();
    release();
    await maria.seesPrivately(CHANNEL, 'is connected');
  });

  it('is asked for the crew that is picked, where none was named', async () => {
    await types('connect');
    await maria.choose('Crew', 'research');
    await maria.fill('Your token', FIRST);
    await maria.submit();
    await maria.seesModal('is connected');
    await maria.closeModal();
    await types('disconnect');
    await told('tokens for several crews');
    await types('disconnect editorial');
    await told('Your token for *editorial* is removed');
    await types('disconnect');
    await told('Your token for *research* is removed');
    await types('disconnect');
    await told('You have no token connected.');
    await start(maria, 'white tea');
    expect(tokensOf('kickoff')).toEqual([CREW_TOKEN]);
  });
});

describe('a token that was revoked', () => {
  it('starts nothing, is told to its owner, and is connected again from there', async () => {
    await connect(FIRST);
    gate.valid.delete(FIRST);
    await types('research topic="cold tea"');
    const trouble = await told('doesn’t accept your own token');
    expect(tokensOf('kickoff')).toEqual([FIRST]);
    await maria.click('Connect your token', trouble);
    await maria.fill('Your token', SECOND);
    await maria.submit();
    await maria.seesModal('is connected');
    await maria.closeModal();
    await start(maria, 'warm tea');
    expect(tokensOf('kickoff')).toEqual([FIRST, SECOND]);
  });

  it('sends no decision, also not with the crew’s token once it is removed', async () => {
    const { root, card } = await start(jon, 'iced tea');
    gate.valid.delete(SECOND);
    await maria.click('Approve', { in: card });
    await maria.seesChanged(card, 'doesn’t accept Maria Alvarez’s own token');
    await maria.sees('Signoff', '*research* didn’t accept your own token');
    expect((await jon.channel('Signoff')).map(visibleText).join()).not.toContain('own token');
    await types('disconnect research');
    await told('is removed');
    await jon.click('Send again', { in: card, confirm: 'Send again' });
    await maria.seesChanged(card, 'needs Maria Alvarez’s own token');
    expect(new Set(tokensOf('resume'))).toEqual(new Set([SECOND]));
    await connect(FIRST);
    await jon.click('Send again', { in: card, confirm: 'Send again' });
    await maria.seesChanged(root, 'Completed');
    expect(new Set(tokensOf('resume'))).toEqual(new Set([SECOND, FIRST]));
    const answers = (await maria.channel('Signoff')).map(visibleText);
    expect(answers.filter((each) => each.includes('didn’t accept your own token'))).toHaveLength(1);
  });
});

it('a crew that requires people’s own tokens is started and decided by nobody without one', async () => {
  await types('strict topic="strict tea"');
  const trouble = await told('You need your own access token for this.');
  expect(tokensOf('kickoff')).toEqual([]);
  await maria.click('Connect your token', trouble);
  await maria.fill('Your token', SECOND);
  await maria.submit();
  await maria.seesModal('is connected');
  await maria.closeModal();
  await types('strict topic="stricter tea"');
  const root = await rootOf('stricter tea');
  const card = await maria.seesInThread(root, 'Approval needed');
  await jon.click('Approve', { in: card });
  await jon.seesModal('You need your own access token for this.');
  await maria.click('Approve', { in: card });
  await maria.seesChanged(root, 'Completed');
  expect(new Set([...tokensOf('kickoff'), ...tokensOf('resume')])).toEqual(new Set([SECOND]));
});

it('the token of the person whose approval completes a decision is used for it', async () => {
  await connect(FIRST, 'pair');
  await types('pair topic="pu-erh"');
  const root = await rootOf('pu-erh');
  const card = await maria.seesInThread(root, 'Approval needed');
  await maria.click('Approve', { in: card });
  await maria.seesChanged(card, '1 of 2 approved: Maria Alvarez');
  await jon.click('Approve', { in: card });
  await maria.seesChanged(root, 'Completed');
  expect([new Set(tokensOf('kickoff')), new Set(tokensOf('resume'))]).toEqual([
    new Set([FIRST]),
    new Set([CREW_TOKEN]),
  ]);
});

it('no token can be read in Redis, in the log, or in anything that was sent to Slack', async () => {
  const sent = world.slack.calls().map((call) => {
    const { direction, request, response } = call;
    return JSON.stringify(direction === 'from-app' ? request : (response ?? null));
  });
  const stored = await dump(world.redis.socketPath);
  expect(stored).toContain('user-tokens');
  expect(logged.text()).toContain('connected a token');
  for (const token of [FIRST, SECOND, WRONG]) {
    expect(logged.text()).not.toContain(token);
    expect(sent.join('\n')).not.toContain(token);
    expect(JSON.stringify(world.slack.messages())).not.toContain(token);
    expect(stored).not.toContain(token);
  }
});

/** All of Redis as it is stored, byte by byte. */
async function dump(path: string): Promise<string> {
  const redis = new Redis({ path });
  const texts: string[] = [];
  for (const key of await redis.keys('*')) {
    const value = (await redis.type(key)) === 'hash' ? await redis.hgetallBuffer(key) : await redis.dumpBuffer(key);
    const bytes = Buffer.isBuffer(value) ? [value] : Object.entries(value ?? {}).flat();
    texts.push(key, ...bytes.map((each) => Buffer.from(each).toString('latin1')));
  }
  await redis.quit();
  return texts.join('\n');
}
