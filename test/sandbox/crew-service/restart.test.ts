import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { connectCrewSandbox } from '../../../src/sandbox/crew-service/sandbox-api/connect-crew-sandbox.ts';
import { startCrewService } from '../../../src/sandbox/crew-service/start-crew-service.ts';
import { startRedis, type TestRedis } from '../../support/redis.ts';
import { crewCaller } from './crew-caller.ts';
import { objectIn } from './json-body.ts';
import { crews } from './slow-crews.ts';
import { until } from './until.ts';
import { startReceiver, type WebhookReceiver } from './webhook-receiver.ts';

const token = 'org-token';
const MAIN = fileURLToPath(new URL('../../../src/sandbox/crew-service/main.ts', import.meta.url));
const CREWS = fileURLToPath(new URL('./slow-crews.ts', import.meta.url));

let redis: TestRedis;
let receiver: WebhookReceiver;

beforeAll(async () => {
  redis = await startRedis({ appendOnly: true });
  receiver = await startReceiver();
});

afterAll(async () => {
  await receiver.close();
  await redis.stop();
});

beforeEach(() => redis.flush());

const started: Process[] = [];

afterEach(async () => {
  await Promise.all(started.splice(0).map(kill));
});

type Process = { readonly origin: string; readonly process: ChildProcess };

/** The service as a process of its own, as `npm run crew` starts it. */
async function startProcess(): Promise<Process> {
  const args = ['--port', '0', '--redis', redis.socketPath, '--crews', CREWS, '--sandbox'];
  const child = spawn(process.execPath, ['--import', 'tsx', MAIN, ...args], {
    env: { ...process.env, CREW_SERVICE_TOKEN: token, LOG_LEVEL: 'warn' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let said = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  const origin = await until('the service', () => /(http:\/\/127\.0\.0\.1:\d+)\/crews/.exec(said)?.[1]);
  const service = { origin, process: child };
  started.push(service);
  return service;
}

async function kill({ process: child }: Process): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGKILL');
  await once(child, 'exit');
}

describe('a service that is killed', () => {
  it('resumes in the middle of a task: finished steps are neither repeated nor reported again', async () => {
    const first = await startProcess();
    const crew = crewCaller(`${first.origin}/crews/staged`, token);
    const humanInputWebhook = { url: receiver.urlOf('/killed/human-input') };
    const { body } = await crew.post('/kickoff', { inputs: {}, humanInputWebhook });
    const asked = await receiver.nth('/killed/human-input', 1);
    const resume = {
      execution_id: body.kickoff_id,
      task_id: asked.body.task_id,
      human_feedback: 'Approved.',
      is_approve: true,
    };
    await crew.post('/resume', {
      ...resume,
      stepWebhookUrl: receiver.urlOf('/killed/step'),
      crewWebhookUrl: receiver.urlOf('/killed/crew'),
    });
    await receiver.nth('/killed/step', 3);
    await kill(first);

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
    await kill(first);
    const second = await startProcess();
    const resume = {
      execution_id: body.kickoff_id,
      task_id: asked.body.task_id,
      human_feedback: 'again',
      is_approve: false,
    };
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

  it('fails a run whose crew is gone, saying so', async () => {
    const first = await startCrewService(options());
    const { body } = await crewCaller(first.baseUrlOf('counting'), token).post('/kickoff', {
      inputs: { until: 1_000 },
    });
    await first.close();
    const second = await startCrewService({ ...options(), crews: [] });
    const failed = await until('the failure', async () => {
      const run = (await second.sandbox.runs()).find((one) => one.kickoffId === body.kickoff_id);
      return run?.status === 'failed' && run;
    });
    await second.close();
    expect(failed.outcome).toBe('This service no longer has a task "count" of a crew "counting".');
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
