import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { connectCrewSandbox } from '../../../src/sandbox/crew-service/sandbox-api/sandbox-over-http.ts';
import { startCrewService } from '../../../src/sandbox/crew-service/service.ts';
import { sharedRedis } from '../shared.ts';
import { crewCaller } from './crew-caller.ts';
import { type JsonBody, objectIn } from './json-body.ts';
import { PROCESS_TOKEN, type ServiceProcess, startServiceProcess } from './service-process.ts';
import { crews } from './slow-crews.ts';
import { until } from './until.ts';
import { type Received, sharedReceiver } from './webhook-receiver.ts';

const token = PROCESS_TOKEN;
const CREWS = fileURLToPath(new URL('./slow-crews.ts', import.meta.url));

const redis = sharedRedis({ appendOnly: true });
const receiver = sharedReceiver();

beforeEach(() => redis.flush());

const started: ServiceProcess[] = [];

afterEach(async () => {
  await Promise.all(started.splice(0).map((service) => service.kill()));
});

async function startProcess(): Promise<ServiceProcess> {
  const service = await startServiceProcess(redis.socketPath, CREWS);
  started.push(service);
  return service;
}

const decisionOn = ({ kickoff_id }: JsonBody, { body: { task_id } }: Received, is_approve: boolean) => ({
  ...{ execution_id: kickoff_id, task_id, human_feedback: is_approve ? 'Approved.' : 'again', is_approve },
});

describe('a service that is killed', () => {
  it('resumes in the middle of a task: finished steps are neither repeated nor reported again', async () => {
    const first = await startProcess();
    const crew = crewCaller(`${first.origin}/crews/staged`, token);
    const humanInputWebhook = { url: receiver.urlOf('/killed/human-input') };
    const { body } = await crew.post('/kickoff', { inputs: {}, humanInputWebhook });
    const asked = await receiver.nth('/killed/human-input', 1);
    const addresses = {
      stepWebhookUrl: receiver.urlOf('/killed/step'),
      crewWebhookUrl: receiver.urlOf('/killed/crew'),
    };
    await crew.post('/resume', { ...decisionOn(body, asked, true), ...addresses });
    await receiver.nth('/killed/step', 3);
    await first.kill();

    const second = await startProcess();
    const sandbox = connectCrewSandbox({ origin: second.origin, token });
    expect(await sandbox.runs()).toMatchObject([{ kickoffId: body.kickoff_id, status: 'running', task: 'work' }]);
    await sandbox.openGate('work');
    expect((await receiver.nth('/killed/crew', 1)).body.result).toBe('worked');
    // The last one before the kill may or may not have arrived, so it may come twice.
    const thoughts = receiver.at('/killed/step').map((one) => one.body.thought);
    expect([...new Set(thoughts)]).toEqual(['Step 1 of work', 'Step 2 of work', 'Step 3 of work']);
    expect(thoughts.filter((thought) => thought !== 'Step 3 of work')).toHaveLength(2);
  });

  it('still waits for the person, and takes the decision', async () => {
    const first = await startProcess();
    const humanInputWebhook = { url: receiver.urlOf('/waiting/human-input') };
    const { body } = await crewCaller(`${first.origin}/crews/staged`, token).post('/kickoff', {
      inputs: {},
      humanInputWebhook,
    });
    const asked = await receiver.nth('/waiting/human-input', 1);
    await first.kill();
    const second = await startProcess();
    const resume = decisionOn(body, asked, false);
    expect((await crewCaller(`${second.origin}/crews/staged`, token).post('/resume', resume)).status).toBe(200);
    await until('the second round', () =>
      receiver.at('/waiting/human-input').some((one) => one.body.task_output === 'round 2'),
    );
  });
});

describe('a service that is stopped and started', () => {
  const options = () => ({ crews, tokens: { organisation: token }, redisUrl: redis.socketPath });

  it('delivers what was still pending', async () => {
    const first = await startCrewService({ ...options(), webhookRetry: { firstPauseMs: 60 } });
    receiver.answerWith(503);
    const humanInputWebhook = { url: receiver.urlOf('/pending') };
    await crewCaller(first.baseUrlOf('staged'), token).post('/kickoff', { inputs: {}, humanInputWebhook });
    await receiver.nth('/pending', 1);
    await first.close();
    receiver.answerWith(200);
    const second = await startCrewService(options());
    await receiver.nth('/pending', 2);
    await second.close();
  });

  it('runs the code of a crew again from its last checkpoint', async () => {
    const first = await startCrewService(options());
    const crew = crewCaller(first.baseUrlOf('counting'), token);
    const { body } = await crew.post('/kickoff', { inputs: { until: 3 } });
    await until('the first step', async () => (await first.sandbox.runs())[0]?.task === 'count');
    await first.close();
    const second = await startCrewService(options());
    const ended = await until('the end', async () => {
      const { body: status } = await crewCaller(second.baseUrlOf('counting'), token).get(`/status/${body.kickoff_id}`);
      return status.status === 'completed' && objectIn(status, 'result');
    });
    await second.close();
    expect(ended.output).toEqual([1, 2, 3]);
  });

  it('leaves the runs of a crew alone that it doesn’t have, and goes on once the crew is back', async () => {
    const first = await startCrewService(options());
    const { body } = await crewCaller(first.baseUrlOf('counting'), token).post('/kickoff', { inputs: { until: 3 } });
    await until('the first step', async () => (await first.sandbox.runs())[0]?.task === 'count');
    await first.close();
    const other = await startCrewService({ ...options(), crews: crews.slice(0, 1) });
    await crewCaller(other.baseUrlOf('staged'), token).post('/kickoff', { inputs: {} });
    await until('work of its own', async () => (await other.sandbox.runs()).some(({ task }) => task === 'work'));
    await other.close();
    const third = await startCrewService(options());
    await until('the end', async () => {
      const run = (await third.sandbox.runs()).find(({ kickoffId }) => kickoffId === body.kickoff_id);
      return run?.status === 'completed';
    });
    await third.close();
  });

  it.each(['user:secret@127.0.0.1:1', 'user:se@cret@127.0.0.1:1', '127.0.0.1:1?password=secret'])(
    "reports in one sentence, without the password, that Redis can't be reached: %s",
    async (address) => {
      const started = startCrewService({ ...options(), redisUrl: `redis://${address}` });
      await expect(started).rejects.toThrow("The crew service can't reach Redis at redis://127.0.0.1:1.");
    },
  );

  it('reports in one sentence that the Redis address is invalid', async () => {
    const started = startCrewService({ ...options(), redisUrl: 'redis://user:se/cret@127.0.0.1:1' });
    await expect(started).rejects.toThrow(/^The Redis address is not a valid URL\. Percent-encode/);
  });

  it('answers 500 while Redis is down, and continues once it is back', async () => {
    const service = await startCrewService(options());
    const crew = crewCaller(service.baseUrlOf('counting'), token);
    const { body } = await crew.post('/kickoff', { inputs: { until: 30 } });
    await redis.kill();
    expect((await crew.post('/kickoff', { inputs: { until: 1 } })).status).toBe(500);
    await redis.restart();
    const ended = await until('the end', async () => {
      const { body: status } = await crew.get(`/status/${body.kickoff_id}`);
      return status.status === 'completed' && objectIn(status, 'result');
    });
    expect(ended.output).toHaveLength(30);
    await service.close();
  });
});
