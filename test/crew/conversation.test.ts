import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type CrewClient, createCrewClient } from '../../src/crew/client.ts';
import { scriptedCrew } from '../../src/sandbox/crew-service/sandbox-api/scripted-crew.ts';
import { type CrewService, startCrewService } from '../../src/sandbox/crew-service/service.ts';
import { until } from '../sandbox/crew-service/until.ts';
import { startRedis, type TestRedis } from '../support/redis.ts';
import { credentials, crew, silent } from './crew-values.ts';

const TOKEN = 'the-token-of-the-organisation';
const KEY = { ref: 'abcdefghijklmnopqrstuvwxyz', hop: 0, as: null };

let redis: TestRedis;
beforeAll(async () => {
  redis = await startRedis();
});
afterAll(() => redis.stop());

describe.each(['spec', 'observed'] as const)('a crew service that speaks the dialect "%s"', (dialect) => {
  let service: CrewService;
  let client: CrewClient;

  beforeAll(async () => {
    const tasks = [
      { name: 'draft', humanInput: true, outputs: ['one', 'two'] },
      { name: 'publish', output: 'done' },
    ];
    service = await startCrewService({
      crews: [scriptedCrew({ name: 'research', inputs: ['topic', 'audience'], tasks })],
      tokens: { organisation: TOKEN },
      redisUrl: redis.url,
      keyPrefix: `crew-${dialect}:`,
      dialect,
      webhookRetry: { attempts: 1 },
    });
    client = connect(TOKEN);
  });
  beforeEach(() => service.sandbox.clearRecords());
  afterAll(async () => {
    await client.close();
    await service.close();
  });

  function connect(token: string): CrewClient {
    return createCrewClient({
      crews: [crew({ name: 'research', baseUrl: service.baseUrlOf('research'), token })],
      publicUrl: 'http://127.0.0.1:1',
      credentials,
      webhookAuth: 'bearer',
      log: silent,
    });
  }

  async function start(): Promise<string> {
    const answer = await client.kickoff('research', { ...KEY, inputs: { topic: 'Redis', audience: 'all' } });
    if (answer.kind !== 'accepted') throw new Error(`The kickoff was ${answer.kind}.`);
    return answer.kickoffId;
  }

  const run = async (executionId: string) =>
    (await service.sandbox.runs()).find((each) => each.executionId === executionId);

  const waiting = (executionId: string) =>
    until('a run that waits', async () => {
      const found = await run(executionId);
      return found?.status === 'waiting' && found.taskId !== null && { ...found, taskId: found.taskId };
    });

  const resume = (executionId: string, taskId: string, verdict: { isApprove: boolean; feedback: string }) =>
    client.resume('research', { ref: KEY.ref, hop: 1, as: null, executionId, taskId, ...verdict });

  it('tells its inputs', async () => {
    expect(await client.inputs('research')).toEqual({ kind: 'inputs', names: ['topic', 'audience'], skipped: [] });
  });

  it('names the inputs that are missing', async () => {
    const answer = await client.kickoff('research', { ...KEY, inputs: { topic: 'Redis' } });
    expect(answer).toMatchObject({ kind: 'refused', refusal: { code: 'missing-inputs', missing: ['audience'] } });
  });

  it('refuses a wrong token everywhere', async () => {
    const stranger = connect('wrong');
    expect(await stranger.inputs('research')).toMatchObject({ kind: 'refused', code: 'unauthorized' });
    expect(await stranger.kickoff('research', { ...KEY, inputs: {} })).toMatchObject({
      kind: 'refused',
      refusal: { code: 'unauthorized' },
    });
    expect(await stranger.status('research', 'K1')).toEqual({ kind: 'unauthorized' });
    await stranger.close();
  });

  it('is led from start to result through a rejection and an approval', async () => {
    const executionId = await start();
    const first = await waiting(executionId);
    const rejected = await resume(executionId, first.taskId, { isApprove: false, feedback: 'Shorter.' });
    expect(rejected.kind).toBe('accepted');
    const second = await until('the second round', async () => {
      const found = await waiting(executionId);
      return found.round === 2 && found;
    });
    const approved = await resume(executionId, second.taskId, { isApprove: true, feedback: 'Approved.' });
    expect(approved.kind).toBe('accepted');
    const kickoffIds = (approved.kind === 'accepted' && approved.kickoffId) || executionId;
    const reading = await until('the end', async () => {
      const status = await client.status('research', kickoffIds);
      return status.kind === 'completed' && status;
    });
    expect(reading).toEqual({ kind: 'completed', text: 'done' });
    expect((await run(executionId))?.reviews).toMatchObject([
      { round: 1, approved: false, text: 'Shorter.' },
      { round: 2, approved: true, text: 'Approved.' },
    ]);
  });

  it('takes each resume once, whatever its dialect needs', async () => {
    const executionId = await start();
    const { taskId } = await waiting(executionId);
    await resume(executionId, taskId, { isApprove: true, feedback: 'Approved.' });
    const applied = (await service.sandbox.requests()).filter(
      ({ route, answer }) => route === 'resume' && typeof answer === 'object' && answer.status === 200,
    );
    expect(applied).toHaveLength(1);
  });

  it('does not know every run', async () => {
    expect(await client.status('research', 'nobody')).toEqual({ kind: 'not-found' });
  });

  it('leaves a doubt where it applies a call and then breaks off', async () => {
    await service.sandbox.addFault({ route: 'kickoff', apply: true, respond: 'disconnect' });
    const before = (await service.sandbox.runs()).length;
    const answer = await client.kickoff('research', { ...KEY, inputs: { topic: 'a', audience: 'b' } });
    expect(answer).toEqual({ kind: 'unknown', doubt: 'no-answer' });
    expect(await service.sandbox.runs()).toHaveLength(before + 1);
  });

  it('lets a call be made again that it was too busy for', async () => {
    const busy = { status: 503, headers: { 'retry-after': '3' } };
    await service.sandbox.addFault({ route: 'kickoff', respond: busy });
    expect(await client.kickoff('research', { ...KEY, inputs: {} })).toEqual({
      kind: 'unavailable',
      reason: 'busy',
      waitMs: 3_000,
    });
  });
});
