import { afterAll, beforeAll, expect, it } from 'vitest';
import { modalText, visibleText } from '../../src/sandbox/slack-workspace/driver/visible-text.ts';
import { followRun } from '../support/followed-run.ts';
import { startWorld, type World } from '../support/world.ts';

const CHANNEL = '#releases';

let world: World;

beforeAll(async () => {
  const tasks = ['draft', 'publish'].map((name) => ({ name, humanInput: true, output: `The ${name}.` }));
  const approval = {
    approvers: ['UJON00002'],
    tasks: [{ match: 'publish', approvers: ['UJON00002', 'UPRIYA004'], quorum: 2 }],
  };
  world = await startWorld({ dialect: 'observed', crews: [{ name: 'notes', tasks, settings: { approval } }] });
  await world.startBot();
});
afterAll(() => world.stop());

it('until the crew has named a task, an approval is complete once it is under each of the rules that may apply', async () => {
  const [jon, priya] = [world.slack.as('jon'), world.slack.as('priya')];
  const { root, card, shows, told } = await followRun(world, {
    crew: 'notes',
    topic: 'tea',
    by: 'maria',
    channel: CHANNEL,
  });
  expect(visibleText(card)).toMatch(
    /Needs <@UJON00002> and 2 of <@UJON00002> and <@UPRIYA004>: whether this is \*publish\* isn’t known yet/,
  );
  await jon.click('Who can decide?', { in: card });
  const who = modalText(await jon.seesModal('If this is publish'));
  expect(who).toContain('an approval has to be complete under each of them');
  await jon.closeModal();
  await jon.click('Approve', { in: card });
  await shows('1 approved: Jon');
  await priya.click('Approve', { in: card });
  const publish = await jon.seesInThread(root, 'The publish.');
  for (const person of [jon, priya]) await person.click('Approve', { in: publish });
  expect(await told()).toEqual(['approved: Approved.', 'approved: Approved.']);
});

it('a request whose votes are complete once its task has a name is decided then', async () => {
  const jon = world.slack.as('jon');
  const run = await followRun(world, { crew: 'notes', topic: 'milk', by: 'maria', channel: CHANNEL });
  await jon.click('Approve', { in: run.card });
  await run.shows('1 approved: Jon');
  expect(await run.toldSoFar()).toEqual([]);
  const [kickoff] = (await world.crews.sandbox.requests()).filter(
    ({ route, body }) => route === 'kickoff' && body.includes('milk'),
  );
  const summary = (await world.crews.sandbox.runs()).find(({ inputs }) => inputs.topic === 'milk');
  const { taskWebhookUrl } = JSON.parse(kickoff?.body ?? '{}');
  await fetch(taskWebhookUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ task_id: summary?.taskId, name: 'draft' }),
  });
  await expect.poll(run.toldSoFar, { timeout: 10_000 }).toEqual(['approved: Approved.']);
});
