import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Bot } from '../../src/bot/bot.ts';
import { createCredentials, createRefs } from '../../src/crew/credentials.ts';
import { headerOf, OLD_SECRET } from '../crew/crew-values.ts';
import { askingProgram, refOf } from '../support/asks.ts';
import { rawExchange, statusesIn } from '../support/raw-http.ts';
import { startWorld, TEST_SECRET, type World } from '../support/world.ts';

const credentials = createCredentials([TEST_SECRET]);
const NOWHERE = 'a'.repeat(26);

let world: World;
let bot: Bot;
/** What the program of the first crew has asked. */
let ref: string;

beforeAll(async () => {
  world = await startWorld({
    manifest: 'workflows',
    fixtures: 2,
    crews: [{ name: 'closed', settings: { channel: 'releases', approval: { started_elsewhere: 'refuse' } } }],
  });
  bot = await world.startBot();
  ref = refOf(await program('crew-1').ask());
});
afterAll(async () => {
  expect((await fetch(`http://127.0.0.1:${bot.port}/healthz`)).status).toBe(200);
  await world.stop();
});

const program = (crew: string, secret = TEST_SECRET) => askingProgram(() => bot.port, crew, secret);

async function call(method: string, path: string, { authorization = '', body = '' } = {}) {
  const headers = { ...(authorization !== '' && { authorization }) };
  const answer = await fetch(`http://127.0.0.1:${bot.port}${path}`, { method, headers, ...(body !== '' && { body }) });
  return { status: answer.status, said: await answer.text() };
}

const right = () => `Bearer ${credentials.askToken('crew-1')}`;
const ROUTES = [
  ['POST', () => '/asks'],
  ['GET', () => `/asks/${ref}`],
  ['DELETE', () => `/asks/${ref}`],
] as const;
const WRONG = [
  ['without a token', () => ''],
  ['with the token of the webhooks', () => headerOf(credentials.ofCrew('crew-1', 'bearer'))],
  ['with the secret of the webhooks’ address', () => `Bearer ${credentials.crewToken('crew-1')}`],
  ['with the token of a crew that there isn’t', () => `Bearer ${credentials.askToken('nobody')}`],
  ['with the token of another secret', () => `Bearer ${createCredentials([OLD_SECRET]).askToken('crew-1')}`],
  ['with a cut token', () => right().slice(0, -1)],
  ['with another hop', () => right().replace('h0.', 'h1.')],
  ['with a name of a prototype', () => `Bearer ${credentials.askToken('__proto__')}`],
] as const;

describe.each(ROUTES)('%s', (method, path) => {
  it.each(WRONG)('%s is refused, and says nothing of why', async (_, authorization) => {
    expect(await call(method, path(), { authorization: authorization(), body: method === 'POST' ? '{}' : '' })).toEqual(
      {
        status: 401,
        said: JSON.stringify({ status: 'refused', message: 'The credentials are missing or wrong.' }),
      },
    );
  });
});

it.each([
  ['GET', '/asks', 405],
  ['DELETE', '/asks', 405],
  ['PUT', `/asks/${NOWHERE}`, 405],
  ['POST', `/asks/${NOWHERE}`, 405],
  ['GET', `/asks/${NOWHERE}/`, 404],
  ['GET', '/asks/', 404],
  ['GET', '/asks/__proto__', 404],
  ['GET', `/asks/${NOWHERE}%00`, 404],
  ['DELETE', '/asks/..%2Fasks', 404],
])('%s %s answers %i', async (method, path, status) => {
  expect((await call(method, path, { authorization: right() })).status).toBe(status);
});

describe('A request that another program has asked', () => {
  it('looks like what was never asked: of another crew, a run, or what a workflow asked by the rules of the same crew', async () => {
    const fixture = await world.fixture();
    await fixture.start();
    await fixture.card();
    const [kickoff] = await fixture.requests('kickoff');
    const run = /executions\/([a-z2-7]{26})\//.exec(kickoff?.body ?? '')?.[1] ?? '';
    expect(run).toMatch(/^[a-z2-7]{26}$/);
    const never = await program('crew-1').fetch(NOWHERE);
    expect(never.status).toBe(404);
    const question = { title: 'Deploy 1.5', text: 'All of it.', channel: 'C0RELEASE2', crew: fixture.crew };
    const { executionId } = world.slack.runFunction('ask_for_approval', question);
    await world.slack.as('jon').sees('#releases', /Approval needed: Deploy 1.5/);
    const ofWorkflow = createRefs([TEST_SECRET]).createRef({ stepId: executionId });
    const owner = program(fixture.crew);
    const stranger = program('crew-2');
    for (const each of [run, ofWorkflow])
      expect([await owner.fetch(each), await owner.withdraw(each)]).toEqual([never, never]);
    expect([await stranger.fetch(ref), await stranger.withdraw(ref)]).toEqual([never, never]);
    expect((await program('crew-1').fetch(ref)).body.status).toBe('waiting');
  });

  it('isn’t asked in the name of another crew, whether there is one or not', async () => {
    const answers = await Promise.all(
      ['crew-2', 'nobody', '__proto__'].map((policy) => program('crew-1').ask({ policy })),
    );
    expect(answers.map(({ status }) => status)).toEqual([401, 401, 401]);
    expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1);
  });

  it('isn’t asked for a crew that refuses what isn’t started in Slack', async () => {
    expect((await program('closed').ask()).status).toBe(403);
  });
});

describe('a body', () => {
  it.each([
    ['that is no JSON', 'title=x', 400],
    ['of arrays a million deep', `${'['.repeat(1_000_000)}${']'.repeat(1_000_000)}`, 400],
    ['that is a list', '[]', 422],
    ['with a prototype', '{"__proto__":{"policy":"crew-1"},"constructor":1}', 422],
    [
      'with a text that is too long',
      JSON.stringify({ policy: 'crew-1', title: 'a', text: 'x'.repeat(1_048_577) }),
      422,
    ],
    ['with a hundred thousand fields', `{${Array.from({ length: 100_000 }, (_, i) => `"k${i}":1`).join(',')}}`, 422],
  ])('%s is refused', async (_, body, status) => {
    const answer = await call('POST', '/asks', { authorization: right(), body });
    expect(answer.status).toBe(status);
    expect(answer.said.length).toBeLessThan(5_000);
  });

  it('with inputs named like prototypes changes none', async () => {
    const inputs = '{"__proto__":{"polluted":1},"constructor":"x","toString":"y"}';
    const body = `{"policy":"crew-1","title":"Inputs","text":"b","inputs":${inputs}}`;
    expect((await call('POST', '/asks', { authorization: right(), body })).status).toBe(201);
    expect('polluted' in {}).toBe(false);
    await world.slack.as('jon-1').sees('#room-1', 'Approval needed: Inputs');
  });

  it('that is larger than any may be is refused before it is sent', async () => {
    const head = `POST /asks HTTP/1.1\r\nHost: x\r\nAuthorization: ${right()}\r\nContent-Length: ${2 ** 40}\r\n\r\n`;
    expect(statusesIn(await rawExchange(bot.port, head))).toEqual([413]);
  });

  it('with markup and mentions notifies nobody', async () => {
    const hostile = '<!channel> <@U1|x> *b* `c` </x>';
    const { status } = await program('crew-1').ask({ title: hostile, text: hostile, outcomes: [hostile, '<!here>'] });
    expect(status).toBe(201);
    const jon = world.slack.as('jon-1');
    const card = await jon.sees('#room-1', /Answer needed: .*channel/);
    expect(card.notifies).not.toContain(jon.id);
  });
});

it.each(['-1', '1e3', 'x', '9999999999', '%00'])('waiting for %s seconds is refused', async (wait) => {
  expect((await call('GET', `/asks/${ref}?wait=${wait}`, { authorization: right() })).status).toBe(422);
});

it('A program that waits doesn’t keep the bot from stopping, and is told how things stand', async () => {
  const second = await world.startBot();
  const waiting = askingProgram(() => second.port, 'crew-1').fetch(ref, 50);
  await fetch(`http://127.0.0.1:${second.port}/healthz`);
  const began = performance.now();
  await second.stop();
  expect((await waiting).body.status).toBe('waiting');
  expect(performance.now() - began).toBeLessThan(6_000);
});
