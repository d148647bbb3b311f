import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { visibleText } from '../../src/sandbox/slack-workspace/driver/visible-text.ts';
import { freePort } from '../../src/setup/free-port.ts';
import { ensurePythonPackages, NEWEST_FRAMEWORKS, PYTHON_PACKAGE } from '../../src/setup/python.mjs';
import { runAsker } from '../support/asks.ts';
import type { Fixture } from '../support/fixture.ts';
import { startWorld, type World } from '../support/world.ts';
import { CREW_TOKEN, isServing, type SignoffCrew, startSignoffCrew } from './signoff-crew.ts';

let world: World;
let folder: string;
let python: string;
let service: SignoffCrew;
let crewPort: number;
let botPort: number;

const quiet = { CREWAI_DISABLE_TELEMETRY: 'true', OTEL_SDK_DISABLED: 'true', CREWAI_TRACING_ENABLED: 'false' };

async function startService(): Promise<void> {
  service = await startSignoffCrew('tests.frameworks.crews:two_at_once', {
    cwd: PYTHON_PACKAGE,
    env: { ...quiet, MODEL_LOG: join(folder, 'model.log'), CREWAI_STORAGE_DIR: folder },
    state: join(folder, 'runs.db'),
    port: crewPort,
    folder,
    python,
  });
  await isServing(service);
}

beforeAll(async () => {
  python = await ensurePythonPackages('python-newest', NEWEST_FRAMEWORKS);
  folder = await mkdtemp(join(tmpdir(), 'python-with-bot-'));
  crewPort = await freePort();
  await startService();
  world = await startWorld({ fixtures: 2 });
  const file = join(folder, 'crews.yml');
  const crew = { name: 'writers', base_url: service.baseUrl, token: CREW_TOKEN, channel: 'releases' };
  const { crews } = JSON.parse(await readFile(world.env(0).CREWS_FILE ?? '', 'utf8'));
  await writeFile(file, JSON.stringify({ crews: [...crews, crew] }));
  ({ port: botPort } = await world.startBot({ env: { CREWS_FILE: file } }));
  // The packages may have to be installed.
}, 1_200_000);
afterAll(async () => {
  await world.stop();
  await service.stop('SIGKILL');
  await rm(folder, { recursive: true });
});

/** Runs a program of this folder, which asks by the rules of the fixture's crew. */
function runs(file: string, { crew }: Fixture) {
  const cwd = fileURLToPath(new URL('.', import.meta.url));
  const env = { ...quiet, HOME: folder, CREWAI_STORAGE_DIR: folder };
  return runAsker({ program: python, args: [file], cwd, env }, { port: botPort, crew });
}

describe('the real frameworks and the bot', () => {
  it('Two tasks of CrewAI that wait at once are two cards, and each decision reaches its own, though the service was killed', async () => {
    const [maria, jon] = [world.slack.as('maria'), world.slack.as('jon')];
    await maria.command('#releases', '/kickoff', 'writers topic=tea');
    const root = await maria.sees('#releases', /writers(.|\n)*Stop tracking…/);
    const left = await jon.seesInThread(root, 'ann writes about tea');
    const right = await jon.seesInThread(root, 'ben writes about tea');
    await service.stop('SIGKILL');
    await jon.click('Approve', { in: right });
    await jon.click('Reject…', { in: left });
    await jon.fill('What should change?', 'Mention oolong.');
    await jon.submit();
    await startService();
    await jon.seesChanged(right, 'Sent to the crew.');
    const again = await jon.seesInThread(root, 'Round 2');
    expect(visibleText(again)).toContain('ann writes about tea, oolong');
    await jon.click('Approve', { in: again });
    await jon.seesInThread(root, 'cleo writes about tea, oolong');
    await jon.seesChanged(root, 'Completed');
  });

  it('Two calls of an agent of LangChain are asked at once, and each gets its own decision', async () => {
    const fixture = await world.fixture();
    const { jon, channel } = fixture;
    const done = runs('tool_calls.py', fixture);
    const email = await jon.sees(channel, 'ada@example.com');
    const refund = await jon.sees(channel, 'Amount');
    await jon.click('Reject…', { in: refund });
    await jon.fill('Reason', 'Only 10 are due.');
    await jon.submit();
    await jon.click('Approve', { in: email });
    const { out, errors } = await done;
    expect(errors).toBe('');
    const { called, said } = JSON.parse(out);
    expect(called).toEqual(['ada@example.com']);
    expect(said.toSorted()).toEqual([expect.stringContaining('Only 10 are due.'), 'sent']);
  });

  it('A flow of CrewAI asks in rounds of one thread, and takes the outcomes that a person chose', async () => {
    const fixture = await world.fixture();
    const { jon, channel } = fixture;
    const done = runs('article.py', fixture);
    const first = await jon.sees(channel, 'Tea is ready.');
    await jon.click('revise', { in: first });
    const second = await jon.seesInThread(first, 'Round 2');
    expect(visibleText(second)).toContain('Compare');
    await jon.click('publish', { in: second });
    const { out } = await done;
    expect(out).toContain('Tea is ready. revise');
  });
});
