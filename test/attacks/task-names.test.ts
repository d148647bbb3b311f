import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { modalText } from '../../src/sandbox/slack-workspace/driver/visible-text.ts';
import { audit } from '../support/audit-program.ts';
import { type PolicyWorld, startPolicyWorld } from '../support/policy-world.ts';
import { TEST_SECRET } from '../support/world.ts';

const TEXT = 'Tea is served at four.';
const TWO = { approvers: ['UJON00002', 'UPRIYA004'], quorum: 2 };
const PUBLISH = { match: 'publish', ...TWO, undo: '0s' };

let world: PolicyWorld;
let folder: string;

beforeAll(async () => {
  world = await startPolicyWorld({
    crews: {
      posing: { ...TWO, tasks: [{ match: 'draft*', approvers: ['workspace'], quorum: 1 }] },
      late: { quorum: 2, tasks: [PUBLISH] },
      hasty: { undo: '10s', tasks: [PUBLISH] },
    },
    bot: { sealEveryMs: 200 },
  });
  const { sandbox } = world.crews;
  const publish = { name: 'publish', humanInput: true, output: TEXT };
  await sandbox.shutGate('publishing');
  await sandbox.setScript('posing', [
    { name: 'draft', output: TEXT },
    { ...publish, hold: 'publishing' },
  ]);
  // Neither its id nor its text says what it is called.
  const step = { ...publish, name: 'step' };
  for (const crew of ['late', 'hasty']) await sandbox.setScript(crew, [step]);
  folder = await mkdtemp(join(tmpdir(), 'signoff-task-names-'));
});
afterAll(async () => {
  await world.stop();
  await rm(folder, { recursive: true });
});

const as = (handle: string) => world.slack.as(handle);

/** What a crew has sent or received of a kind, once there is something. */
async function first<Found extends { crew: string }>(crew: string, of: () => Promise<Found[]>): Promise<Found> {
  const found = async () => (await of()).find((each) => each.crew === crew);
  await expect.poll(found).toBeDefined();
  return (await found()) as Found;
}

/** Tells the bot that a task has completed, as a crew service does at the address that the kickoff gave. */
async function tellTask(crew: string, task: Record<string, string>): Promise<void> {
  const { sandbox } = world.crews;
  const kickoffs = async () => (await sandbox.requests()).filter(({ route }) => route === 'kickoff');
  const { taskWebhookUrl } = JSON.parse((await first(crew, kickoffs)).body);
  const headers = { 'content-type': 'application/json' };
  const { status } = await fetch(taskWebhookUrl, { method: 'POST', headers, body: JSON.stringify(task) });
  expect(status).toBe(200);
}

/** The crew names the task that it has asked about by now. */
async function nameAsked(crew: string, name: string): Promise<void> {
  const { sandbox } = world.crews;
  const requests = async () => (await sandbox.webhooks()).filter(({ kind }) => kind === 'human-input');
  const { task_id } = JSON.parse((await first(crew, requests)).body);
  await tellTask(crew, { task_id, name, task_output: 'What no request says.' });
}

/** Verifies what the ledger has about a crew's run, and tells the kinds of its entries. */
async function ledgerOf(crew: string): Promise<string[]> {
  const env = { REDIS_URL: world.redis.url, APP_SECRET: TEST_SECRET };
  const { out } = await audit(['export', '--crew', crew], env);
  const file = join(folder, `${crew}.jsonl`);
  await writeFile(file, out);
  expect((await audit(['verify', file], env)).out).toContain('OK: ');
  const kinds = out.split('\n').flatMap((line) => (line.includes('"kind":') ? [JSON.parse(line).kind] : []));
  return kinds.filter((kind) => kind !== 'policy');
}

it('A task that asks with the text of another task’s output doesn’t get that task’s rules', async () => {
  const starting = world.run('posing');
  await tellTask('posing', { task_id: 'd1', name: 'draft', task_output: TEXT });
  await world.crews.sandbox.openGate('publishing');
  const run = await starting;
  expect(await run.shows('Approval needed')).toMatch(/Needs 2 of .*: whether this is \*?draft\*\*? isn’t known yet/);
  await as('aiko').click('Approve', { in: run.card });
  await run.shows('1 approved: Aiko Tanaka');
  await as('jon').click('Who can decide?', { in: run.card });
  expect(modalText(await as('jon').seesModal('If this is draft*'))).toContain('complete under each of them');
  await as('jon').closeModal();
  await as('jon').click('Approve', { in: run.card });
  await run.shows('2 approved: Aiko Tanaka and Jon Bell');
  expect(await run.toldSoFar()).toEqual([]);
  await as('priya').click('Approve', { in: run.card });
  expect(await run.told()).toEqual(['approved: Approved.']);
});

it('Once a task has a name, its rules alone apply to the request that is open, and to its votes', async () => {
  const run = await world.run('late');
  await as('aiko').click('Approve', { in: run.card });
  await run.shows('1 approved: Aiko Tanaka');
  await nameAsked('late', 'publish');
  await run.shows('Approval needed: publish');
  await as('jon').click('Approve', { in: run.card });
  await run.shows('1 of 2 approved: Jon Bell');
  expect(await run.toldSoFar()).toEqual([]);
  await as('priya').click('Approve', { in: run.card });
  expect(await run.told()).toEqual(['approved: Approved.']);
  await run.shows('Sent to the crew.');
  await expect
    .poll(() => ledgerOf('late'))
    .toEqual(['asked', 'voted', 'named', 'withdrawn', 'voted', 'decided', 'sent', 'confirmed']);
});

it('Nobody decides by the easier rules while a task may be one with others, and a name re-opens nothing', async () => {
  const run = await world.run('hasty');
  for (const handle of ['aiko', 'jon']) await as(handle).click('Approve', { in: run.card });
  await run.shows('2 approved: Aiko Tanaka and Jon Bell');
  expect(await run.toldSoFar()).toEqual([]);
  await as('priya').click('Approve', { in: run.card });
  await run.shows('[Undo]');
  await nameAsked('hasty', 'publish');
  expect(await run.told()).toEqual(['approved: Approved.']);
  await run.shows('Sent to the crew.');
  await expect
    .poll(() => ledgerOf('hasty'))
    .toEqual(['asked', 'voted', 'voted', 'decided', 'named', 'sent', 'confirmed']);
});
