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
  world = await startWorld({ dialect: 'spec', crews: [{ name: 'notes', tasks, settings: { approval } }] });
  await world.startBot();
});
afterAll(() => world.stop());

it('a task has the crew’s own rules until the crew has named it, which it does before it asks where it can', async () => {
  const jon = world.slack.as('jon');
  const { root, card, told } = await followRun(world, { crew: 'notes', topic: 'tea', by: 'maria', channel: CHANNEL });
  expect(visibleText(card)).toContain('<@UJON00002> can decide · this may change once the crew names the task');
  await jon.click('Who can decide?', { in: card });
  expect(modalText(await jon.seesModal('The crew hasn’t named this task yet'))).toContain('One person decides');
  await jon.closeModal();
  await jon.click('Approve', { in: card });
  const publish = await jon.seesInThread(root, 'Approval needed: publish');
  expect(visibleText(publish)).toContain('Needs 2 of <@UJON00002> and <@UPRIYA004> · none yet');
  for (const handle of ['jon', 'priya']) await world.slack.as(handle).click('Approve', { in: publish });
  expect(await told()).toEqual(['approved: Approved.', 'approved: Approved.']);
});
