import type { OutgoingHttpHeaders } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Bot } from '../../src/bot/bot.ts';
import { readableLog } from '../crew/crew-values.ts';
import type { Fixture } from '../support/fixture.ts';
import { scrape } from '../support/scrape.ts';
import {
  askSlackServer,
  buttonsIn,
  clickPayload,
  nowS,
  payloadForm,
  proofOf,
  type SlackPost,
} from '../support/slack-server.ts';
import { startWorld, type World } from '../support/world.ts';

const { log, text: logged } = readableLog();

let world: World;
let bot: Bot;
let fixture: Fixture;
let secret: string;

beforeAll(async () => {
  world = await startWorld({ fixtures: 2 });
  bot = await world.startBot({ log });
  fixture = await world.fixture();
  secret = world.slack.signingSecret;
});
afterAll(() => world.stop());

const send = (post: Partial<SlackPost> & Pick<SlackPost, 'body'>) =>
  askSlackServer({ port: bot.port, secret, ...post });

/** Something that everybody may ask and that changes nothing. */
const HELP = new URLSearchParams({
  command: '/kickoff',
  text: 'help',
  channel_id: 'C0GENERAL1',
  user_id: 'UMARIA001',
  team_id: 'T0SANDBOX1',
  trigger_id: '1.2.3',
}).toString();

describe('a request that Slack did not sign', () => {
  const right = () => proofOf({ secret, body: HELP });
  const REFUSED: [string, (proof: ReturnType<typeof right>) => OutgoingHttpHeaders | null][] = [
    ['without signature and stamp', () => null],
    ['without a signature', (proof) => ({ 'x-slack-request-timestamp': proof['x-slack-request-timestamp'] })],
    ['without a stamp', (proof) => ({ 'x-slack-signature': proof['x-slack-signature'] })],
    ['signed with another secret', () => proofOf({ secret: 'another secret', body: HELP })],
    ['signed with an empty secret', () => proofOf({ secret: '', body: HELP })],
    ['signed over another body', () => proofOf({ secret, body: `${HELP}&` })],
    ['signed six minutes ago', () => proofOf({ secret, body: HELP, stamp: nowS() - 360 })],
    ['signed in six minutes', () => proofOf({ secret, body: HELP, stamp: nowS() + 360 })],
    ['whose stamp was renewed', (proof) => ({ ...proof, 'x-slack-request-timestamp': String(nowS() - 1) })],
    ['whose stamp is no number', () => signedWithStamp('soon')],
    ['whose stamp is a fraction', () => signedWithStamp(`${nowS()}.5`)],
    ['whose stamp is empty', () => signedWithStamp('')],
    ['whose stamp is infinite', () => signedWithStamp('Infinity')],
    ['whose signature is of another version', ({ ...proof }) => changed(proof, (text) => text.replace('v0', 'v1'))],
    ['whose signature is cut', (proof) => changed(proof, (text) => text.slice(0, -1))],
    ['whose signature is longer', (proof) => changed(proof, (text) => `${text}0`)],
    ['whose signature is empty', (proof) => changed(proof, () => '')],
    ['whose signature is only the version', (proof) => changed(proof, () => 'v0=')],
    ['whose signature is not ASCII', (proof) => changed(proof, (text) => `${text.slice(0, -1)}\u00FC`)],
    ['with two signatures', (proof) => ({ ...proof, 'x-slack-signature': ['v0=00', proof['x-slack-signature']] })],
    ['with its signature twice', (proof) => ({ ...proof, 'x-slack-signature': twice(proof['x-slack-signature']) })],
    [
      'with its stamp twice',
      (proof) => ({ ...proof, 'x-slack-request-timestamp': twice(proof['x-slack-request-timestamp']) }),
    ],
  ];

  const twice = (value: string) => [value, value];
  const changed = (proof: ReturnType<typeof right>, change: (signature: string) => string) => ({
    ...proof,
    'x-slack-signature': change(proof['x-slack-signature']),
  });
  function signedWithStamp(stamp: string) {
    const { 'x-slack-signature': signature } = proofOf({ secret, body: HELP });
    return { 'x-slack-request-timestamp': stamp, 'x-slack-signature': signature };
  }

  it.each(REFUSED)('%s is refused', async (_, proofFrom) => {
    const answer = await send({ body: HELP, proof: proofFrom(right()) });
    expect(answer).toEqual({ status: 401, text: 'The signature is missing or wrong.' });
  });

  it('is not even asked for the challenge of a request URL', async () => {
    const body = JSON.stringify({ type: 'url_verification', challenge: 'c' });
    expect(await send({ body, contentType: 'application/json', proof: null })).toMatchObject({ status: 401 });
  });

  it('is counted by the reason for which it is refused', async () => {
    const count = async (reason: string) =>
      (await scrape(bot.port)).get(`signoff_slack_refused_total{reason="${reason}"}`) ?? 0;
    const counts = () => Promise.all(['unsigned', 'signature', 'clock'].map(count));
    const before = await counts();
    await send({ body: HELP, proof: null });
    await send({ body: HELP, proof: proofOf({ secret: 'another secret', body: HELP }) });
    await send({ body: HELP, proof: proofOf({ secret, body: HELP, stamp: nowS() - 360 }) });
    expect(await counts()).toEqual(before.map((each) => each + 1));
  });

  it('is answered where nothing of that is wrong', async () => {
    const answer = await send({ body: HELP });
    expect([answer.status, answer.text.includes('/kickoff')]).toEqual([200, true]);
  });
});

describe('a body that Slack signed, of a shape that it never sends', () => {
  const JSON_TYPE = 'application/json';
  const deep = (open: string, close: string) => open.repeat(50_000) + close.repeat(50_000);
  const BODIES: [string, string, string][] = [
    ['deeply nested arrays', JSON_TYPE, deep('[', ']')],
    ['deeply nested objects', JSON_TYPE, `{"a":${deep('{"a":', '}').replace(/\}$/, '0}')}}`],
    ['a deeply nested click', 'form', `{"type":"block_actions","user":${deep('[', ']')}}`],
    [
      'a click with prototypes',
      'form',
      '{"__proto__":{"type":"block_actions"},"constructor":{"prototype":{"type":"x"}}}',
    ],
    ['an action called __proto__', 'form', actionNamed('__proto__')],
    ['an action called constructor', 'form', actionNamed('constructor')],
  ];

  function actionNamed(actionId: string): string {
    const message = { channel: 'C0GENERAL1', ts: '1.0' };
    return JSON.stringify(clickPayload({ actionId, value: '' }, { by: 'UMARIA001', message }));
  }

  it.each(BODIES)('%s ends nothing', async (_, type, content) => {
    const isForm = type === 'form';
    const body = isForm ? new URLSearchParams({ payload: content }).toString() : content;
    const answer = await send({ body, contentType: isForm ? 'application/x-www-form-urlencoded' : type });
    expect([200, 400, 404]).toContain(answer.status);
    expect(answer.text).not.toMatch(/\.[tj]s:\d|Error|node_modules/);
    expect((await send({ body: HELP })).status).toBe(200);
  });

  it('pollutes no prototype', () => {
    expect(Object.keys(Object.prototype)).toEqual([]);
    expect('type' in {}).toBe(false);
  });

  it('of more than a mebibyte is refused before it is read', async () => {
    const body = `payload=${'x'.repeat(1_048_577)}`;
    expect(await send({ body })).toMatchObject({ status: 413 });
  });

  it('with bytes that are no text is not what was signed', async () => {
    const body = Buffer.concat([Buffer.from('payload='), Buffer.from([0xff, 0xfe, 0xc0, 0x80])]);
    expect(await send({ body })).toMatchObject({ status: 401 });
  });
});

describe('the type of a signed body', () => {
  it.each([
    'application/x-www-form-urlencoded',
    'application/x-www-form-urlencoded; charset=utf-8',
    'application/x-www-form-urlencoded;charset=UTF-8',
    'Application/X-WWW-Form-Urlencoded ; charset="utf-8"',
  ])('may be written %s', async (contentType) => {
    expect(await send({ body: HELP, contentType })).toMatchObject({ status: 200 });
  });

  it.each(['text/plain', 'multipart/form-data; boundary=x', 'application/xml', 'application/jsonx', ''])(
    'may not be %j',
    async (contentType) => {
      expect(await send({ body: HELP, contentType })).toMatchObject({ status: 400 });
    },
  );

  it.each(['application/json', 'application/json; charset=utf-8', 'APPLICATION/JSON'])(
    'is %s for the challenge of a request URL',
    async (contentType) => {
      const body = JSON.stringify({ type: 'url_verification', challenge: 'c' });
      expect(await send({ body, contentType })).toEqual({ status: 200, text: '{"challenge":"c"}' });
    },
  );
});

describe('a replayed request of Slack', () => {
  it('byte for byte starts one crew', async () => {
    const command = { command: '/kickoff', text: `${fixture.crew} topic=tea`, channel_id: fixture.channelId };
    const who = { user_id: fixture.maria.id, team_id: 'T0SANDBOX1', trigger_id: 'the.same.trigger' };
    const body = new URLSearchParams({ ...command, ...who }).toString();
    const proof = proofOf({ secret, body });
    for (let i = 0; i < 3; i++) expect(await send({ body, proof })).toMatchObject({ status: 200 });
    await fixture.card();
    expect(await fixture.runs()).toHaveLength(1);
  });

  it('byte for byte decides once, and is acknowledged each time', async () => {
    const card = await fixture.card();
    const [approve] = buttonsIn(world.slack.messages(), 'Approve').filter(({ message }) => message.ts === card.ts);
    if (!approve) throw new Error('the card has no button');
    const body = payloadForm(clickPayload(approve, { by: fixture.jon.id, message: card }));
    const proof = proofOf({ secret, body });
    const answers = await Promise.all(Array.from({ length: 5 }, () => send({ body, proof })));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    await fixture.run('completed', ({ status }) => status === 'completed');
    expect(await send({ body, proof })).toMatchObject({ status: 200 });
    expect(await fixture.requests('resume')).toHaveLength(1);
  });
});

it('none of it leaves the signing secret, a signature or a body in the log', () => {
  expect(logged()).not.toContain(secret);
  expect(logged()).not.toMatch(/v0=[0-9a-f]{64}/);
  expect(logged()).not.toContain('the.same.trigger');
});
