import { request } from 'undici';
import { beforeEach, describe, expect, it } from 'vitest';
import { scriptedCrew } from '../../../../src/sandbox/crew-service/sandbox-api/scripted-crew.ts';
import {
  type CrewService,
  type CrewServiceOptions,
  startCrewService,
} from '../../../../src/sandbox/crew-service/service.ts';
import { sharedRedis } from '../../shared.ts';
import { crewCaller, type Reply } from '../crew-caller.ts';
import { until } from '../until.ts';
import { sharedReceiver } from '../webhook-receiver.ts';

const token = 'org-token';
const MARIA = 'marias-token';

const redis = sharedRedis({ appendOnly: true });
const receiver = sharedReceiver();
let service: CrewService;

beforeEach(() => redis.flush());

const crews = ['tea', 'coffee'].map((name) =>
  scriptedCrew({ name, inputs: ['topic'], tasks: [{ name: 'brew', humanInput: true, output: 'Brewed' }] }),
);

async function start(options: Partial<CrewServiceOptions> = {}): Promise<void> {
  service = await startCrewService({
    ...{ crews, redisUrl: redis.socketPath, tokens: { organisation: token, users: [{ user: 'maria', token: MARIA }] } },
    ...options,
  });
}

type Kickoff = { key?: string; crew?: string; as?: string; body?: object };

function kickoff({ key, crew = 'tea', as = token, body = {} }: Kickoff): Promise<Reply> {
  return crewCaller(service.baseUrlOf(crew), as).send('POST', '/kickoff', {
    body: JSON.stringify({ inputs: { topic: 'tea' }, ...body }),
    headers: { 'content-type': 'application/json', ...(key !== undefined && { 'idempotency-key': key }) },
  });
}

const idOf = ({ body }: Reply) => String(body.kickoff_id);
const started = async () => (await service.sandbox.runs()).length;

describe.each(['spec', 'observed', 'flows'] as const)('a kickoff that is repeated in the dialect %s', (dialect) => {
  beforeEach(async () => {
    await start({ dialect });
    return () => service.close();
  });

  it.each<[string, Kickoff]>([
    ['Idempotency-Key', { key: '"8e03978e-40d5"' }],
    ['Idempotency-Key without quotes', { key: '8e03978e-40d5' }],
    ['meta.requestId', { body: { meta: { requestId: 'r1', source: 'app' } } }],
  ])('with the same %s starts once, and is answered with the same id', async (_name, given) => {
    const [first, second] = [await kickoff(given), await kickoff(given)];
    expect([first.status, second.status]).toEqual([200, 200]);
    expect(idOf(second)).toBe(idOf(first));
    expect(await started()).toBe(1);
  });

  it('at the same moment starts once', async () => {
    const replies = await Promise.all(Array.from({ length: 20 }, () => kickoff({ key: 'k1' })));
    expect(new Set(replies.map(idOf)).size).toBe(1);
    expect(await started()).toBe(1);
  });

  it('after its run was resumed, or has ended, is answered with the id that it had first', async () => {
    const path = `/${dialect}-resumed`;
    const given = { key: 'k1', body: { humanInputWebhook: { url: receiver.urlOf(path) } } };
    const first = await kickoff(given);
    const { task_id } = (await receiver.nth(path, 1)).body;
    const caller = crewCaller(service.baseUrlOf('tea'), token);
    const decision =
      dialect === 'spec'
        ? { execution_id: idOf(first), task_id, human_feedback: 'Fine.', is_approve: true }
        : { executionId: idOf(first), taskId: task_id, humanFeedback: 'Fine.', isApprove: true };
    expect((await caller.post('/resume', decision)).status).toBe(200);
    await until('the end', async () => (await service.sandbox.runs()).some(({ status }) => status === 'completed'));
    expect(idOf(await kickoff(given))).toBe(idOf(first));
  });

  it('with another request under the same key is refused with 422 and the reason', async () => {
    await kickoff({ key: 'k1' });
    await kickoff({ body: { meta: { requestId: 'r1' } } });
    const others = [
      await kickoff({ key: 'k1', body: { inputs: { topic: 'coffee' } } }),
      await kickoff({ body: { meta: { requestId: 'r1' }, inputs: { topic: 'coffee' } } }),
      await kickoff({ key: 'k1', body: { meta: { requestId: 'r1' } } }),
    ];
    for (const { status, text } of others) {
      expect(status).toBe(422);
      expect(text).toContain('Another kickoff was sent with this Idempotency-Key or meta.requestId.');
    }
    expect(await started()).toBe(2);
  });
});

describe('the keys of kickoffs', () => {
  it('hold after a restart', async () => {
    await start();
    const first = await kickoff({ key: 'k1' });
    await service.close();
    await start();
    expect(idOf(await kickoff({ key: 'k1' }))).toBe(idOf(first));
    await service.close();
  });

  it('are known for one crew, and to the caller who gave them', async () => {
    await start();
    const ids = [
      await kickoff({ key: 'k1' }),
      await kickoff({ key: 'k1', crew: 'coffee' }),
      await kickoff({ key: 'k1', as: MARIA }),
    ].map(idOf);
    expect(new Set(ids).size).toBe(3);
    await service.close();
  });

  it('are free again after a kickoff that was refused', async () => {
    await start();
    expect((await kickoff({ key: 'k1', body: { inputs: {} } })).status).toBe(422);
    expect((await kickoff({ key: 'k1' })).status).toBe(200);
    await service.close();
  });

  it('are forgotten together with the execution', async () => {
    await start({ retentionMs: 50 });
    const first = await kickoff({ key: 'k1' });
    const next = await until('another execution', async () => {
      const reply = await kickoff({ key: 'k1' });
      return idOf(reply) !== idOf(first) && reply;
    });
    expect(next.status).toBe(200);
    await service.close();
  });

  it('are refused where they are empty or given twice', async () => {
    await start();
    for (const key of ['', '""']) expect((await kickoff({ key })).status).toBe(400);
    const twice = ['content-type', 'application/json', 'idempotency-key', 'k1', 'idempotency-key', 'k2'];
    const headers = ['authorization', `Bearer ${token}`, ...twice];
    const { statusCode } = await request(`${service.baseUrlOf('tea')}/kickoff`, {
      method: 'POST',
      headers,
      body: '{}',
    });
    expect(statusCode).toBe(400);
    // Whoever gives none starts anew each time.
    const ids = [await kickoff({}), await kickoff({ body: { meta: { requestId: '' } } }), await kickoff({})].map(idOf);
    expect(new Set(ids).size).toBe(3);
    await service.close();
  });

  it('know a request by its content, in whichever order its fields stand', async () => {
    await start();
    const caller = crewCaller(service.baseUrlOf('tea'), token);
    const headers = { 'content-type': 'application/json', 'idempotency-key': 'k1' };
    const bodies = [
      '{"inputs":{"topic":"tea","b":[{"c":1,"d":2}]}}',
      '{ "inputs": {"b":[{"d":2,"c":1}],"topic":"tea"} }',
    ];
    const replies = await Promise.all(bodies.map((body) => caller.send('POST', '/kickoff', { body, headers })));
    expect(new Set(replies.map(idOf)).size).toBe(1);
    await service.close();
  });
});
