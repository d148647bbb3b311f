import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { USUAL_SETTINGS } from '../../../../src/core/inbox/person-settings.ts';
import { parseApprover } from '../../../../src/core/policy/policy.ts';
import { withRequest } from '../../../../src/core/state/execution.ts';
import { copiesOf } from '../../../../src/core/state/message.ts';
import { ok } from '../../../../src/core/values/result.ts';
import { modalText, visibleText } from '../../../../src/sandbox/slack-workspace/driver/visible-text.ts';
import { type ApprovalWorld, startApprovalWorld } from '../../request/approval-world.ts';

let world: ApprovalWorld;
beforeAll(async () => {
  world = await startApprovalWorld();
});
afterAll(() => world.stop());
beforeEach(() => {
  world.groups.members = { '@release-managers': ['UMARIA001', 'UAIKO0003'] };
  world.groups.canTell = 'now';
});

const named = (...names: string[]) => names.map(parseApprover).filter((each) => each !== null);
const MANAGERS = named('@release-managers', 'UPRIYA004');
const as = (handle: string) => world.slack.as(handle);
const mentions = (ref: string) =>
  world.slack
    .messages()
    .filter(({ metadata }) => new RegExp(`"${ref}".*"alert:`).test(JSON.stringify(metadata ?? {})))
    .filter(({ blocks }) => /<@|<!subteam/.test(JSON.stringify(blocks)));

describe('a person who can’t decide', () => {
  it('learns why and who can, and can have them asked once an hour', async () => {
    const { ref, card } = await world.asks({ approvers: MANAGERS });
    world.groups.members = { '@release-managers': ['UAIKO0003'], SRELEASE1: ['UAIKO0003'] };
    await as('jon').click('Approve', { in: card });
    await as('jon').seesModal('You aren’t allowed to decide this. Who can decide: @release-managers and UPRIYA004.');
    await as('jon').click('Ask them', { in: 'modal' });
    await as('jon').seesModal('Signoff asked them in the thread');
    await world.show(ref);
    expect(mentions(ref).map(({ blocks }) => JSON.stringify(blocks))).toEqual([
      expect.stringMatching(
        /🙋 <!subteam\^SRELEASE1> <@UPRIYA004>: “Task \d+” has been waiting .*Jon Bell asks you to decide/,
      ),
    ]);
    await as('jon').closeModal();
    await as('jon').click('Approve', { in: card });
    await as('jon').click('Ask them', { in: 'modal' });
    await as('jon').seesModal('You can ask again an hour after that');
    await as('jon').closeModal();
    await world.show(ref);
    expect(mentions(ref)).toHaveLength(1);
    expect((await world.approvalOf(ref)).state.status).toBe('pending');
  });

  it('learns why only, from another organisation', async () => {
    const { card } = await world.asks({ approvers: MANAGERS });
    for (const button of ['Approve', 'Who can decide?', 'Add an approver…']) {
      await as('sam').click(button, { in: card });
      const modal = await as('sam').seesModal('Only members of the workspace');
      expect(JSON.stringify(modal)).not.toMatch(/release-managers|Ask them/);
      await as('sam').closeModal();
    }
  });

  it('is told when Slack can’t say', async () => {
    const { ref, card } = await world.asks({ approvers: MANAGERS });
    world.groups.canTell = 'later';
    await as('aiko').click('Approve', { in: card });
    await as('aiko').seesModal('Slack can’t tell right now whether you’re in @release-managers');
    await as('aiko').closeModal();
    expect((await world.approvalOf(ref)).state.status).toBe('pending');
  });

  it('gets back what they typed if the rule has changed meanwhile', async () => {
    const { card } = await world.asks({ approvers: MANAGERS });
    await as('aiko').click('Reject…', { in: card });
    await as('aiko').fill('What should change?', 'All of it.');
    world.groups.members = {};
    await as('aiko').submit();
    await as('aiko').seesModal('You aren’t allowed to decide this');
    await as('aiko').seesModal('All of it.');
    await as('aiko').seesModal('Ask them');
    await as('aiko').closeModal();
  });
});

describe('several approvals', () => {
  it('are counted on the card, may be withdrawn, and the last needed one decides', async () => {
    const { ref, card } = await world.asks({ approvers: MANAGERS, quorum: 2 });
    await as('maria').sees('#decide', /Needs 2 of @release-managers and <@UPRIYA004>/);
    await as('maria').click('Approve', { in: card });
    await world.show(ref);
    await as('jon').seesChanged(card, '1 of 2 approved: Maria Alvarez');
    await as('maria').click('Withdraw my vote', { in: card });
    await world.show(ref);
    await as('jon').seesChanged(card, 'withdrew their approval');
    await as('priya').click('Approve', { in: card });
    await as('maria').click('Approve', { in: card });
    // The card waits a moment for the crew's answer.
    const shown = async () => {
      await world.show(ref);
      return JSON.stringify(world.slack.messages().find(({ ts }) => ts === card.ts)?.blocks);
    };
    await expect.poll(shown).toContain('Priya Nair and Maria Alvarez approved');
  });

  it('count once a person, who is told so', async () => {
    const { ref, card } = await world.asks({ approvers: MANAGERS, quorum: 2 });
    await as('maria').click('Approve', { in: card });
    await as('maria').click('Approve', { in: card });
    const answer = modalText(await as('maria').seesModal('Your approval already counts.'));
    expect(answer).toMatch(/^You already approved\n.*\[Withdraw my vote\]/s);
    expect((await world.approvalOf(ref)).discussion.votes).toHaveLength(1);
    await as('maria').click('Withdraw my vote', { in: 'modal' });
    await as('maria').seesModal('is waiting for a decision again');
    await as('maria').closeModal();
    expect((await world.approvalOf(ref)).discussion.votes).toEqual([]);
  });

  it('join their notes as the preview shows', async () => {
    const { ref, card } = await world.asks({ approvers: MANAGERS, quorum: 2 });
    const writes = async (handle: string, note: string) => {
      await as(handle).click('Approve with note…', { in: card });
      await as(handle).fill('Note for the crew', note);
      await as(handle).submit();
    };
    await writes('maria', 'Shorter.');
    await as('maria').seesModal('One more person has to approve after you');
    await as('maria').submit();
    await world.show(ref);
    await writes('aiko', 'And friendlier.');
    await as('aiko').seesModal(
      /Maria Alvarez \(UMARIA001\):\n> Shorter\.\s+Aiko Tanaka \(UAIKO0003\):\n> And friendlier\./,
    );
    await as('aiko').submit();
    const request = await world.approvalOf(ref);
    expect(request).toMatchObject({
      state: {
        decision: { text: 'Maria Alvarez (UMARIA001):\n> Shorter.\n\nAiko Tanaka (UAIKO0003):\n> And friendlier.' },
      },
    });
  });
});

describe('a note of one person', () => {
  it('is sent as it is typed, without a preview', async () => {
    const { ref, card } = await world.asks({});
    await as('jon').click('Approve with note…', { in: card });
    await as('jon').fill('Note for the crew', ' Fine, but *shorter*. ');
    await as('jon').submit();
    await as('jon').seesNoModal();
    expect(await world.approvalOf(ref)).toMatchObject({ state: { decision: { text: 'Fine, but *shorter*.' } } });
  });

  it('is answered alike when it is submitted again', async () => {
    const { ref, card } = await world.asks({});
    await as('jon').click('Approve with note…', { in: card });
    await as('jon').fill('Note for the crew', 'Fine.');
    await as('jon').submit();
    const sent = await world.approvalOf(ref);
    expect(await world.slack.redeliver('view_submission')).toEqual({ ok: true, body: '{"response_action":"clear"}' });
    expect(await world.approvalOf(ref)).toEqual(sent);
  });
});

describe('approving very soon', () => {
  it('takes a confirmation, once', async () => {
    const { ref, card } = await world.asks({ minReviewMs: 3_600_000 });
    await as('jon').click('Approve', { in: card });
    await as('jon').seesModal('Approve so soon?');
    expect((await world.approvalOf(ref)).state.status).toBe('pending');
    await as('jon').submit();
    expect((await world.approvalOf(ref)).state.status).toBe('decided');
  });

  it('is confirmed by the preview of a note', async () => {
    const { ref, card } = await world.asks({ minReviewMs: 3_600_000 });
    await as('jon').click('Approve with note…', { in: card });
    await as('jon').fill('Note for the crew', 'Fine.');
    await as('jon').submit();
    await as('jon').seesModal('Approve so soon?');
    await as('jon').submit();
    expect((await world.approvalOf(ref)).state.status).toBe('decided');
  });
});

describe('adding an approver', () => {
  it('lets another person decide, who is told directly, once', async () => {
    const { ref, card } = await world.asks({ approvers: MANAGERS, delegation: 'anyone' });
    const handOver = async (to: string) => {
      await as('aiko').click('Add an approver…', { in: card });
      await as('aiko').choose('Who should decide?', to);
      await as('aiko').submit();
    };
    await handOver('Jon Bell');
    await handOver('Jon Bell');
    await world.show(ref);
    const told = world.slack
      .messages()
      .filter(({ blocks }) => JSON.stringify(blocks).includes('added you as an approver'));
    expect(told.map(({ blocks }) => JSON.stringify(blocks))).toEqual([
      expect.stringMatching(/Aiko Tanaka added you as an approver.*\/archives\/C0DECIDE1\/p/),
    ]);
    await as('priya').seesChanged(card, 'Can decide, too: Jon Bell (added by Aiko Tanaka)');
    await as('jon').click('Who can decide?', { in: card });
    await as('jon').seesModal('you were added as an approver');
    await as('jon').closeModal();
    await as('jon').click('Approve', { in: await as('jon').sees('Signoff', 'Aiko Tanaka added you as an approver') });
    const decidedBy = { state: { status: 'decided', decision: { by: { id: 'UJON00002' } } } };
    // A direct message isn't another copy of the card.
    expect(await world.approvalOf(ref)).toMatchObject(decidedBy);
    expect(copiesOf(await world.load(ref), '1')).toEqual([]);
  });

  it('answers those who are late in their direct message', async () => {
    const { ref, card } = await world.asks({ approvers: MANAGERS, delegation: 'anyone' });
    await as('aiko').click('Add an approver…', { in: card });
    await as('aiko').choose('Who should decide?', 'Priya Nair');
    await as('aiko').submit();
    await world.show(ref);
    const direct = await as('priya').sees('Signoff', 'Aiko Tanaka added you as an approver');
    await as('aiko').click('Approve', { in: card });
    await as('priya').click('Reject…', { in: direct });
    await as('priya').seesModal('Aiko Tanaka already approved');
    await as('priya').closeModal();
    world.slack.faults.add({ method: 'views.open', effect: { kind: 'error', error: 'expired_trigger_id' }, times: 1 });
    await as('priya').click('Approve', { in: direct });
    await as('priya').seesPrivately('Signoff', 'Aiko Tanaka already approved');
  });

  it.each([
    ['Gina Rossi', 'Gina Rossi is a guest in this workspace'],
    ['Maria Alvarez', 'Maria Alvarez started this run'],
    ['Aiko Tanaka', 'You can decide this yourself'],
  ])('says under the field why not to %s', async (to, words) => {
    const { ref, card } = await world.asks({ approvers: MANAGERS, selfApproval: false, delegation: 'anyone' });
    await as('aiko').click('Add an approver…', { in: card });
    await as('aiko').choose('Who should decide?', to);
    await expect(as('aiko').submit()).rejects.toThrow(words);
    await as('aiko').closeModal();
    expect((await world.approvalOf(ref)).discussion.handedOver).toEqual([]);
  });
});

describe('where the rules say who may be added', () => {
  it('says under the field that they don’t name a person', async () => {
    const { ref, card } = await world.asks({ approvers: MANAGERS });
    await as('aiko').click('Add an approver…', { in: card });
    await as('aiko').choose('Who should decide?', 'Jon Bell');
    const why = 'Jon Bell can’t be added: this crew’s rules allow only the people they name.';
    await expect(as('aiko').submit()).rejects.toThrow(why);
    await as('aiko').closeModal();
    expect((await world.approvalOf(ref)).discussion.handedOver).toEqual([]);
  });

  it('offers nobody to add where nobody may be, and says so to who clicks all the same, or has the form open', async () => {
    const { ref, card } = await world.asks({ approvers: MANAGERS });
    await as('aiko').click('Add an approver…', { in: card });
    await as('aiko').choose('Who should decide?', 'Priya Nair');
    await world.rules(ref, { approvers: MANAGERS, delegation: 'none' });
    const why = 'This crew’s rules don’t let anybody add an approver.';
    await expect(as('aiko').submit()).rejects.toThrow(why);
    await as('aiko').closeModal();
    await as('aiko').click('Add an approver…', { in: card });
    await as('aiko').seesModal(why);
    await as('aiko').closeModal();
    const shown = await world.asks({ approvers: MANAGERS, delegation: 'none' });
    expect(visibleText(shown.card)).not.toContain('Add an approver');
  });

  it('lets nobody decide with what was given before they said so', async () => {
    const { ref, card } = await world.asks({ approvers: MANAGERS, delegation: 'anyone' });
    await as('aiko').click('Add an approver…', { in: card });
    await as('aiko').choose('Who should decide?', 'Jon Bell');
    await as('aiko').submit();
    await world.rules(ref, { approvers: MANAGERS, delegation: 'none' });
    await as('jon').click('Approve', { in: card });
    await as('jon').seesModal(
      'Aiko Tanaka added you as an approver, but this crew’s rules no longer let anybody be added.',
    );
    await as('jon').closeModal();
    await world.rules(ref, { approvers: MANAGERS });
    await as('jon').click('Approve', { in: card });
    await as('jon').seesModal(
      'Aiko Tanaka added you as an approver, but this crew’s rules allow only the people they name.',
    );
    await as('jon').closeModal();
    await world.rules(ref, { approvers: MANAGERS, delegation: 'anyone' });
    await as('jon').click('Approve', { in: card });
    expect(await world.approvalOf(ref)).toMatchObject({
      state: { status: 'decided', decision: { by: { id: 'UJON00002' } } },
    });
  });
});

describe('“Who can decide?”', () => {
  it('tells the rule and what it means for the person', async () => {
    const { ref, card } = await world.asks({ approvers: MANAGERS, quorum: 2 });
    const before = JSON.stringify(await world.load(ref));
    await as('aiko').click('Who can decide?', { in: card });
    await as('aiko').seesModal('you’re in @release-managers.');
    await as('aiko').seesModal('one rejection decides at once.');
    await as('aiko').closeModal();
    await as('jon').click('Who can decide?', { in: card });
    await as('jon').seesModal('You aren’t allowed to decide this.');
    await as('jon').seesModal('Ask them');
    await as('jon').closeModal();
    expect(JSON.stringify(await world.load(ref))).toBe(before);
    await as('aiko').click('Approve', { in: card });
    await as('aiko').click('Who can decide?', { in: card });
    await as('aiko').seesModal('You’ve already approved this');
    await as('aiko').closeModal();
  });

  it('names the people of a group who can decide, who is away, and who has approved', async () => {
    const { card } = await world.asks({ approvers: MANAGERS, quorum: 2, selfApproval: false });
    await world.settings('UPRIYA004', (settings, now) => ({
      ...settings,
      away: { until: now + 3 * 86_400_000, standIn: null, since: now },
    }));
    world.groups.members = { '@release-managers': ['UMARIA001', 'UAIKO0003', 'UJON00002', 'UGUEST005'] };
    await as('jon').click('Approve', { in: card });
    await as('aiko').click('Who can decide?', { in: card });
    const shown = modalText(await as('aiko').seesModal('Two of these people have to approve'));
    // Maria has started the run, and Gina is a guest.
    expect(shown).toMatch(/• Priya Nair \(away until <!date\^\d+\^\{date_short\}\|.*\)\n/);
    expect(shown).toContain('• *@release-managers*: Aiko Tanaka and Jon Bell\n');
    expect(shown).toContain('☑️ 1 of 2 approved: Jon Bell');
    expect(shown).not.toMatch(/<@|<!subteam|crews\.yml|outside Slack/);
    await as('aiko').closeModal();
    await world.settings('UPRIYA004', () => USUAL_SETTINGS);
  });

  it('names twenty people of a group, and how many more there are', async () => {
    const others = Array.from({ length: 30 }, (_, i) => `UOTHER${i}`);
    const { card } = await world.asks({ approvers: named('@release-managers') });
    world.groups.members = { '@release-managers': ['UAIKO0003', 'UJON00002', ...others] };
    await as('aiko').click('Who can decide?', { in: card });
    // Slack doesn't know the others by name.
    await as('aiko').seesModal('• *@release-managers*: Aiko Tanaka, Jon Bell and 30 more');
    await as('aiko').closeModal();
  });

  it('names a group alone to guests, and to everybody while Slack can’t tell who is in it', async () => {
    const { card } = await world.asks({ approvers: MANAGERS });
    await as('gina').click('Who can decide?', { in: card });
    const told = modalText(await as('gina').seesModal('You’re a guest'));
    expect(told).toContain('• everybody in @release-managers');
    expect(told).not.toContain('Aiko');
    await as('gina').closeModal();
    await as('sam').click('Who can decide?', { in: card });
    expect(modalText(await as('sam').seesModal('Only members of the workspace'))).not.toContain('release-managers');
    await as('sam').closeModal();
    world.groups.canTell = 'later';
    await as('priya').click('Who can decide?', { in: card });
    await as('priya').seesModal('• everybody in @release-managers');
    await as('priya').closeModal();
  });
});

describe('undo', () => {
  it('reopens the request while the card says so', async () => {
    const { ref, card } = await world.asks({ undoMs: 3_600_000 });
    await as('jon').click('Approve', { in: card });
    await world.show(ref);
    await as('maria').seesChanged(card, 'Until then, you can undo it');
    await as('maria').click('Undo', { in: card });
    await world.show(ref);
    await as('jon').seesChanged(card, 'Approval needed');
    expect((await world.approvalOf(ref)).state.status).toBe('pending');
  });

  /** What the field of the modal on top begins with. */
  const begun = async (handle: string, title: string) => {
    await as(handle).seesModal(title);
    const { modals } = await as(handle).snapshot();
    const found = /"initial_value":"([^"]*)"/.exec(JSON.stringify(modals.at(-1)?.blocks));
    await as(handle).closeModal();
    return found?.[1];
  };

  it('leaves a trace on the card, and what was typed in the forms of the person who typed it', async () => {
    const { ref, card } = await world.asks({ undoMs: 3_600_000 });
    await as('jon').click('Reject…', { in: card });
    await as('jon').fill('What should change?', 'Shorter, please.');
    await as('jon').submit();
    await world.show(ref);
    await as('maria').seesChanged(card, 'Until then, you can undo it');
    await as('maria').click('Undo', { in: card });
    await world.show(ref);
    const shown = visibleText(await as('jon').seesChanged(card, 'Approval needed'));
    expect(shown).toMatch(/↩️ Maria Alvarez undid the decision · <!date/);
    expect(shown).not.toContain('Shorter, please.');
    await as('jon').click('Reject…', { in: card });
    expect(await begun('jon', 'What should change?')).toBe('Shorter, please.');
    await as('jon').click('Approve with note…', { in: card });
    expect(await begun('jon', 'Note for the crew')).toBe('Shorter, please.');
    await as('maria').click('Reject…', { in: card });
    expect(await begun('maria', 'What should change?')).toBeUndefined();
    await as('jon').click('Approve', { in: card });
    await world.show(ref);
    expect(visibleText(await as('jon').seesChanged(card, 'Until then, you can undo it'))).not.toContain('undid');
    expect(await world.approvalOf(ref)).toMatchObject({ state: { decision: { feedback: null, text: 'Approved.' } } });
  });

  it('gives back the note of a vote that was withdrawn', async () => {
    const { ref, card } = await world.asks({ quorum: 2 });
    await as('jon').click('Approve with note…', { in: card });
    await as('jon').fill('Note for the crew', 'Fine, but shorter.');
    await as('jon').submit();
    await as('jon').seesModal('So far');
    await as('jon').submit();
    await world.show(ref);
    await as('jon').seesChanged(card, '1 of 2 approved');
    await as('jon').click('Withdraw my vote', { in: card });
    await world.show(ref);
    await as('maria').seesChanged(card, /↩️ Jon Bell withdrew their approval · <!date/);
    await as('jon').click('Approve with note…', { in: card });
    expect(await begun('jon', 'Note for the crew')).toBe('Fine, but shorter.');
    await as('maria').click('Approve with note…', { in: card });
    expect(await begun('maria', 'Note for the crew')).toBeUndefined();
  });

  it('makes a card right again that shows a decision which a failover has lost', async () => {
    const { ref, card } = await world.asks({ undoMs: 3_600_000 });
    const undecided = await world.approvalOf(ref);
    await as('jon').click('Reject…', { in: card });
    await as('jon').fill('What should change?', 'Shorter.');
    await as('jon').submit();
    await world.show(ref);
    await as('jon').seesChanged(card, 'Until then, you can undo it');
    await world.store.change(ref, (execution) => ok(withRequest(execution, undecided)));
    await as('jon').click('Undo', { in: card });
    await as('jon').seesModal('There’s no decision here to undo.');
    await as('jon').closeModal();
    await world.show(ref);
    await as('jon').seesChanged(card, 'Approval needed');
  });
});
