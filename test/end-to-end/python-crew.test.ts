import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { freePort } from '../../src/setup/free-port.ts';
import { CREW_TOKEN, isServing, type SignoffCrew, startSignoffCrew } from '../python/signoff-crew.ts';
import { startWorld, type World } from '../support/world.ts';

let world: World;
let folder: string;
let port: number;
let service: SignoffCrew;

async function startService(): Promise<void> {
  const cwd = fileURLToPath(new URL('../python', import.meta.url));
  service = await startSignoffCrew('editorial:Editorial', { cwd, folder, port, state: join(folder, 'runs.db') });
  await isServing(service);
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'python-crew-'));
  port = await freePort();
  await startService();
  const file = join(folder, 'crews.yml');
  const crew = { name: 'python', base_url: service.baseUrl, token: CREW_TOKEN, channel: 'releases' };
  await writeFile(file, JSON.stringify({ crews: [crew] }));
  world = await startWorld({ crews: [] });
  await world.startBot({ env: { CREWS_FILE: file } });
});
afterAll(async () => {
  await world.stop();
  await service.stop('SIGKILL');
  await rm(folder, { recursive: true });
});

it('A crew in Python is rejected, asks again, and gets an approval and its note though its service was killed while a person thought', async () => {
  const [maria, jon] = [world.slack.as('maria'), world.slack.as('jon')];
  await maria.command('#releases', '/kickoff', 'python topic=tea audience=everybody');
  const root = await maria.sees('#releases', /python(.|\n)*Stop tracking…/);
  const first = await jon.seesInThread(root, 'research 1');
  // The first round has the name of its task already.
  expect(first.text).toContain('research');
  await jon.click('Reject…', { in: first });
  await jon.fill('What should change?', 'More biscuits.');
  await jon.submit();
  const second = await jon.seesInThread(root, 'Round 2');

  await service.stop('SIGKILL');
  await jon.click('Approve with note…', { in: second });
  await jon.fill('Note for the crew', 'Mention oolong.');
  await jon.submit();
  await jon.seesChanged(second, 'The decision is saved');
  await startService();
  await jon.seesChanged(second, 'Sent to the crew.');

  const third = await jon.seesInThread(root, 'write 1 [Mention oolong.]');
  await jon.click('Approve', { in: third });
  await jon.seesInThread(root, 'print [Approved.]');
  await jon.seesChanged(root, 'Completed');
  await maria.seesInThread(root, 'research');
});

it('A text that a crew replaces after its approval, as guardrails do, is marked in the thread', async () => {
  const [maria, jon] = [world.slack.as('maria'), world.slack.as('jon')];
  await maria.command('#releases', '/kickoff', 'python topic=tea audience=officials');
  const root = await maria.sees('#releases', /officials(.|\n)*Stop tracking…/);
  await jon.click('Approve', { in: await jon.seesInThread(root, 'research 1') });
  await jon.seesInThread(root, 'This isn’t the text that was approved.');
});
