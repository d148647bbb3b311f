import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DialectName } from '../../../../src/sandbox/crew-service/dialects/dialect.ts';
import { scriptedCrew } from '../../../../src/sandbox/crew-service/sandbox-api/scripted-crew.ts';
import { type CrewService, startCrewService } from '../../../../src/sandbox/crew-service/service.ts';
import { sharedRedis } from '../../shared.ts';
import { type Conversation, converse } from '../conversation.ts';
import { type CrewCaller, crewCaller } from '../crew-caller.ts';
import { listIn, objectIn, textIn } from '../json-body.ts';
import { until } from '../until.ts';
import { sharedReceiver } from '../webhook-receiver.ts';

const users = ['maria', 'jon'].map((user) => ({ user, token: `${user}-token` }));
const TOKENS = { organisation: 'org-token', users };
const APPROVED = { approved: true, text: 'Approved.' };

const editorial = scriptedCrew({
  name: 'editorial',
  inputs: ['topic'],
  tasks: [
    { name: 'research', agent: 'Researcher', output: 'notes' },
    { name: 'write', agent: 'Writer', humanInput: true, steps: 1, output: { draft: 'round {{round}}' } },
    { name: 'print', agent: 'Printer', hold: 'press', output: { pages: 3 } },
  ],
});

const redis = sharedRedis();
const receiver = sharedReceiver();

async function serviceIn(
  dialect: DialectName,
): Promise<{ service: CrewService; crew: CrewCaller; conversation: Conversation }> {
  const service = await startCrewService({
    crews: [editorial],
    tokens: TOKENS,
    redisUrl: redis.socketPath,
    keyPrefix: `${dialect}:`,
    dialect,
  });
  const crew = crewCaller(service.baseUrlOf('editorial'), TOKENS.organisation);
  return { service, crew, conversation: converse({ service, receiver, dialect, token: TOKENS.organisation }) };
}

const inputs = { topic: 'tea' };
const events = () => ({
  taskWebhookUrl: receiver.urlOf('/at-kickoff'),
  stepWebhookUrl: receiver.urlOf('/at-kickoff'),
  crewWebhookUrl: receiver.urlOf('/at-kickoff'),
});

describe('the dialect spec', () => {
  let service: CrewService;
  let crew: CrewCaller;
  let conversation: Conversation;

  beforeAll(async () => {
    ({ service, crew, conversation } = await serviceIn('spec'));
  });

  afterAll(() => service.close());

  it('shows status as running, Pending Human Input and completed under one constant kickoff_id, and sends three fields', async () => {
    await service.sandbox.shutGate('press');
    const run = await conversation.start('editorial', inputs);
    const pause = await run.pause(1);
    const task_output = { draft: 'round {{round}}' };
    expect(pause.body).toEqual({ execution_id: run.kickoffId, task_id: 'write', task_output });
    const progress = { completed_tasks: 1, total_tasks: 3 };
    expect((await crew.get(`/status/${run.kickoffId}`)).body).toEqual({
      state: 'PAUSED',
      status: 'Pending Human Input',
      current_task: 'write',
      progress,
    });
    const answer = await run.resume(pause, APPROVED);
    expect(answer.body).toMatchObject({ status: 'resumed', message: expect.any(String) });
    expect((await crew.get(`/status/${run.kickoffId}`)).body).toEqual({
      state: 'RUNNING',
      status: 'running',
      current_task: 'print',
      progress: { completed_tasks: 2, total_tasks: 3 },
    });
    await service.sandbox.openGate('press');
    const ended = await until('the end', async () => {
      const { body } = await crew.get(`/status/${run.kickoffId}`);
      return body.status === 'completed' && body.state === 'SUCCESS' && objectIn(body, 'result');
    });
    expect(ended.output).toEqual({ pages: 3 });
    expect(listIn(ended, 'tasks').map(({ name }) => name)).toEqual(['research', 'write', 'print']);
  });

  it('answers 404 for an unknown execution, and for one of another user', async () => {
    expect((await crew.get('/status/unknown')).status).toBe(404);
    const run = await conversation.start('editorial', inputs, undefined, { token: 'maria-token' });
    const pause = await run.pause(1);
    const jon = crewCaller(service.baseUrlOf('editorial'), 'jon-token');
    expect((await jon.get(`/status/${run.kickoffId}`)).status).toBe(404);
    expect((await run.resumeAs('jon-token', pause)).status).toBe(404);
  });

  it('ignores unknown fields: event addresses and meta at kickoff, human-input addresses at resume', async () => {
    const run = await conversation.start('editorial', inputs, undefined, {
      kickoff: { ...events(), meta: { ref: 'x' }, anything: 1 },
    });
    const first = await run.pause(1);
    expect(first.body).not.toHaveProperty('meta');
    await run.resumeWith(first, {
      is_approve: false,
      human_feedback: 'again',
      humanInputWebhook: { url: receiver.urlOf('/elsewhere') },
    });
    await run.pause(2);
    expect(receiver.at('/elsewhere')).toEqual([]);
    expect(receiver.at('/at-kickoff')).toEqual([]);
  });

  it('refuses a resume of what is not pending, for another task, and of what is unknown; nothing changes', async () => {
    await service.sandbox.shutGate('press');
    const run = await conversation.start('editorial', inputs);
    const pause = await run.pause(1);
    const other = await run.resumeWith(pause, { task_id: 'another' });
    expect([other.status, other.body.message]).toEqual([400, expect.stringContaining('not for another')]);
    const unknown = await run.resumeWith(pause, { execution_id: 'unknown' });
    expect([unknown.status, unknown.body.message]).toEqual([404, expect.stringContaining('unknown')]);
    expect(await run.summary()).toMatchObject({ status: 'waiting', reviews: [] });
    await run.resume(pause, APPROVED);
    const late = await run.resumeWith(pause, { is_approve: false });
    expect([late.status, late.body.message]).toEqual([400, expect.stringContaining('it is running')]);
    expect((await run.summary())?.reviews).toEqual([{ task: 'write', round: 1, approved: true, text: 'Approved.' }]);
    await service.sandbox.openGate('press');
  });

  it('takes one of many resumes at the same moment', async () => {
    const run = await conversation.start('editorial', inputs);
    const pause = await run.pause(1);
    const answers = await Promise.all(Array.from({ length: 10 }, () => run.resumeWith(pause, {})));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(400)]);
    expect((await run.summary())?.reviews).toHaveLength(1);
  });

  it('names missing inputs as a list too', async () => {
    const { body } = await crew.post('/kickoff', { inputs: {} });
    expect(body).toEqual({
      error: 'missing-inputs',
      message: 'Missing inputs: topic',
      details: { missing_inputs: ['topic'] },
    });
  });
});

describe('the dialect observed', () => {
  let service: CrewService;
  let crew: CrewCaller;
  let conversation: Conversation;

  beforeAll(async () => {
    ({ service, crew, conversation } = await serviceIn('observed'));
  });

  afterAll(() => service.close());

  it('shows status as RUNNING, NOT FOUND while waiting, and SUCCESS under the new kickoff_id of the resume', async () => {
    await service.sandbox.shutGate('press');
    const run = await conversation.start('editorial', inputs);
    const pause = await run.pause(1);
    const waiting = await crew.get(`/status/${run.kickoffId}`);
    expect([waiting.status, waiting.body.state]).toEqual([200, 'NOT FOUND']);
    const { body } = await run.resume(pause, APPROVED);
    expect(body).toEqual({ kickoff_id: expect.any(String) });
    expect(body.kickoff_id).not.toBe(run.kickoffId);
    expect((await crew.get(`/status/${body.kickoff_id}`)).body).toMatchObject({
      state: 'RUNNING',
      progress: { completed: 2, total: 3, current: 'print' },
      last_executed_task: { name: 'write' },
    });
    await service.sandbox.openGate('press');
    expect(await conversation.resultOf('editorial', textIn(body, 'kickoff_id'))).toEqual({ pages: 3 });
    expect((await crew.get(`/status/${run.kickoffId}`)).body.state).toBe('NOT FOUND');
  });

  it('takes event addresses and meta at kickoff, and echoes meta in every event', async () => {
    const meta = { ref: 'r1', deep: { list: [1] } };
    const run = await conversation.start('editorial', inputs, undefined, { kickoff: { ...events(), meta } });
    const pause = await run.pause(1);
    const { kickoffId } = run;
    expect(pause.body).toEqual({
      kickoff_id: kickoffId,
      execution_id: kickoffId,
      task_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      task_output: expect.anything(),
      meta,
    });
    const mine = () => receiver.at('/at-kickoff').filter((one) => one.body.kickoff_id === kickoffId);
    await until('task, step and task', () => mine().length === 3);
    expect(mine().map((one) => one.body.meta)).toEqual([meta, meta, meta]);
    expect(mine().map((one) => one.body.name ?? one.body.thought)).toEqual(['research', 'Step 1 of write', 'write']);
    expect(mine()[2]?.body).toMatchObject({
      agent: 'Writer',
      output: expect.stringContaining('draft'),
      output_json: { draft: 'round {{round}}' },
    });
  });

  it('answers a resume in snake case alone with a 422 that names executionId and taskId, and starts nothing', async () => {
    const run = await conversation.start('editorial', inputs);
    const { body } = await run.pause(1);
    const answer = await crew.post('/resume', {
      execution_id: run.kickoffId,
      task_id: body.task_id,
      human_feedback: 'x',
      is_approve: true,
    });
    expect(answer.status).toBe(422);
    const missing = { msg: 'Field required' };
    expect(listIn(answer.body, 'detail')).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ ...missing, loc: ['body', 'executionId'] }),
        expect.objectContaining({ ...missing, loc: ['body', 'taskId'] }),
      ]),
    );
    expect(await run.summary()).toMatchObject({ kickoffId: run.kickoffId, status: 'waiting' });
  });

  it('pauses silently after a resume that does not repeat humanInputWebhook', async () => {
    const run = await conversation.start('editorial', inputs);
    const answer = await run.resumeWith(await run.pause(1), {
      isApprove: false,
      humanFeedback: 'again',
      humanInputWebhook: undefined,
    });
    const silent = await until('the second pause', async () => {
      const newest = await run.summary();
      return newest?.status === 'waiting' && newest.round === 2 && newest;
    });
    expect(silent.kickoffId).toBe(answer.body.kickoff_id);
    expect((await crew.get(`/executions/${run.kickoffId}`)).body.webhooks).toHaveLength(1);
  });

  it('opens a parallel execution on a second resume', async () => {
    const run = await conversation.start('editorial', inputs);
    const pause = await run.pause(1);
    const answers = [await run.resume(pause, APPROVED), await run.resume(pause, APPROVED)];
    const ids = answers.map(({ body }) => textIn(body, 'kickoff_id'));
    expect(new Set(ids).size).toBe(2);
    for (const id of ids) expect(await conversation.resultOf('editorial', id)).toEqual({ pages: 3 });
  });

  it('answers 200 to a resume of an unknown execution, of which nothing comes, and to a question about its status', async () => {
    const resume = { executionId: 'unknown', taskId: 't', humanFeedback: '', isApprove: true };
    const answer = await crew.post('/resume', resume);
    expect([answer.status, answer.body]).toEqual([200, { kickoff_id: expect.any(String) }]);
    for (const id of [answer.body.kickoff_id, 'unknown'])
      expect(await crew.get(`/status/${id}`)).toMatchObject({ status: 200, body: { state: 'NOT FOUND' } });
  });
});
