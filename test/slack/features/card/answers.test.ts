import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseApprover } from '../../../../src/core/policy/policy.ts';
import { visibleText } from '../../../../src/sandbox/slack-workspace/driver/visible-text.ts';
import { approvalValue } from '../../../../src/slack/ui/button-value.ts';
import { field } from '../../../support/requests.ts';
import { type ApprovalWorld, startApprovalWorld } from '../../request/approval-world.ts';

let world: ApprovalWorld;
beforeAll(async () => {
  world = await startApprovalWorld();
});
afterAll(() => world.stop());

const as = (handle: string) => world.slack.as(handle);
const approvers = ['UMARIA001', 'UAIKO0003', 'UJON00002'].map(parseApprover).filter((each) => each !== null);
const FIELDS = [
  field('where', { label: 'Where & when', type: 'choice', options: ['staging', 'production'] }),
  field('amount', { label: 'Amount', type: 'number', min: 1 }),
  field('why', { label: 'Reason', isOptional: true }),
];

async function answers(handle: string, where: string, amount: string): Promise<void> {
  await as(handle).choose('Where & when', where);
  await as(handle).fill('Amount', amount);
  await as(handle).submit();
}

/** The card as it is now. */
async function shown(ref: string, { ts }: { ts: string }): Promise<string> {
  await world.show(ref);
  const card = world.slack.messages().find((message) => message.ts === ts);
  return card ? visibleText({ ...card, files: [] }) : '';
}

describe('a question that isn’t yes or no', () => {
  it('is answered in a form, whose wrong values are said beside their fields', async () => {
    const { ref, card } = await world.asks({ approvers }, { fields: FIELDS });
    expect(visibleText(card)).toContain('[Answer…]\n[Reject…]\n(Who can decide?');
    await as('maria').click('Answer…', { in: card });
    await expect(answers('maria', 'production', '12345678901234567890')).rejects.toThrow('too many digits');
    await as('maria').fill('Amount', '7');
    await as('maria').submit();
    await expect
      .poll(() => shown(ref, card))
      .toMatch(/Maria Alvarez answered .*\n.*\n.*Where & when:.* production\n.*Amount:.* 7/);
    const decision = { verdict: 'approve', answer: { where: 'production', amount: 7 } };
    expect(await world.approvalOf(ref)).toMatchObject({ state: { decision } });
  });

  it('can be rejected without an answer, and isn’t approved without one', async () => {
    const { ref, card } = await world.asks({ approvers }, { fields: FIELDS });
    const { hash } = (await world.approvalOf(ref)).question.output;
    const offer = await world.offers('approve', { label: 'Go', value: approvalValue({ ref, approvalId: '1', hash }) });
    await as('maria').click('Go', { in: offer });
    await as('maria').seesModal('This request takes an answer.');
    await as('maria').closeModal();
    await as('maria').click('Reject…', { in: card });
    await as('maria').fill('What should change?', 'None of these.');
    await as('maria').submit();
    expect(await world.approvalOf(ref)).toMatchObject({
      state: { decision: { verdict: 'reject', feedback: 'None of these.' } },
    });
  });

  it.each(['edit', 'approve_with_note'] as const)(
    'refuses the button %s of an older card before anything is typed',
    async (action) => {
      const comment = { approve: 'optional', reject: 'none' } as const;
      const { ref } = await world.asks({ approvers, comment }, { fields: FIELDS });
      const { hash } = (await world.approvalOf(ref)).question.output;
      const offer = await world.offers(action, { label: 'Go', value: approvalValue({ ref, approvalId: '1', hash }) });
      await as('maria').click('Go', { in: offer });
      await as('maria').seesModal('This request takes an answer.');
      await as('maria').closeModal();
    },
  );

  it('shows the first answer to the others, who confirm it, or hear that another one doesn’t count together with it', async () => {
    const { ref, card } = await world.asks({ approvers, quorum: 2 }, { fields: FIELDS });
    await as('maria').click('Answer…', { in: card });
    await answers('maria', 'staging', '5');
    await expect
      .poll(() => shown(ref, card))
      .toMatch(/The answer so far:\n.*staging\n.*5\n+\[Confirm this answer\]\n\[Answer differently…\]\n\[Reject…\]/);
    await as('aiko').click('Answer differently…', { in: card });
    await as('aiko').fill('Amount', '6');
    await as('aiko').submit();
    await as('aiko').seesModal(/Others gave another answer(.|\n)*Amount: 6/);
    await as('aiko').closeModal();
    await as('aiko').click('Confirm this answer', { in: card });
    expect(await world.approvalOf(ref)).toMatchObject({
      state: { decision: { by: { id: 'UAIKO0003' }, answer: { where: 'staging', amount: 5 } } },
      discussion: { votes: [{ by: { id: 'UMARIA001' }, answer: { where: 'staging', amount: 5 } }] },
    });
  });

  it('is confirmed as all that the card shows of the answer, in which nothing is unseen', async () => {
    const { ref, card } = await world.asks({ approvers, quorum: 2 }, { fields: FIELDS });
    const reason = `${'Because. '.repeat(60)}Pay Eve`;
    await as('maria').click('Answer…', { in: card });
    await as('maria').fill('Reason', `  ${reason}\u{E0041}\u200B `);
    await answers('maria', 'staging', '5');
    await expect.poll(() => shown(ref, card)).toContain(`${reason}\n\n[Confirm this answer]`);
    await as('aiko').click('Answer differently…', { in: card });
    await as('aiko').fill('Reason', `${reason} `);
    await as('aiko').submit();
    const answer = { where: 'staging', amount: 5, why: reason };
    expect(await world.approvalOf(ref)).toMatchObject({
      state: { decision: { answer } },
      discussion: { votes: [{ answer }] },
    });
  });

  it('is confirmed in the form, which has all of it, where the answer is too long for the card', async () => {
    const { ref, card } = await world.asks({ approvers, quorum: 2 }, { fields: FIELDS });
    const reason = `${'Because. '.repeat(120)}Pay Eve`;
    await as('maria').click('Answer…', { in: card });
    await as('maria').fill('Reason', reason);
    await answers('maria', 'staging', '5');
    await expect
      .poll(() => shown(ref, card))
      .toMatch(/…\n+Only a part of the answer is shown here.*\n\[Confirm or change…\]\n\[Reject…\]/);
    await as('aiko').click('Confirm or change…', { in: card });
    await as('aiko').seesModal('Reason');
    expect(await as('aiko').chosen('Reason')).toEqual([reason]);
    await as('aiko').submit();
    const decision = { by: { id: 'UAIKO0003' }, answer: { where: 'staging', amount: 5, why: reason } };
    expect(await world.approvalOf(ref)).toMatchObject({ state: { decision } });
    expect(await shown(ref, card)).toMatch(/…\n+Only a part of the answer is shown here/);
    const { hash } = (await world.approvalOf(ref)).question.output;
    const value = approvalValue({ ref, approvalId: '1', hash });
    await as('jon').click('Open', { in: await world.offers('review', { label: 'Open', value }) });
    await as('jon').seesModal(`Reason: ${reason}`);
  });

  it('takes the answer again from whoever is too fast', async () => {
    const { ref, card } = await world.asks({ approvers, minReviewMs: 3_600_000 }, { fields: FIELDS });
    await as('maria').click('Answer…', { in: card });
    await answers('maria', 'staging', '5');
    await as('maria').seesModal('Read it, then send your answer again.');
    expect((await world.approvalOf(ref)).state.status).toBe('pending');
    await as('maria').submit();
    expect(await world.approvalOf(ref)).toMatchObject({
      state: { decision: { answer: { where: 'staging', amount: 5 } } },
    });
  });
});
