import { createServer, type Server, type Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { CLAIM_MS } from '../../src/core/state/claim.ts';
import type { ObservedCall } from '../../src/crew/call.ts';
import { CALL_LIMITS, type CrewClient, type CrewClientOptions, createCrewClient } from '../../src/crew/client.ts';
import { settlesWithin } from '../support/settles-within.ts';
import { type AnsweringServer, startAnsweringServer } from './answering-server.ts';
import { credentials, crew, readableLog, silent } from './crew-values.ts';

const KEY = { ref: 'abcdefghijklmnopqrstuvwxyz', hop: 0, as: null };
const RESUME = {
  ref: KEY.ref,
  hop: 1,
  as: null,
  executionId: 'E1',
  taskId: 'T1',
  feedback: 'Shorter.',
  isApprove: false,
};
const UNAVAILABLE = { kind: 'unavailable', reason: 'unreachable', waitMs: null };

let server: AnsweringServer;
const open: CrewClient[] = [];

beforeAll(async () => {
  server = await startAnsweringServer();
});
beforeEach(() => {
  server.received.length = 0;
});
afterEach(async () => {
  for (const client of open.splice(0)) await client.close();
});
afterAll(() => server.close());

function client(override: Partial<CrewClientOptions> = {}): CrewClient {
  const created = createCrewClient({
    crews: [crew({ baseUrl: server.origin })],
    publicUrl: 'https://bot.example.org',
    credentials,
    webhookAuth: 'bearer',
    log: silent,
    ...override,
  });
  open.push(created);
  return created;
}

const kickoff = (of = client()) => of.kickoff('research', { ...KEY, inputs: { topic: 'Redis' } });
const resume = (of = client()) => of.resume('research', RESUME);

function sent(number = 0): unknown {
  return JSON.parse(server.received[number]?.body ?? 'null');
}

describe('a kickoff', () => {
  it('sends the inputs with their types and all webhook settings', async () => {
    server.answerWith({ status: 200, body: { kickoff_id: 'K1' } });
    const inputs = { topic: 'Redis', count: 3, deep: true, none: null, list: [1, { a: 'b' }] };
    expect(await client().kickoff('research', { ...KEY, inputs })).toEqual({ kind: 'accepted', kickoffId: 'K1' });
    expect(server.received).toMatchObject([{ method: 'POST', path: '/kickoff' }]);
    expect(server.received[0]?.headers).toMatchObject({
      authorization: 'Bearer crew-token',
      'content-type': 'application/json',
    });
    expect(sent()).toEqual({
      inputs,
      humanInputWebhook: {
        url: `https://bot.example.org/webhooks/executions/${KEY.ref}/human-input`,
        authentication: credentials.ofExecution(KEY, 'bearer'),
      },
      taskWebhookUrl: expect.stringMatching(/\/h0\.[\w-]{43}\/task$/),
      stepWebhookUrl: expect.stringMatching(/\/h0\.[\w-]{43}\/step$/),
      crewWebhookUrl: expect.stringMatching(/\/h0\.[\w-]{43}\/crew$/),
      meta: { signoff_ref: KEY.ref },
    });
  });

  it('keeps the path of the base address', async () => {
    server.answerWith({ status: 200, body: { kickoff_id: 'K1' } });
    await kickoff(client({ crews: [crew({ baseUrl: `${server.origin}/crews/a` })] }));
    expect(server.received).toMatchObject([{ path: '/crews/a/kickoff' }]);
  });

  it('sends no halves of characters', async () => {
    server.answerWith({ status: 200, body: { kickoff_id: 'K1' } });
    await client().kickoff('research', { ...KEY, inputs: { a: 'x\ud800' } });
    expect(sent()).toMatchObject({ inputs: { a: 'x\ufffd' } });
  });

  it.each([
    [400, { detail: 'No JSON' }, { code: 'bad-request', detail: 'No JSON', missing: [] }],
    [401, { detail: 'Invalid token' }, { code: 'unauthorized', detail: 'Invalid token', missing: [] }],
    [401, { detail: 'Who is crew-token?' }, { code: 'unauthorized', detail: 'Who is …?', missing: [] }],
    [403, { error: 'forbidden' }, { code: 'unauthorized', detail: 'forbidden', missing: [] }],
    [404, '<html><h1>Not found</h1></html>', { code: 'not-found', detail: 'Not found', missing: [] }],
    [402, {}, { code: 'quota', missing: [] }],
    [
      422,
      { detail: 'Missing inputs: topic, audience' },
      { code: 'missing-inputs', detail: 'Missing inputs: topic, audience', missing: ['topic', 'audience'] },
    ],
    [422, { detail: 'topic must be short' }, { code: 'bad-request', detail: 'topic must be short', missing: [] }],
    [422, { detail: 'Monthly execution limit reached' }, { code: 'quota', missing: [] }],
    [429, { detail: 'Monthly execution limit reached' }, { code: 'quota', missing: [] }],
    [418, '', { code: 'other', detail: '', missing: [] }],
  ])('that is answered with %i was refused', async (status, body, refusal) => {
    server.answerWith({ status, body });
    expect(await kickoff()).toMatchObject({ kind: 'refused', refusal });
    expect(server.received).toHaveLength(1);
  });

  it('follows no redirect, and says where it led', async () => {
    for (const status of [301, 302, 303, 307, 308]) {
      server.received.length = 0;
      server.answerWith({ status, headers: { location: `${server.origin}/elsewhere` } });
      expect(await kickoff()).toEqual({
        kind: 'refused',
        refusal: { code: 'other', detail: `The service redirects to ${server.origin}/elsewhere`, missing: [] },
      });
      expect(server.received).toHaveLength(1);
    }
  });

  it.each([500, 501, 502, 504, 599])('that is answered with %i may have started', async (status) => {
    server.answerWith({ status, body: 'Internal Server Error' });
    expect(await kickoff()).toEqual({ kind: 'unknown', doubt: 'server-error' });
    expect(server.received).toHaveLength(1);
  });

  it.each(['', 'OK', '{}', '{"kickoff_id":""}', '<html>'])('that is accepted with %j has no id', async (body) => {
    server.answerWith({ status: 200, body });
    expect(await kickoff()).toEqual({ kind: 'unknown', doubt: 'no-id' });
  });

  it('that is accepted with a body over the limit has no id', async () => {
    server.answerWith({ status: 200, body: `{"kickoff_id":"K1","x":"${'x'.repeat(1_100_000)}"}` });
    expect(await kickoff()).toEqual({ kind: 'unknown', doubt: 'no-id' });
  });

  it('whose acceptance breaks off has no id', async () => {
    server.answerWith((response) => {
      response.writeHead(200, { 'content-length': 100 });
      response.write('{"kickoff_id":', () => response.destroy());
    });
    expect(await kickoff()).toEqual({ kind: 'unknown', doubt: 'no-id' });
  });

  it('whose refusal breaks off is refused all the same', async () => {
    server.answerWith((response) => {
      response.writeHead(401, { 'content-length': 100 });
      response.write('{', () => response.destroy());
    });
    expect(await kickoff()).toMatchObject({ kind: 'refused', refusal: { code: 'unauthorized', detail: '' } });
  });

  it('of a crew that is not configured any more is kept for later without a call', async () => {
    expect(await client().kickoff('other', { ...KEY, inputs: {} })).toMatchObject({ kind: 'unavailable' });
    expect(server.received).toHaveLength(0);
  });
});

describe('a call that surely did nothing may be made again', () => {
  it('where nobody listens', async () => {
    const gone = client({ crews: [crew({ baseUrl: 'http://127.0.0.1:1' })] });
    expect(await kickoff(gone)).toEqual(UNAVAILABLE);
    expect(await resume(gone)).toEqual(UNAVAILABLE);
  });

  it('where the name leads nowhere', async () => {
    const gone = client({ crews: [crew({ baseUrl: 'http://crew.invalid' })] });
    expect(await kickoff(gone)).toEqual(UNAVAILABLE);
  });

  it('where TLS fails', async () => {
    const plain = client({ crews: [crew({ baseUrl: server.origin.replace('http:', 'https:') })] });
    expect(await kickoff(plain)).toEqual(UNAVAILABLE);
    expect(server.received).toHaveLength(0);
  });

  it('where no connection comes about in time', async () => {
    const mute = await listenOnTcp();
    const slow = client({
      crews: [crew({ baseUrl: `https://127.0.0.1:${mute.port}` })],
      limits: { effectMs: 100 },
    });
    const answer = kickoff(slow);
    expect(await settlesWithin(3_000, answer)).toBe(true);
    expect(await answer).toEqual(UNAVAILABLE);
    mute.close();
  });

  it.each([
    [429, {}, null],
    [503, { 'retry-after': '7' }, 7_000],
    [429, { 'retry-after': '0' }, 1_000],
    [429, { 'retry-after': '999999' }, 60_000],
    [429, { 'retry-after': 'soon' }, null],
    [503, { 'retry-after': 'Wed, 21 Oct 2026 07:28:30 GMT', date: 'Wed, 21 Oct 2026 07:28:00 GMT' }, 30_000],
    [503, { 'retry-after': 'Wed, 21 Oct 2015 07:28:00 GMT' }, 1_000],
  ])('where it is answered with %i %j', async (status, headers, waitMs) => {
    server.answerWith({ status, headers, body: 'later' });
    expect(await kickoff()).toEqual({ kind: 'unavailable', reason: 'busy', waitMs });
    expect(await resume()).toEqual({ kind: 'unavailable', reason: 'busy', waitMs });
    expect(server.received).toHaveLength(2);
  });
});

describe('a call that may have arrived is never called undone', () => {
  it('where the connection breaks after it was sent', async () => {
    server.answerWith((response) => response.destroy());
    expect(await kickoff()).toEqual({ kind: 'unknown', doubt: 'no-answer' });
    expect(await resume()).toEqual({ kind: 'unknown' });
    expect(server.received).toHaveLength(2);
  });

  it('where no answer comes in time', async () => {
    server.answerWith(() => {});
    const impatient = client({ limits: { effectMs: 60 } });
    expect(await kickoff(impatient)).toEqual({ kind: 'unknown', doubt: 'no-answer' });
    expect(await resume(impatient)).toEqual({ kind: 'unknown' });
    expect(server.received).toHaveLength(2);
  });

  it('where something else than HTTP answers', async () => {
    server.answerWith((response) => response.socket?.end('hello\r\n\r\n'));
    expect(await kickoff()).toEqual({ kind: 'unknown', doubt: 'no-answer' });
  });

  it.each([{}, { 'retry-after': 'soon' }])('where it is answered with 503 %j, as by a proxy', async (headers) => {
    server.answerWith({ status: 503, headers, body: 'upstream reset' });
    expect(await kickoff()).toEqual({ kind: 'unknown', doubt: 'server-error' });
    expect(await resume()).toEqual({ kind: 'unknown' });
    const known = client({ crews: [crew({ baseUrl: server.origin, retry503: true })] });
    expect(await kickoff(known)).toEqual({ ...UNAVAILABLE, reason: 'busy' });
    expect(await resume(known)).toEqual({ ...UNAVAILABLE, reason: 'busy' });
  });

  it('where the connection is closed as soon as it stands', async () => {
    const closing = await listenOnTcp((socket) => socket.destroy());
    const cut = client({ crews: [crew({ baseUrl: `http://127.0.0.1:${closing.port}` })] });
    expect(await kickoff(cut)).toEqual({ kind: 'unknown', doubt: 'no-answer' });
    closing.close();
  });
});

it('uses a new connection for each call that can not be repeated, so that a stale one never leaves a doubt', async () => {
  server.answerWith({ status: 200, body: { kickoff_id: 'K1' } });
  const crews = client();
  await kickoff(crews);
  await kickoff(crews);
  await resume(crews);
  expect(new Set(server.received.map(({ connection }) => connection)).size).toBe(3);
});

describe('a resume', () => {
  it('sends what the specification names, and all webhook settings again', async () => {
    server.answerWith({ status: 200, body: { status: 'retrying', message: 'x' } });
    expect(await resume()).toEqual({ kind: 'accepted', kickoffId: null });
    expect(server.received).toMatchObject([{ method: 'POST', path: '/resume' }]);
    expect(sent()).toEqual({
      execution_id: 'E1',
      task_id: 'T1',
      human_feedback: 'Shorter.',
      is_approve: false,
      humanInputWebhook: {
        url: `https://bot.example.org/webhooks/executions/${KEY.ref}/human-input`,
        authentication: credentials.ofExecution({ ...KEY, hop: 1 }, 'bearer'),
      },
      taskWebhookUrl: expect.stringMatching(/\/h1\.[\w-]{43}\/task$/),
      stepWebhookUrl: expect.stringMatching(/\/h1\.[\w-]{43}\/step$/),
      crewWebhookUrl: expect.stringMatching(/\/h1\.[\w-]{43}\/crew$/),
      meta: { signoff_ref: KEY.ref },
    });
  });

  it.each([
    [200, '{"kickoff_id":"K2"}', 'K2'],
    [202, '', null],
    [204, '', null],
    [200, 'OK', null],
  ])('that is answered with %i %j is accepted', async (status, body, kickoffId) => {
    server.answerWith({ status, body });
    expect(await resume()).toEqual({ kind: 'accepted', kickoffId });
  });

  it('whose acceptance breaks off is accepted', async () => {
    server.answerWith((response) => {
      response.writeHead(200, { 'content-length': 100 });
      response.write('{', () => response.destroy());
    });
    expect(await resume()).toEqual({ kind: 'accepted', kickoffId: null });
  });

  it.each([
    [400, 'bad-request'],
    [401, 'unauthorized'],
    [404, 'not-found'],
    [409, 'other'],
    [422, 'bad-request'],
    [307, 'other'],
  ])('that is answered with %i was refused', async (status, code) => {
    server.answerWith({ status, body: { detail: 'No' } });
    expect(await resume()).toEqual({ kind: 'refused', failure: { kind: 'refused', code, status, detail: 'No' } });
    expect(server.received).toHaveLength(1);
  });

  it('says that the quota is spent', async () => {
    server.answerWith({ status: 403, body: { detail: 'Monthly execution limit reached' } });
    expect(await resume()).toMatchObject({ failure: { code: 'quota', detail: 'Monthly execution limit reached' } });
  });

  it.each([500, 502, 504])('that is answered with %i is unknown', async (status) => {
    server.answerWith({ status });
    expect(await resume()).toEqual({ kind: 'unknown' });
  });

  it('of a crew that is not configured any more is kept for later without a call', async () => {
    expect(await client().resume('other', RESUME)).toMatchObject({ kind: 'unavailable' });
    expect(server.received).toHaveLength(0);
  });
});

it('sends no resume that names no execution', async () => {
  const answer = await client().resume('research', { ...RESUME, executionId: '' });
  expect(answer).toMatchObject({ kind: 'refused', failure: { code: 'other', status: 0 } });
  expect(server.received).toHaveLength(0);
});

describe('the dialect of a resume', () => {
  const camelMissing = {
    status: 422,
    body: {
      detail: ['executionId', 'taskId'].map((name) => ({
        type: 'missing',
        loc: ['body', name],
        msg: 'Field required',
      })),
    },
  };

  it('becomes camel case where the service misses it, once, and stays so', async () => {
    const crews = client();
    server.answerWith(camelMissing, { status: 200, body: { kickoff_id: 'K2' } });
    expect(await resume(crews)).toEqual({ kind: 'accepted', kickoffId: 'K2' });
    expect(sent(1)).toMatchObject({ executionId: 'E1', taskId: 'T1', humanFeedback: 'Shorter.', isApprove: false });
    expect(sent(1)).toMatchObject({ humanInputWebhook: {}, meta: { signoff_ref: KEY.ref } });
    expect(sent(1)).not.toHaveProperty('execution_id');
    await resume(crews);
    expect(server.received).toHaveLength(3);
    expect(sent(2)).toHaveProperty('executionId');
  });

  it('is read from a sentence too', async () => {
    server.answerWith({ status: 422, body: { message: 'Missing field: executionId' } }, { status: 200 });
    expect(await resume()).toMatchObject({ kind: 'accepted' });
  });

  it('goes back where a service learned the specification meanwhile', async () => {
    const crews = client();
    server.answerWith(camelMissing, { status: 200 });
    await resume(crews);
    server.answerWith({ status: 422, body: { detail: 'execution_id is missing' } }, { status: 200 });
    expect(await resume(crews)).toMatchObject({ kind: 'accepted' });
    expect(sent(3)).toHaveProperty('execution_id');
  });

  it('is tried no third time', async () => {
    server.answerWith(camelMissing);
    expect(await resume()).toMatchObject({ kind: 'refused', failure: { status: 422 } });
    expect(server.received).toHaveLength(2);
  });

  it('does not change for any other refusal', async () => {
    server.answerWith({ status: 400, body: { detail: 'executionId is missing' } });
    expect(await resume()).toMatchObject({ kind: 'refused', failure: { status: 400 } });
    server.answerWith({
      status: 422,
      body: { detail: [{ loc: ['body', 'task_id'], msg: 'x', input: { executionId: 1 } }] },
    });
    expect(await resume()).toMatchObject({ kind: 'refused', failure: { status: 422 } });
    expect(server.received).toHaveLength(2);
  });

  it('gives the answer of the second try, whatever it is', async () => {
    const second = async (answer: Parameters<AnsweringServer['answerWith']>[0]) => {
      server.answerWith(camelMissing, answer);
      return resume();
    };
    expect(await second({ status: 503, headers: { 'retry-after': '7' } })).toEqual({
      kind: 'unavailable',
      reason: 'busy',
      waitMs: 7_000,
    });
    expect(await second({ status: 503 })).toEqual({ kind: 'unknown' });
    expect(await second({ status: 500 })).toEqual({ kind: 'unknown' });
    expect(await second((response) => response.destroy())).toEqual({ kind: 'unknown' });
    expect(await second({ status: 404 })).toMatchObject({ kind: 'refused', failure: { code: 'not-found' } });
  });

  it('shares the time of one call between both tries', async () => {
    server.answerWith(
      (response) => void setTimeout(() => response.writeHead(422).end(JSON.stringify(camelMissing.body)), 60),
      () => {},
    );
    expect(await resume(client({ limits: { effectMs: 1_000 } }))).toEqual({ kind: 'unknown' });
    await expect.poll(() => server.received.length).toBe(2);
  });
});

describe('a deployed service', () => {
  const amp = (more: Partial<CrewClientOptions> = {}) =>
    client({ crews: [crew({ baseUrl: server.origin, platform: 'amp' })], ...more });
  const unknownField = (name: string) => ({
    status: 422,
    body: { detail: [{ type: 'extra_forbidden', loc: ['body', name], msg: 'Extra inputs are not permitted' }] },
  });
  const secretAddress = (hop: number) =>
    `https://bot.example.org/webhooks/executions/${KEY.ref}/${credentials.humanInputToken({ ...KEY, hop })}/human-input`;

  it('is given an address without credentials for what it asks, at kickoff and resume', async () => {
    server.answerWith({ status: 200, body: { kickoff_id: 'K1' } });
    const crews = amp();
    await kickoff(crews);
    await resume(crews);
    expect(sent(0)).toMatchObject({ inputs: { topic: 'Redis' }, humanInputWebhookUrl: secretAddress(0) });
    expect(sent(1)).toMatchObject({ execution_id: 'E1', humanInputWebhookUrl: secretAddress(1) });
    for (const i of [0, 1]) expect(sent(i)).not.toHaveProperty('humanInputWebhook');
  });

  it('is asked at kickoff for the events of its run, and told no addresses for tasks and steps beside them', async () => {
    server.answerWith({ status: 200, body: { kickoff_id: 'K1' } });
    await kickoff(amp());
    expect(sent()).toMatchObject({
      webhooks: {
        events: expect.arrayContaining(['task_completed', 'crew_kickoff_failed']),
        url: `https://bot.example.org/webhooks/executions/${KEY.ref}/events`,
        realtime: true,
        authentication: { strategy: 'bearer', token: credentials.ofStream(KEY) },
      },
      crewWebhookUrl: expect.stringMatching(/\/h0\.[\w-]{43}\/crew$/),
    });
    for (const name of ['taskWebhookUrl', 'stepWebhookUrl']) expect(sent()).not.toHaveProperty(name);
  });

  it('is told all addresses with each resume, since a stream can only be asked for at kickoff', async () => {
    server.answerWith({ status: 200, body: {} });
    await resume(amp());
    expect(sent()).not.toHaveProperty('webhooks');
    for (const kind of ['task', 'step', 'crew'])
      expect(sent()).toHaveProperty(
        `${kind}WebhookUrl`,
        expect.stringMatching(new RegExp(`/h1\\.[\\w-]{43}/${kind}$`)),
      );
  });

  it.each([
    ['as an unknown field', unknownField('webhooks')],
    [
      'for what stands in it',
      { status: 422, body: { detail: [{ loc: ['body', 'webhooks', 'realtime'], msg: 'no' }] } },
    ],
    ['in a sentence', { status: 400, body: { message: 'webhooks is not supported by this deployment' } }],
  ])('that refuses the stream %s starts all the same, and is told addresses from then on', async (_, no) => {
    const crews = amp();
    server.answerWith(no, { status: 200, body: { kickoff_id: 'K1' } });
    expect(await kickoff(crews)).toEqual({ kind: 'accepted', kickoffId: 'K1' });
    await kickoff(crews);
    expect(server.received).toHaveLength(3);
    for (const i of [1, 2]) {
      expect(sent(i)).not.toHaveProperty('webhooks');
      expect(sent(i)).toMatchObject({
        humanInputWebhookUrl: secretAddress(0),
        taskWebhookUrl: expect.stringMatching(/\/task$/),
        stepWebhookUrl: expect.stringMatching(/\/step$/),
        crewWebhookUrl: expect.stringMatching(/\/crew$/),
      });
    }
  });

  it('that refuses both at once is asked once more', async () => {
    const detail = ['webhooks', 'humanInputWebhookUrl'].map((name) => ({ loc: ['body', name], msg: 'not permitted' }));
    server.answerWith({ status: 422, body: { detail } }, { status: 200, body: { kickoff_id: 'K1' } });
    expect(await kickoff(amp())).toMatchObject({ kind: 'accepted' });
    expect(server.received).toHaveLength(2);
    expect(sent(1)).toMatchObject({ humanInputWebhook: {}, taskWebhookUrl: expect.any(String) });
  });

  it('that misses inputs is not asked again, even if one has the name of a field', async () => {
    server.answerWith({
      status: 422,
      body: { detail: [{ loc: ['body', 'inputs', 'webhooks'], msg: 'Field required' }] },
    });
    expect(await kickoff(amp())).toMatchObject({ refusal: { code: 'missing-inputs', missing: ['webhooks'] } });
    expect(server.received).toHaveLength(1);
  });

  it.each([
    ['as an unknown field', unknownField('humanInputWebhookUrl')],
    ['in a sentence', { status: 400, body: { error: 'Unknown parameter: humanInputWebhookUrl' } }],
  ])('that refuses the plain address %s starts all the same, and is given credentials from then on', async (_, no) => {
    const crews = amp();
    server.answerWith(no, { status: 200, body: { kickoff_id: 'K1' } });
    expect(await kickoff(crews)).toEqual({ kind: 'accepted', kickoffId: 'K1' });
    expect(sent(1)).toMatchObject({ inputs: { topic: 'Redis' }, humanInputWebhook: { url: expect.any(String) } });
    expect(sent(1)).not.toHaveProperty('humanInputWebhookUrl');
    await resume(crews);
    expect(server.received).toHaveLength(3);
    expect(sent(2)).toMatchObject({ humanInputWebhook: { authentication: { strategy: 'bearer' } } });
  });

  it('that refuses the plain address and the names of the fields is resumed all the same', async () => {
    const camel = { status: 422, body: { detail: 'executionId is required' } };
    server.answerWith(unknownField('humanInputWebhookUrl'), camel, { status: 200 });
    expect(await resume(amp())).toMatchObject({ kind: 'accepted' });
    expect(sent(2)).toMatchObject({ executionId: 'E1', humanInputWebhook: {} });
  });

  it('is sent nothing twice, and no more once it may have taken something', async () => {
    const crews = amp();
    server.answerWith(unknownField('humanInputWebhookUrl'));
    expect(await kickoff(crews)).toMatchObject({ kind: 'refused', refusal: { code: 'bad-request' } });
    expect(server.received).toHaveLength(2);
    server.answerWith(unknownField('humanInputWebhookUrl'), (response) => response.destroy());
    expect(await kickoff(crews)).toEqual({ kind: 'unknown', doubt: 'no-answer' });
    expect(server.received).toHaveLength(4);
  });

  it.each([
    [500, { detail: 'humanInputWebhookUrl' }],
    [404, { detail: 'humanInputWebhookUrl' }],
    [422, { detail: 'Missing inputs: topic' }],
  ])('that answers %i %j is not asked again', async (status, body) => {
    server.answerWith({ status, body });
    await kickoff(amp());
    expect(server.received).toHaveLength(1);
  });
});

describe('a status', () => {
  const status = (id = 'K1', of = client()) => of.status('research', id);

  it('is asked for by the id, whatever stands in it', async () => {
    server.answerWith({ status: 200, body: { state: 'RUNNING' } });
    await status('a/b?c#d é');
    expect(server.received).toMatchObject([{ method: 'GET', path: '/status/a%2Fb%3Fc%23d%20%C3%A9' }]);
  });

  it('gives the result as text', async () => {
    server.answerWith({ status: 200, body: { state: 'SUCCESS', result: 'All of it' } });
    expect(await status()).toEqual({ kind: 'completed', text: 'All of it' });
  });

  it('reads a result of five megabytes', async () => {
    const result = 'A line of the result.\n'.repeat(250_000);
    server.answerWith({ status: 200, body: { status: 'completed', result: { output: result } } });
    expect(await status()).toEqual({ kind: 'completed', text: result });
  });

  it.each([
    [404, '', 'not-found'],
    [200, '{"state":"NOT FOUND"}', 'not-found'],
    [401, '', 'unauthorized'],
    [403, '', 'unauthorized'],
    [400, '', 'error'],
    [500, '', 'error'],
    [502, '', 'error'],
    [503, '', 'error'],
    [302, '', 'error'],
    [200, '<html>', 'error'],
    [200, '{"hello":1}', 'error'],
  ])('that is answered with %i %j is %s', async (code, body, kind) => {
    server.answerWith({ status: code, body, headers: { location: '/x' } });
    expect(await status()).toEqual({ kind });
  });

  it.each([429, 503])('that is answered with %i and Retry-After finds the service busy', async (code) => {
    server.answerWith({ status: code, body: '', headers: { 'retry-after': '5' } });
    expect(await status()).toEqual({ kind: 'busy' });
  });

  it('is unreachable where nobody answers', async () => {
    const gone = client({ crews: [crew({ baseUrl: 'http://127.0.0.1:1' })] });
    expect(await status('K1', gone)).toEqual({ kind: 'unreachable' });
    server.answerWith(() => {});
    expect(await status('K1', client({ limits: { readMs: 50 } }))).toEqual({ kind: 'unreachable' });
    expect(await client().status('other', 'K1')).toEqual({ kind: 'unreachable' });
  });
});

it('answers polls in time although a service lets them all hang', async () => {
  // One of its own: some of the calls are still on their way when the test is over.
  const hanging = await startAnsweringServer();
  hanging.answerWith(() => {});
  const crews = client({ crews: [crew({ baseUrl: hanging.origin })], limits: { readMs: 150 } });
  const polls = Promise.all(Array.from({ length: 60 }, (_, i) => crews.status('research', `K${i}`)));
  expect(await settlesWithin(2_000, polls)).toBe(true);
  const answers = await polls;
  expect(new Set(answers.map(({ kind }) => kind))).toEqual(new Set(['unreachable']));
  await hanging.close();
});

describe('the inputs', () => {
  it('are read once and remembered, also by those who ask at once', async () => {
    server.answerWith({ status: 200, body: { inputs: ['topic', 'a"b'] } });
    const crews = client();
    const answers = await Promise.all([crews.inputs('research'), crews.inputs('research')]);
    answers.push(await crews.inputs('research'));
    for (const answer of answers) expect(answer).toEqual({ kind: 'inputs', names: ['topic'], skipped: ['a"b'] });
    expect(server.received).toMatchObject([{ method: 'GET', path: '/inputs' }]);
  });

  it('that nobody could type are left out with a warning', async () => {
    const { log, text } = readableLog();
    server.answerWith({ status: 200, body: { inputs: ['topic', 'a"b'] } });
    const crews = client({ log });
    for (const _ of [1, 2]) await crews.inputs('research');
    expect(text().match(/"names":\["a\\"b"\]/g)).toHaveLength(1);
  });

  it('are asked for again after a refused kickoff', async () => {
    const crews = client();
    server.answerWith({ status: 200, body: { inputs: ['topic'] } });
    await crews.inputs('research');
    server.answerWith({ status: 422, body: { detail: 'Missing inputs: audience' } });
    await kickoff(crews);
    server.answerWith({ status: 200, body: { inputs: ['topic', 'audience'] } });
    expect(await crews.inputs('research')).toMatchObject({ names: ['topic', 'audience'] });
  });

  it.each([
    [401, '', { kind: 'refused', code: 'unauthorized', detail: '' }],
    [404, '{"detail":"No crew"}', { kind: 'refused', code: 'not-found', detail: 'No crew' }],
    [429, '', { kind: 'busy' }],
    [500, '', { kind: 'error' }],
    [503, '', { kind: 'error' }],
    [200, 'OK', { kind: 'unreadable' }],
    [200, '{"topic":1}', { kind: 'unreadable' }],
  ])('that are answered with %i %j are not remembered', async (status, body, expected) => {
    const crews = client();
    server.answerWith({ status, body }, { status: 200, body: { inputs: [] } });
    expect(await crews.inputs('research')).toEqual(expected);
    expect(await crews.inputs('research')).toEqual({ kind: 'inputs', names: [], skipped: [] });
  });
});

it('tells each call in a line and to the metrics, without secrets, inputs or feedback', async () => {
  const { log, text } = readableLog();
  const observed: ObservedCall[] = [];
  const crews = client({ log, observe: (call) => observed.push(call) });
  server.answerWith({ status: 200, body: { kickoff_id: 'K1' } });
  await kickoff(crews);
  await resume(crews);
  server.answerWith({ status: 200, body: { state: 'SUCCESS', result: 'The result' } });
  await crews.status('research', 'K1');
  server.answerWith((response) => response.destroy());
  await resume(crews);
  expect(observed.map(({ method, outcome }) => `${method} ${outcome}`)).toEqual([
    'kickoff accepted',
    'resume accepted',
    'status completed',
    'resume unknown',
  ]);
  expect(text()).toContain(`"ref":"${KEY.ref}"`);
  expect(text()).toContain('"kickoffId":"K1"');
  expect(text()).toContain('UND_ERR_SOCKET');
  expect(text()).not.toMatch(/crew-token|Shorter|Redis|The result|h0\.|h1\./);
});

it('times out before the claim of its caller', () => {
  expect(CALL_LIMITS.effectMs).toBeLessThan(CLAIM_MS);
});

/** Takes connections and says nothing, or does with them what it is told. */
async function listenOnTcp(take: (socket: Socket) => void = () => {}): Promise<{ port: number; close: () => void }> {
  const sockets: { destroy(): void }[] = [];
  const tcp: Server = createServer((socket) => {
    sockets.push(socket);
    socket.on('error', () => {});
    take(socket);
  });
  await new Promise<void>((resolve) => tcp.listen(0, '127.0.0.1', resolve));
  const address = tcp.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  const close = () => {
    for (const socket of sockets) socket.destroy();
    tcp.close();
  };
  return { port, close };
}
