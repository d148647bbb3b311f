import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type CrewPolicy, parseApprover } from '../../../../src/core/policy/policy.ts';
import { modalText } from '../../../../src/sandbox/slack-workspace/driver/visible-text.ts';
import { approvalValue } from '../../../../src/slack/ui/button-value.ts';
import { type ApprovalWorld, startApprovalWorld } from '../../request/approval-world.ts';

let world: ApprovalWorld;
beforeAll(async () => {
  world = await startApprovalWorld();
});
afterAll(() => world.stop());
beforeEach(() => {
  world.groups.canTell = 'now';
});

const APPROVERS = ['UAIKO0003', 'UPRIYA004'].map(parseApprover).filter((each) => each !== null);
const as = (handle: string) => world.slack.as(handle);
const LONG = Array.from({ length: 400 }, (_, i) => `## Part ${i}\n\nWords of part ${i}, and some more of them.`).join(
  '\n\n',
);

/** A person opens the review of a new request. */
async function reviews(handle: string, policy: Partial<CrewPolicy> = {}, text?: string) {
  const { ref, card } = await world.asks({ approvers: APPROVERS, ...policy }, text === undefined ? {} : { text });
  const { output } = await world.approvalOf(ref);
  const value = approvalValue({ ref, approvalId: '1', hash: output.hash });
  const message = await world.offers('review', { label: 'Review', value });
  await as(handle).click('Review', { in: message });
  return { ref, card, message };
}

describe('a review', () => {
  it('offers to add an approver only to a person with a right of their own', async () => {
    const { ref, card, message } = await reviews('aiko', { delegation: 'anyone' });
    const offers = async (handle: string) => JSON.stringify((await as(handle).snapshot()).modals).includes('hand_over');
    await as('aiko').seesModal('Draft number');
    expect(await offers('aiko')).toBe(true);
    await as('aiko').closeModal();
    await as('aiko').click('Add an approver…', { in: card });
    await as('aiko').choose('Who should decide?', 'Jon Bell');
    await as('aiko').submit();
    await as('jon').click('Review', { in: message });
    await as('jon').seesModal('Draft number');
    expect(await offers('jon')).toBe(false);
    await as('jon').closeModal();
    await as('jon').click('Approve', { in: card });
    expect((await world.approvalOf(ref)).status).toBe('decided');
  });

  it('goes on in the same window with what waits next, and asks before that is approved only just then', async () => {
    const waiting = await world.asks({ approvers: APPROVERS });
    const { ref: last } = await world.asks({ approvers: APPROVERS, undoMs: 3_600_000 });
    const { ref } = await reviews('aiko', { quorum: 2 });
    const names = await Promise.all(
      [ref, waiting.ref, last].map(async (each) => (await world.approvalOf(each)).taskName),
    );

    await as('aiko').click('Approve');
    expect(modalText(await as('aiko').seesModal('counts'))).toMatch(
      new RegExp(
        `${names[0]}\\* · crew-\\d+ · tea counts: 1 of 2\\..*\\[Withdraw my vote\\].*${names[1]}.*\\[Approve\\].*Draft number`,
        's',
      ),
    );
    await as('aiko').click('Approve');
    await as('aiko').seesModal('Approve so soon?');
    expect((await world.approvalOf(waiting.ref)).status).toBe('pending');
    await as('aiko').submit();
    await as('aiko').seesModal(new RegExp(`You approved \\*${names[1]}\\* · .*${names[2]}.*\\[Approve\\]`, 's'));
    await as('aiko').click('Reject…');
    await as('aiko').fill('What should change?', 'Shorter.');
    await as('aiko').submit();
    await as('aiko').seesModal(
      new RegExp(`You rejected \\*${names[2]}\\* · .*\\[Undo\\].*Nothing else is waiting for you\\.`, 's'),
    );
    expect((await as('aiko').snapshot()).modals).toHaveLength(1);
    await as('aiko').closeModal();
    expect((await world.approvalOf(ref)).votes).toHaveLength(1);
    expect((await world.approvalOf(waiting.ref)).status).toBe('decided');
    expect(await world.approvalOf(last)).toMatchObject({ decision: { verdict: 'reject' } });
  });

  it('decides nothing else by the second click of a double click', async () => {
    const { ref } = await reviews('aiko');
    const { taskName } = await world.approvalOf(ref);
    await Promise.allSettled([as('aiko').click('Approve'), as('aiko').click('Approve')]);
    await as('aiko').seesModal(`You approved *${taskName}*`);
    await as('aiko').closeModal();
    expect((await world.approvalOf(ref)).status).toBe('decided');
  });

  it('shows the request with its text, takes the decision, and says what came of it', async () => {
    const { ref } = await reviews('aiko');
    const shown = modalText(await as('aiko').seesModal('Draft number'));
    expect(shown).toMatch(/Task \d+\*? · crew-\d+.*started by Maria Alvarez · .*UAIKO0003 and UPRIYA004 can decide/s);
    expect(shown).toMatch(/\[Approve\].*\[Reject…\].*\[Edit…\].*Draft number/s);
    await as('aiko').click('Approve');
    await as('aiko').seesModal(/You approved \*Task \d+\* · crew-\d+ · tea\. The crew continues\./);
    expect(await world.approvalOf(ref)).toMatchObject({ status: 'decided', decision: { by: { id: 'UAIKO0003' } } });
    await as('aiko').closeModal();
  });

  it('can be undone where it says what came of it, and is shown again', async () => {
    const { ref } = await reviews('aiko', { undoMs: 3_600_000 });
    const { taskName } = await world.approvalOf(ref);
    await as('aiko').click('Approve');
    await as('aiko').seesModal('until then it can be undone');
    await as('aiko').click('Undo');
    const shown = modalText(await as('aiko').seesModal('is waiting for a decision again'));
    expect(shown).toMatch(new RegExp(`again\\..*${taskName}.*\\[Approve\\].*Draft number`, 's'));
    expect((await world.approvalOf(ref)).status).toBe('pending');
    await as('aiko').closeModal();
  });

  it('counts a vote, which can be withdrawn there', async () => {
    const { ref } = await reviews('aiko', { quorum: 2 });
    await as('aiko').click('Approve');
    await as('aiko').seesModal(/Your approval of \*Task \d+\* · .* counts: 1 of 2\./);
    await as('aiko').click('Withdraw my vote');
    await as('aiko').seesModal('is waiting for a decision again');
    expect((await world.approvalOf(ref)).votes).toEqual([]);
    await as('aiko').closeModal();
  });

  it('asks for the changes above itself, and then says what came of it', async () => {
    const { ref } = await reviews('aiko', { templates: [{ name: 'Tone', text: 'Friendlier.' }] });
    await as('aiko').click('Reject…');
    await as('aiko').choose('Start from a text', 'Tone');
    await expect.poll(() => as('aiko').chosen('What should change?')).toEqual(['Friendlier.']);
    await as('aiko').submit();
    await as('aiko').seesModal(/You rejected \*Task \d+\* · .* The crew tries again\./);
    expect((await as('aiko').snapshot()).modals).toHaveLength(1);
    expect(await world.approvalOf(ref)).toMatchObject({ decision: { verdict: 'reject', text: 'Friendlier.' } });
    await as('aiko').closeModal();
  });

  it('returns from a form that is not sent', async () => {
    await reviews('aiko', { delegation: 'anyone' });
    await as('aiko').click('Reject…');
    await as('aiko').seesModal('What should change?');
    await as('aiko').back();
    await as('aiko').click('Add an approver…');
    await as('aiko').choose('Who should decide?', 'Jon Bell');
    await as('aiko').submit();
    await as('aiko').seesModal('Draft number');
    await as('aiko').closeModal();
  });

  it('says what came of a note that was previewed three modals high, and closes all of them', async () => {
    await world.asks({ approvers: APPROVERS });
    const { ref } = await reviews('aiko', { quorum: 2 });
    await as('aiko').click('Approve with note…');
    await as('aiko').fill('Note for the crew', 'Fine.');
    await as('aiko').submit();
    await as('aiko').seesModal('So far');
    expect((await as('aiko').snapshot()).modals).toHaveLength(3);
    await as('aiko').submit();
    // Slack closes either one window or all, so that what waits next is shown on top.
    await as('aiko').seesModal(/counts: 1 of 2.*\[Reject…\]/s);
    await as('aiko').click('Reject…');
    await as('aiko').seesModal('What should change?');
    expect((await as('aiko').snapshot()).modals).toHaveLength(3);
    await as('aiko').back();
    await as('aiko').seesNoModal();
    expect((await world.approvalOf(ref)).votes).toMatchObject([{ feedback: 'Fine.' }]);
  });

  it('sends edits from there', async () => {
    const { ref } = await reviews('aiko');
    await as('aiko').click('Edit…');
    await as('aiko').fill('Text', 'Another draft.');
    await as('aiko').click('Preview');
    await as('aiko').seesModal('exactly this is sent');
    await as('aiko').submit();
    await as('aiko').seesModal('You rejected');
    await as('aiko').back();
    await as('aiko').seesNoModal();
    expect(await world.approvalOf(ref)).toMatchObject({ decision: { verdict: 'reject' } });
  });

  it('asks about an approval that comes very soon', async () => {
    const { ref } = await reviews('aiko', { minReviewMs: 3_600_000 });
    await as('aiko').click('Approve');
    await as('aiko').seesModal('Approve so soon?');
    await as('aiko').submit();
    await as('aiko').seesModal('You approved');
    expect((await world.approvalOf(ref)).status).toBe('decided');
    await as('aiko').closeModal();
  });

  it.each(['Approve', 'Reject…'])('says who was faster: %s', async (button) => {
    const { card } = await reviews('aiko');
    await as('priya').click('Approve', { in: card });
    await as('aiko').click(button);
    await as('aiko').seesModal('Priya Nair already approved this');
    expect((await as('aiko').snapshot()).modals).toHaveLength(1);
    await as('aiko').closeModal();
  });

  it('says so at once where it was decided before', async () => {
    const { card, message } = await reviews('aiko');
    await as('aiko').closeModal();
    await as('priya').click('Approve', { in: card });
    await as('aiko').click('Review', { in: message });
    await as('aiko').seesModal('Priya Nair already approved this');
    await as('aiko').closeModal();
  });

  it('has the choices on every page of a long text', async () => {
    await reviews('aiko', {}, LONG);
    expect(modalText(await as('aiko').seesModal('Page 1 of'))).toMatch(/Page 1 of.*\[Approve\].*Words of part 0/s);
    await as('aiko').click('Next');
    expect(modalText(await as('aiko').seesModal('Page 2 of'))).toMatch(/Page 2 of.*\[Approve\].*Words of part/s);
    await as('aiko').choose('Jump to…', 'Part 0');
    await as('aiko').seesModal('Page 1 of');
    await as('aiko').click('Next');
    await as('aiko').seesModal('Page 2 of');
    await as('aiko').click('Approve');
    await as('aiko').seesModal('You approved');
    await as('aiko').closeModal();
  });
});

describe('a person who can’t decide', () => {
  it('reads the text and why, on every page without the choices', async () => {
    const { ref } = await reviews('jon', {}, LONG);
    const shown = modalText(await as('jon').seesModal('You aren’t one of those who can decide this.'));
    expect(shown).toMatch(/Words of part 0.*/s);
    expect(shown).not.toMatch(/\[Approve|\[Request/);
    await as('jon').click('Next');
    expect(modalText(await as('jon').seesModal('Page 2 of'))).not.toMatch(/\[Approve|\[Request/);
    await as('jon').closeModal();
    expect((await world.approvalOf(ref)).status).toBe('pending');
  });

  it('learns why only, from another organisation', async () => {
    await reviews('sam');
    expect(modalText(await as('sam').seesModal('Only members of the workspace'))).not.toContain('Draft');
    await as('sam').closeModal();
  });

  it('loses the choices on the next page once they may no longer decide', async () => {
    const group = [parseApprover('@release-managers')].filter((each) => each !== null);
    world.groups.members = { '@release-managers': ['UAIKO0003'] };
    await reviews('aiko', { approvers: group }, LONG);
    await as('aiko').seesModal('Page 1 of');
    world.groups.members = {};
    await as('aiko').click('Next');
    expect(modalText(await as('aiko').seesModal('You aren’t one of those'))).not.toContain('[Approve]');
    await as('aiko').closeModal();
  });
});
