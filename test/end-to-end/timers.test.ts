import { afterAll, beforeAll, describe, it } from 'vitest';
import { CHANNEL, type PolicyWorld, startPolicyWorld } from '../support/policy-world.ts';
import { privateAnswerTo } from '../support/private-answer.ts';

describe.concurrent('Time limits, with two bots', () => {
  let world: PolicyWorld;

  beforeAll(async () => {
    world = await startPolicyWorld({
      crews: {
        reminding: { approvers: ['UJON00002', 'UAIKO0003'], quorum: 2, remind_after: '2s' },
        unheard: { approvers: ['channel'], remind_after: '1s' },
        escalating: { approvers: ['UJON00002'], escalate_after: '1s', escalate_to: ['@leads'], remind_after: '2s' },
        closing: { approvers: ['UJON00002'], expire_after: '4s' },
        rejecting: { expire_after: '2s', on_expiry: 'reject', expiry_text: 'Nobody had time. Please shorten it.' },
        revocable: { undo: '1h', approvers: ['UJON00002', 'UAIKO0003'] },
        delayed: { undo: '1s' },
        careful: { min_review: '1h' },
      },
      groups: { leads: ['priya', 'gina'] },
    });
  });
  afterAll(() => world.stop());

  const as = (handle: string) => world.slack.as(handle);

  it('people who have not voted yet are reminded, at longer and longer intervals', async ({ expect }) => {
    const run = await world.run('reminding');
    const reminders = () => run.repliesWith('has been waiting for approval').map(({ notified }) => notified);
    const [jon, aiko] = [as('jon').id, as('aiko').id];
    await expect.poll(() => reminders()[0]).toEqual([aiko, jon]);
    await as('jon').click('Approve', { in: run.card });
    await expect.poll(() => reminders().at(-1)).toEqual([aiko]);
    await as('aiko').click('Approve', { in: run.card });
    expect(await run.told()).toEqual(['approved: Approved.']);
    await as('maria').seesInThread(run.root, 'Finished.');
    expect(run.replies()).toHaveLength(2 + reminders().length);
  });

  it('nobody is mentioned for a whole channel', async ({ expect }) => {
    const run = await world.run('unheard');
    await expect.poll(() => run.repliesWith('Who can decide: all members of this channel.')).not.toEqual([]);
    // The starter hears of the card itself.
    expect(run.replies().flatMap(({ notified }) => notified)).toEqual([as('maria').id]);
    await as('jon').click('Approve', { in: run.card });
    await run.told();
  });

  it('more people can decide after a while, who are told so once', async ({ expect }) => {
    const run = await world.run('escalating');
    await expect.poll(() => run.repliesWith('From now on, you can decide, too.')).toHaveLength(1);
    await run.shows('Escalated to @leads');
    await expect.poll(() => run.repliesWith('has been waiting for approval').length).toBeGreaterThan(1);
    await as('priya').click('Approve', { in: run.card });
    await run.shows('Priya Nair approved');
    expect(await run.told()).toEqual(['approved: Approved.']);
    // A group is mentioned with all who are in it.
    const [gina, jon, priya] = [as('gina').id, as('jon').id, as('priya').id];
    const notified = run.repliesWith('waiting').map((reply) => reply.notified);
    expect(notified.slice(0, 2)).toEqual([
      [gina, priya],
      [gina, jon, priya],
    ]);
  });

  it('a request that nobody has decided is closed, and the crew isn’t told', async ({ expect }) => {
    const run = await world.run('closing');
    await as('jon').click('Reject…', { in: run.card });
    await as('jon').fill('What should change?', 'Too late.');
    const closed = await run.shows('Nobody decided in time');
    expect(closed).toContain('the crew was not told. It may still wait: answer it in its own control panel.');
    expect(closed).not.toContain('[Approve]');
    await as('jon').submit();
    await as('jon').seesModal('Nobody decided in time, so this approval is closed.');
    await as('jon').closeModal();
    expect(await run.toldSoFar()).toEqual([]);
  });

  it('a request that nobody has decided is rejected with the words of the operator', async ({ expect }) => {
    const run = await world.run('rejecting');
    await run.shows('as nobody decided in time');
    await run.shows('Sent to the crew.');
    const second = await as('maria').seesInThread(run.root, 'Round 2');
    await as('maria').seesChanged(second, 'Round 2, as nobody decided in time');
    expect((await run.toldSoFar())[0]).toBe('rejected: Nobody had time. Please shorten it.');
  });

  it('a decision that waits can be undone by those who may decide', async ({ expect }) => {
    const run = await world.run('revocable');
    await as('jon').click('Approve', { in: run.card });
    expect(await run.shows('Until then, you can undo it')).toContain('[Undo]');
    await as('priya').click('Undo', { in: run.card });
    await privateAnswerTo(as('priya'), CHANNEL, 'You aren’t allowed to decide this.');
    await as('priya').closeModal();
    await as('aiko').click('Undo', { in: run.card });
    expect(await run.shows('[Approve]')).not.toContain('approved');
    await as('jon').click('Approve', { in: run.card });
    await as('jon').click('Undo', { in: run.card });
    await run.shows('[Approve]');
    expect(await run.toldSoFar()).toEqual([]);
  });

  it('a decision is sent once nobody can undo it any more', async ({ expect }) => {
    const run = await world.run('delayed');
    await as('jon').click('Approve', { in: run.card });
    expect(await run.shows('Sent to the crew.')).not.toContain('[Undo]');
    expect(await run.told()).toEqual(['approved: Approved.']);
  });

  it('a person who approves sooner than usual is asked once', async ({ expect }) => {
    const run = await world.run('careful');
    await as('gina').click('Approve', { in: run.card });
    await privateAnswerTo(as('gina'), CHANNEL, 'guests can’t decide this');
    await as('gina').closeModal();
    await as('maria').click('Approve', { in: run.card });
    await as('maria').seesModal('Approve so soon?');
    expect(await run.toldSoFar()).toEqual([]);
    await as('maria').submit();
    await as('maria').seesNoModal();
    expect(await run.told()).toEqual(['approved: Approved.']);
  });
});
