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
        undoable: { approvers: ['UMARIA001'], undo: '10m' },
        shared: { approvers: ['UMARIA001', 'UAIKO0003'], quorum: 2 },
        careful: { approvers: ['UMARIA001'], min_review: '1h' },
        ...Object.fromEntries(SOLO.map((crew) => [crew, { approvers: ['UAIKO0003', 'UJON00002'] }])),
      },
      groups: { reviewers: ['priya'] },
    });
  });
  afterAll(() => world.stop());

  const as = (handle: string) => world.slack.as(handle);
  const ticksIn = (home: HomeView) => homeText(home).match(/^\(\d+\)$|\((\d+)\)$/gm)?.length ?? 0;
  const homeOf = async (handle: string) => homeText(await as(handle).seesHome(/\S/));

  /** What is said of an approval of several; on a busy machine, what isn't stored in Slack's three seconds is offered again. */
  async function submitted(handle: string): Promise<string> {
    const results: string[] = [];
    do {
      expect(results.length, 'each time, at least one of ten is approved').toBeLessThan(10);
      await as(handle).submit();
      results.push(modalText(await as(handle).seesModal(/continues|already|Still open/)));
    } while (results.at(-1)?.includes('[Approve '));
    return results.join('\n');
  }

  it('shows what waits for a person, and follows what happens elsewhere', async () => {
    const jon = as('jon');
    await jon.openHome();
    await jon.seesHome('Requests that you can decide appear here');
    const run = await world.run('pair');
    // The link follows once the card is posted.
    const waiting = homeText(await jon.seesHome(/waiting 1 min · 0 of 2 approvals · <http\S+\|Thread>/));
    expect(waiting).toContain('1 request is waiting for you');
    expect(waiting).toContain('“Draft 1 – About tea.”');
    await as('maria').openHome();
    await as('maria').seesHome('1 of your runs in progress');
    await as('aiko').click('Approve', { in: run.card });
    await jon.seesHome('1 of 2 approvals');
    await jon.click('Approve', { in: run.card });
    const decided = homeText(await jon.seesHome('Approved by Aiko Tanaka and Jon Bell after'));
    expect(decided).toContain('Nothing is waiting for you');
    await as('maria').seesHome(/pair\* · leaf no\. 1\. · Completed/);
  });

  it('approves five at once, but for one that was decided and one that was written anew meanwhile', async () => {
    const [aiko, jon] = [as('aiko'), as('jon')];
    const runs = await Promise.all(SOLO.map((crew) => world.run(crew)));
    const [first, second, , fourth] = runs;
    if (!first || !second || !fourth) throw new Error('five runs have started');
    await aiko.openHome();
    await aiko.seesHome('5 requests are waiting for you');
    await aiko.click('Select all on this page', { in: 'home' });
    await aiko.seesHome('5 selected:');
    await aiko.click('Approve 5 selected…', { in: 'home' });
    const listed = modalText(await aiko.seesModal('[Approve 5]'));
    for (const crew of SOLO) expect(listed).toContain(crew);
    expect(listed.match(/About tea\./g)).toHaveLength(5);
    await jon.click('Approve', { in: second.card });
    await jon.click('Reject…', { in: fourth.card });
    await jon.fill('What should change?', 'Shorter.');
    await jon.submit();
    await jon.seesInThread(fourth.root, 'Round 2');
    const said = await submitted('aiko');
    expect(said.match(/approved\. \*solo-\w+\* continues\./g)).toHaveLength(3);
    expect(said).toMatch(/solo-two\* · leaf no\. \d+\. · started by Maria Alvarez: Jon Bell already approved this/);
    expect(said).toMatch(/solo-four\* · leaf no\. \d+\. · started by Maria Alvarez: Jon Bell already rejected this/);
    await aiko.closeModal();
    expect(await first.told()).toEqual(['approved: Approved.']);
    expect(await fourth.toldSoFar()).toEqual(['rejected: Shorter.']);
    await first.shows('Aiko Tanaka approved');
    await second.shows('Jon Bell approved');
    await aiko.seesHome('1 request is waiting for you');
    await aiko.click('Review', { in: 'home' });
    expect(modalText(await aiko.seesModal('Round 2'))).toMatch(
      /Round 2, after a rejection by Jon Bell.*Shorter\..*Changed since round 1/s,
    );
    await aiko.click('Compare', { in: 'modal' });
    await aiko.seesModal('What changed');
    await aiko.click('Whole text');
    await aiko.seesModal('after a rejection by Jon Bell');
    await aiko.click('Approve', { in: 'modal' });
    await aiko.seesModal('You approved');
    await aiko.closeModal();
    expect(await fourth.told()).toEqual(['rejected: Shorter.', 'approved: Approved.']);
    await aiko.seesHome('Nothing is waiting for you');
  });

  it('approves with one click, says so on top, and takes it back there', async () => {
    const maria = as('maria');
    const run = await world.run('undoable', { by: 'jon' });
    // A start that took long has opened a window.
    if (await maria.modal()) await maria.closeModal();
    await maria.openHome();
    await maria.click('Approve', { in: 'home', from: 'Review' });
    const after = homeText(await maria.seesHome(/✅ You approved \*undoable\*.*Until then, you can undo it\./s));
    expect(after).toContain('Nothing is waiting for you');
    await run.shows('Maria Alvarez approved');
    await maria.click('Undo', { in: 'home' });
    expect(homeText(await maria.seesHome(/Waiting for a decision again: \*undoable\*/))).toContain(
      '1 request is waiting for you',
    );
    expect(await maria.modal()).toBeUndefined();

    const shared = await world.run('shared', { by: 'jon' });
    await maria.seesHome('2 requests are waiting for you');
    await maria.click('Approve', { in: 'home', from: '*shared*' });
    await maria.seesHome(/✅ You approved \*shared\*.*\n1 of 2 approvals\./);
    await maria.click('Withdraw my vote', { in: 'home' });
    await maria.seesHome(/Waiting for a decision again: \*shared\*/);
    for (const person of [maria, as('aiko')]) await person.click('Approve', { in: shared.card });
    expect(await shared.told()).toEqual(['approved: Approved.']);
    expect(await run.toldSoFar()).toEqual([]);
  });

  it('asks in between where a policy wants that', async () => {
    const maria = as('maria');
    const run = await world.run('careful', { by: 'jon' });
    await maria.seesHome(/careful/);
    await maria.click('Approve', { in: 'home', from: '*careful*' });
    await maria.seesModal(/Approve/);
    expect(await run.toldSoFar()).toEqual([]);
    await maria.submit();
    expect(await run.told()).toEqual(['approved: Approved.']);
    await maria.seesHome(/\*careful\*[^\n]*\nApproved by Maria Alvarez/);
  });

  describe('with a dozen requests', () => {
    beforeAll(async () => {
      await Promise.all(['printed', ...Array.from({ length: 11 }, () => 'reviewed')].map((crew) => world.run(crew)));
    });

    it('is filtered, searched and turned page by page', async () => {
      const priya = as('priya');
      await priya.openHome();
      await priya.seesHome('12 requests are waiting for you');
      await priya.click('Next', { in: 'home' });
      expect(ticksIn(await priya.seesHome('Page 2 of 2'))).toBe(2);
      await priya.choose('All crews', 'printed', { in: 'home' });
      expect(ticksIn(await priya.seesHome('[Show everything]'))).toBe(1);
      await priya.click('Search…', { in: 'home' });
      await priya.fill('Words', 'MARÍA leaf');
      await priya.submit();
      expect(ticksIn(await priya.seesHome('Results for “MARÍA leaf”'))).toBe(1);
      await priya.click('Show everything', { in: 'home' });
      await priya.seesHome('Page 1 of 2');
    });

    it('keeps what is selected while pages are turned and lists are filtered, until the person may decide no more', async () => {
      const priya = as('priya');
      await priya.click('Select all on this page', { in: 'home' });
      await priya.seesHome('10 selected');
      await priya.click('Next', { in: 'home' });
      await priya.seesHome('10 of them not shown here');
      await priya.tick('1', { in: 'home' });
      await priya.seesHome('11 selected');
      await priya.click('Search…', { in: 'home' });
      await priya.fill('Words', 'nowhere');
      await priya.submit();
      await priya.seesHome(/No matches \(12 hidden\).*11 selected.*11 of them not shown here/s);
      await priya.click('Show everything', { in: 'home' });
      await priya.seesHome('Page 1 of 2');
      await priya.click('Approve', { in: 'home' });
      await priya.seesHome('10 selected');
      await priya.click('Approve 10 selected…', { in: 'home' });
      await priya.seesModal('[Approve 10]');
      await submitted('priya');
      await priya.closeModal();
      const after = homeText(await priya.seesHome('1 request is waiting for you'));
      expect(after).not.toContain('decided meanwhile');
      await world.setGroup('reviewers', ['jon']);
      await priya.openHome();
      expect(ticksIn(await priya.seesHome('Nothing is waiting for you'))).toBe(0);
    });
  });

  it('tells people of other organisations nothing', async () => {
    const stranger = as('maria.northwind');
    await stranger.openHome();
    await stranger.seesHome('This Signoff belongs to another workspace');
    expect(await homeOf('maria.northwind')).not.toContain('Waiting');
  });
});
