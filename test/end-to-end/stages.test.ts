import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { homeText, modalText } from '../../src/sandbox/slack-workspace/driver/visible-text.ts';
import { oldButtons } from '../support/old-buttons.ts';
import { CHANNEL, type PolicyWorld, startPolicyWorld } from '../support/policy-world.ts';
import { privateAnswerTo } from '../support/private-answer.ts';

const RELEASES = {
  approvers: ['@release-managers'],
  when: [
    {
      if: "inputs.topic.startsWith('leaf')",
      stages: [
        { name: 'Peer', approvers: ['channel', '@release-managers'] },
        { name: 'Release', approvers: ['@release-managers'] },
      ],
    },
  ],
};

const PRICES = {
  stages: [
    { name: 'Peer', approvers: ['channel'] },
    { name: 'Release', approvers: ['UAIKO0003', 'UPRIYA004'] },
  ],
};

const QUIET = {
  stages: [
    { name: 'Peer', approvers: ['UAIKO0003'] },
    { name: 'Release', approvers: ['UPRIYA004'] },
  ],
};

const CONTRACTS = { all_of: ['@legal', '@security'] };

describe('rules that follow the request, with two bots', () => {
  let world: PolicyWorld;

  beforeAll(async () => {
    world = await startPolicyWorld({
      crews: { releases: RELEASES, contracts: CONTRACTS, prices: PRICES, quiet: QUIET },
      more: { releases: { inputs: { topic: { type: 'text' } } }, quiet: { notify: 'dm' } },
      groups: { security: ['jon', 'aiko'] },
    });
  });
  afterAll(() => world.stop());

  const as = (handle: string) => world.slack.as(handle);

  it('take one stage after the other, through a restart, each approved by somebody else', async () => {
    const run = await world.run('releases', { by: 'jon' });
    await run.shows(/Stage 1 of 2, \*Peer\*: all members of this channel and .+ can decide · then \*Release\*/);

    const [aiko, maria] = [as('aiko'), as('maria')];
    for (const person of [aiko, maria]) {
      await person.openHome();
      expect(homeText(await person.seesHome('1 request is waiting for you'))).toMatch(
        /\*releases\*.*stage 1 of 2, \*Peer\*/s,
      );
    }
    await aiko.click('Approve', { in: 'home', from: 'Review' });
    const home = homeText(await aiko.seesHome('*Peer* is complete; *Release* is next.'));
    expect(home).not.toContain('Withdraw my vote');
    expect(homeText(await aiko.seesHome('you have approved a stage before'))).toContain('Nothing is waiting for you');
    const card = await run.shows('Stage 2 of 2, *Release*');
    expect(card).toContain('☑️ *Peer* approved: Aiko Tanaka');
    expect(card).not.toContain('Withdraw my vote');
    await expect
      .poll(() => run.repliesWith('*Peer* is approved by Aiko Tanaka. Please decide *Release*.'))
      .toHaveLength(1);
    const [alert] = run.repliesWith('Please decide *Release*.');
    expect(alert?.notified).toContain(maria.id);

    await world.restart();
    expect(await run.toldSoFar()).toEqual([]);
    await aiko.click('Approve', { in: run.card });
    const approvedBefore = 'You approved *Peer* already, so somebody else has to approve *Release*.';
    await privateAnswerTo(aiko, CHANNEL, approvedBefore);
    await aiko.closeModal();
    await aiko.click('Who can decide?', { in: run.card });
    await aiko.seesModal(`🚫 ${approvedBefore} You can still reject it.`);
    await aiko.closeModal();
    await as('jon').click('Approve', { in: run.card });
    await privateAnswerTo(as('jon'), CHANNEL, 'You aren’t allowed to decide this.');
    await as('jon').closeModal();

    await maria.click('Who can decide?', { in: run.card });
    const who = modalText(await maria.seesModal('Who can decide?'));
    expect(who).toContain("These rules apply since `inputs.topic.startsWith('leaf')` (topic: leaf no. 1.).");
    expect(who).toContain('☑️ *Stage 1, Peer*: approved by Aiko Tanaka');
    expect(who).toMatch(/\*Stage 2, Release\* \(open\)\nOne of these has to approve:\n.*Maria Alvarez/);
    await maria.closeModal();
    await maria.openHome();
    expect(homeText(await maria.seesHome('stage 2 of 2, *Release*'))).toContain('1 request is waiting for you');

    await maria.click('Approve', { in: run.card });
    expect(await run.shows('Sent to the crew.')).toContain('Aiko Tanaka and Maria Alvarez approved');
    expect(await run.told()).toEqual(['approved: Approved.']);
    await as('jon').click('History', { in: run.root });
    const story = modalText(await as('jon').seesModal('History'));
    expect(story).toContain(
      "These rules applied: those where “inputs.topic.startsWith('leaf')” holds (topic: leaf no. 1.).",
    );
    expect(story).toContain(
      '<@UAIKO0003> (as a member of the channel) approved request 1, stage “Peer”, which completed',
    );
    expect(story).toContain('<@UMARIA001> (as @release-managers) approved request 1, stage “Release”.');
    await as('jon').closeModal();
  });

  it('take one person each of two groups, and say whose approval is missing', async () => {
    const run = await world.run('contracts');
    await run.shows('🔔 Needs <!subteam^SLEGAL002> and <!subteam^S0GROUP0X> · cc');
    await as('jon').click('Approve', { in: run.card });
    await run.shows('☑️ 1 of 2 approved: Jon Bell · still needs @legal');
    await as('aiko').click('Approve', { in: run.card });
    await run.shows('☑️ 1 of 2 approved: Jon Bell and Aiko Tanaka · still needs @legal');
    await as('jon').click('Withdraw my vote', { in: run.card });
    await run.shows('still needs @legal');
    await as('priya').click('Approve', { in: run.card });
    expect(await run.shows('Sent to the crew.')).toContain('Aiko Tanaka and Priya Nair approved');
    expect(await run.told()).toEqual(['approved: Approved.']);
  });

  it('join the notes of all stages, and say in windows and answers how far they are', async () => {
    const [run, other] = [await world.run('prices'), await world.run('prices')];
    const [jon, aiko] = [as('jon'), as('aiko')];
    await jon.command(CHANNEL, '/kickoff', 'who prices');
    const rules = await privateAnswerTo(jon, CHANNEL, '*Deciding');
    expect(rules.text).toContain('This goes for *Peer*.');
    expect(rules.text).toContain('• Stage 2, “Release”: Aiko Tanaka or Priya Nair can decide.');

    await jon.click('Approve with note…', { in: run.card });
    await jon.fill('Note for the crew', 'Check the sums.');
    await jon.submit();
    const preview = modalText(await jon.seesModal('with your approval'));
    expect(preview).toContain('Jon Bell (UJON00002):\n> Check the sums.');
    expect(preview).toContain('One more person has to approve after you.');
    await jon.submit();
    const card = await run.shows('Stage 2 of 2');
    for (const said of ['*Peer* approved: Jon Bell\n', '💬 Jon Bell: “Check the sums.”']) expect(card).toContain(said);

    await aiko.openHome();
    await aiko.seesHome('2 requests are waiting for you');
    await aiko.click('Select all on this page', { in: 'home' });
    await aiko.seesHome('2 selected');
    await aiko.click('Approve 2 selected…', { in: 'home' });
    expect(modalText(await aiko.seesModal('[Approve 2]'))).toContain('then *Peer* is complete, and *Release* is next');
    await aiko.submit();
    const done = modalText(await aiko.seesModal('continues.'));
    expect(done).toContain('*Peer* is complete; *Release* is next.');
    await aiko.closeModal();
    expect(await run.told()).toEqual(['approved: Jon Bell (UJON00002):\n> Check the sums.']);

    await jon.command(CHANNEL, '/kickoff', 'who');
    const waiting = await privateAnswerTo(jon, CHANNEL, '*Peer* approved: Aiko Tanaka');
    expect(waiting.text).toContain('Stage 2 of 2, *Release*');

    const [value = ''] = JSON.stringify(other.card.blocks).match(/(?<="value":")\{.*?\}(?=")/) ?? [];
    const old = await oldButtons(world.slack, other.card, [['withdraw', JSON.parse(`"${value}"`)]]);
    await aiko.click('withdraw', { in: old });
    await privateAnswerTo(
      aiko,
      CHANNEL,
      'You approved *Peer*, which is complete, so your vote can’t be withdrawn any more.',
    );
    await aiko.closeModal();
    await as('priya').click('Approve', { in: other.card });
    expect(await other.shows('Sent to the crew.')).toContain('Aiko Tanaka and Priya Nair approved');
  });

  it('tell those of the next stage by a direct message, where the crew tells people so', async () => {
    const run = await world.run('quiet');
    const first = await as('aiko').sees('Signoff', 'Stage 1 of 2, *Peer*');
    await as('aiko').click('Approve', { in: first });
    await as('aiko').seesChanged(first, '*Peer* approved: Aiko Tanaka');
    const second = await as('priya').sees('Signoff', 'Stage 2 of 2, *Release*');
    await as('priya').click('Approve', { in: second });
    await as('aiko').seesChanged(first, 'Aiko Tanaka and Priya Nair approved');
    expect(await run.told()).toEqual(['approved: Approved.']);
  });
});
