import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseApprover } from '../../../../src/core/policy/policy.ts';
import { visibleText } from '../../../../src/sandbox/slack-workspace/driver/visible-text.ts';
import { type ApprovalWorld, startApprovalWorld } from '../../request/approval-world.ts';

let world: ApprovalWorld;
beforeAll(async () => {
  world = await startApprovalWorld();
});
afterAll(() => world.stop());

const as = (handle: string) => world.slack.as(handle);
const named = (...names: string[]) => names.map(parseApprover).filter((each) => each !== null);
const THREE = ['approved', 'ship & <later>', 'needs_revision'];
const POLICY = { approvers: named('UMARIA001', 'UAIKO0003'), approving: ['approved', 'ship*'] };

/** What the card shows, which waits a moment for the crew's answer. */
async function shown(ref: string, { ts }: { ts: string }): Promise<string> {
  await world.show(ref);
  return JSON.stringify(world.slack.messages().find((message) => message.ts === ts)?.blocks);
}

describe('a request that offers outcomes', () => {
  it('has a button for each, and those that reject ask for feedback first', async () => {
    const { ref, card } = await world.asks(POLICY, { outcomes: THREE });
    expect(visibleText(card)).toContain(
      '[approved]\n[ship & <later>]\n[needs_revision…]\n(Approve with note… | Who can decide? | Add an approver…)',
    );
    await as('maria').click('needs_revision…', { in: card });
    await as('maria').seesModal(/^needs_revision\n.*Decline…/s);
    await as('maria').fill('What should change?', 'Shorter.');
    await as('maria').submit();
    await world.show(ref);
    expect(await world.approvalOf(ref)).toMatchObject({
      state: { decision: { verdict: 'reject', outcome: 'needs_revision', text: 'needs_revision\n\nShorter.' } },
    });
  });

  it('is decided by one click where the outcome approves, and its card says which', async () => {
    const { ref, card } = await world.asks(POLICY, { outcomes: THREE });
    await as('aiko').click('ship & <later>', { in: card });
    await expect.poll(() => shown(ref, card)).toMatch(/Aiko Tanaka chose “ship &amp; &lt;later&gt;” for “Task \d+”/);
  });

  it('counts approvals of the same outcome alone', async () => {
    const { ref, card } = await world.asks({ ...POLICY, quorum: 2 }, { outcomes: THREE });
    await as('maria').click('approved', { in: card });
    await expect.poll(() => shown(ref, card)).toContain('1 of 2 approved: Maria Alvarez · for “approved”');
    await as('aiko').click('ship & <later>', { in: card });
    await as('aiko').seesModal('Others have chosen *approved*. Choose it, too');
    await as('aiko').closeModal();
    await as('aiko').click('approved', { in: card });
    expect(await world.approvalOf(ref)).toMatchObject({ state: { decision: { outcome: 'approved' } } });
  });

  it('lists them where they are too many for buttons', async () => {
    const many = Array.from({ length: 20 }, (_, i) => (i === 19 ? 'drop' : `ship ${i}`));
    const { ref, card } = await world.asks(POLICY, { outcomes: many });
    await as('maria').choose('Choose an answer', 'ship 7', { in: card });
    expect(await world.approvalOf(ref)).toMatchObject({
      state: { decision: { verdict: 'approve', outcome: 'ship 7' } },
    });
    const other = await world.asks(POLICY, { outcomes: many });
    await as('maria').choose('Choose an answer', 'drop…', { in: other.card });
    await as('maria').seesModal(/^drop\n/);
    await as('maria').closeModal();
    expect((await world.approvalOf(other.ref)).state.status).toBe('pending');
  });

  it('asks again whoever is too fast, and takes what they have chosen', async () => {
    const { ref, card } = await world.asks({ ...POLICY, minReviewMs: 3_600_000 }, { outcomes: THREE });
    await as('maria').click('approved', { in: card });
    await as('maria').seesModal('Approve so soon?');
    await as('maria').submit();
    expect(await world.approvalOf(ref)).toMatchObject({ state: { decision: { outcome: 'approved' } } });
  });

  it('takes a note with what was chosen where the policy asks for one', async () => {
    const policy = { ...POLICY, comment: { approve: 'required', reject: 'required' } as const };
    const { ref, card } = await world.asks(policy, { outcomes: THREE });
    await as('maria').click('approved', { in: card });
    await as('maria').fill('Note for the crew', 'Fine.');
    await as('maria').submit();
    await as('maria').seesModal(/approved\s+Fine\./);
    await as('maria').submit();
    expect(await world.approvalOf(ref)).toMatchObject({
      state: { decision: { outcome: 'approved', text: 'approved\n\nFine.' } },
    });
  });

  it('takes a note with an outcome that approves, which is chosen beside it', async () => {
    const { ref, card } = await world.asks(POLICY, { outcomes: THREE });
    await as('maria').click('Approve with note…', { in: card });
    const form = JSON.stringify(await as('maria').seesModal('Note for the crew'));
    expect(form).not.toContain('needs_revision');
    await as('maria').choose('Answer', 'ship & <later>');
    await as('maria').fill('Note for the crew', 'After lunch.');
    await as('maria').submit();
    await as('maria').seesModal(/ship & <later>\s+After lunch\./);
    await as('maria').submit();
    const decision = { outcome: 'ship & <later>', text: 'ship & <later>\n\nAfter lunch.' };
    expect(await world.approvalOf(ref)).toMatchObject({ state: { decision } });
  });

  it('offers no note where none of its outcomes approves', async () => {
    const { card } = await world.asks({ ...POLICY, approving: ['drop'] }, { outcomes: THREE });
    expect(visibleText(card)).not.toContain('Approve with note…');
  });

  it('is told by its rules which of them approve', async () => {
    const { card } = await world.asks(POLICY, { outcomes: THREE });
    await as('maria').click('Who can decide?', { in: card });
    await as('maria').seesModal('If a request offers its own answers, these approve: approved and ship*.');
    await as('maria').closeModal();
  });

  it('is judged by the rules of the click, and never by the button that was shown', async () => {
    const { ref, card } = await world.asks(POLICY, { outcomes: THREE });
    await world.rules(ref, { ...POLICY, approving: ['approved'] });
    await as('maria').click('ship & <later>', { in: card });
    await as('maria').seesModal(/^ship & <later>\n/);
    await as('maria').closeModal();
    expect((await world.approvalOf(ref)).state.status).toBe('pending');
  });
});
