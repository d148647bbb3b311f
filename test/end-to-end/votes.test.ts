import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { modalText } from '../../src/sandbox/slack-workspace/driver/visible-text.ts';
import type { Message } from '../../src/sandbox/slack-workspace/people-api.ts';
import { CHANNEL, type PolicyWorld, startPolicyWorld } from '../support/policy-world.ts';
import { privateAnswerTo } from '../support/private-answer.ts';

const PAIR = { approvers: ['@release-managers', 'UJON00002'], quorum: 2, self_approval: false };

describe('Several people who decide, with two bots that Slack reaches over Socket Mode', () => {
  let world: PolicyWorld;

  beforeAll(async () => {
    world = await startPolicyWorld({
      slackMode: 'socket',
      crews: { pair: PAIR, shrinking: { approvers: ['@shrinking'], quorum: 2 } },
      groups: { shrinking: ['aiko', 'jon'] },
    });
  });
  afterAll(() => world.stop());

  const as = (handle: string) => world.slack.as(handle);

  /** Writes a note for the crew; resolves to its preview. */
  async function preview(by: string, card: Message, note: string): Promise<string> {
    await as(by).click('Approve with note…', { in: card });
    await as(by).fill('Note for the crew', note);
    await as(by).submit();
    return modalText(await as(by).seesModal('with your approval'));
  }

  it('approve with notes, which the crew receives in their order, each with its author', async () => {
    const run = await world.run('pair');
    await run.shows('🔔 Needs 2 of <!subteam^SRELEASE1> and <@UJON00002> · not Maria Alvarez, who started the run');
    const first = await preview('jon', run.card, 'Mention oolong.');
    expect(first).toContain('So far, *pair* gets this');
    expect(first).toContain('Jon Bell (UJON00002):\n> Mention oolong.');
    expect(first).toContain('One more person has to approve after you. Their note comes below yours.');
    await as('jon').submit();
    await run.shows(/1 of 2 approved: Jon Bell · (.|\n)*💬 Jon Bell: “Mention oolong\.”/);
    const both = 'Jon Bell (UJON00002):\n> Mention oolong.\n\nAiko Tanaka (UAIKO0003):\n> And matcha.';
    const second = await preview('aiko', run.card, 'And matcha.');
    expect(second).toContain('*pair* gets exactly this');
    expect(second).toContain(both);
    expect(await run.toldSoFar()).toEqual([]);
    await as('aiko').submit();
    const decided = await run.shows('Sent to the crew.');
    expect(decided).toContain('Jon Bell and Aiko Tanaka approved');
    expect(decided).toContain(both.replace('\n\n', '\n'));
    expect(await run.told()).toEqual([`approved: ${both}`]);
    await as('maria').seesInThread(run.root, 'Finished.');
    // The card of those who can decide, and the end of the starter.
    const hear = [as('aiko').id, as('jon').id, as('maria').id];
    expect(run.replies().flatMap(({ notified }) => notified)).toEqual([...hear, as('maria').id]);
  });

  it('may withdraw their votes until enough have approved', async () => {
    const run = await world.run('pair');
    await as('jon').click('Approve', { in: run.card });
    await run.shows('1 of 2 approved: Jon Bell');
    await as('aiko').click('Withdraw my vote', { in: run.card });
    await privateAnswerTo(as('aiko'), CHANNEL, 'You have no vote here to withdraw.');
    await as('aiko').closeModal();
    await as('jon').click('Withdraw my vote', { in: run.card });
    expect(await run.shows('withdrew their approval')).not.toContain('Withdraw my vote');
    await as('aiko').click('Approve', { in: run.card });
    await run.shows('1 of 2 approved: Aiko Tanaka');
    await as('aiko').click('Approve', { in: run.card });
    await privateAnswerTo(as('aiko'), CHANNEL, 'Your approval already counts.');
    await as('aiko').closeModal();
    await as('jon').click('Approve', { in: run.card });
    await run.shows('Aiko Tanaka and Jon Bell approved');
    expect(await run.told()).toEqual(['approved: Approved.']);
  });

  it('are outweighed by one rejection, and told who was faster', async () => {
    const run = await world.run('pair');
    await as('jon').click('Approve', { in: run.card });
    await run.shows('1 of 2 approved');
    for (const who of ['jon', 'aiko']) {
      await as(who).click('Reject…', { in: run.card });
      await as(who).fill('What should change?', `Too bitter for ${who}.`);
    }
    await as('aiko').submit();
    await run.shows('Aiko Tanaka rejected');
    await as('jon').submit();
    expect(modalText(await as('jon').seesModal('Aiko Tanaka already rejected this'))).toContain('for jon.');
    await as('jon').closeModal();
    const second = await as('jon').seesInThread(run.root, 'Round 2');
    await Promise.all(['jon', 'aiko'].map((voter) => as(voter).click('Approve', { in: second })));
    expect(await run.told()).toEqual(['rejected: Too bitter for aiko.', 'approved: Approved.']);
  });

  it('count only while they may decide', async () => {
    const run = await world.run('shrinking');
    await as('aiko').click('Approve', { in: run.card });
    await run.shows('1 of 2 approved: Aiko Tanaka');
    await world.setGroup('shrinking', []);
    await as('jon').click('Approve', { in: run.card });
    await privateAnswerTo(as('jon'), CHANNEL, 'You aren’t allowed to decide this. Who can decide: @shrinking.');
    await as('jon').closeModal();
    await world.setGroup('shrinking', ['jon', 'priya']);
    await as('jon').click('Approve', { in: run.card });
    await run.shows('1 of 2 approved: Jon Bell');
    expect(await run.toldSoFar()).toEqual([]);
    await as('priya').click('Approve', { in: run.card });
    await run.shows('Jon Bell and Priya Nair approved');
    expect(await run.told()).toEqual(['approved: Approved.']);
  });
});
