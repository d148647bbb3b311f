import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { modalText, visibleText } from '../../src/sandbox/slack-workspace/driver/visible-text.ts';
import type { Message } from '../../src/sandbox/slack-workspace/people-api.ts';
import { CHANNEL, type PolicyWorld, startPolicyWorld } from '../support/policy-world.ts';
import { privateAnswerTo } from '../support/private-answer.ts';

const PANEL = 'https://panel.example.com/runs';

let world: PolicyWorld;
beforeAll(async () => {
  world = await startPolicyWorld({
    crews: {
      closing: { approvers: ['UJON00002', 'UAIKO0003'] },
      undoing: { approvers: ['UJON00002'], undo: '1h' },
      delayed: { approvers: ['UJON00002'], undo: '2s' },
      telling: { approvers: ['UJON00002'], on_decline: 'reject' },
      noted: { comment: { approve: 'required', reject: 'optional' } },
      silent: { comment: 'none' },
    },
    more: { closing: { control_url: PANEL } },
  });
});
afterAll(() => world.stop());

const as = (handle: string) => world.slack.as(handle);

/** Jon declines a request, or tries to. */
async function declines(card: Message, reason: string): Promise<void> {
  await as('jon').click('Reject…', { in: card });
  if (reason !== '') await as('jon').fill('What should change?', reason);
  await as('jon').click('Decline…', { in: 'modal' });
  await as('jon').seesModal('Declining is final');
  await as('jon').submit();
}

/** The crew asks once more in its last run, in a way that only its service knows. */
async function asksAgain(crew: string, task: string): Promise<number> {
  const request = (await world.crews.sandbox.requests()).findLast(
    (each) => each.crew === crew && each.route === 'kickoff',
  );
  const asked = (await world.crews.sandbox.webhooks()).findLast(
    (each) => each.crew === crew && each.kind === 'human-input',
  );
  const { humanInputWebhook } = JSON.parse(request?.body ?? '{}');
  const { token } = humanInputWebhook.authentication;
  const { status } = await fetch(humanInputWebhook.url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify({ ...JSON.parse(asked?.body ?? '{}'), task_id: task, task_output: 'One more thing.' }),
  });
  return status;
}

describe('A decline', () => {
  it('says who and why, tells the crew nothing, asks nothing more, and leads to where the run can be ended', async () => {
    const run = await world.run('closing');
    await declines(run.card, '- Wrong product\n- Wrong year');
    const closed = await run.shows('Jon Bell declined');
    expect(closed).toMatch(/⛔ \*Jon Bell declined .*\*/);
    expect(closed).toContain('Wrong product');
    expect(closed).toContain('Signoff can’t end a run, so it may go on waiting.');
    expect(closed).toContain('[End it at panel.example.com]');
    expect(closed).not.toContain('[Approve]');

    expect(await asksAgain('closing', 'another')).toBe(200);
    const root = visibleText(await as('maria').seesChanged(run.root, '1 other request was closed'));
    expect(root).toContain('⛔ *closing: Declined*');
    expect(root).toContain('Declined by Jon Bell\n> • Wrong product\n> • Wrong year');
    expect(root).toContain(`<${PANEL}|End it at panel.example.com>`);
    expect(run.repliesWith('Approval needed')).toEqual([]);

    await as('maria').command(CHANNEL, '/kickoff', 'status');
    await privateAnswerTo(as('maria'), CHANNEL, 'closing*: Declined');
    expect(await run.toldSoFar()).toEqual([]);
  });

  it('is for those who can decide, and says later that it is done', async () => {
    const run = await world.run('closing');
    await as('gina').click('Reject…', { in: run.card });
    await privateAnswerTo(as('gina'), CHANNEL, 'can’t decide this');
    await as('gina').closeModal();
    await as('aiko').click('Reject…', { in: run.card });
    await as('aiko').fill('What should change?', 'Shorter.');
    await declines(run.card, 'Wrong product');
    await run.shows('Jon Bell declined');
    await as('aiko').submit();
    await as('aiko').seesModal('Jon Bell already declined this');
    await as('aiko').seesModal('Shorter.');
    await as('aiko').closeModal();
    expect(await run.toldSoFar()).toEqual([]);
  });

  it('takes a reason, which is asked for in its field', async () => {
    const run = await world.run('noted');
    await expect(declines(run.card, '')).rejects.toThrow('Please complete this required field');
    await as('jon').fill('Why?', 'Wrong product');
    await as('jon').submit();
    await run.shows('Jon Bell declined');
  });

  it('can be undone for as long as another decision', async () => {
    const run = await world.run('undoing');
    await declines(run.card, 'Wrong product');
    expect(await run.shows('Takes effect at')).toContain('[Undo]');
    await as('jon').click('Undo', { in: run.card });
    await run.shows('[Approve]');
    await as('jon').seesChanged(run.root, 'Waiting for approval');
    expect(await run.toldSoFar()).toEqual([]);
  });

  it('takes effect by itself once nobody can undo it any more, although the bots stopped before', async () => {
    const run = await world.run('delayed');
    await declines(run.card, 'Wrong product');
    // It is stored by now; on a busy machine, its two seconds may be over before the card offers to undo it.
    await world.restart();
    expect(await run.shows('Nothing more is asked in this run')).not.toContain('[Undo]');
    await as('maria').seesChanged(run.root, 'Declined by Jon Bell\n> Wrong product');
    expect(await run.toldSoFar()).toEqual([]);
  });

  it('is told to the crew as a last rejection where its policy says so, and what it asks then is closed', async () => {
    const run = await world.run('telling');
    await declines(run.card, 'Wrong product');
    await run.shows('The crew was told, and nothing more is asked in this run.');
    await as('maria').seesChanged(run.root, '1 other request was closed');
    expect(await run.toldSoFar()).toEqual([
      'rejected: Declined. Don’t try again, and don’t ask again: nothing more will be decided in this run.\n\nReason: Wrong product',
    ]);
    expect(run.repliesWith('Round 2')).toEqual([]);
  });
});

describe('The text of a verdict', () => {
  it('is a note that Approve asks for, where the policy requires it', async () => {
    const run = await world.run('noted');
    expect(visibleText(run.card)).toContain('[Approve…]');
    expect(visibleText(run.card)).not.toContain('Approve with note…');
    await as('aiko').click('Approve…', { in: run.card });
    await as('aiko').fill('Note for the crew', 'Checked the figures.');
    await as('aiko').submit();
    expect(await run.told()).toEqual(['approved: Checked the figures.']);
  });

  it('is left out of a rejection, where the policy has it optional', async () => {
    const run = await world.run('noted');
    await as('aiko').click('Reject…', { in: run.card });
    await as('aiko').seesModal('What should change?');
    await as('aiko').submit();
    await run.shows('Aiko Tanaka rejected');
    await expect.poll(() => run.toldSoFar()).toEqual(['rejected: Rejected. Please revise it.']);
  });

  it('is nothing where the policy takes nothing', async () => {
    const run = await world.run('silent');
    expect(visibleText(run.card)).not.toContain('[Edit…]');
    expect(visibleText(run.card)).not.toContain('Approve with note…');
    await as('priya').click('Reject…', { in: run.card });
    expect(modalText(await as('priya').seesModal('Decline…'))).not.toContain('What should change?');
    await as('priya').submit();
    await expect.poll(() => run.toldSoFar()).toEqual(['rejected: Rejected. Please revise it.']);
  });
});
