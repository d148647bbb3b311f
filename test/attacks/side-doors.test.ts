import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { Bot } from '../../src/bot/bot.ts';
import { createCredentials, createRefs } from '../../src/crew/credentials.ts';
import type { JsonObject } from '../../src/sandbox/slack-workspace/json.ts';
import { headerOf } from '../crew/crew-values.ts';
import { type AskingProgram, askingProgram, refOf } from '../support/asks.ts';
import { audit, run } from '../support/audit-program.ts';
import type { Fixture } from '../support/fixture.ts';
import { startWorld, TEST_SECRET, type World } from '../support/world.ts';

// Whoever asked gets the answer to their own question, or none: others try to slip in a question, or to get at the answer.

const CHANNEL = '#releases';
const OUTSIDER = fileURLToPath(new URL('../ledger/outsider.mjs', import.meta.url));
const credentials = createCredentials([TEST_SECRET]);

let world: World;
let bot: Bot;
beforeAll(async () => {
  world = await startWorld({
    manifest: 'workflows',
    fixtures: 5,
    crews: [
      { name: 'deploys', settings: { channel: 'releases' } },
      { name: 'careful', settings: { channel: 'releases', approval: { undo: '1h' } } },
    ],
  });
  bot = await world.startBot();
});
afterAll(() => world.stop());

const jon = () => world.slack.as('jon');
const program = (crew = 'deploys'): AskingProgram => askingProgram(() => bot.port, crew);

/** A workflow comes to its step *Ask for approval*. */
function workflowAsks(title: string, inputs: JsonObject = {}) {
  const asked = { title, text: `All of ${title}.`, channel: 'C0RELEASE2', crew: 'deploys', ...inputs };
  const { executionId, ended } = world.slack.runFunction('ask_for_approval', asked);
  return { ref: createRefs([TEST_SECRET]).createRef({ stepId: executionId }), ended };
}

/** Asks at the crew's own address, as a run of it does that was started elsewhere. */
async function asksAtCrew(ref: string, { id, task }: { id?: string; task: string }): Promise<number> {
  const ids = id === undefined ? {} : { kickoff_id: `K-${id}`, execution_id: id };
  const body = { ...ids, task_id: task, task_output: `Lax ${id ?? task}`, meta: { signoff_ref: ref } };
  const answer = await fetch(`http://127.0.0.1:${bot.port}/webhooks/crews/deploys/human-input`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: headerOf(credentials.ofCrew('deploys', 'bearer')) },
    body: JSON.stringify(body),
  });
  return answer.status;
}

const slippedCard = (id: string) => jon().sees(CHANNEL, new RegExp(`Approval needed\\ndeploys(.|\\n)*Lax ${id}`));
const cardOf = (title: string) => jon().sees(CHANNEL, new RegExp(`Approval needed: ${title}`));

async function reject(title: string): Promise<void> {
  await jon().click('Reject…', { in: await cardOf(title) });
  await jon().fill('Reason', 'Not on a Friday.');
  await jon().submit();
}

describe('a call at the crew’s address that carries the ref of another’s question', () => {
  it.each(['another task', 'ask'])('isn’t the question of the workflow, with the task “%s”', async (task) => {
    const title = `Deploy with ${task}`;
    const asked = workflowAsks(title);
    await cardOf(title);
    expect(await asksAtCrew(asked.ref, { id: `E ${task}`, task })).toBe(200);
    const slipped = await slippedCard(`E ${task}`);
    expect(slipped.threadTs).not.toBe((await cardOf(title)).threadTs);
    await jon().click('Approve', { in: slipped });
    await jon().seesChanged(slipped, 'approved');
    await reject(title);
    expect(await asked.ended).toMatchObject({ outputs: { decision: 'rejected', comment: 'Not on a Friday.' } });
  });

  it('isn’t that of a program, which hears only what was decided about its own', async () => {
    const ref = refOf(await program().ask({ title: 'Drop the table' }));
    await cardOf('Drop the table');
    expect(await asksAtCrew(ref, { id: 'E-program', task: 'ask' })).toBe(200);
    const slipped = await slippedCard('E-program');
    await jon().click('Approve', { in: slipped });
    await jon().seesChanged(slipped, 'approved');
    expect((await program().fetch(ref)).body.status).toBe('waiting');
    await reject('Drop the table');
    expect((await program().fetch(ref, 50)).body).toMatchObject({ status: 'decided', decision: 'rejected' });
  });

  it('is refused where it says of no run that it is its own', async () => {
    const ref = refOf(await program().ask({ title: 'Without ids' }));
    expect(await asksAtCrew(ref, { task: 'ask' })).toBe(404);
  });
});

it('a step that waits for what a program has asked hides nothing from it: it can fetch, repeat and take back', async () => {
  const asks = { title: 'Waited for', id: 'waited-for' };
  const ref = refOf(await program().ask(asks));
  const { ended } = world.slack.runFunction('wait_for_run', { ref });
  await expect.poll(() => world.slack.calls().some(({ name, request }) => isWaitFor(name, request, ref))).toBe(true);
  await cardOf('Waited for');
  expect((await program().fetch(ref)).body.status).toBe('waiting');
  expect(await program().ask(asks)).toMatchObject({ status: 200, body: { ref } });
  expect(await program().withdraw(ref)).toMatchObject({ status: 200, body: { status: 'cancelled' } });
  expect(await ended).toMatchObject({ outputs: { state: 'completed', result: '' } });
});

describe('a workflow that waits for a run it hasn’t started, whose ref it got hold of', () => {
  const waitsFor = (ref: string) => world.slack.runFunction('wait_for_run', { ref }).ended;

  const failures = () => world.slack.calls().filter(({ name, error }) => name === 'conversations.info' && error);

  /** The ref of the newest run of a fixture, as its addresses have it. */
  async function refOfRun({ requests }: Fixture): Promise<string> {
    return /executions\/([a-z2-7]{26})\//.exec((await requests('kickoff')).at(-1)?.body ?? '')?.[1] ?? '';
  }

  it.each(['while people decide', 'once it is over'])('hears nothing of it in a private channel %s', async (when) => {
    const fixture = await world.fixture();
    await fixture.start();
    const card = await fixture.card();
    if (when === 'once it is over') {
      await fixture.approve(card);
      await fixture.run('is completed', ({ status }) => status === 'completed');
    }
    const told = await waitsFor(await refOfRun(fixture));
    expect(told).toMatchObject({ error: expect.stringContaining('This run is in a private channel') });
    expect(JSON.stringify(told)).not.toContain('tea');
  });

  it('hears nothing of what another workflow has asked there', async () => {
    const { channelId, crew, card } = await world.fixture();
    const { ref } = workflowAsks('Only for us', { channel: channelId, crew });
    await card('Approval needed: Only for us');
    expect(await waitsFor(ref)).toMatchObject({ error: expect.stringContaining('private channel') });
  });

  it('hears nothing as long as Slack can’t tell whether the channel is private', async () => {
    const fixture = await world.fixture();
    await fixture.start();
    const card = await fixture.card();
    const [ref, before] = [await refOfRun(fixture), failures().length];
    const effect = { kind: 'error', error: 'internal_error' } as const;
    world.slack.faults.add({ method: 'conversations.info', effect, where: { channel: fixture.channelId }, times: 2 });
    const told = waitsFor(ref);
    await expect.poll(() => failures().length - before).toBe(1);
    await fixture.approve(card);
    expect(await told).toMatchObject({ error: expect.stringContaining('private channel') });
    expect(failures().length - before).toBe(2);
  });

  it('hears how it ended in a public channel', async () => {
    const fixture = await world.fixture();
    await world.slack.as('maria').command(CHANNEL, '/kickoff', `${fixture.crew} topic=tea`);
    const card = await jon().sees(CHANNEL, new RegExp(`Approval needed\\n${fixture.crew}`));
    const told = waitsFor(await refOfRun(fixture));
    await jon().click('Approve', { in: card });
    expect(await told).toMatchObject({ outputs: { state: 'completed', result: expect.stringContaining('Published') } });
  });
});

describe('a program that takes back what it has asked', () => {
  it('doesn’t make a rejection disappear while it can be undone, and isn’t told of it', async () => {
    const ref = refOf(await program('careful').ask({ title: 'Wipe the disk' }));
    await reject('Wipe the disk');
    await jon().sees(CHANNEL, /rejected “Wipe the disk”/);
    const { status, body } = await program('careful').withdraw(ref);
    expect({ status, body }).toEqual({
      status: 409,
      body: { id: null, ref, url: expect.any(String), status: 'waiting' },
    });
    await jon().click('Undo', { in: await jon().sees(CHANNEL, /rejected “Wipe the disk”/) });
    await cardOf('Wipe the disk');
    expect((await program('careful').withdraw(ref)).status).toBe(200);
  });

  it('leaves an entry in the ledger, which verifies', async () => {
    const ref = refOf(await program().ask({ title: 'Never mind' }));
    expect((await program().withdraw(ref)).status).toBe(200);
    const env = { REDIS_URL: world.redis.url, APP_SECRET: TEST_SECRET };
    const { out } = await audit(['who', ref], env);
    expect(out).toContain('The program that asked took “Never mind” back.');
    const folder = await mkdtemp(join(tmpdir(), 'signoff-export-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const file = join(folder, 'audit.jsonl');
    await writeFile(file, (await audit(['export'], env)).out);
    expect((await audit(['verify', file])).out).toContain('OK: ');
    const key = (await audit(['key'], env)).out.trim();
    expect(await run([OUTSIDER, file, key])).toMatchObject({ code: 0, errors: '' });
  });
});

const isWaitFor = (name: string, request: unknown, ref: string) =>
  name === 'function_executed' && JSON.stringify(request).includes(`"${ref}"`);
