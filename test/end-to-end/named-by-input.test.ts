import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Message } from '../../src/sandbox/slack-workspace/people-api.ts';
import { CHANNEL, type PolicyWorld, startPolicyWorld } from '../support/policy-world.ts';
import { privateAnswerTo } from '../support/private-answer.ts';
import { startedFrom } from '../support/started-from.ts';

let world: PolicyWorld;
beforeAll(async () => {
  world = await startPolicyWorld({
    manifest: 'workflows',
    crews: { owned: { approvers: ['input:topic'] }, other: {} },
    more: { owned: { inputs: { topic: { label: 'Owner' } } } },
  });
});
afterAll(() => world.stop());

const as = (handle: string) => world.slack.as(handle);
const OWN_ID = 'UMARIA001';

/** Maria starts a run whose owner is this; resolves to its card. */
async function cardOf(owner: string): Promise<Message> {
  await as('maria').command(CHANNEL, '/kickoff', `owned topic=${owner}`);
  return as('maria').seesInThread(await as('maria').sees(CHANNEL, owner), 'Approval needed');
}

it('The person whom an input names decides, and nobody else', async () => {
  const card = await cardOf('UJON00002');
  await as('aiko').click('Approve', { in: card });
  await privateAnswerTo(as('aiko'), CHANNEL, 'You aren’t allowed to decide this.');
  await as('aiko').closeModal();
  await as('jon').click('Approve', { in: card });
  await as('jon').seesChanged(card, 'Jon Bell approved');
});

it('The person whom a command mentions decides, and the thread calls them by their name', async () => {
  const card = await cardOf('@jon');
  await as('jon').click('Approve', { in: card });
  await as('jon').seesChanged(card, 'Jon Bell approved');
});

/** How Maria starts a run of which she is the owner. */
const STARTS: Record<string, () => Promise<void>> = {
  'the command': () => as('maria').command(CHANNEL, '/kickoff', `owned topic=${OWN_ID}`),
  'the form': async () => {
    await as('maria').command(CHANNEL, '/kickoff', 'owned');
    await as('maria').fill('Owner', OWN_ID);
    await as('maria').submit();
    await startedFrom(as('maria'));
  },
  'a message': async () => {
    await as('maria').messageShortcut('Start a crew with it', await as('jon').say(CHANNEL, OWN_ID));
    await as('maria').choose('Crew', 'owned');
    await as('maria').submit();
    await expect.poll(() => as('maria').chosen('Owner')).toEqual([OWN_ID]);
    await as('maria').submit();
    await as('maria').seesModal('has started');
  },
};

it.each(Object.keys(STARTS))('A person who starts a run by %s can’t name themselves', async (way) => {
  const before = new Set((await as('maria').channel(CHANNEL)).map(({ ts }) => ts));
  await STARTS[way]?.();
  const root = await as('maria').waitFor('the new run', ({ messages }) =>
    messages.C0RELEASE2?.find(({ ts, text }) => !before.has(ts) && text.includes('owned: Waiting')),
  );
  const card = await as('maria').seesInThread(root, 'Approval needed');
  await as('maria').click('Approve', { in: card });
  await privateAnswerTo(as('maria'), CHANNEL, 'You aren’t allowed to decide this.');
  await as('maria').closeModal();
});

it('a workflow, which can name anybody as who starts a run, starts none whose approvers an input names', async () => {
  world.slack.buildWorkflow({
    name: 'Publish',
    form: [{ name: 'starter', label: 'Starter', type: 'person', isOptional: true }],
    steps: [
      {
        function: 'start_crew',
        inputs: { crew: 'owned', channel: 'C0RELEASE2', inputs: `topic: ${OWN_ID}`, started_by: '{{form.starter}}' },
      },
    ],
  });
  const starts = (await world.crews.sandbox.runs()).length;
  for (const form of [{}, { Starter: as('jon').id }]) {
    const run = await as('maria').startWorkflow('Publish', form);
    expect((await as('maria').seesWorkflow(run, 'failed')).error).toContain('it matters who starts owned');
  }
  expect(await world.crews.sandbox.runs()).toHaveLength(starts);
});
