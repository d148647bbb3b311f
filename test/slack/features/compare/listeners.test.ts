import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseApprover } from '../../../../src/core/policy/policy.ts';
import { withRequest } from '../../../../src/core/state/execution.ts';
import { ok } from '../../../../src/core/values/result.ts';
import { modalText } from '../../../../src/sandbox/slack-workspace/driver/visible-text.ts';
import { compareValue } from '../../../../src/slack/ui/comparison/button.ts';
import { type ApprovalWorld, startApprovalWorld } from '../../request/approval-world.ts';

let world: ApprovalWorld;
beforeAll(async () => {
  world = await startApprovalWorld();
});
afterAll(() => world.stop());

const APPROVERS = ['UAIKO0003'].map(parseApprover).filter((each) => each !== null);
const as = (handle: string) => world.slack.as(handle);

/** A person opens what changed between the text of another request and the one that waits. */
async function compares(handle: string) {
  const other = await world.asks({ approvers: APPROVERS }, { text: 'The board is slow.\n\nIt folds.' });
  const { ref } = other;
  await world.asksAgain(ref, 'another');
  const { requests } = await world.load(ref);
  const [waiting, before] = requests.map(({ question: { output } }) => output.hash);
  const value = compareValue({
    ref,
    approvalId: '1',
    before: before ?? '',
    after: waiting ?? '',
    title: 'Draft',
    round: 2,
  });
  const message = await world.offers('compare', { label: 'Compare', value });
  await as(handle).click('Compare', { in: message });
  return { ref, hash: waiting ?? '' };
}

describe('a comparison', () => {
  it('is decided above what changed, and goes on with what waits next', async () => {
    const { ref } = await compares('aiko');
    expect(modalText(await as('aiko').seesModal('What changed'))).toMatch(
      /round 1 → round 2.*\[Whole text\]\n\[Approve\]\n\[Reject…\]\n\[Edit…\].*− About another\..*\+ The board is slow\./s,
    );
    await as('aiko').click('Approve', { in: 'modal' });
    await as('aiko').seesModal(/You approved \*Task \d+\* · .* The crew continues\./);
    expect((await as('aiko').snapshot()).modals).toHaveLength(1);
    expect(await world.approvalOf(ref)).toMatchObject({
      state: { status: 'decided', decision: { verdict: 'approve' } },
    });
    await as('aiko').closeModal();
  });

  it('is rejected there, with one more window for the feedback', async () => {
    const { ref } = await compares('aiko');
    await as('aiko').click('Reject…', { in: 'modal' });
    await as('aiko').fill('What should change?', 'Faster.');
    await as('aiko').submit();
    await as('aiko').seesModal('You rejected');
    expect((await as('aiko').snapshot()).modals).toHaveLength(1);
    expect(await world.approvalOf(ref)).toMatchObject({ state: { decision: { verdict: 'reject', text: 'Faster.' } } });
    await as('aiko').closeModal();
  });

  it('leads to the whole text in the same window', async () => {
    await compares('aiko');
    await as('aiko').click('Whole text');
    expect(modalText(await as('aiko').seesModal('Review'))).toMatch(/\[Approve\].*It folds\./s);
    expect((await as('aiko').snapshot()).modals).toHaveLength(1);
    await as('aiko').closeModal();
  });

  it('decides nothing on another text than the one that waits', async () => {
    const { ref } = await compares('aiko');
    await as('aiko').seesModal('[Approve]');
    await world.store.change(ref, (execution) => {
      const [waiting, other] = execution.requests;
      return ok(
        waiting && other
          ? withRequest(execution, { ...waiting, question: { ...waiting.question, output: other.question.output } })
          : execution,
      );
    });
    await as('aiko').click('Approve', { in: 'modal' });
    await as('aiko').seesModal('The text has changed since.');
    expect((await world.approvalOf(ref)).state.status).toBe('pending');
    await as('aiko').closeModal();
  });

  it('has no choices for those who can’t decide, whose look is no attempt', async () => {
    const { ref } = await compares('jon');
    const before = JSON.stringify(await world.load(ref));
    expect(modalText(await as('jon').seesModal('What changed'))).not.toMatch(/\[Approve|\[Whole text/);
    expect(JSON.stringify(await world.load(ref))).toBe(before);
    await as('jon').closeModal();
  });
});
