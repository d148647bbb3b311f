import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { CrewSandbox } from '../../../../src/sandbox/crew-service/sandbox-api/crew-sandbox.ts';
import { connectCrewSandbox } from '../../../../src/sandbox/crew-service/sandbox-api/sandbox-over-http.ts';
import { type Script, scriptedCrew } from '../../../../src/sandbox/crew-service/sandbox-api/scripted-crew.ts';
import { type CrewService, startCrewService } from '../../../../src/sandbox/crew-service/service.ts';
import { sharedRedis } from '../../shared.ts';
import { type Conversation, converse } from '../conversation.ts';
import { type CrewCaller, crewCaller } from '../crew-caller.ts';
import { textIn } from '../json-body.ts';
import { until } from '../until.ts';
import { sharedReceiver } from '../webhook-receiver.ts';

const token = 'org-token';
const tokens = { organisation: token, users: [{ user: 'maria', token: 'maria-token' }] };
const asking: Script = [
  { name: 'ask', humanInput: true, outputs: ['first', 'second'] },
  { name: 'end', output: 'done' },
];

const redis = sharedRedis();
const receiver = sharedReceiver();
let service: CrewService;
let crew: CrewCaller;
let conversation: Conversation;

beforeEach(async () => {
  await redis.flush();
  service = await startCrewService({
    crews: [scriptedCrew({ name: 'demo', tasks: asking })],
    tokens,
    redisUrl: `unix://${redis.socketPath}`,
    sandboxApi: 'on',
    webhookRetry: { firstPauseMs: 10, attempts: 5 },
  });
  crew = crewCaller(service.baseUrlOf('demo'), token);
  conversation = converse({ service, receiver, dialect: 'spec', token });
});

afterEach(() => service.close());

describe.each(['in this process', 'over HTTP'])('the sandbox %s', (where) => {
  let sandbox: CrewSandbox;

  beforeEach(() => {
    sandbox = where === 'over HTTP' ? connectCrewSandbox({ origin: service.origin, token }) : service.sandbox;
  });

  it('lets a task put out whatever JSON holds, and five megabytes', async () => {
    for (const output of ['plain', '', { a: [1, { b: null }] }, null, 42, '\ud83d broken']) {
      await sandbox.setScript('demo', [{ name: 'only', humanInput: true, output }]);
      const run = await conversation.start('demo', {});
      expect((await run.pause(1)).body.task_output).toEqual(output);
    }
    await sandbox.setScript('demo', [{ name: 'only', humanInput: true, outputBytes: 5_000_000 }]);
    const run = await conversation.start('demo', {});
    expect((await run.pause(1)).body.task_output).toHaveLength(5_000_000);
  });

  it('gives each round its output; the last one stays', async () => {
    const run = await conversation.start('demo', {});
    for (const [round, output] of ['first', 'second', 'second'].entries()) {
      const pause = await run.pause(round + 1);
      expect(pause.body.task_output).toBe(output);
      await run.resume(pause, { approved: false, text: 'again' });
    }
  });

  it('holds a task until its gate is opened', async () => {
    await sandbox.setScript('demo', [{ name: 'only', hold: 'gate', output: 'through' }]);
    const { body } = await crew.post('/kickoff', { inputs: {} });
    const status = async () => (await crew.get(`/status/${body.kickoff_id}`)).body;
    expect((await status()).status).toBe('running');
    await sandbox.openGate('gate');
    expect(await conversation.resultOf('demo', textIn(body, 'kickoff_id'))).toBe('through');
    await sandbox.shutGate('gate');
    const { body: next } = await crew.post('/kickoff', { inputs: {} });
    expect((await crew.get(`/status/${next.kickoff_id}`)).body.status).toBe('running');
  });

  it.each([429, 503, 500, 402])('answers a kickoff with %i and starts nothing', async (status) => {
    const headers = { 'retry-after': '7' };
    const body = { detail: 'Monthly execution limit reached' };
    await sandbox.addFault({ route: 'kickoff', respond: { status, headers, body } });
    const answer = await crew.post('/kickoff', { inputs: {} });
    expect([answer.status, answer.headers['retry-after'], answer.body]).toEqual([status, '7', body]);
    expect(await sandbox.runs()).toEqual([]);
    expect((await crew.post('/kickoff', { inputs: {} })).status).toBe(200);
  });

  it('applies and then answers 500 or 503, as a proxy may, or breaks the connection, also without applying', async () => {
    for (const respond of [{ status: 429 }, { status: 503, headers: { 'Retry-After': '1' } }])
      await expect(sandbox.addFault({ route: 'resume', apply: true, respond })).rejects.toThrow('never applied');
    await sandbox.addFault({ route: 'kickoff', apply: true, respond: { status: 503 } });
    await sandbox.addFault({ route: 'kickoff', apply: true, respond: { status: 500, body: 'Internal Server Error' } });
    await sandbox.addFault({ route: 'kickoff', apply: true, respond: 'disconnect' });
    await sandbox.addFault({ route: 'kickoff', respond: 'disconnect' });
    expect((await crew.post('/kickoff', { inputs: {} })).status).toBe(503);
    const answer = await crew.post('/kickoff', { inputs: {} });
    expect([answer.status, answer.text]).toEqual([500, 'Internal Server Error']);
    for (const _ of ['applied', 'not applied']) await expect(crew.post('/kickoff', { inputs: {} })).rejects.toThrow();
    expect(await sandbox.runs()).toHaveLength(3);
  });

  it('applies and never answers', async () => {
    await sandbox.addFault({ route: 'kickoff', apply: true, respond: 'silence' });
    const unanswered = crew.post('/kickoff', { inputs: {} });
    unanswered.catch(() => {});
    await until('the run', async () => (await sandbox.runs()).length === 1);
    const recorded = await until('the record', async () => (await sandbox.requests())[0]);
    expect(recorded).toMatchObject({ route: 'kickoff', applied: true, answer: 'silence' });
    expect(recorded).not.toHaveProperty('answeredAt');
    await service.close();
    await expect(unanswered).rejects.toThrow();
  });

  it('holds a request at a gate, where a test can do something meanwhile', async () => {
    await sandbox.addFault({ route: 'inputs', gate: 'now' });
    const held = crew.get('/inputs');
    await until('the request', async () => (await sandbox.requests()).length === 1);
    expect((await sandbox.requests())[0]).not.toHaveProperty('answer');
    await sandbox.openGate('now');
    expect((await held).status).toBe(200);
  });

  it('hits the n-th matching request, as often as asked, and no other', async () => {
    await sandbox.addFault({ route: 'inputs', crew: 'demo', skip: 1, times: 2, respond: { status: 503 } });
    await sandbox.addFault({ route: 'inputs', crew: 'another', respond: { status: 500 } });
    const answers = [];
    for (let count = 0; count < 4; count++) answers.push((await crew.get('/inputs')).status);
    expect(answers).toEqual([200, 503, 503, 200]);
    await sandbox.addFault({ route: 'inputs', respond: { status: 503 } });
    await sandbox.clearFaults();
    expect((await crew.get('/inputs')).status).toBe(200);
  });

  it('delays an answer', async () => {
    await sandbox.addFault({ route: 'inputs', delayMs: 80 });
    const askedAt = performance.now();
    expect((await crew.get('/inputs')).status).toBe(200);
    expect(performance.now() - askedAt).toBeGreaterThan(75);
  });

  it('records every request with what was answered and whose token it came with, never a token', async () => {
    await crew.post('/kickoff', { inputs: {} });
    await crewCaller(service.baseUrlOf('demo'), 'wrong').get('/inputs');
    await crewCaller(service.baseUrlOf('demo'), 'maria-token').get('/inputs');
    const [kickoff, refused, marias] = await sandbox.requests();
    expect(marias).toMatchObject({ caller: { type: 'user', name: 'maria' } });
    expect(JSON.stringify(await sandbox.requests())).not.toMatch(/maria-token|org-token|wrong/);
    expect(kickoff).toMatchObject({
      crew: 'demo',
      route: 'kickoff',
      method: 'POST',
      path: '/crews/demo/kickoff',
      headers: { 'content-type': 'application/json' },
      caller: { type: 'organisation' },
      body: '{"inputs":{}}',
      applied: true,
      answer: { status: 200, body: expect.stringContaining('kickoff_id') },
      at: expect.any(Number),
      answeredAt: expect.any(Number),
    });
    expect(refused).toMatchObject({ route: 'inputs', answer: { status: 401 } });
    expect(refused).not.toHaveProperty('caller');
    await sandbox.clearRecords();
    expect(await sandbox.requests()).toEqual([]);
  });

  it('revokes a user’s token, and no other', async () => {
    const maria = crewCaller(service.baseUrlOf('demo'), 'maria-token');
    const run = await conversation.start('demo', {}, undefined, { token: 'maria-token' });
    const pause = await run.pause(1);
    await sandbox.revokeUserToken('maria-token');
    expect((await maria.get('/inputs')).status).toBe(401);
    expect((await maria.get(`/status/${run.kickoffId}`)).status).toBe(401);
    expect((await maria.post('/kickoff', { inputs: {} })).status).toBe(401);
    expect((await run.resumeAs('maria-token', pause)).status).toBe(401);
    expect((await sandbox.requests()).at(-1)).toMatchObject({
      caller: { type: 'user', name: 'maria' },
      answer: { status: 401 },
    });
    expect((await run.resumeAs(token, pause)).status).toBe(200);
  });

  it('loses a webhook, doubles it, brings it late, or after the next one', async () => {
    const events = { events: 'named' } as const;
    const run = await conversation.start('demo', {});
    const pause = await run.pause(1);
    await sandbox.addFault({ webhook: 'task', effect: 'drop' });
    await run.resume(pause, { approved: false, text: 'again' }, events);
    const second = await run.pause(2);
    expect(run.events('task')).toEqual([]);

    await sandbox.addFault({ webhook: 'human-input', effect: { duplicates: 2 } });
    await run.resume(second, { approved: false, text: 'again' }, events);
    const [third, ...copies] = [await run.pause(3), await run.pause(4), await run.pause(5)];
    for (const copy of copies) expect(copy.body).toEqual(third.body);

    await sandbox.addFault({ webhook: 'task', effect: 'swap' });
    await sandbox.addFault({ webhook: 'crew', effect: { delayMs: 60 } });
    await run.resume(third, { approved: true, text: 'Approved.' }, events);
    await run.event('crew', 1);
    await run.event('task', 2);
    const kinds = async () =>
      (await sandbox.webhooks()).map(({ kind, outcome }) => (outcome === 'dropped' ? `${kind} lost` : kind));
    // A webhook is recorded when its answer has arrived.
    await expect
      .poll(kinds)
      .toEqual([
        ...['human-input', 'task lost', 'human-input', 'task'],
        ...['human-input', 'human-input', 'human-input', 'crew', 'task'],
      ]);
  });

  it('writes a webhook in another shape', async () => {
    await sandbox.addFault({
      webhook: 'human-input',
      effect: { wrapIn: 'data', rename: { task_output: 'output', task_id: 'taskId' } },
    });
    const run = await conversation.start('demo', {});
    expect((await run.pause(1)).body).toEqual({
      data: { execution_id: run.kickoffId, taskId: expect.any(String), output: 'first' },
    });
  });
});

describe('user tokens', () => {
  it('may belong to one crew, work on all its executions, and stay revoked after a restart', async () => {
    const users = ['maria', 'jon'].map((user) => ({ user, token: `${user}-token` }));
    const options = {
      crews: [scriptedCrew({ name: 'demo', tasks: asking }), scriptedCrew({ name: 'other', tasks: asking })],
      tokens: { organisation: token },
      crewTokens: { demo: { organisation: token, users, userAccess: 'all' } },
      redisUrl: redis.socketPath,
      keyPrefix: 'users:',
    } as const;
    const first = await startCrewService(options);
    const talk = converse({ service: first, receiver, dialect: 'spec', token });
    const run = await talk.start('demo', {}, undefined, { token: 'maria-token' });
    const pause = await run.pause(1);
    expect((await crewCaller(first.baseUrlOf('other'), 'maria-token').get('/inputs')).status).toBe(401);
    expect((await crewCaller(first.baseUrlOf('demo'), 'jon-token').get(`/status/${run.kickoffId}`)).status).toBe(200);
    expect((await run.resumeAs('jon-token', pause)).status).toBe(200);
    await first.sandbox.revokeUserToken('jon-token');
    await first.close();

    const second = await startCrewService(options);
    const answers = ['jon-token', 'maria-token'].map((each) =>
      crewCaller(second.baseUrlOf('demo'), each).get('/inputs'),
    );
    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([401, 200]);
    await second.close();
  });
});

describe('the sandbox API', () => {
  it('needs the token of the organisation', async () => {
    for (const wrong of [undefined, 'wrong', 'maria-token']) {
      expect((await crewCaller(service.origin, wrong).get('/_sandbox/requests')).status).toBe(401);
    }
  });

  it('says what is wrong with a rule or a script', async () => {
    const http = crewCaller(service.origin, token);
    expect((await http.post('/_sandbox/faults', { route: 'nowhere' })).status).toBe(400);
    expect((await http.send('PUT', '/_sandbox/crews/demo/script', { body: '[{}]' })).body.error).toContain('name');
    expect((await http.send('PUT', '/_sandbox/gates/x', { body: '{' })).status).toBe(400);
    expect((await http.get('/_sandbox/nothing')).status).toBe(404);
  });

  it('is shut unless it was asked for', async () => {
    const shut = await startCrewService({ crews: [], tokens, redisUrl: redis.socketPath, keyPrefix: 'shut:' });
    const answer = await crewCaller(shut.origin, token).get('/_sandbox/requests');
    await shut.close();
    expect(answer.status).toBe(404);
  });
});
