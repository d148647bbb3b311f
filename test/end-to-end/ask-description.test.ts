import { gzipSync } from 'node:zlib';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Bot } from '../../src/bot/bot.ts';
import { MOST_FROM_ELSEWHERE } from '../../src/core/execution/limits.ts';
import { createHttpServer, type HttpServer } from '../../src/http/server.ts';
import { createHourlyCounts } from '../../src/redis/counts.ts';
import { eventually } from '../../src/sandbox/slack-workspace/driver/queries.ts';
import { type AnsweringServer, startAnsweringServer } from '../crew/answering-server.ts';
import { silent } from '../crew/crew-values.ts';
import { askingProgram, refOf } from '../support/asks.ts';
import { type Described, pointerOf, readDescription } from '../support/openapi.ts';
import { startWorld, TEST_VERSION, type World } from '../support/world.ts';

const NOWHERE = 'a'.repeat(26);

let world: World;
let bot: Bot;
let receiver: AnsweringServer;
let described: Described;

beforeAll(async () => {
  receiver = await startAnsweringServer();
  receiver.answerWith({ status: 204 });
  const settings = { channel: 'releases', callback_hosts: [new URL(receiver.origin).host] };
  world = await startWorld({
    crews: [
      { name: 'deploys', settings },
      { name: 'busy', settings },
      { name: 'closed', settings: { ...settings, approval: { started_elsewhere: 'refuse' } } },
    ],
  });
  bot = await world.startBot();
  described = await readDescription(await (await call('GET', '/asks/openapi.json', { headers: {} })).json());
});
afterAll(async () => {
  await world.stop();
  await receiver.close();
});

const program = (crew: string) => askingProgram(() => bot.port, crew);

function call(method: string, path: string, { crew = 'deploys', ...init }: RequestInit & { crew?: string } = {}) {
  return fetch(`http://127.0.0.1:${bot.port}${path}`, { method, headers: program(crew).headers, ...init });
}

const ask = (body: object, crew = 'deploys') =>
  call('POST', '/asks', {
    crew,
    body: JSON.stringify({ policy: crew, title: 'Deploy', text: 'It is *green*.', ...body }),
  });

/** Checks an answer against the description. */
async function expectDescribed(method: string, path: string, status: number, answer: Response): Promise<void> {
  expect(answer.status).toBe(status);
  expect(await described.problem({ method, path: path.replace(/\?.*/, ''), answer })).toBeNull();
}

describe('The description of asks', () => {
  it('is served to anybody, and says where and in which version', async () => {
    const answer = await call('GET', '/asks/openapi.json', { headers: {} });
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/json']);
    const { PUBLIC_URL } = world.env(bot.port);
    expect(await answer.json()).toMatchObject({ info: { version: TEST_VERSION }, servers: [{ url: PUBLIC_URL }] });
    expect((await call('HEAD', '/asks/openapi.json', { headers: {} })).status).toBe(200);
    expect((await call('POST', '/asks/openapi.json')).headers.get('allow')).toBe('GET, HEAD');
  });

  it('takes what the bot takes, and refuses fields that the bot refuses', async () => {
    const asked = pointerOf(['components', 'schemas', 'Ask']);
    const right = {
      policy: 'deploys',
      title: 'Deploy',
      text: 'It is *green*.',
      why: 'It is Tuesday.',
      inputs: { env: 'live', count: 2, isUrgent: true },
      expires_in: '4h',
      channel: '#releases',
      callback: `${receiver.origin}/x`,
      id: 'described',
      thread: 'described',
      replaces: null,
      fields: [
        { name: 'where', label: 'Where?', type: 'choice', options: ['a', 'b'], help: 'Choose.' },
        { name: 'count', type: 'number', min: 1, max: 3, required: false },
      ],
    };
    expect(described.problemAt(asked, right)).toBeNull();
    expect((await ask(right)).status).toBe(201);
    for (const wrong of [
      { title: undefined },
      { title: '' },
      { title: 'x'.repeat(151) },
      { text: 7 },
      { text: '' },
      { outcomes: [] },
      { outcomes: ['a', 'a'] },
      { fields: [{ name: 'a', type: 'file' }] },
      { fields: [{ name: 'a', type: 'choice', options: ['x', 'x'] }] },
      { fields: [{ name: 'a', default: 1 }] },
      { inputs: { a: null } },
      { inputs: Object.fromEntries(Array.from({ length: 51 }, (_, i) => [`k${i}`, i])) },
      { expires_in: 0 },
      { expires_in: 'soon' },
      { who: 'me' },
    ]) {
      const body = { policy: 'deploys', title: 'Deploy', text: 'It is *green*.', ...wrong };
      expect(described.problemAt(asked, JSON.parse(JSON.stringify(body)))).not.toBeNull();
      expect((await ask(wrong)).status).toBe(422);
    }
  });

  it('says what the bot answers: a decision, also at the address of the program', async () => {
    const jon = world.slack.as('jon');
    const callback = `${receiver.origin}/hooks/described`;
    const asks = { id: 'decides', title: 'Decide', text: 'Decide *this*.', outcomes: ['now', 'later'], callback };
    await expectDescribed('POST', '/asks', 201, await ask(asks));
    await expectDescribed('POST', '/asks', 200, await ask(asks));
    const ref = refOf(await program('deploys').ask(asks));
    const own = `/asks/${ref}`;
    await expectDescribed('GET', own, 200, await call('GET', own));
    await jon.click('now', { in: await jon.sees('#releases', 'Decide *this*.') });
    await expectDescribed('GET', own, 200, await call('GET', `${own}?wait=50`));
    await expectDescribed('DELETE', own, 409, await call('DELETE', own));
    const told = await eventually(
      async () => receiver.received.find(({ body }) => body.includes(ref)),
      async () => 'nobody was called',
    );
    expectDescribedCallback(told);
  });

  it('says what the bot answers: that nobody decided, also at the address of the program', async () => {
    const asks = { text: 'Too *late*.', expires_in: 1, callback: `${receiver.origin}/hooks/late` };
    const ref = refOf(await program('deploys').ask(asks));
    await expectDescribed('GET', `/asks/${ref}`, 200, await call('GET', `/asks/${ref}?wait=50`));
    const told = await eventually(
      async () => receiver.received.find(({ body }) => body.includes(ref)),
      async () => 'nobody was called',
    );
    expectDescribedCallback(told);
  });

  it('says what the bot answers: what people have filled in, and what the program took back', async () => {
    const jon = world.slack.as('jon');
    const fields = [{ name: 'count', type: 'number' }];
    const ref = refOf(await program('deploys').ask({ text: 'How *many*?', fields }));
    await jon.click('Answer…', { in: await jon.sees('#releases', 'How *many*?') });
    await jon.fill('count', '3');
    await jon.submit();
    await expectDescribed('GET', `/asks/${ref}`, 200, await call('GET', `/asks/${ref}?wait=50`));
    const other = refOf(await program('deploys').ask({ text: 'Never *mind*.' }));
    await expectDescribed('DELETE', `/asks/${other}`, 200, await call('DELETE', `/asks/${other}`));
  });

  it('says what the bot refuses, in every way that it does', async () => {
    const raw = (body: string | Buffer, more: Record<string, string> = {}) =>
      call('POST', '/asks', { body, headers: { ...program('deploys').headers, ...more } });
    await expectDescribed('POST', '/asks', 400, await raw('title=x'));
    await expectDescribed('POST', '/asks', 401, await call('POST', '/asks', { headers: {} }));
    await expectDescribed('POST', '/asks', 403, await ask({}, 'closed'));
    await ask({ id: 'taken' });
    await expectDescribed('POST', '/asks', 409, await ask({ id: 'taken', text: 'Something else.' }));
    await expectDescribed('POST', '/asks', 413, await raw(Buffer.alloc(20 * 1_048_576 + 1)));
    await expectDescribed('POST', '/asks', 415, await raw(gzipSync('{}'), { 'content-encoding': 'gzip' }));
    await expectDescribed('POST', '/asks', 422, await ask({ title: '', text: '', who: 'me' }));
    await expectDescribed('PUT', '/asks', 405, await call('PUT', '/asks'));
    const own = `/asks/${NOWHERE}`;
    await expectDescribed('PUT', own, 405, await call('PUT', own));
    await expectDescribed('GET', own, 422, await call('GET', `${own}?wait=long`));
    for (const method of ['GET', 'DELETE']) {
      await expectDescribed(method, own, 401, await call(method, own, { headers: {} }));
      await expectDescribed(method, own, 404, await call(method, own));
    }
  });

  it('says what the bot answers to a program that asks too much', async () => {
    const redis = new Redis(world.redis.url);
    await createHourlyCounts(redis).add('elsewhere', 'busy', MOST_FROM_ELSEWHERE);
    redis.disconnect();
    await expectDescribed('POST', '/asks', 429, await ask({}, 'busy'));
  });

  it('says what a fault and a slow body are answered with', async () => {
    const fails = () => Promise.reject(new Error('a fault'));
    const find = (path: readonly string[]) => ({
      methods: path.length === 1 ? ['POST'] : ['GET', 'DELETE'],
      authenticate: () => fails,
    });
    const http: HttpServer = createHttpServer({
      webhooks: { find: () => null },
      asks: { find },
      readiness: async () => ({ version: '', parts: {} }),
      metrics: async () => '',
      log: silent,
      limits: { headersMs: 1_000, requestMs: 1_000 },
    });
    const port = await http.listen(0, '127.0.0.1');
    for (const [method, path] of [
      ['POST', '/asks'],
      ['GET', `/asks/${NOWHERE}`],
      ['DELETE', `/asks/${NOWHERE}`],
    ] as const)
      await expectDescribed(method, path, 500, await fetch(`http://127.0.0.1:${port}${path}`, { method }));
    const slow = new ReadableStream({ start: (body) => body.enqueue(Buffer.from('{')) });
    const late = await fetch(`http://127.0.0.1:${port}/asks`, {
      method: 'POST',
      body: slow,
      duplex: 'half',
    } as RequestInit);
    await expectDescribed('POST', '/asks', 408, late);
    await http.close(0);
  });

  it('says what the bot answers while Redis is away, and describes no answer that isn’t met here', async () => {
    const own = `/asks/${refOf(await program('deploys').ask({ text: 'Is Redis *there*?' }))}`;
    world.redis.pause();
    await expectDescribed('POST', '/asks', 503, await ask({}));
    for (const method of ['GET', 'DELETE']) await expectDescribed(method, own, 503, await call(method, own));
    world.redis.resume();
    expect(described.notMet()).toEqual([]);
  });
});

function expectDescribedCallback({ headers, body }: AnsweringServer['received'][number]): void {
  const callback = ['paths', '/asks', 'post', 'callbacks', 'decided', '{$request.body#/callback}', 'post'];
  const schema = [...callback, 'requestBody', 'content', 'application/json', 'schema'];
  expect(described.problemAt(pointerOf(schema), JSON.parse(body))).toBeNull();
  const names = ['webhook-id', 'webhook-timestamp', 'webhook-signature'];
  const values = [headers['webhook-id'], Number(headers['webhook-timestamp']), headers['webhook-signature']];
  for (const [i, name] of names.entries()) {
    const parameter = [...callback, 'parameters', String(i)];
    expect(described.problemAt(pointerOf([...parameter, 'schema']), values[i])).toBeNull();
    expect(name).toBe(names[i]);
  }
}
