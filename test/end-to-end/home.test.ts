import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { homeText, modalText } from '../../src/sandbox/slack-workspace/driver/visible-text.ts';
import type { HomeView } from '../../src/sandbox/slack-workspace/people-api.ts';
import { type PolicyWorld, startPolicyWorld } from '../support/policy-world.ts';

/** Crews whose requests are approved together. */
const SOLO = ['one', 'two', 'three', 'four', 'five'].map((name) => `solo-${name}`);

describe('the Home tab, with two bots', () => {
  let world: PolicyWorld;

  beforeAll(async () => {
    world = await startPolicyWorld({
      crews: {
        pair: { approvers: ['UJON00002', 'UAIKO0003'], quorum: 2 },
        reviewed: { approvers: ['@reviewers'] },
        printed: { approvers: ['@reviewers'] },
        ...Object.fromEntries(SOLO.map((crew) => [crew, { approvers: ['UAIKO0003', 'UJON00002'] }])),
      },
      groups: { reviewers: ['priya'] },
    });
  });
  afterAll(() => world.stop());

  const as = (handle: string) => world.slack.as(handle);
  const ticksIn = (home: HomeView) => homeText(home).match(/\(Select/g)?.length ?? 0;
  const homeOf = async (handle: string) => homeText(await as(handle).seesHome(/\S/));

  it('shows what waits for a person, and follows what happens elsewhere', async () => {
    const jon = as('jon');
    await jon.openHome();
    await jon.seesHome('What a crew asks and you can decide appears here');
    const run = await world.run('pair');
    const waiting = homeText(await jon.seesHome('1 request waits for you'));
    expect(waiting).toContain('> Draft 1\n> About tea.');
    expect(waiting).toMatch(/Started by Maria Alvarez · <#C0RELEASE2> · .*waiting since.* · 0 of 2 approvals/);
    await as('maria').openHome();
    await as('maria').seesHome('1 run of yours in progress');
    await as('aiko').click('Approve', { in: run.card });
    await jon.seesHome('1 of 2 approvals');
    await jon.click('Approve', { in: run.card });
    const decided = homeText(await jon.seesHome('Approved by Aiko Tanaka and Jon Bell after'));
    expect(decided).toContain('Nothing waits for you');
    await as('maria').seesHome(/pair\* · Completed/);
  });

  it('approves five at once, but for one that was decided and one that was written anew meanwhile', async () => {
    const [aiko, jon] = [as('aiko'), as('jon')];
    const runs = await Promise.all(SOLO.map((crew) => world.run(crew)));
    const [first, second, , fourth] = runs;
    if (!first || !second || !fourth) throw new Error('five runs have started');
    await aiko.openHome();
    await aiko.seesHome('5 requests wait for you');
    for (const crew of SOLO) await aiko.tick(`Select a result of ${crew} for Maria Alvarez`, { in: 'home' });
    await aiko.click('Approve selected…', { in: 'home' });
    const listed = modalText(await aiko.seesModal('[Approve 5]'));
    for (const crew of SOLO) expect(listed).toContain(crew);
    await jon.click('Approve', { in: second.card });
    await jon.click('Reject…', { in: fourth.card });
    await jon.fill('What should change?', 'Shorter.');
    await jon.submit();
    await jon.seesInThread(fourth.root, 'Round 2');
    await aiko.submit();
    const said = modalText(await aiko.seesModal('Left out'));
    expect(said.match(/approved\. The crew goes on\./g)).toHaveLength(3);
    expect(said).toMatch(/solo-two · round 1\*?: Jon Bell already approved this/);
    expect(said).toMatch(/solo-four · round 1\*?: Jon Bell already rejected this/);
    await aiko.closeModal();
    expect(await first.told()).toEqual(['approved: Approved.']);
    expect(await fourth.toldSoFar()).toEqual(['rejected: Shorter.']);
    await first.shows('Aiko Tanaka approved');
    await second.shows('Jon Bell approved');
    await aiko.seesHome('1 request waits for you');
    await aiko.click('Review', { in: 'home' });
    expect(modalText(await aiko.seesModal('round 2'))).toMatch(/Jon Bell rejected round 1.*Shorter\..*Since round 1/s);
    await aiko.click('Compare');
    await aiko.seesModal('What changed');
    await aiko.click('Whole text');
    await aiko.seesModal('Jon Bell rejected round 1');
    await aiko.click('Approve');
    await aiko.seesModal('You approved');
    await aiko.closeModal();
    expect(await fourth.told()).toEqual(['rejected: Shorter.', 'approved: Approved.']);
    await aiko.seesHome('Nothing waits for you');
  });

  it('is filtered, searched and turned page by page, until the person may decide no more', async () => {
    const priya = as('priya');
    await Promise.all(['printed', ...Array.from({ length: 8 }, () => 'reviewed')].map((crew) => world.run(crew)));
    await priya.openHome();
    await priya.seesHome('9 requests wait for you');
    await priya.click('Next', { in: 'home' });
    expect(ticksIn(await priya.seesHome('Page 2 of 2'))).toBe(1);
    await priya.choose('All crews', 'printed', { in: 'home' });
    expect(ticksIn(await priya.seesHome('[Show everything]'))).toBe(1);
    await priya.click('Search…', { in: 'home' });
    await priya.fill('Words', 'MARÍA leaf');
    await priya.submit();
    expect(ticksIn(await priya.seesHome('Found by “MARÍA leaf”'))).toBe(1);
    await priya.click('Show everything', { in: 'home' });
    await priya.seesHome('Page 1 of 2');

    await world.setGroup('reviewers', ['jon']);
    await priya.openHome();
    expect(ticksIn(await priya.seesHome('Nothing waits for you'))).toBe(0);
  });

  it('tells people of other organisations nothing', async () => {
    const stranger = as('maria.northwind');
    await stranger.openHome();
    await stranger.seesHome('This Signoff belongs to another workspace');
    expect(await homeOf('maria.northwind')).not.toContain('Waiting');
  });
});
