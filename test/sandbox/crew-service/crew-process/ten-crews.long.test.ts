import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import type { RunSummary } from '../../../../src/sandbox/crew-service/sandbox-api/crew-sandbox.ts';
import { connectCrewSandbox } from '../../../../src/sandbox/crew-service/sandbox-api/sandbox-over-http.ts';
import { sharedRedis } from '../../shared.ts';
import { crewCaller } from '../crew-caller.ts';
import { PROCESS_TOKEN, type ServiceProcess, startServiceProcess } from '../service-process.ts';
import { until } from '../until.ts';

const CREWS = fileURLToPath(new URL('./ten-crews.ts', import.meta.url));
const GOOD = ['one', 'two', 'three', 'four', 'five', 'six'];
const token = PROCESS_TOKEN;
const PATIENCE_MS = 180_000;

const redis = sharedRedis({ appendOnly: true });
let folder: string;
const started: ServiceProcess[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ten-crews-'));
});
afterEach(() => Promise.all(started.map((service) => service.kill())));
afterAll(() => rm(folder, { recursive: true }));

async function start(): Promise<ServiceProcess> {
  const service = await startServiceProcess(redis.socketPath, CREWS);
  started.push(service);
  return service;
}

const runsOf = ({ origin }: ServiceProcess) => connectCrewSandbox({ origin, token }).runs();

function untilRuns(what: string, service: ServiceProcess, hold: (runs: readonly RunSummary[]) => boolean) {
  const look = async () => {
    const runs = await runsOf(service);
    return hold(runs) && runs;
  };
  return until(what, look, PATIENCE_MS);
}

/** Once the good runs work on this task. */
const untilAllAt = (task: string, service: ServiceProcess) =>
  untilRuns(task, service, (runs) => runs.filter((run) => run.task === task).length === GOOD.length);

/** The processes with code of crews that this service has started and that still run. */
async function processesOf({ process: { pid } }: ServiceProcess): Promise<string[]> {
  const { stdout } = await promisify(execFile)('ps', ['-eo', 'args']);
  return stdout.split('\n').filter((line) => line.includes(`/child/main.mjs ${pid} `));
}

/** As a power cut ends the service: it can't end what it has started. */
async function killAndLeaveNothing(service: ServiceProcess): Promise<void> {
  await service.kill();
  await until('the end of its processes', async () => (await processesOf(service)).length === 0, PATIENCE_MS);
}

it('six crews finish their runs through three restarts, beside one that throws, one that hangs, one that floods and one that returns circles', async () => {
  const first = await start();
  const kickoff = async (crew: string, inputs: object) => {
    const { status } = await crewCaller(`${first.origin}/crews/${crew}`, token).post('/kickoff', { inputs });
    expect(status).toBe(200);
  };
  const ways = ['plainly', 'strayly', 'later', 'by_exit'];
  await Promise.all([
    ...['hangs', 'floods', 'circles'].map((crew) => kickoff(crew, {})),
    ...ways.map((way) => kickoff('throws', { way })),
    ...GOOD.map((crew) => kickoff(crew, { folder })),
  ]);
  await untilAllAt('first', first);
  await killAndLeaveNothing(first);

  let service = await start();
  for (const [number, next] of ['second', 'third'].entries()) {
    await writeFile(join(folder, `${number + 1}`), '');
    await untilAllAt(next, service);
    await killAndLeaveNothing(service);
    service = await start();
  }
  await writeFile(join(folder, '3'), '');
  const runs = await untilRuns(
    'the ends',
    service,
    (all) => all.filter((run) => run.status === 'running').length === 1,
  );

  const told = runs.map(({ crew, status, outcome }) => ({ crew, status, outcome }));
  for (const crew of GOOD) expect(told).toContainEqual({ crew, status: 'completed', outcome: 6 });
  const failed = (crew: string) =>
    told.filter((run) => run.crew === crew && run.status === 'failed').map((run) => run.outcome);
  expect(failed('throws').toSorted()).toEqual([
    'The run ended its process twice, the second time in the task "throw": it exited with code 3',
    'Uncaught error: thrown later',
    'Unhandled rejection: thrown strayly',
    'thrown plainly',
  ]);
  expect(failed('circles')).toEqual([expect.stringContaining('Converting circular structure to JSON')]);
  expect(failed('floods')).toEqual(['The task "flood" took longer than its time limit of 1 s.']);
  expect(told).toContainEqual({ crew: 'hangs', status: 'running', outcome: null });

  // Also while a task is in an endless loop.
  const askedAt = Date.now();
  service.process.kill('SIGTERM');
  expect(await service.exited).toBe(0);
  expect(Date.now() - askedAt).toBeLessThan(10_000);
  for (const one of started) expect(await processesOf(one)).toEqual([]);
});
