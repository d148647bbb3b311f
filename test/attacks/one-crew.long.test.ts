import { setTimeout as pause } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Bot } from '../../src/bot/bot.ts';
import { ok } from '../../src/core/values/result.ts';
import { createCredentials } from '../../src/crew/credentials.ts';
import { closeRedis } from '../../src/redis/connection.ts';
import { headerOf } from '../crew/crew-values.ts';
import { openStores } from '../redis/do-everything.ts';
import type { Fixture } from '../support/fixture.ts';
import { startWorld, TEST_SECRET, type World } from '../support/world.ts';

const MIB = 1_048_576;
const MOST_TRYING_MS = 60_000;

let world: World;
let bots: Bot[];
let redis: Redis;

beforeAll(async () => {
  world = await startWorld({ fixtures: 9 });
  redis = new Redis(world.redis.port);
  bots = [await world.startBot(), await world.startBot()];
});
afterAll(async () => {
  redis.disconnect();
  await world.stop();
});

interface Sent {
  status: number;
  retryAfter: string | null;
}

type WebhookKind = 'human-input' | 'task' | 'crew' | 'events';

interface RunOfCrew {
  fixture: Fixture;
  ref: string;
  /** Notifies the bots in turn, as they stand behind one address. */
  send(kind: WebhookKind, body: object): Promise<Sent>;
  sendAll(count: number, kind: WebhookKind, body: (i: number) => object): Promise<Sent[]>;
}

let turn = 0;

/** A bot that is too busy to answer in time says so, and services try again. */
async function post(path: string, body: object, authorization?: string): Promise<Sent> {
  const deadline = performance.now() + MOST_TRYING_MS;
  for (;;) {
    const sent = await postOnce(path, body, authorization);
    if (sent.status !== 503 || performance.now() > deadline) return sent;
    await pause(500);
  }
}

async function postOnce(path: string, body: object, authorization?: string): Promise<Sent> {
  turn += 1;
  const { status, headers } = await fetch(`http://127.0.0.1:${bots[turn % bots.length]?.port}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(authorization && { authorization }) },
    body: JSON.stringify(body),
  });
  return { status, retryAfter: headers.get('retry-after') };
}

/** In groups, so that they overlap. */
async function sendInGroups(count: number, send: (i: number) => Promise<Sent>): Promise<Sent[]> {
  const sent: Sent[] = [];
  while (sent.length < count) {
    const group = Array.from({ length: Math.min(10, count - sent.length) }, (_, i) => send(sent.length + i));
    sent.push(...(await Promise.all(group)));
  }
  return sent;
}

/** A run that goes on until the world ends, whose crew sends what it likes. */
async function startRun(): Promise<RunOfCrew> {
  await world.crews.sandbox.shutGate('never');
  const fixture = await world.fixture([{ name: 'work', output: 'Done.', hold: 'never' }]);
  await fixture.start();
  const [kickoff] = await fixture.asked('kickoff', 1);
  const ref = /executions\/([a-z2-7]{26})\//.exec(kickoff?.body ?? '')?.[1] ?? '';
  const credentials = createCredentials([TEST_SECRET]);
  const authorization = headerOf(credentials.ofExecution({ ref, hop: 0 }, 'bearer'));
  const events = `/webhooks/executions/${ref}/${credentials.pathToken({ ref, hop: 0 })}`;
  const send: RunOfCrew['send'] = (kind, body) => {
    switch (kind) {
      case 'human-input':
        return post(`/webhooks/executions/${ref}/human-input`, body, authorization);
      case 'events':
        return post(`/webhooks/executions/${ref}/events`, body, `Bearer ${credentials.ofStream({ ref, hop: 0 })}`);
      case 'task':
      case 'crew':
        return post(`${events}/${kind}`, body);
    }
  };
  return {
    ...{ fixture, ref, send },
    sendAll: (count, kind, body) => sendInGroups(count, (i) => send(kind, body(i))),
  };
}

const statusesOf = (sent: Sent[]) => new Set(sent.map(({ status }) => status));
const takenOf = (sent: Sent[]) => sent.filter(({ status }) => status === 200).length;

const keysOf = (pattern: string) => redis.keys(pattern);

/** How many bytes a run takes in Redis. */
async function bytesOf({ ref }: RunOfCrew): Promise<number> {
  const [key = ''] = await keysOf(`signoff:{*}:execution:${ref}`);
  return Number(await redis.memory('USAGE', key, 'SAMPLES', 0));
}

/** As if the text that the run has sent first were this long. */
async function pretendLength({ ref }: RunOfCrew, length: number): Promise<void> {
  const { redis: client, executions } = openStores(world.redis.url);
  try {
    await executions.change(ref, (execution) =>
      ok({
        ...execution,
        tasks: execution.tasks.map((task) => ({ ...task, output: task.output && { ...task.output, length } })),
      }),
    );
  } finally {
    await closeRedis(client);
  }
}

describe('one crew', () => {
  it('asks two hundred times at once, for as many tasks', async () => {
    const run = await startRun();
    const sent = await run.sendAll(200, 'human-input', (i) => ({ task_id: `T${i}`, task_output: `Draft ${i}` }));
    expect(takenOf(sent)).toBe(50);
    expect(statusesOf(sent)).toEqual(new Set([200, 429]));
    expect(sent.find(({ status }) => status === 429)?.retryAfter).toBe('60');
    await run.fixture.jon.sees(run.fixture.channel, 'asks for more than 50 approvals at once');
  });

  it('asks for the same task again and again, two hundred times', async () => {
    const run = await startRun();
    const sent: Sent[] = [];
    for (let i = 0; i < 200; i++)
      sent.push(await run.send('human-input', { kickoff_id: `K${i}`, task_id: 'T', task_output: `Draft ${i}` }));
    expect(takenOf(sent)).toBe(100);
    await run.fixture.jon.sees(run.fixture.channel, 'asked for approval more than 100 times');
  });

  it('sends a megabyte with each of ten repeated notices, none of which is shown', async () => {
    const run = await startRun();
    await run.sendAll(100, 'task', (i) => ({ name: `task ${i}`, output: `Output ${i}` }));
    const before = await bytesOf(run);
    await run.sendAll(10, 'task', (i) => ({ name: `more ${i}`, output: randomText(MIB) }));
    expect(await bytesOf(run)).toBeLessThan(before + 2 * MIB);
  });

  it('sends a hundred and twenty megabytes of text', async () => {
    const run = await startRun();
    const text = randomText(15 * MIB);
    const sent: Sent[] = [];
    const send = async (i: number) => sent.push(await run.send('task', { name: `task ${i}`, output: `${i} ${text}` }));
    await send(0);
    await pretendLength(run, 75 * MIB);
    for (const i of [1, 2, 3]) await send(i);
    expect(sent.map(({ status }) => status)).toEqual([200, 200, 413, 413]);
    await run.fixture.jon.sees(run.fixture.channel, 'more text than Signoff stores');
  });

  it('makes up runs that were started elsewhere, with half a gigabyte of text', async () => {
    const { crew } = await world.fixture();
    const authorization = headerOf(createCredentials([TEST_SECRET]).ofCrew(crew, 'bearer'));
    const ask = (id: string, text: string) =>
      post(`/webhooks/crews/${crew}/human-input`, { execution_id: id, task_id: 'T', task_output: text }, authorization);
    await ask('E', 'x');
    // As if it had sent most of that already.
    for (const key of await keysOf(`signoff:{*}:hour:elsewhere:${crew}`)) await redis.incrby(key, 508 * MIB);
    const before = await keysOf('signoff:{*}:execution:*');
    const sent = [];
    for (let i = 0; i < 6; i++) sent.push(await ask(`E${i}`, 'x'.repeat(2 * MIB)));
    expect(takenOf(sent)).toBeLessThanOrEqual(2);
    expect(sent.at(-1)?.status).toBe(429);
    expect(Number(sent.at(-1)?.retryAfter)).toBeGreaterThan(3_000);
    expect((await keysOf('signoff:{*}:execution:*')).length).toBeLessThanOrEqual(before.length + 2);
  });

  it('asks on with made-up ids after its run has ended', async () => {
    const run = await startRun();
    await run.send('crew', { result: 'Done.' });
    const [key = ''] = await keysOf(`signoff:{*}:execution:${run.ref}`);
    const links = async () => (await redis.hget(key, 'links')) ?? '';
    // As if it had sent most of what one run may.
    await redis.hset(key, 'links', (await links()).padEnd(18 * 3_990, '0'));
    const before = await keysOf('signoff:{*}:id:*');
    const sent = await run.sendAll(40, 'human-input', (i) => ({
      kickoff_id: `K${i}`,
      task_id: `T${i}`,
      task_output: 'x',
    }));
    expect(statusesOf(sent)).toEqual(new Set([200]));
    expect((await links()).length).toBe(18 * 4_000);
    expect((await keysOf('signoff:{*}:id:*')).length).toBe(before.length + 10);
  });

  it('streams ten thousand steps', async () => {
    const run = await startRun();
    const step = (i: number) => ({
      ...{ id: `step ${i}`, execution_id: 'K', type: 'tool_usage_finished', timestamp: new Date().toISOString() },
      data: { tool_name: 'search', output: `${i} ${'x'.repeat(1_000)}` },
    });
    const before = await bytesOf(run);
    const sent = await run.sendAll(10, 'events', (i) => ({
      events: Array.from({ length: 1_000 }, (_, k) => step(1_000 * i + k)),
    }));
    expect(statusesOf(sent)).toEqual(new Set([200]));
    expect(await bytesOf(run)).toBeLessThan(before + 10_000);
    const [activity = ''] = await keysOf(`signoff:{*}:activity:${run.ref}`);
    expect(await redis.llen(activity)).toBe(200);
  });

  it('streams a thousand tasks at once, with fifteen kilobytes each', async () => {
    const run = await startRun();
    const before = await bytesOf(run);
    const text = randomText(15_000);
    const task = (i: number) => ({ type: 'task_completed', data: { task_name: `task ${i}`, output: `${i} ${text}` } });
    const sent = await run.sendAll(1, 'events', () => ({ events: Array.from({ length: 1_000 }, (_, i) => task(i)) }));
    expect(statusesOf(sent)).toEqual(new Set([200]));
    expect(await bytesOf(run)).toBeLessThan(before + 2 * MIB);
    expect(statusesOf(await run.sendAll(1, 'events', () => ({ events: Array(1_001).fill(task(0)) })))).toEqual(
      new Set([413]),
    );
  });

  it('sends a hundred requests that nobody can read', async () => {
    const run = await startRun();
    const sent = await run.sendAll(100, 'human-input', (i) => ({ nothing: `known ${i}` }));
    expect(takenOf(sent)).toBe(20);
    expect(statusesOf(sent)).toEqual(new Set([200, 429]));
  });
});

/** Compresses little. */
function randomText(length: number): string {
  const bytes = new Uint8Array((length * 3) / 4);
  for (let at = 0; at < bytes.length; at += 65_536) crypto.getRandomValues(bytes.subarray(at, at + 65_536));
  return Buffer.from(bytes).toString('base64');
}
