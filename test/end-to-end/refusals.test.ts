import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { FollowedRun } from '../support/followed-run.ts';
import { CHANNEL, type PolicyWorld, startPolicyWorld } from '../support/policy-world.ts';
import { privateAnswerTo } from '../support/private-answer.ts';

/** What the answer to each button is called. */
const TITLES = {
  Approve: 'You can’t approve this',
  'Approve with note…': 'You can’t approve this',
  'Reject…': 'You can’t reject this',
  'Add an approver…': 'You can’t add anyone',
} as const;

type Label = keyof typeof TITLES;

const OTHERS = 'Who can decide: @release-managers and Jon Bell.';

describe('People who may not decide, with two bots', () => {
  let world: PolicyWorld;
  let run: FollowedRun;

  beforeAll(async () => {
    world = await startPolicyWorld({
      crews: {
        guarded: { approvers: ['@release-managers', 'UJON00002'], self_approval: false },
        unsure: { approvers: ['@unsure'] },
        welcoming: { approvers: ['UGUEST005', 'USTRANGE6'], guests: true },
        handing: { approvers: ['UJON00002'], self_approval: false, delegation: 'anyone' },
        naming: { approvers: ['UJON00002'], escalate_after: '1d', escalate_to: ['@away'] },
        keeping: { approvers: ['UJON00002'], delegation: 'none' },
      },
      groups: { unsure: ['jon'], away: ['priya'] },
      // A card that mentions a group would have asked who is in it, and whoever posted it would know.
      more: { unsure: { notify: 'none' } },
    });
    run = await world.run('guarded');
  });
  afterAll(() => world.stop());

  const as = (handle: string) => world.slack.as(handle);

  /** Clicks, and resolves to the reason that only this person is told. */
  async function refused(
    who: string,
    { card }: FollowedRun,
    label: Label = 'Approve',
    channel = CHANNEL,
  ): Promise<string> {
    await as(who).click(label, { in: card });
    const { text } = await privateAnswerTo(as(who), channel, TITLES[label]);
    await as(who).closeModal();
    return text;
  }

  it.each([
    ['maria', `You started this run, so somebody else has to decide. ${OTHERS}`],
    ['priya', `You aren’t allowed to decide this. ${OTHERS}`],
    ['gina', `You’re a guest in this workspace, and guests can’t decide this. ${OTHERS}`],
    ['luca', `You’re a guest in this workspace, and guests can’t decide this. ${OTHERS}`],
  ])('learn why, and who can: %s', async (who, reason) => {
    for (const label of ['Approve', 'Approve with note…', 'Reject…', 'Add an approver…'] as const) {
      const text = await refused(who, run, label);
      expect(text).toContain(reason);
      expect(text).toContain('[Ask them]');
    }
    expect(run.replies()).toHaveLength(1);
  });

  it('may have the others asked, once an hour', async () => {
    const before = run.replies().length;
    await as('priya').click('Approve', { in: run.card });
    await as('priya').click('Ask them', { in: 'modal' });
    await as('priya').seesModal('Signoff asked them in the thread');
    await as('priya').closeModal();
    await as('gina').click('Approve', { in: run.card });
    await as('gina').click('Ask them', { in: 'modal' });
    await as('gina').seesModal('You can ask again an hour after that.');
    await as('gina').closeModal();
    await expect.poll(() => run.repliesWith('Priya Nair asks you to decide')).toHaveLength(1);
    expect(run.replies()).toHaveLength(before + 1);
    // A group is mentioned with all who are in it.
    expect(run.replies().at(-1)?.notified).toEqual(['aiko', 'jon', 'maria'].map((who) => as(who).id).toSorted());
  });

  it('are people of other organisations, who learn why and not who can', async () => {
    const shared = await world.run('guarded', { channel: '#partners' });
    for (const who of ['sam', 'ines', 'maria.northwind']) {
      const text = await refused(who, shared, 'Approve', '#partners');
      expect(text).toContain('Only members of the workspace where Signoff is installed can do this.');
      expect(text).not.toContain('release-managers');
      expect(text).not.toContain('Ask them');
    }
    await as('jon').click('Approve', { in: shared.card });
    expect(await shared.told()).toEqual(['approved: Approved.']);
  });

  it('aren’t guests and people of other organisations whom the policy welcomes by their ids', async () => {
    const shared = await world.run('welcoming', { channel: '#partners' });
    expect(await refused('maria', shared, 'Approve', '#partners')).toContain(
      'Who can decide: Gina Rossi and Sam Okafor.',
    );
    await as('sam').click('Approve', { in: shared.card });
    await shared.shows('Sam Okafor approved');
    expect(await shared.told()).toEqual(['approved: Approved.']);
  });

  it('is everybody while Slack can’t tell', async () => {
    const asked = await world.run('unsure');
    const effect = { kind: 'status', status: 500 } as const;
    // Before the restart: a bot may read the groups for other runs as soon as it is up.
    world.slack.faults.add({ method: 'usergroups.list', times: 999, effect });
    await world.restart();
    const text = await refused('jon', asked);
    expect(text).toContain('Slack can’t tell right now whether you’re in @unsure. Try again in a minute.');
    expect(text).not.toContain('Ask them');
    world.slack.faults.clear();
    expect(await asked.toldSoFar()).toEqual([]);
    await as('jon').click('Approve', { in: asked.card });
    expect(await asked.told()).toEqual(['approved: Approved.']);
  });

  it('may be added only as the rules of the crew say', async () => {
    const asked = await world.run('naming');
    await as('jon').click('Add an approver…', { in: asked.card });
    await as('jon').choose('Who should decide?', 'aiko');
    await expect(as('jon').submit()).rejects.toThrow(
      'Aiko Tanaka can’t be added: this crew’s rules allow only the people they name.',
    );
    await as('jon').choose('Who should decide?', 'priya');
    await as('jon').submit();
    await asked.shows('Can decide, too: Priya Nair (added by Jon Bell)');
    await as('priya').click('Approve', { in: asked.card });
    expect(await asked.told()).toEqual(['approved: Approved.']);
    const kept = await world.run('keeping');
    expect(await kept.shows('Who can decide?')).not.toContain('Add an approver');
    await as('jon').click('Approve', { in: kept.card });
    await kept.told();
  });

  it('may be given the decision by somebody who may, but for those whom the policy bars', async () => {
    const asked = await world.run('handing');
    expect(await refused('priya', asked)).toContain('Who can decide: Jon Bell.');
    await as('jon').click('Add an approver…', { in: asked.card });
    for (const [name, reason] of [
      ['maria', 'Maria Alvarez started this run, so somebody else has to decide.'],
      ['gina', 'Gina Rossi is a guest in this workspace, and guests can’t decide this.'],
      ['sam', 'Sam Okafor is from another organisation and can’t decide this.'],
    ] as const) {
      await as('jon').choose('Who should decide?', name);
      await expect(as('jon').submit()).rejects.toThrow(reason);
    }
    await as('jon').choose('Who should decide?', 'priya');
    await as('jon').submit();
    await asked.shows('Can decide, too: Priya Nair (added by Jon Bell)');
    await as('priya').sees('Signoff', /Jon Bell added you as an approver.*handing/s);
    await as('priya').click('Approve', { in: asked.card });
    await asked.shows('Priya Nair (for Jon Bell) approved');
    expect(await asked.told()).toEqual(['approved: Approved.']);
    await as('maria').seesInThread(asked.root, 'Finished.');
    expect(asked.replies()).toHaveLength(2);
  });
});
