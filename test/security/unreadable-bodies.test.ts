import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Bot } from '../../src/bot/bot.ts';
import { createCredentials } from '../../src/crew/credentials.ts';
import { headerOf } from '../crew/crew-values.ts';
import { FLOW_SECRET, signed } from '../support/flow-feedback.ts';
import { proofOf } from '../support/slack-server.ts';
import { startWorld, TEST_SECRET, type World } from '../support/world.ts';

const credentials = createCredentials([TEST_SECRET]);
/** There is no such run, but whoever has its credentials is first told what is wrong with the body. */
const NOBODY = { ref: 'a'.repeat(26), hop: 0 };

let world: World;
let bot: Bot;

beforeAll(async () => {
  const flows = { flow_secret: FLOW_SECRET, callback_hosts: ['app.crewai.com'] };
  world = await startWorld({ crews: [{ name: 'editorial', settings: { channel: 'releases', ...flows } }] });
  bot = await world.startBot();
});
afterAll(() => world.stop());

type Headers = (body: Buffer) => Record<string, string>;

const bearer =
  (token: string): Headers =>
  () => ({ authorization: `Bearer ${token}` });
const none: Headers = () => ({});
const ofRun = `/webhooks/executions/${NOBODY.ref}`;
const path = credentials.pathToken(NOBODY);

/** Every address of the bot that reads JSON from a body, with what its callers prove themselves by. */
const JSON_ROUTES: [string, string, Headers][] = [
  ['an ask', '/asks', bearer(credentials.askToken('editorial'))],
  ['a request of a run', `${ofRun}/human-input`, () => authorized(credentials.ofExecution(NOBODY, 'bearer'))],
  ['a request of a run at a secret address', `${ofRun}/${credentials.humanInputToken(NOBODY)}/human-input`, none],
  ['an event of a run', `${ofRun}/events`, bearer(credentials.ofStream(NOBODY))],
  ...['task', 'step', 'crew'].map((kind): [string, string, Headers] => [kind, `${ofRun}/${path}/${kind}`, none]),
  [
    'a run of elsewhere',
    '/webhooks/crews/editorial/human-input',
    () => authorized(credentials.ofCrew('editorial', 'basic')),
  ],
  ['a flow', '/webhooks/crews/editorial/flow', (body) => signed(body)],
];

const authorized = (authentication: Parameters<typeof headerOf>[0]) => ({ authorization: headerOf(authentication) });

async function send(to: string, body: Buffer, headers: Record<string, string>) {
  const answer = await fetch(`http://127.0.0.1:${bot.port}${to}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body,
  });
  return { status: answer.status, headers: answer.headers, said: await answer.text() };
}

describe.each(JSON_ROUTES)('The body of %s', (_, to, headersOf) => {
  it.each([
    ['an invalid byte', [0xff]],
    ['a character that is cut', [0xc3]],
    ['half a surrogate pair', [0xed, 0xa0, 0x80]],
  ])('is refused for %s, since people would decide on another text', async (_what, bytes) => {
    const body = Buffer.concat([Buffer.from('{"text":"'), Buffer.from(bytes), Buffer.from('"}')]);
    const { status, said } = await send(to, body, headersOf(body));
    expect([status, JSON.parse(said).message]).toEqual([400, 'The body is not UTF-8.']);
  });

  it('is refused where it isn’t JSON', async () => {
    const body = Buffer.from('text=x');
    const { status, said } = await send(to, body, headersOf(body));
    expect([status, JSON.parse(said).message]).toEqual([400, 'The body is not JSON.']);
  });
});

describe.each([
  ...JSON_ROUTES,
  ['Slack', '/slack/events', (body) => proofOf({ secret: world.slack.signingSecret, body })] as (typeof JSON_ROUTES)[0],
])('A compressed body of %s', (_, to, headersOf) => {
  it.each(['gzip', 'br', 'gzip, identity'])('is refused with a sentence that says so: %s', async (encoding) => {
    const body = gzipSync('{"text":"x"}');
    const answer = await send(to, body, { ...headersOf(body), 'content-encoding': encoding });
    expect([answer.status, answer.headers.get('accept-encoding')]).toEqual([415, 'identity']);
    expect(JSON.parse(answer.said).message).toBe('The body has a Content-Encoding; send it without one.');
  });

  it('is read where the encoding that it names changes nothing', async () => {
    const body = Buffer.from('no JSON');
    expect((await send(to, body, { ...headersOf(body), 'content-encoding': 'identity' })).status).toBe(400);
  });
});
