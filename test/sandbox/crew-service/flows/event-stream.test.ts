import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { contentReviewFlow } from '../../../../src/sandbox/crew-service/crews/content-review.ts';
import { defineFlow } from '../../../../src/sandbox/crew-service/define-flow.ts';
import { scriptedCrew } from '../../../../src/sandbox/crew-service/sandbox-api/scripted-crew.ts';
import { type CrewService, startCrewService } from '../../../../src/sandbox/crew-service/service.ts';
import { sharedRedis } from '../../shared.ts';
import { crewCaller } from '../crew-caller.ts';
import { type JsonBody, listIn, objectIn, textIn } from '../json-body.ts';
import { until } from '../until.ts';
import { sharedReceiver } from '../webhook-receiver.ts';
import { flowCaller, respond, SECRET, TOKEN } from './flow-caller.ts';

const editorial = scriptedCrew({
  name: 'editorial',
  tasks: [
    { name: 'research', agent: 'Researcher', steps: 1, output: 'notes' },
    { name: 'write', agent: 'Writer', humanInput: true, output: 'round {{round}}' },
  ],
});
const broken = scriptedCrew({ name: 'broken', tasks: [{ name: 'break', agent: 'Breaker', fails: 'no paper' }] });
const brokenFlow = defineFlow({
  name: 'broken-flow',
  inputs: { topic: z.string() },
  methods: {
    tear: {
      run: () => {
        throw new Error('no paper');
      },
    },
  },
});

const ALL = [
  ...['crew_kickoff_started', 'crew_kickoff_completed', 'crew_kickoff_failed'],
  ...['task_started', 'task_completed', 'task_failed'],
  ...['agent_execution_started', 'agent_execution_completed', 'agent_execution_error'],
  ...['tool_usage_started', 'tool_usage_finished', 'tool_usage_error'],
  ...['flow_started', 'flow_finished'],
  ...['method_execution_started', 'method_execution_finished', 'method_execution_failed'],
];

const redis = sharedRedis();
const receiver = sharedReceiver();
let service: CrewService;

beforeAll(async () => {
  service = await startCrewService({
    crews: [editorial, broken, brokenFlow, contentReviewFlow()],
    tokens: { organisation: TOKEN },
    redisUrl: redis.socketPath,
    dialect: 'flows',
    dashboard: { url: receiver.urlOf('/hitl'), secret: SECRET },
  });
});

afterAll(() => service.close());

const callerOf = (name: string) => flowCaller(name, { service, receiver, path: '/hitl' });
const stream = (path: string, more: JsonBody = {}) => ({
  webhooks: { events: ALL, url: receiver.urlOf(path), realtime: true, ...more },
});

const eventsAt = (path: string) => receiver.at(path).flatMap(({ body }) => listIn(body, 'events'));
const typesAt = (path: string) => eventsAt(path).map(({ type }) => type);
const comes = (path: string, type: string) =>
  until(`${type} at ${path}`, () => eventsAt(path).find((event) => event.type === type));

describe('a stream of events', () => {
  it('tells each on its own in the documented envelope, with the bearer that was asked for', async () => {
    const authentication = { strategy: 'bearer', token: 'stream-token' };
    const kickoffId = await callerOf('editorial').start({}, stream('/all', { authentication }));
    await comes('/all', 'crew_kickoff_completed');
    const written = ['agent_execution_completed', 'task_completed'];
    const started = ['task_started', 'agent_execution_started'];
    const tool = ['tool_usage_started', 'tool_usage_finished'];
    expect(typesAt('/all')).toEqual([
      ...['crew_kickoff_started', ...started, ...tool, ...written],
      ...[...started, ...written, 'crew_kickoff_completed'],
    ]);
    expect(receiver.at('/all').map(({ body }) => listIn(body, 'events').length)).toEqual(Array(12).fill(1));
    expect(new Set(receiver.at('/all').map(({ authorization }) => authorization))).toEqual(
      new Set(['Bearer stream-token']),
    );
    expect(eventsAt('/all').find(({ type }) => type === 'task_completed')).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      execution_id: kickoffId,
      timestamp: expect.stringMatching(/^\d{4}-.*Z$/),
      type: 'task_completed',
      data: {
        task_id: expect.any(String),
        task_name: 'research',
        agent_role: 'Researcher',
        output: { name: 'research', description: '', expected_output: '', raw: 'notes', agent: 'Researcher' },
      },
    });
    expect(new Set(eventsAt('/all').map(({ id }) => id)).size).toBe(12);
  });

  it('tells only what was asked for, and what happens at once together unless it is to be real time', async () => {
    const events = ['task_started', 'agent_execution_started', 'task_completed', 'no_such_event'];
    await callerOf('editorial').start({}, stream('/some', { events, realtime: undefined }));
    const batches = () => receiver.at('/some').map(({ body }) => listIn(body, 'events').map(({ type }) => type));
    const start = ['task_started', 'agent_execution_started'];
    await until('all of it', () => batches().flat().length === 6);
    expect(batches()).toEqual([start, ['task_completed', ...start], ['task_completed']]);
    expect(receiver.at('/some')[0]?.authorization).toBeUndefined();
  });

  it('goes on after a resume, with another execution_id', async () => {
    const crew = callerOf('editorial');
    const kickoffId = await crew.start(
      {},
      { ...stream('/resumed'), humanInputWebhookUrl: receiver.urlOf('/resumed-asks') },
    );
    const { body } = await receiver.nth('/resumed-asks', 1);
    const resume = { executionId: kickoffId, taskId: body.task_id, humanFeedback: 'again', isApprove: false };
    const resumed = await crew.crew.post('/resume', { ...resume, humanInputWebhookUrl: receiver.urlOf('/asks-again') });
    await receiver.nth('/asks-again', 1);
    await until('the second round', () => typesAt('/resumed').filter((type) => type === 'task_completed').length === 3);
    const ids = eventsAt('/resumed').map(({ execution_id }) => execution_id);
    expect([...new Set(ids)]).toEqual([kickoffId, resumed.body.kickoff_id]);
  });

  it('tells of a run that fails early, of which no crew webhook comes', async () => {
    const kickoffId = await callerOf('broken').start(
      {},
      { ...stream('/failed'), crewWebhookUrl: receiver.urlOf('/failed-crew') },
    );
    const event = await comes('/failed', 'crew_kickoff_failed');
    expect(event).toMatchObject({ execution_id: kickoffId, data: { crew_name: 'broken', error: 'no paper' } });
    expect(typesAt('/failed')).toEqual([
      ...['crew_kickoff_started', 'task_started', 'agent_execution_started'],
      ...['agent_execution_error', 'task_failed', 'crew_kickoff_failed'],
    ]);
    expect(receiver.at('/failed-crew')).toEqual([]);
  });

  it('tells of a flow and its methods, and begins again after an answer', async () => {
    const flow = callerOf('content-review');
    const inputs = { topic: 'Tea', highlights: 'Hot' };
    const addresses = { taskWebhookUrl: receiver.urlOf('/tasks'), crewWebhookUrl: receiver.urlOf('/tasks') };
    const kickoffId = await flow.start(inputs, { ...stream('/flow'), ...addresses });
    await respond(await flow.asked(kickoffId, 1), { feedback: 'approved' });
    const ended = await comes('/flow', 'flow_finished');
    const used = ['tool_usage_started', 'tool_usage_finished'];
    const [before, after] = [
      ['flow_started', 'method_execution_started', 'method_execution_finished'],
      ['flow_started', 'method_execution_started', ...used, 'method_execution_finished', 'flow_finished'],
    ];
    expect(typesAt('/flow')).toEqual([...before, ...after]);
    const ids = eventsAt('/flow').map(({ execution_id }) => execution_id);
    const [, next] = [...new Set(ids)];
    expect(ids).toEqual([...before.map(() => kickoffId), ...after.map(() => next)]);
    const begun = eventsAt('/flow').filter(({ type }) => type === 'flow_started');
    expect(begun.map(({ data }) => data)).toEqual([
      { flow_name: 'content-review', inputs: { ...inputs, id: kickoffId } },
      { flow_name: 'content-review' },
    ]);
    expect(objectIn(ended, 'data')).toMatchObject({
      result: expect.stringMatching(/^Published/),
      state: { id: kickoffId, topic: 'Tea' },
    });
    expect(receiver.at('/tasks')).toEqual([]);
  });

  it('tells of a method that fails', async () => {
    const flow = callerOf('broken-flow');
    const kickoffId = await flow.start({ topic: 'Tea' }, stream('/torn'));
    const event = await comes('/torn', 'method_execution_failed');
    expect(event.data).toEqual({ flow_name: 'broken-flow', method_name: 'tear', error: 'no paper' });
    expect(await flow.reaches(kickoffId, 'FAILED')).toMatchObject({ status: 'no paper' });
  });
});

describe('a kickoff', () => {
  const good = () => stream('/never').webhooks;

  it.each([
    ['a stream that is no object', () => 'x', 400],
    ['no address', () => ({ events: ALL }), 422],
    ['no events', () => ({ url: good().url }), 422],
    ['an empty list of events', () => ({ ...good(), events: [] }), 400],
    ['events that are no names', () => ({ ...good(), events: ['task started'] }), 400],
    ['an address that is none', () => ({ ...good(), url: 'nowhere' }), 400],
    ['an address with credentials', () => ({ ...good(), url: 'http://user:word@127.0.0.1/' }), 400],
    ['a word for realtime', () => ({ ...good(), realtime: 'yes' }), 400],
    [
      'another strategy',
      () => ({ ...good(), authentication: { strategy: 'basic', username: 'u', password: 'p' } }),
      400,
    ],
    ['no token', () => ({ ...good(), authentication: { strategy: 'bearer' } }), 422],
  ])('refuses %s', async (_what, webhooks, status) => {
    const answer = await callerOf('editorial').crew.post('/kickoff', { inputs: {}, webhooks: webhooks() });
    expect([answer.status, answer.body.detail]).toEqual([status, expect.anything()]);
  });

  it('takes a human-input address without credentials, and tells it without any', async () => {
    await callerOf('editorial').start({}, { humanInputWebhookUrl: receiver.urlOf('/plain-address') });
    const asked = await receiver.nth('/plain-address', 1);
    expect(asked.authorization).toBeUndefined();
    expect(asked.body).toMatchObject({ task_output: 'round 1' });
    for (const url of ['nowhere', 'http://user:word@127.0.0.1/', { url: receiver.urlOf('/x') }]) {
      const answer = await callerOf('editorial').crew.post('/kickoff', { inputs: {}, humanInputWebhookUrl: url });
      expect(answer.status, JSON.stringify(url)).toBe(400);
    }
  });

  it('tells the human-input address with credentials, where both are given', async () => {
    const authentication = { strategy: 'bearer', token: 'human-token' };
    await callerOf('editorial').start(
      {},
      {
        humanInputWebhook: { url: receiver.urlOf('/with'), authentication },
        humanInputWebhookUrl: receiver.urlOf('/without'),
      },
    );
    expect((await receiver.nth('/with', 1)).authorization).toBe('Bearer human-token');
    expect(receiver.at('/without')).toEqual([]);
  });
});

it.each(['spec', 'observed'] as const)('ignores all of this in the dialect %s', async (dialect) => {
  const other = await startCrewService({
    crews: [editorial],
    tokens: { organisation: TOKEN },
    redisUrl: redis.socketPath,
    keyPrefix: `${dialect}:`,
    dialect,
  });
  const crew = crewCaller(other.baseUrlOf('editorial'), TOKEN);
  const ignored = { humanInputWebhookUrl: 1, webhooks: { url: 'nowhere' }, restoreFromStateId: 'x' };
  const { status, body } = await crew.post('/kickoff', { inputs: {}, ...ignored });
  expect(status).toBe(200);
  const run = await until('the end', async () => {
    const found = (await other.sandbox.runs()).find(({ kickoffId }) => kickoffId === textIn(body, 'kickoff_id'));
    return found?.status === 'completed' && found;
  });
  expect(run.outcome).toBe('round 1');
  expect(await other.sandbox.webhooks()).toEqual([]);
  await other.close();
});
