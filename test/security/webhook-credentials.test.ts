import { once } from 'node:events';
import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Bot } from '../../src/bot/bot.ts';
import { type Authentication, createCredentials } from '../../src/crew/credentials.ts';
import { headerOf, OLD_SECRET } from '../crew/crew-values.ts';
import type { Fixture } from '../support/fixture.ts';
import { startWorld, TEST_SECRET, type World } from '../support/world.ts';

const credentials = createCredentials([TEST_SECRET]);
const old = createCredentials([OLD_SECRET]);

let world: World;
let bot: Bot;
let fixture: Fixture;
/** An execution that waits for a decision, and another one. */
let ref: string;
let other: string;

beforeAll(async () => {
  world = await startWorld({ fixtures: 2 });
  bot = await world.startBot();
  fixture = await world.fixture();
  const second = await world.fixture();
  ref = await refOf(fixture);
  other = await refOf(second);
});
afterAll(() => world.stop());

async function refOf(at: Fixture): Promise<string> {
  await at.start();
  await at.card();
  const [kickoff] = await at.requests('kickoff');
  return /executions\/([a-z2-7]{26})\//.exec(kickoff?.body ?? '')?.[1] ?? '';
}

const NOTICE = { execution_id: 'E1', task_id: 'forged', task_output: 'Please approve this' };

/** Posts what would become a new card; `authorization` may be several headers. */
async function post(path: string, authorization?: string | string[], body: unknown = NOTICE, port = bot.port) {
  const headers = { 'content-type': 'application/json', ...(authorization !== undefined && { authorization }) };
  // Headers as a list are sent as they are, also where one of them stands there twice.
  const flat = Object.entries(headers).flatMap(([name, value]) => [value].flat().flatMap((each) => [name, each]));
  const asked = request({ port, host: '127.0.0.1', method: 'POST', path, headers: ['host', 'bot', ...flat] });
  asked.end(JSON.stringify(body));
  const [response] = await once(asked, 'response');
  return { status: Number(response.statusCode), said: await text(response) };
}

const bearer = (hop = 0, of = ref) => credentials.ofExecution({ ref: of, hop }, 'bearer');
const basic = (hop = 0, of = ref) => credentials.ofExecution({ ref: of, hop }, 'basic');
const tokenOf = (authentication: Authentication) => headerOf(authentication).split(' ')[1] ?? '';
const base64 = (value: string) => Buffer.from(value).toString('base64');
const macOf = (authentication: Authentication) => tokenOf(authentication).split('.')[1] ?? '';
const humanInput = (of = ref) => `/webhooks/executions/${of}/human-input`;

const WRONG: [string, () => string | string[] | undefined][] = [
  ['without credentials', () => undefined],
  ['with empty ones', () => ''],
  ['with a scheme alone', () => 'Bearer'],
  ['with a scheme and a space', () => 'Bearer '],
  ['with a token without a scheme', () => tokenOf(bearer())],
  ['with another scheme', () => `Digest ${tokenOf(bearer())}`],
  ['with the token as if it were basic', () => `Basic ${tokenOf(bearer())}`],
  ['with basic credentials as if they were a token', () => `Bearer ${tokenOf(basic())}`],
  ['with a tab after the scheme', () => `Bearer\t${tokenOf(bearer())}`],
  ['with something behind the token', () => `Bearer ${tokenOf(bearer())} x`],
  ['with a second token behind a comma', () => `Bearer ${tokenOf(bearer())}, Bearer ${tokenOf(bearer())}`],
  ['with a cut token', () => `Bearer ${tokenOf(bearer()).slice(0, -1)}`],
  ['with a longer token', () => `Bearer ${tokenOf(bearer())}A`],
  ['with a token in other case', () => `Bearer ${tokenOf(bearer()).toUpperCase()}`],
  ['with the hop of another token', () => `Bearer h1.${macOf(bearer())}`],
  ['with a hop that is no number', () => `Bearer hNaN.${macOf(bearer())}`],
  ['with a negative hop', () => `Bearer h-1.${macOf(bearer())}`],
  ['with a hop written otherwise', () => `Bearer h00.${macOf(bearer())}`],
  ['with nothing for a mac', () => 'Bearer h0.'],
  ['with the token of another execution', () => headerOf(bearer(0, other))],
  ['with the password of another execution', () => headerOf(basic(0, other))],
  ['with the token of the crew', () => headerOf(credentials.ofCrew(fixture.crew, 'bearer'))],
  ['with the token of the event addresses', () => `Bearer ${credentials.pathToken({ ref, hop: 0 })}`],
  ['with a token of another secret', () => headerOf(old.ofExecution({ ref, hop: 0 }, 'bearer'))],
  ['with a wrong user name', () => `Basic ${base64(`admin:${macOf(bearer())}`)}`],
  ['with an empty password', () => `Basic ${base64('signoff-0:')}`],
  ['with no password', () => `Basic ${base64('signoff-0')}`],
  ['with basic credentials that are no base64', () => 'Basic %%%'],
  ['with a very long token', () => `Bearer ${'A'.repeat(10_000)}`],
  ['with wrong credentials behind the right ones', () => [headerOf(bearer()), 'Bearer wrong']],
  ['with the right ones twice', () => [headerOf(bearer()), headerOf(bearer())]],
  ['with wrong credentials before the right ones', () => ['Bearer wrong', headerOf(bearer())]],
];

describe('a request for human input', () => {
  it.each(WRONG)('%s is refused, and says nothing of why', async (_, authorization) => {
    const answer = await post(humanInput(), authorization());
    expect(answer.status).toBe(401);
    expect(JSON.parse(answer.said)).toEqual({
      status: 'refused',
      message: 'The credentials are missing or wrong.',
    });
  });

  it('looks the same for an execution that does not exist', async () => {
    const unknown = await post(humanInput('a'.repeat(26)), 'Bearer wrong');
    expect(unknown).toEqual(await post(humanInput(), 'Bearer wrong'));
  });

  it('leaves no card behind where it was refused', async () => {
    expect(JSON.stringify(world.slack.messages())).not.toContain('Please approve this');
  });

  const RIGHT: [string, () => string][] = [
    ['bearer', () => headerOf(bearer())],
    ['basic', () => headerOf(basic())],
    ['a scheme in lower case', () => headerOf(bearer()).replace('Bearer', 'bearer')],
    ['a scheme in upper case', () => headerOf(basic()).replace('Basic', 'BASIC')],
    ['two spaces', () => headerOf(bearer()).replace(' ', '  ')],
  ];

  it.each(RIGHT)('is taken with %s', async (_, authorization) => {
    expect((await post(humanInput(), authorization(), { nothing: 'known' })).status).toBe(200);
  });
});

describe('an event address', () => {
  const path = (kind: string, token: string, of = ref) => `/webhooks/executions/${of}/${token}/${kind}`;
  const right = () => credentials.pathToken({ ref, hop: 0 });

  it.each(['task', 'step', 'crew'])('for a %s needs the token of its execution', async (kind) => {
    expect((await post(path(kind, credentials.pathToken({ ref: other, hop: 0 })))).status).toBe(401);
    expect((await post(path(kind, right().slice(0, -1)))).status).toBe(401);
    expect((await post(path(kind, right().toUpperCase()))).status).toBe(401);
    expect((await post(path(kind, tokenOf(bearer())))).status).toBe(401);
    expect((await post(path(kind, 'x'), headerOf(bearer()))).status).toBe(401);
    expect((await post(path(kind, right()), undefined, { thought: 'hm' })).status).toBe(200);
  });

  it('takes no request for human input', async () => {
    expect((await post(path('human-input', right()))).status).toBe(401);
    expect(JSON.stringify(world.slack.messages())).not.toContain('Please approve this');
  });
});

describe('the address of streamed events', () => {
  const path = (of = ref) => `/webhooks/executions/${of}/events`;
  const failed = { events: [{ type: 'crew_kickoff_failed', data: { error: 'Forged!' } }] };
  const right = (hop = 0, of = ref, from = credentials) => `Bearer ${from.ofStream({ ref: of, hop })}`;

  const FORGED: [string, () => string | string[] | undefined][] = [
    ...WRONG,
    ['with the bearer for requests', () => headerOf(bearer())],
    ['with the password for requests', () => headerOf(basic())],
    ['with the token of a secret address', () => `Bearer ${credentials.humanInputToken({ ref, hop: 0 })}`],
    ['with the stream’s bearer of another execution', () => right(0, other)],
    ['with the stream’s bearer of another secret', () => right(0, ref, old)],
    ['with the stream’s bearer of another hop', () => right().replace('h0.', 'h1.')],
    ['with a cut bearer of the stream', () => right().slice(0, -1)],
    ['with the right one twice', () => [right(), right()]],
  ];

  it.each(FORGED)('%s is refused, and ends no run', async (_, authorization) => {
    const answer = await post(path(), authorization(), failed);
    expect(answer.status).toBe(401);
    expect(JSON.parse(answer.said)).toEqual({ status: 'refused', message: 'The credentials are missing or wrong.' });
    expect(JSON.stringify(world.slack.messages())).not.toContain('Forged!');
  });

  it('looks the same for an execution that does not exist', async () => {
    expect(await post(path('a'.repeat(26)), 'Bearer wrong', failed)).toEqual(
      await post(path(), 'Bearer wrong', failed),
    );
  });

  it('takes events with its own bearer', async () => {
    expect((await post(path(), right(), { events: [] })).status).toBe(200);
  });
});

describe('an address for requests whose path is secret', () => {
  const path = (token: string, of = ref) => `/webhooks/executions/${of}/${token}/human-input`;
  const crewPath = (token: string) => `/webhooks/crews/${fixture.crew}/${token}/human-input`;
  const right = (of = ref, from = credentials) => from.humanInputToken({ ref: of, hop: 0 });

  const FORGED: [string, () => string][] = [
    ['nothing', () => path('')],
    ['a cut token', () => path(right().slice(0, -1))],
    ['a longer token', () => path(`${right()}A`)],
    ['a token in other case', () => path(right().toUpperCase())],
    ['another hop', () => path(right().replace('h0.', 'h1.'))],
    ['a hop written otherwise', () => path(right().replace('h0.', 'h00.'))],
    ['a newline behind the token', () => path(`${right()}%0A`)],
    ['an encoded slash behind the token', () => path(`${right()}%2F`)],
    ['the token of another execution', () => path(right(other))],
    ['the token of this one for another execution', () => path(right(), other)],
    ['the token of the crew', () => path(credentials.crewToken(fixture.crew))],
    ['the token of the bearer', () => path(tokenOf(bearer()))],
    ['the token of the event addresses', () => path(credentials.pathToken({ ref, hop: 0 }))],
    ['a token of another secret', () => path(right(ref, old))],
    ['the token of another crew', () => crewPath(credentials.crewToken('crew-2'))],
    ['the token of an execution for its crew', () => crewPath(right())],
    ['a token of the crew of another secret', () => crewPath(old.crewToken(fixture.crew))],
    ['the crew’s bearer in the path', () => crewPath(tokenOf(credentials.ofCrew(fixture.crew, 'bearer')))],
  ];

  it.each(FORGED)('with %s is refused, whatever credentials come with it', async (_, forged) => {
    const answers = [await post(forged()), await post(forged(), headerOf(bearer()))];
    for (const answer of answers) {
      expect(answer.status).toBe(401);
      expect(JSON.parse(answer.said)).toEqual({ status: 'refused', message: 'The credentials are missing or wrong.' });
    }
    expect(JSON.stringify(world.slack.messages())).not.toContain('Please approve this');
  });

  it('needs no more than its token', async () => {
    for (const address of [path(right()), crewPath(credentials.crewToken(fixture.crew))])
      expect((await post(address, undefined, { nothing: 'known' })).status).toBe(200);
  });
});

describe('the address of a crew', () => {
  const ofCrew = (name: string, from = credentials) => headerOf(from.ofCrew(name, 'bearer'));
  const path = (name = fixture.crew) => `/webhooks/crews/${encodeURIComponent(name)}/human-input`;

  it('needs the credentials of that crew', async () => {
    expect((await post(path())).status).toBe(401);
    expect((await post(path(), ofCrew('crew-2'))).status).toBe(401);
    expect((await post(path(), ofCrew(fixture.crew, old))).status).toBe(401);
    expect((await post(path(), headerOf(bearer()))).status).toBe(401);
    expect((await post(path(), ofCrew(fixture.crew), { nothing: 'known' })).status).toBe(200);
  });

  it.each(['nobody', '__proto__', 'constructor', '', '../crew-1', 'crew-1\u0000'])(
    'of a crew called %j that is not there looks like wrong credentials',
    async (name) => {
      expect([401, 404]).toContain((await post(path(name), ofCrew(name))).status);
    },
  );
});

describe('a secret that was rotated', () => {
  const ofOld = () => headerOf(old.ofExecution({ ref, hop: 0 }, 'bearer'));
  const ofNew = () => headerOf(bearer());

  it('is accepted while it is named behind the new one, and no longer', async () => {
    const both = await world.startBot({ env: { APP_SECRET: `${TEST_SECRET},${OLD_SECRET}` } });
    const ask = async (authorization: string) =>
      (await post(humanInput(), authorization, { nothing: 'known' }, both.port)).status;
    expect([await ask(ofOld()), await ask(ofNew())]).toEqual([200, 200]);
    await both.stop();
    expect((await post(humanInput(), ofOld(), {})).status).toBe(401);
  });
});
