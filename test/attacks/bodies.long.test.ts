import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Bot } from '../../src/bot/bot.ts';
import { createCredentials } from '../../src/crew/credentials.ts';
import { eventually } from '../../src/sandbox/slack-workspace/driver/queries.ts';
import { headerOf } from '../crew/crew-values.ts';
import { collectGarbage } from '../support/collect-garbage.ts';
import { receivedBy, statusesIn } from '../support/raw-http.ts';
import { askSlackServer, nowS } from '../support/slack-server.ts';
import { startWorld, TEST_SECRET, type World } from '../support/world.ts';

let world: World;
let bot: Bot;
let bytesAtFirst: number;

beforeAll(async () => {
  world = await startWorld();
  bot = await world.startBot();
  bytesAtFirst = bytesInMemory();
});
afterAll(() => world.stop());

const open = new Set<Socket>();
afterEach(async () => {
  for (const socket of open) socket.destroy();
  open.clear();
  // The bot lets go of what they have sent once it hears that they are gone.
  await eventually(
    async () => bytesOfLate() - bytesAtFirst < 20 * MIB || undefined,
    async () => `${bytesInMemory() - bytesAtFirst} bytes are still held`,
  );
});

const MIB = 1_048_576;

const PADDING: Buffer = Buffer.alloc(2 * MIB, 'x');

/** In buffers. */
function bytesInMemory(): number {
  collectGarbage();
  return process.memoryUsage().arrayBuffers;
}

/** Who waits looks again at once, and collecting garbage takes long. */
const COLLECTED_EVERY_MS = 1_000;
const late = { bytes: 0, at: Number.NEGATIVE_INFINITY };

function bytesOfLate(): number {
  if (performance.now() - late.at < COLLECTED_EVERY_MS) return late.bytes;
  late.bytes = bytesInMemory();
  late.at = performance.now();
  return late.bytes;
}

/** The head of a request with this many bytes, or in chunks. */
function head(path: string, size: number | 'chunked', headers: Record<string, string>): string {
  const length = size === 'chunked' ? { 'transfer-encoding': 'chunked' } : { 'content-length': String(size) };
  const lines = Object.entries({ host: 'x', ...length, ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
  return `POST ${path} HTTP/1.1\r\n${lines.join('')}\r\n`;
}

/** Begins a request and leaves it at that. */
async function begin(bytes: string, more: Buffer = Buffer.alloc(0)): Promise<Socket> {
  const socket = connect(bot.port, '127.0.0.1');
  socket.on('error', () => {});
  open.add(socket);
  await once(socket, 'connect');
  socket.write(bytes);
  socket.write(more);
  return socket;
}

/** What anybody can make up without the signing secret. */
const madeUp = () => ({ 'x-slack-request-timestamp': String(nowS()), 'x-slack-signature': `v0=${'a'.repeat(64)}` });

const ofCrew = () => ({
  authorization: headerOf(createCredentials([TEST_SECRET]).ofCrew('editorial', 'bearer')),
  'content-type': 'application/json',
});
const CREW_PATH = '/webhooks/crews/editorial/human-input';

/** Somebody types a command that needs no more than an answer. */
const typesHelp = () =>
  askSlackServer({
    port: bot.port,
    secret: world.slack.signingSecret,
    body: new URLSearchParams({
      ...{ command: '/kickoff', text: 'help', channel_id: 'C0GENERAL1', user_id: 'UMARIA001' },
      ...{ team_id: 'T0SANDBOX1', trigger_id: '1.2.3' },
    }).toString(),
  });

/** Takes all the memory for bodies, a whole 256 MiB of it, by three hundred bodies that lack their last byte or more. */
async function holdBack(path: string, size: number, headers: () => Record<string, string>): Promise<void> {
  const large = (256 * MIB) / size;
  let held = 0;
  let heldAt = late.at;
  const holdsAll = () => {
    const before = held;
    held = bytesOfLate() - bytesAtFirst;
    if (late.at === heldAt) return false;
    heldAt = late.at;
    return held > 200 * MIB && Math.abs(held - before) < MIB / 16;
  };
  let turnedAway = 0;
  const send = async (count: number, part: Buffer) => {
    const sockets = await Promise.all(Array.from({ length: count }, () => begin(head(path, size, headers()), part)));
    for (const socket of sockets) socket.once('data', () => turnedAway++);
  };
  const until = (isSo: () => boolean) =>
    eventually(
      async () => isSo() || undefined,
      async () => `${held} bytes are held, ${turnedAway} clients were turned away`,
    );
  await send(large, PADDING.subarray(0, size - 1));
  await until(() => turnedAway > 0 || holdsAll());
  await send(300 - large, PADDING.subarray(0, large));
  await until(() => turnedAway > 0);
}

describe('three hundred clients', () => {
  it.each<[string, () => Record<string, string>]>([
    ['without a signature', () => ({})],
    ['with signatures that they made up', madeUp],
  ])('%s, who hold back the end of a megabyte, keep clicks out', async (_, proof) => {
    await holdBack('/slack/events', MIB, proof);
    expect(await typesHelp()).toMatchObject({ status: 200 });
    expect((await fetch(`http://127.0.0.1:${bot.port}/healthz`)).status).toBe(200);
  });

  it('with the credentials of one crew, who hold back the end of two megabytes, keep notifications out', async () => {
    await holdBack(CREW_PATH, 2 * MIB, ofCrew);
    const notification = { method: 'POST', headers: ofCrew(), body: JSON.stringify({ nothing: 'known'.repeat(100) }) };
    expect(await fetch(`http://127.0.0.1:${bot.port}${CREW_PATH}`, notification)).toMatchObject({ status: 200 });
  });
});

it('two thousand connections on which nothing comes keep clicks out', async () => {
  const idle: Socket[] = [];
  // More at once would wait a second for their turn.
  while (idle.length < 2_100) idle.push(...(await Promise.all(Array.from({ length: 100 }, () => begin('')))));
  for (const socket of idle) socket.resume();
  const turnedAway = () => idle.filter(({ readyState }) => readyState !== 'open').length;
  await eventually(
    async () => turnedAway() >= 50 || undefined,
    async () => `${turnedAway()} of them were turned away`,
  );
  expect(await typesHelp()).toMatchObject({ status: 200 });
});

describe('somebody without a signature', () => {
  it.each<[string, Record<string, string>]>([
    ['none', {}],
    ['one of another form', { ...madeUp(), 'x-slack-signature': 'v0=x' }],
  ])('(%s) has a body read before it is refused', async (_, proof) => {
    const socket = await begin(head('/slack/events', 1_000, proof));
    expect(statusesIn(await receivedBy(socket, 3_000))).toEqual([401]);
  });
});

describe.each<[string, string, number, () => Record<string, string>]>([
  ['of Slack', '/slack/events', MIB, madeUp],
  ['of a crew', CREW_PATH, 20 * MIB, ofCrew],
])('a body %s that is too large', (_, path, most, headers) => {
  const CHUNK = Buffer.concat([Buffer.from(`${MIB.toString(16)}\r\n`), Buffer.alloc(MIB, 'x'), Buffer.from('\r\n')]);

  /** Four of them, whose clients go on, a byte at a time, for as long as the connection lasts. Resolves once all are refused. */
  async function sendTooMuch(): Promise<Socket[]> {
    const sockets = await Promise.all(Array.from({ length: 4 }, () => begin(head(path, 'chunked', headers()))));
    for (let sent = 0; sent <= most; sent += MIB) for (const socket of sockets) socket.write(CHUNK);
    for (const socket of sockets) {
      const drip = setInterval(() => socket.write('1\r\nx\r\n'), 50);
      socket.once('close', () => clearInterval(drip));
    }
    const answers = await Promise.all(sockets.map((socket) => once(socket, 'data')));
    expect(answers.map(([answer]) => statusesIn(String(answer)))).toEqual([[413], [413], [413], [413]]);
    return sockets;
  }

  it('stays in memory', async () => {
    const before = bytesInMemory();
    await sendTooMuch();
    await eventually(
      async () => bytesOfLate() - before < 2 * most || undefined,
      async () => `${bytesInMemory() - before} bytes are still held, and no client has gone`,
      8_000,
    );
  });

  it('keeps its client connected', async () => {
    const sockets = await sendTooMuch();
    const connected = () => sockets.filter(({ destroyed }) => !destroyed).length;
    await eventually(
      async () => connected() === 0 || undefined,
      async () => `${connected()} clients still send`,
      8_000,
    );
  });
});
