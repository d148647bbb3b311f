import { fileURLToPath } from 'node:url';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CrewService } from '../../../../src/sandbox/crew-service/service.ts';
import { sharedRedis } from '../../shared.ts';
import { builtService } from '../built-package.ts';
import { crewCaller } from '../crew-caller.ts';
import { until } from '../until.ts';

const FILE = fileURLToPath(new URL('./careless-crews.ts', import.meta.url));
const NAMES = ['CREW_SERVICE_TOKEN', 'CREW_SERVICE_USER_TOKENS', 'CREW_TOKENS', 'CREW_TOKENS_FILE', 'REDIS_URL'];
const SECRETS = Object.fromEntries(NAMES.map((name) => [name, 'secret']));

type LogLine = { readonly crew?: string; readonly runId?: string; readonly output?: string; readonly leftOut?: number };

const log: LogLine[] = [];
const redis = sharedRedis();
let service: CrewService;

beforeAll(async () => {
  const { startCrewService } = await builtService();
  service = await startCrewService({
    crews: [],
    crewFiles: [{ file: FILE }],
    crewProcesses: { env: { ...process.env, ...SECRETS }, memoryMb: 128, runsAtOnce: 3, checkLimitMs: 1_000 },
    tokens: { organisation: 'org' },
    redisUrl: redis.socketPath,
    logger: pino({ level: 'info' }, { write: (line: string) => log.push(JSON.parse(line)) }),
  });
});

afterAll(() => service.close());

const kickoff = (crew: string, inputs: object) =>
  crewCaller(service.baseUrlOf(crew), 'org').post('/kickoff', { inputs });

async function outcomeOf(crew: string, inputs: object) {
  const { body } = await kickoff(crew, inputs);
  return until(
    'the end',
    async () => {
      const run = (await service.sandbox.runs()).find(({ kickoffId }) => kickoffId === body.kickoff_id);
      return run?.status !== 'running' && run && { status: run.status, outcome: run.outcome };
    },
    120_000,
  );
}

const ENDED_TWICE = 'The run ended its process twice, the second time in the task "make": ';

/** What a task does, and what becomes of its run. */
const MISTAKES = [
  ['nothing', 'completed', 'nothing went wrong'],
  ['throw', 'failed', 'thrown'],
  ['stray', 'failed', 'Unhandled rejection: strayed'],
  ['timer', 'failed', 'Uncaught error: too late'],
  ['circle', 'failed', expect.stringMatching(/^The output of the task "make" can't be JSON: /)],
  ['garbage', 'failed', expect.stringMatching(/^The process of the crew sent a malformed message: /)],
  ['large', 'failed', 'The process of the crew sent more than 16 MiB at once.'],
  ['exit', 'failed', `${ENDED_TWICE}it exited with code 3`],
  ['kill', 'failed', `${ENDED_TWICE}it was ended by SIGKILL`],
  ['memory', 'failed', `${ENDED_TWICE}it was ended by SIGABRT, as for want of memory`],
  ['buffers', 'failed', `${ENDED_TWICE}it was ended by SIGKILL`],
  ['environment', 'completed', []],
] as const;

describe('a run in a process of its own', () => {
  it.concurrent.each(MISTAKES)('is the only one that is hurt by its mistake: %s', async (mistake, status, outcome) => {
    expect(await outcomeOf('careless', { mistake })).toEqual({ status, outcome });
  });

  it.concurrent.each(['loop', 'wait'])('fails at its time limit, whatever its task does: %s', async (mistake) => {
    const outcome = 'The task "hang" took longer than its time limit of 200 ms.';
    expect(await outcomeOf('hanging', { mistake })).toEqual({ status: 'failed', outcome });
  });

  it('fails when its task reports more steps than can be of use', async () => {
    const outcome = 'A task may report 10000 steps, and this one has reported more.';
    expect(await outcomeOf('reporting', {})).toEqual({ status: 'failed', outcome });
  });

  it('has what it writes in the log of the service, which says how much it has left out', async () => {
    await outcomeOf('careless', { mistake: 'talk' });
    const said = () => log.filter(({ output }) => /^Line \d+$/.test(output ?? ''));
    const leftOut = () => log.reduce((sum, line) => sum + (line.leftOut ?? 0), 0);
    await until('all of it', () => said().length + leftOut() >= 1_000);
    expect(said()[0]).toMatchObject({ crew: 'careless', runId: expect.any(String), output: 'Line 1' });
    expect(said().length).toBeLessThan(400);
  });

  it('tries a task again in the same process, with the steps that are done', async () => {
    expect(await outcomeOf('retried', {})).toEqual({ status: 'completed', outcome: 'begun at 0, done after 2 tries' });
  });

  it('starts again from its last checkpoint when its process has ended once', async () => {
    expect(await outcomeOf('once', {})).toEqual({ status: 'completed', outcome: 'done at the second start' });
  });
});

describe('a check of inputs', () => {
  it.each([
    ['wait', 'The inputs could not be checked: The crew "checking" took longer than 1000 ms to check the inputs.'],
    ['exit', 'The inputs could not be checked: it exited with code 4'],
    ['throw', 'The inputs could not be checked: no check'],
  ])('that goes wrong is told to who kicked off: %s', async (how, message) => {
    const { status, body } = await kickoff('checking', { how });
    expect({ status, message: body.message }).toEqual({ status: 500, message });
    expect(await outcomeOf('checking', { how: 'well' })).toMatchObject({ outcome: 'well' });
  });
});
