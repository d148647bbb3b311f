import { afterAll, beforeAll, describe, it } from 'vitest';
import { visibleText } from '../../src/sandbox/slack-workspace/driver/visible-text.ts';
import { type PolicyWorld, startPolicyWorld } from '../support/policy-world.ts';

/** Only Maria and Jon are in it. */
const CHANNEL = '#incidents';

let world: PolicyWorld;

beforeAll(async () => {
  world = await startPolicyWorld({
    crews: {
      named: { approvers: ['UPRIYA004'] },
      grouped: { approvers: ['@mixed'] },
      reminding: { approvers: ['UPRIYA004'], remind_after: '1s' },
      escalating: { approvers: ['UJON00002'], escalate_after: '1s', escalate_to: ['@away'] },
      asked: { approvers: ['UPRIYA004'] },
      leaving: { approvers: ['UJON00002'] },
    },
    // Nobody asks who is in the channel before the run ends.
    more: { leaving: { notify: 'none' } },
    groups: { mixed: ['jon', 'aiko'], away: ['aiko', 'priya'] },
  });
});
afterAll(() => world.stop());

const as = (handle: string) => world.slack.as(handle);
const directly = async (handle: string, words: string | RegExp) => as(handle).sees('Signoff', words);

describe.concurrent('A person who isn’t in the channel, so that no mention reaches them', () => {
  it('gets the card directly, and decides it there', async ({ expect }) => {
    const run = await world.run('named', { channel: CHANNEL });
    const card = await directly(
      'priya',
      /You can decide, but aren’t in its channel, which is private(.|\n)*named(.|\n)*Approve/,
    );
    await as('priya').click('Approve', { in: card });
    expect(await run.told()).toEqual(['approved: Approved.']);
  });

  it('gets it as a member of a group, which is mentioned as a group', async ({ expect }) => {
    const run = await world.run('grouped', { channel: CHANNEL });
    const card = await directly('aiko', /grouped(.|\n)*Approve/);
    // Who is in the channel is told by the mention there.
    expect(run.repliesWith('Approval needed')).toMatchObject([{ notified: [as('jon').id, as('maria').id].sort() }]);
    const { channels } = await as('jon').snapshot();
    const heard = channels.some(({ name }) => name === 'Signoff') ? await as('jon').channel('Signoff') : [];
    expect(heard.map(visibleText).join()).not.toContain('grouped');
    await as('aiko').click('Approve', { in: card });
    await run.told();
  });

  it('is reminded directly, too', async ({ expect }) => {
    const run = await world.run('reminding', { channel: CHANNEL });
    const card = await directly('priya', /reminding(.|\n)*Approve/);
    const reminder = await directly('priya', /has been waiting for approval(.|\n)*reminding · leaf no\. \d\./);
    // The channel is private: a link into it leads her nowhere.
    for (const each of [card, reminder]) expect(visibleText(each)).not.toMatch(/<#|archives/);
    await expect.poll(() => run.repliesWith('has been waiting').length).toBeGreaterThan(0);
    await as('priya').click('Approve', { in: card });
    await run.told();
  });

  it('gets the card once they may decide, too', async () => {
    const run = await world.run('escalating', { channel: CHANNEL });
    await directly('priya', /escalating(.|\n)*Approve/);
    await as('aiko').click('Approve', { in: await directly('aiko', /escalating(.|\n)*Approve/) });
    await run.told();
  });

  it('hears that somebody asks them', async () => {
    const run = await world.run('asked', { channel: CHANNEL });
    const card = await directly('priya', /asked(.|\n)*Approve/);
    await as('jon').click('Approve', { in: run.card });
    await as('jon').seesModal('You aren’t allowed to decide this');
    await as('jon').click('Ask them', { in: 'modal' });
    await directly('priya', 'Jon Bell asks you to decide.');
    await as('jon').closeModal();
    await as('priya').click('Approve', { in: card });
    await run.told();
  });

  it('hears directly how their run ended', async () => {
    const run = await world.run('leaving', { channel: '#releases' });
    world.slack.admin.removeFromChannel('#releases', 'maria');
    await as('jon').click('Approve', { in: run.card });
    await directly('maria', /leaving\* finished in (.|\n)*leaf no\. \d\. · <#C0RELEASE2> · (.|\n)*Open the thread/);
  });
});
