import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Script, scriptedCrew } from '../../src/sandbox/crew-service/sandbox-api/scripted-crew.ts';
import { startCrewService } from '../../src/sandbox/crew-service/service.ts';
import { run } from '../../src/setup/commands.mjs';
import { ensurePythonPackages, NEWEST_FRAMEWORKS } from '../../src/setup/python.mjs';
import { startRedis, type TestRedis } from '../support/redis.ts';

const token = 'org-token';
/** Installing CrewAI takes minutes, and importing it half a minute on a busy machine. */
const ENOUGH_MS = 20 * 60_000;
const PROGRAM = fileURLToPath(new URL('./invoke_automation.py', import.meta.url));

let redis: TestRedis;

beforeAll(async () => {
  redis = await startRedis();
});
afterAll(() => redis.stop());

const crew = (name: string, task: Omit<Script[number], 'name'>) =>
  scriptedCrew({ name, inputs: ['topic'], tasks: [{ name: 'write', ...task }] });

it.each(['spec', 'observed', 'flows'] as const)(
  'CrewAI’s own InvokeCrewAIAutomationTool sees how a run of the crew service ends in the dialect %s',
  async (dialect) => {
    const crews = [crew('text', { output: 'All about tea.' }), crew('failing', { fails: 'The kettle is cold.' })];
    const service = await startCrewService({
      ...{ crews, dialect, redisUrl: redis.socketPath, keyPrefix: `${dialect}:`, tokens: { organisation: token } },
    });
    const python = await ensurePythonPackages('python-newest', NEWEST_FRAMEWORKS);
    const { ok, output } = await run(python, [PROGRAM, token, ...crews.map(({ name }) => service.baseUrlOf(name))]);
    await service.close();
    expect(ok, output).toBe(true);
    const [text, failure] = JSON.parse(output.trim().split('\n').at(-1) ?? '');
    // In `spec`, the result is an object with the output, which the tool gives as Python writes it.
    if (dialect === 'spec') expect(text).toContain("'output': 'All about tea.'");
    else expect(text).toBe('All about tea.');
    expect(failure).toContain('Error: Crew task failed.');
    expect(failure).toContain('The kettle is cold.');
  },
  ENOUGH_MS,
);
