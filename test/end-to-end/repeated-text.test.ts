import { RunState, run } from '@openai/agents';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { fromOpenAIAgents } from '../../src/sandbox/crew-service/frameworks/openai-agents.ts';
import { visibleText } from '../../src/sandbox/slack-workspace/driver/visible-text.ts';
import { eagerAgent } from '../sandbox/crew-service/frameworks/refunds.ts';
import { startWorld, type World } from '../support/world.ts';

let world: World;

beforeAll(async () => {
  // Only in this dialect nothing but the text tells a repeated notice from a new round.
  const inputs = { order: z.string() };
  const eager = { name: 'eager', inputs, input: () => 'Refund it, twice.', run, RunState };
  world = await startWorld({ dialect: 'spec', fixtures: 2, flows: [{ flow: fromOpenAIAgents(eagerAgent(), eager) }] });
  await world.startBot();
});
afterAll(() => world.stop());

describe('a new round', () => {
  it('with the same text as before says that it may be a repeated notice, and asks to make sure', async () => {
    const { start, jon, card, reject, run } = await world.fixture([
      { name: 'draft', agent: 'Writer', humanInput: true, output: 'Always the same.' },
    ]);
    await start();
    await reject(await card(), 'Different, please');
    const second = await card('Round 2');
    expect(visibleText(second)).toContain('same text as in round 1');
    expect(visibleText(second).split('\n').slice(0, 6).join()).toContain('Same text as round 1');
    await expect(jon.click('Approve', { in: second })).rejects.toThrow();
    await jon.click('Approve', { in: second, confirm: 'Approve anyway' });
    const { reviews } = await run('is completed', ({ status }) => status === 'completed');
    expect(reviews.map(({ approved }) => approved)).toEqual([false, true]);
  });
});

describe('A request after an approval', () => {
  it('a model that calls the tool again with the same arguments gets a second card', async () => {
    const [maria, jon] = [world.slack.as('maria'), world.slack.as('jon')];
    await maria.command('#releases', '/kickoff', 'eager order=A-1');
    const root = await maria.sees('#releases', /eager(.|\n)*Stop tracking…/);
    const first = await jon.seesInThread(root, 'Amount: 20');
    await jon.click('Approve', { in: first });
    await jon.seesChanged(first, 'Sent to the crew.');
    const second = await jon.waitFor('a second card', ({ messages }) =>
      Object.values(messages)
        .flat()
        .find(({ threadTs, ts, ...message }) => threadTs === root.ts && ts > first.ts && isCard(message)),
    );
    expect(visibleText(second)).not.toContain('same text');
    await jon.click('Approve', { in: second });
    await jon.seesInThread(root, 'paid 20, paid 20');
    await jon.seesChanged(root, 'Completed');
  });

  it('a crew that asks the same in the same words gets a card that asks to make sure, since its status says that it waits', async () => {
    const { start, setTasks, jon, card, approve, addFault, requests, webhooks, asked, run } = await world.fixture();
    await setTasks([
      { name: 'draft', agent: 'Writer', humanInput: true, output: 'Always the same.' },
      { name: 'title', agent: 'Writer', humanInput: true, output: 'Tea' },
    ]);
    await addFault({ webhook: 'human-input', effect: 'drop', skip: 1 });
    await start();
    await approve(await card());
    await run('waits again', ({ task, status }) => task === 'title' && status === 'waiting');
    const [kickoff] = await requests('kickoff');
    const [notification] = await webhooks('human-input');
    const { url, authentication } = JSON.parse(kickoff?.body ?? '').humanInputWebhook;
    const headers = { authorization: `Bearer ${authentication.token}`, 'content-type': 'application/json' };
    expect((await fetch(url, { method: 'POST', headers, body: notification?.body ?? '' })).status).toBe(200);
    const polls = (await requests('status')).length;
    const second = await card('Round 2');
    expect((await asked('status', polls + 2)).length).toBeGreaterThanOrEqual(polls + 2);
    expect(visibleText(second)).toContain('same text as in round 1, and the crew’s status says that it waits');
    await expect(jon.click('Approve', { in: second })).rejects.toThrow();
  });
});

function isCard(message: Parameters<typeof visibleText>[0]): boolean {
  return visibleText(message).includes('Approval needed');
}
