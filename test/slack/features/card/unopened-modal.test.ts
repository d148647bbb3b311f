import { afterAll, beforeAll, expect, it } from 'vitest';
import { parseApprover } from '../../../../src/core/policy/policy.ts';
import type { Person } from '../../../../src/sandbox/slack-workspace/driver/person.ts';
import { visibleText } from '../../../../src/sandbox/slack-workspace/driver/visible-text.ts';
import { type ApprovalWorld, startApprovalWorld } from '../../request/approval-world.ts';

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
  const isLate = failing.includes('chat.postEphemeral');
  if (isLate) {
    await expect.poll(async () => (await world.load(ref)).privateAnswers[0]).toBeDefined();
    world.slack.faults.clear();
    await world.tell(ref);
  }
  const words = 'You aren’t allowed to decide this. Who can decide: UPRIYA004.';
  const told = await (isLate ? jon.sees('Signoff', words) : jon.seesPrivately('#decide', words));
  expect(visibleText(told)).toContain('[Ask them]');
  world.slack.faults.clear();
  await jon.click('Ask them', { in: told });
  await jon.seesModal('Signoff asked them in the thread');
  expect((await world.approvalOf(ref)).discussion.alerts).toMatchObject([{ kind: 'ask', mentions: ['UPRIYA004'] }]);
});

it.each([
  ['without a message', (jon: Person) => jon.globalShortcut('Start a crew')],
  [
    'on a message in a channel without the bot',
    async (jon: Person) => jon.messageShortcut('Start a crew with it', await jon.say('#random', 'Tea')),
  ],
])('a person who used a shortcut %s is told directly when to use it again, if Slack is down', async (_, use) => {
  const jon = world.slack.as('jon');
  world.slack.faults.add({ method: 'views.open', effect: { kind: 'status', status: 503 }, times: 2 });
  const before = world.slack.messages().length;
  await use(jon);
  await expect
    .poll(() =>
      world.slack
        .messages()
        .slice(before)
        .map(({ text }) => text),
    )
    .toContain('Slack couldn’t open this. Try again in 10 seconds.');
  world.slack.faults.clear();
});
