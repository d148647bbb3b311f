import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Json } from '../../src/core/values/json.ts';
import { visibleText } from '../../src/sandbox/slack-workspace/driver/visible-text.ts';
import { readableLog } from '../crew/crew-values.ts';
import { FLOW_SECRET, flatRequest, nestedRequest, signed } from '../support/flow-feedback.ts';
import { receivedBy, statusesIn } from '../support/raw-http.ts';
import { startWorld, type World } from '../support/world.ts';

const CHANNEL = '#releases';
const OTHER_SECRET = `whsec_${'0f'.repeat(32)}`;
const MIB = 1_048_576;

let world: World;
let port: number;
const { log, text: logged } = readableLog();

beforeAll(async () => {
  const flows = { channel: 'releases', callback_hosts: ['app.crewai.com'] };
  world = await startWorld({
    crews: [
      { name: 'review', settings: { ...flows, flow_secret: FLOW_SECRET } },
      { name: 'other', settings: { ...flows, flow_secret: OTHER_SECRET } },
      { name: 'plain', settings: { channel: 'releases' } },
    ],
  });
  ({ port } = await world.startBot({ log }));
});
afterAll(() => world.stop());

type Headers = Record<string, string | string[]>;

/** Sends headers as they are, also those that come several times. */
async function post(body: string, headers: Headers, path = '/webhooks/crews/review/flow') {
  const flat = Object.entries(headers).flatMap(([name, value]) => [value].flat().flatMap((each) => [name, each]));
  const asked = httpRequest({ port, host: '127.0.0.1', method: 'POST', path, headers: ['host', 'bot', ...flat] });
  asked.on('error', () => {});
  asked.end(body);
  const [response] = await once(asked, 'response');
  return { status: Number(response.statusCode), said: await text(response) };
}

const tells = (value: Json) => {
  const body = JSON.stringify(value);
  return post(body, signed(body));
};

describe('A sender without a valid signature', () => {
  const body = JSON.stringify(flatRequest({ id: 'forged', output: 'Please approve this' }));
  const right = signed(body);
  const now = Math.floor(Date.now() / 1_000);
  const signature = right['x-crewai-signature'] ?? '';

  it.each<[string, Headers, string?]>([
    ['without a signature', { 'content-type': 'application/json' }],
    ['with a signature but no time', { 'x-crewai-signature': signature }],
    ['with a time but no signature', { 'x-crewai-timestamp': String(now) }],
    ['with another secret', signed(body, { key: OTHER_SECRET })],
    ['with an empty secret', signed(body, { key: '' })],
    ['with the beginning of the secret', signed(body, { key: 'whsec_' })],
    ['with a body that was changed', signed(body.replace('forged', 'signed'))],
    ['with the time of another notification', { ...right, 'x-crewai-timestamp': String(now - 60) }],
    ['six minutes late', signed(body, { at: now - 360 })],
    ['from six minutes ahead', signed(body, { at: now + 360 })],
    ['with a time that is no number', { ...right, 'x-crewai-timestamp': `${now} x` }],
    ['with the signature twice', { ...right, 'x-crewai-signature': [signature, signature] }],
    ['with the time twice', { ...right, 'x-crewai-timestamp': [String(now), String(now)] }],
    [
      'with a wrong signature beside the right one',
      { ...right, 'x-signature': signature, 'x-crewai-signature': `sha256=${'0'.repeat(64)}` },
    ],
    ['with another algorithm', { ...right, 'x-crewai-signature': signature.replace('sha256', 'md5') }],
    ['with a signature that is too short', { ...right, 'x-crewai-signature': signature.slice(0, -2) }],
    ['with the secret as a token', { authorization: `Bearer ${FLOW_SECRET}` }],
    ['at the address of another crew', right, '/webhooks/crews/other/flow'],
    ['at the address of a crew without flows', right, '/webhooks/crews/plain/flow'],
    ['at the address of a crew without flows, with no secret', signed(body, { key: '' }), '/webhooks/crews/plain/flow'],
    ['at the address of no crew', right, '/webhooks/crews/constructor/flow'],
    ['at the address for other requests', right, '/webhooks/crews/review/human-input'],
  ])('%s is refused, and learns nothing', async (_, headers, path) => {
    const { status, said } = await post(body, headers, path);
    expect([status, said]).toEqual([401, '{"status":"refused","message":"The credentials are missing or wrong."}']);
    expect(JSON.stringify(world.slack.messages())).not.toContain('Please approve this');
  });

  it('has none of a body read', async () => {
    const socket = connect(port, '127.0.0.1');
    socket.write(`POST /webhooks/crews/review/flow HTTP/1.1\r\nHost: x\r\nContent-Length: ${20 * MIB}\r\n\r\n`);
    const [first] = await once(socket, 'data');
    expect(statusesIn(String(first))).toEqual([401]);
    socket.destroy();
  });

  it('with a made-up signature sends 20 MiB at most', async () => {
    const made = { 'x-crewai-signature': `sha256=${'0'.repeat(64)}`, 'x-crewai-timestamp': String(now) };
    expect((await post('x'.repeat(20 * MIB + 1), made)).status).toBe(413);
    expect((await post('x'.repeat(MIB), made)).status).toBe(401);
  });

  it('and sends slowly keeps nobody out', async () => {
    const head = `Host: x\r\nX-CrewAI-Signature: sha256=${'0'.repeat(64)}\r\nX-CrewAI-Timestamp: ${now}\r\n`;
    const slow = Array.from({ length: 20 }, () => {
      const socket = connect(port, '127.0.0.1');
      const received = receivedBy(socket, 30_000);
      socket.write(`POST /webhooks/crews/review/flow HTTP/1.1\r\n${head}Content-Length: ${8 * MIB}\r\n\r\n`);
      socket.write(Buffer.alloc(5 * MIB));
      return { socket, received };
    });
    // Once they hold more than they may, the oldest of them are turned away.
    const first = await Promise.race(slow.map(({ received }) => received));
    expect(statusesIn(first)).toEqual([503]);
    expect((await tells(flatRequest({ id: 'among-slow-ones', event_type: 'responded' }))).status).toBe(200);
    for (const { socket } of slow) socket.destroy();
  });
});

describe('A request of a flow', () => {
  const shown = async (wanted: RegExp) => visibleText(await world.slack.as('jon').sees(CHANNEL, wanted));
  let asked = 0;

  /** Asks in a run of its own. */
  async function asks(change: Record<string, Json>, of = flatRequest) {
    asked += 1;
    const ids = { id: `R${asked}`, flow_id: `F${asked}`, flow_execution_id: `F${asked}` };
    return tells(of({ ...ids, ...change }));
  }

  it('is shown as text, however it is marked up', async () => {
    const emit = ['<!channel> *now*', '`no` & <b>', '__proto__'];
    const hostile = { method_name: '<!here> *write*', output: 'Case one <!channel>', message: '<@UMARIA001>', emit };
    expect((await asks(hostile)).status).toBe(200);
    const card = await world.slack.as('jon').sees(CHANNEL, /Case one/);
    const seen = visibleText(card);
    for (const outcome of emit) expect(seen).toContain(`[${outcome}]`);
    expect(card.notifies ?? []).not.toContain('UMARIA001');
  });

  it('of twenty outcomes becomes a list of them', async () => {
    const emit = Array.from({ length: 20 }, (_, n) => `outcome ${n + 1}`);
    await asks({ output: 'Case two', emit: [...emit, ...emit] }, nestedRequest);
    const seen = await shown(/Case two/);
    expect(seen.match(/outcome \d+/g)).toEqual(emit);
  });

  it('of outcomes that can’t be shown is told to people, and decided nowhere', async () => {
    expect((await asks({ output: 'Case three', emit: ['yes', 'n'.repeat(76)] })).said).toContain('unsupported');
    await shown(/\*review\* asks for approval in a format/);
    expect(JSON.stringify(world.slack.messages())).not.toContain('Case three');
  });

  it('of a hundred outcomes, with 20 MiB of state, is shown all the same', async () => {
    const emit = Array.from({ length: 100 }, (_, n) => `${n}${'n'.repeat(70)}`);
    await asks({ output: 'Case four', emit, state: { all: 's'.repeat(19 * MIB) } });
    await shown(/Case four/);
  });

  it('again, word by word, opens nothing new', async () => {
    const body = JSON.stringify(
      flatRequest({ id: 'replayed', flow_id: 'FR', flow_execution_id: 'FR', output: 'Case five' }),
    );
    const headers = signed(body);
    const answers = await Promise.all(Array.from({ length: 5 }, () => post(body, headers)));
    expect(answers.map(({ said }) => JSON.parse(said).status).sort()).toEqual([
      'accepted',
      ...Array(4).fill('duplicate'),
    ]);
  });

  it('has its answer sent to no host but those that are named', async () => {
    for (const callback_url of [
      'https://evil.example/',
      'https://169.254.169.254/',
      'http://app.crewai.com/',
      'https://app.crewai.com.evil.example/',
    ])
      expect((await asks({ output: 'Case six', callback_url })).status).toBe(403);
    await shown(/\*review\* waits for an answer that can’t be given here(.|\n)*evil\.example/);
    expect(JSON.stringify(world.slack.messages())).not.toContain('Case six');
  });

  it('leaves no secret in the log', () => {
    for (const secret of [FLOW_SECRET, OTHER_SECRET, 'single-use']) expect(logged()).not.toContain(secret);
  });
});
