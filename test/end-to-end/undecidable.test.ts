import { afterAll, beforeAll, expect, it } from 'vitest';
import { visibleText } from '../../src/sandbox/slack-workspace/driver/visible-text.ts';
import { CHANNEL, type PolicyWorld, startPolicyWorld } from '../support/policy-world.ts';
import { privateAnswerTo } from '../support/private-answer.ts';
import { scrape } from '../support/scrape.ts';

let world: PolicyWorld;

beforeAll(async () => {
  world = await startPolicyWorld({
    crews: {
      emptied: { approvers: ['@keepers'] },
      disabled: { approvers: ['@archivists'] },
      short: { approvers: ['UJON00002', 'UAIKO0003'], quorum: 2 },
      passed: { approvers: ['UJON00002'], escalate_after: '1s', escalate_to: ['UAIKO0003'] },
    },
    groups: { keepers: ['aiko'], archivists: ['priya'] },
    env: { AUDIT_CHANNEL: 'general' },
    bot: { lookForDecidersMs: 3_000 },
  });
  world.slack.admin.deactivate('aiko');
  world.slack.admin.disableGroup('archivists');
});
afterAll(() => world.stop());

const as = (handle: string) => world.slack.as(handle);

/** What is posted in the channel of checkpoints about a crew. */
const reports = (crew: string, releases: string) =>
  world.slack
    .messages()
    .filter(({ channel, threadTs }) => channel !== releases && threadTs === undefined)
    .map((message) => visibleText({ ...message, files: [] }))
    .filter((text) => text.includes(`· ${crew}`) && text.includes('⚠️'));

const counted = async (crew: string) => {
  const metrics = await Promise.all(world.ports.map((port) => scrape(port)));
  return metrics.reduce((sum, each) => sum + (each.get(`signoff_undecidable_total{crew="${crew}"}`) ?? 0), 0);
};

it.each([
  ['disabled', 'Nobody can decide this now: there is no active member behind @archivists.'],
  ['short', 'Nobody can complete this now: it takes 2 approvals, but only Jon Bell can decide.'],
  ['passed', 'It was escalated to Aiko Tanaka, but there is no active member behind that.'],
])(
  'Card, thread, starter, operators and a metric say once why nobody can complete a request whose people are %s',
  async (crew, why) => {
    const run = await world.run(crew);
    await run.shows(why);
    await expect.poll(() => run.repliesWith(`. ${why}`)).toMatchObject([{ notified: [as('maria').id] }]);
    await expect.poll(() => reports(crew, run.root.channel)).toEqual([expect.stringContaining(why)]);
    await expect.poll(() => counted(crew)).toBe(1);
  },
);

it('Nobody is offered to ask people of whom none is left, and it is taken back once somebody is', async () => {
  const run = await world.run('emptied');
  await run.shows('there is no active member behind @keepers');
  await as('priya').click('Approve', { in: run.card });
  const answer = await privateAnswerTo(as('priya'), CHANNEL, 'You aren’t allowed to decide this.');
  expect(JSON.stringify(answer)).not.toContain('Ask them');
  await as('priya').closeModal();
  await world.setGroup('keepers', ['priya']);
  await expect
    .poll(() => run.repliesWith('There are enough people again'))
    .toMatchObject([{ notified: [as('priya').id] }]);
  expect(await run.shows('@keepers can decide')).not.toContain('Nobody can decide');
  await as('priya').click('Approve', { in: run.card });
  expect(await run.told()).toEqual(['approved: Approved.']);
  expect(run.repliesWith('no active member')).toHaveLength(1);
});
