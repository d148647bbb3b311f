import { afterAll, beforeAll, it } from 'vitest';
import type { Message } from '../../src/sandbox/slack-workspace/people-api.ts';
import { CHANNEL, type PolicyWorld, startPolicyWorld } from '../support/policy-world.ts';
import { privateAnswerTo } from '../support/private-answer.ts';

let world: PolicyWorld;
beforeAll(async () => {
  world = await startPolicyWorld({
    crews: { owned: { approvers: ['input:topic'] }, other: {} },
    more: { owned: { inputs: { topic: { label: 'Owner' } } } },
  });
});
afterAll(() => world.stop());

const as = (handle: string) => world.slack.as(handle);

/** Maria starts a run whose owner is this; resolves to its card. */
async function cardOf(owner: string): Promise<Message> {
  await as('maria').command(CHANNEL, '/kickoff', `owned topic=${owner}`);
  return as('maria').seesInThread(await as('maria').sees(CHANNEL, owner), 'Round 1');
}

it('whom an input names decides, and nobody else', async () => {
  const card = await cardOf('UJON00002');
  await as('aiko').click('Approve', { in: card });
  await privateAnswerTo(as('aiko'), CHANNEL, 'You aren’t one of those who can decide this.');
  await as('aiko').closeModal();
  await as('jon').click('Approve', { in: card });
  await as('jon').seesChanged(card, 'Jon Bell approved');
});

it('who starts a run can’t name themselves', async () => {
  const card = await cardOf('UMARIA001');
  await as('maria').click('Approve', { in: card });
  await privateAnswerTo(as('maria'), CHANNEL, 'You aren’t one of those who can decide this.');
});
