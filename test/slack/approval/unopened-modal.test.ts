import { afterAll, beforeAll, expect, it } from 'vitest';
import { parseApprover } from '../../../src/core/approval/policy/approver.ts';
import { visibleText } from '../../../src/sandbox/slack-workspace/driver/visible-text.ts';
import { type ApprovalWorld, startApprovalWorld } from './approval-world.ts';

let world: ApprovalWorld;
beforeAll(async () => {
  world = await startApprovalWorld();
});
afterAll(() => world.stop());

it.each([
  ['no modal can be opened', ['views.open']],
  ['Slack takes the answer only later', ['views.open', 'chat.postEphemeral']],
])('a person who can’t decide is offered to ask the others, even if %s', async (_, failing) => {
  const jon = world.slack.as('jon');
  const { ref, card } = await world.asks({ approvers: ['UPRIYA004'].flatMap((id) => parseApprover(id) ?? []) });
  for (const method of failing) world.slack.faults.add({ method, effect: { kind: 'status', status: 503 } });
  await jon.click('Approve', { in: card });
  if (failing.includes('chat.postEphemeral')) {
    await expect.poll(async () => (await world.load(ref)).privateAnswers[0]).toBeDefined();
    world.slack.faults.clear();
    await world.tell(ref);
  }
  const told = await jon.seesPrivately(
    '#decide',
    'You aren’t one of those who can decide this. Who can decide: UPRIYA004.',
  );
  expect(visibleText(told)).toContain('[Ask them]');
  world.slack.faults.clear();
  await jon.click('Ask them', { in: told });
  await jon.seesModal('They’ve been asked in the thread');
  expect((await world.approvalOf(ref)).alerts).toMatchObject([{ kind: 'ask', mentions: ['UPRIYA004'] }]);
});
