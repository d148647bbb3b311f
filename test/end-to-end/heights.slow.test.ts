// How much of a screen a thread and its cards take, in the page of the sandbox.
import type { Browser, BrowserContextOptions, Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pageFolder } from '../../src/sandbox/slack-workspace/page-folder.ts';
import { DESKTOP, openPage, PHONE } from '../sandbox/slack-workspace/page/open-page.ts';
import { launchBrowser } from '../support/browser.ts';
import type { Fixture } from '../support/fixture.ts';
import { startWorld, type World } from '../support/world.ts';

let world: World;
let browser: Browser;
beforeAll(async () => {
  const launched = await launchBrowser();
  browser = launched;
  const approvals = [urgent(1), urgent(2), {}, {}, IN_STAGES];
  world = await startWorld({ fixtures: 5, inputs: ['topic'], approvals, pageDir: pageFolder() });
  await world.startBot();
});
afterAll(() => Promise.all([world.stop(), browser.close()]));

const IN_STAGES = {
  stages: [
    { name: 'Peer review', approvers: ['channel'] },
    { name: 'Release and comms', approvers: ['workspace'], all_of: ['UMARIA5X', 'channel'] },
    { name: 'Board', approvers: ['workspace'], quorum: 1 },
  ],
};

/** As much as a row of Home can have to say, to the people of one of the fixtures. */
function urgent(fixture: number) {
  return {
    ...{ approvers: [`UJON${fixture}X`, `UMARIA${fixture}X`], quorum: 2 },
    ...{ expire_after: '20m', self_approval: true },
  };
}

/** As long as the demo's notes, with as many headings. */
const NOTES = ['Features', 'Fixes', 'Docs', 'Tests']
  .map(
    (heading) =>
      `## ${heading}\n\n${'- A change that somebody made to the tea, with the reason for it (1a2b3c4)\n'.repeat(9)}`,
  )
  .join('\n');
const SUMMARY = '**36 changes** since `v2.3` (5 to 28 Oct 2026): 9 new, 9 fixed, 9 about docs, 9 about tests.';
const DRAFT = `# Draft {{round}}\n\n${SUMMARY}\n\n${NOTES}`;

/** The page of a channel, perhaps with one of its threads beside it. */
async function opened({ jon, channelId }: Fixture, threadTs: string | null, device: BrowserContextOptions) {
  const thread = threadTs === null ? '' : `?thread_ts=${threadTs}`;
  const page = await openPage(browser, `${world.slack.pageUrl}?as=${jon.id}#/${channelId}${thread}`, device);
  return { page, thread: page.getByRole('complementary', { name: 'Thread' }), channel: page.locator('.main') };
}

const cardIn = (pane: Locator) =>
  pane.getByRole('article').filter({ has: pane.page().getByRole('button', { name: 'Approve', exact: true }) });

async function boxOf(shown: Locator) {
  const box = await shown.boundingBox();
  if (box === null) throw new Error(`Not on the page: ${shown}`);
  return box;
}

/** What depends on the moment of the test, as the longest that it could be, since longer texts wrap sooner. */
const LONGEST = [
  [/\b(under a second|\d+ s)(?=\.|\s*$)/gm, '16 min 49 s'],
  [/\b\d+:\d\d [AP]M/g, '12:49 PM'],
] as const;

const MOST_PX_OF_HOME = 1_300;
const MOST_PX_OF_ROW = 120;

/** Before other requests of this file wait for everybody. */
it('Home shows seven requests within 1,300 px of a phone, and each within 120 px', async () => {
  const { setTasks, start, jon } = await world.fixture();
  const run = async (task: string, topic: string, output: string) => {
    await setTasks([{ name: task, humanInput: true, output }]);
    await start(`topic="${topic}"`);
  };
  for (const topic of ['Green tea', 'Coffee for beginners who have never made any', '给初学者的绿茶指南与冲泡方法'])
    await run('draft', topic, `# ${topic}\n\nWhy it is good for you, and what to do with it. ${DRAFT}`);
  await run('send_the_newsletter_to_everybody', 'A rather long subject', JSON.stringify({ to: 'all', body: DRAFT }));
  for (const topic of ['Cocoa', 'Water', 'Milk'])
    await run('publish', topic, '绿茶是一种常见的茶，适合每天饮用，也适合送人。'.repeat(9));
  await jon.openHome();
  await jon.seesHome('7 requests are waiting for you');
  for (const device of [DESKTOP, PHONE]) {
    const page = await openPage(browser, `${world.slack.pageUrl}?as=${jon.id}#/home`, device);
    const home = page.getByRole('region', { name: 'Home tab' });
    const rows = home.locator('.actions').filter({ has: page.getByRole('button', { name: /^Approve .*/ }) });
    await expect.poll(() => rows.count()).toBe(7);
    const heights = await rows.evaluateAll((all) =>
      all.map((row) => {
        const title = row.previousElementSibling?.previousElementSibling ?? row;
        return row.getBoundingClientRect().bottom - title.getBoundingClientRect().top;
      }),
    );
    expect(Math.max(...heights), heights.join(' + ')).toBeLessThanOrEqual(MOST_PX_OF_ROW);
    expect((await boxOf(home.locator('.blocks').first())).height).toBeLessThanOrEqual(MOST_PX_OF_HOME);
    await page.context().close();
  }
});

const MOST_PX_OF_WHO = 300;

it('“/kickoff who” shows two requests and who can decide them within 300 px of a desk and of a phone', async () => {
  const { setTasks, start, card, approve, jon, channelId } = await world.fixture();
  await setTasks([{ name: 'send_the_newsletter', humanInput: true, output: DRAFT }]);
  await start('topic="Coffee for beginners who have never made any"');
  await approve(await card());
  await card('1 of 2 approved');
  await start('topic="Green tea"');
  await card(/Approval needed(.|\n)*Green tea/);
  for (const device of [DESKTOP, PHONE]) {
    const page = await openPage(browser, `${world.slack.pageUrl}?as=${jon.id}#/${channelId}`, device);
    await page.locator('.main').getByRole('article').first().waitFor();
    await jon.command(channelId, '/kickoff', 'who');
    const answer = page.locator('.main').getByRole('article').filter({ hasText: 'Only visible to you' }).last();
    await answer.getByText('Green tea').waitFor();
    const { height } = await boxOf(answer);
    expect(height).toBeLessThanOrEqual(MOST_PX_OF_WHO);
    await page.context().close();
  }
});

const MOST_PX_OF_THREAD = 900;
const MOST_PX_OF_CARD = { channel: 480, thread: 844 };
const PX_OF_LINE = 22;

it('a thread of two rounds with its five replies is read without much scrolling', async () => {
  const fixture = await world.fixture([
    { name: 'draft', agent: 'Writer', humanInput: true, output: DRAFT },
    { name: 'check', agent: 'Checker', output: 'All facts are in the sources, and all links work.' },
    { name: 'count', agent: 'Reader', output: 'Ten thousand people will read it, and most of them on a phone.' },
    { name: 'publish', agent: 'Publisher', output: `Published: the article about tea.\n\n${NOTES}` },
  ]);
  const { start, card, reject, approve, jon, maria } = fixture;
  const root = await start();
  await reject(await card('Approval needed'), `Shorter. ${'Leave out tests, docs and chores. '.repeat(20)}`);
  const second = await card('Round 2');
  await approve(second);
  for (const said of ['All facts are', 'Ten thousand', 'Finished.']) await maria.seesInThread(root, said);
  await jon.seesChanged(root, 'Completed');
  await jon.seesChanged(second, 'Sent to the crew.');
  const { page, thread } = await opened(fixture, root.ts, DESKTOP);
  await expect.poll(() => thread.getByRole('article').count()).toBe(6);
  await thread.evaluate((shown, longest) => {
    const page = shown.ownerDocument;
    const texts = page.createTreeWalker(shown, page.defaultView.NodeFilter.SHOW_TEXT);
    while (texts.nextNode())
      for (const [short, long] of longest)
        texts.currentNode.textContent = texts.currentNode.textContent.replace(short, long);
  }, LONGEST);
  const heights = await thread
    .getByRole('article')
    .evaluateAll((all) => all.map((each) => each.getBoundingClientRect().height));
  expect(
    heights.reduce((sum, height) => sum + height, 0),
    heights.join(' + '),
  ).toBeLessThanOrEqual(MOST_PX_OF_THREAD);
  await page.context().close();
});

describe('an open card', () => {
  async function measure(fixture: Fixture, threadTs: string, moreLines = 0): Promise<void> {
    for (const place of ['channel', 'thread'] as const) {
      const desk = await opened(fixture, place === 'thread' ? threadTs : null, DESKTOP);
      await cardIn(desk[place]).waitFor();
      const { height } = await boxOf(cardIn(desk[place]));
      expect(height, place).toBeLessThanOrEqual(MOST_PX_OF_CARD[place] + moreLines * PX_OF_LINE);
      await desk.page.context().close();
    }
    const phone = await opened(fixture, threadTs, PHONE);
    await cardIn(phone.thread).waitFor();
    const heading = phone.thread.getByRole('heading', { name: /^Approval needed/ });
    // Replies below the card may have moved its beginning out of sight.
    await heading.evaluate((each) => each.scrollIntoView({ block: 'start' }));
    const top = await boxOf(heading);
    const bottom = await boxOf(cardIn(phone.thread).getByRole('button', { name: 'Approve', exact: true }));
    const above = await boxOf(phone.thread.getByRole('heading', { name: 'Thread' }));
    const below = await boxOf(phone.thread.getByLabel('Reply in thread'));
    expect(top.y).toBeGreaterThanOrEqual(above.y + above.height);
    expect(bottom.y + bottom.height).toBeLessThanOrEqual(below.y);
    await phone.page.context().close();
  }

  it('fits half a desk, and one screen of a phone with its title, gist and buttons, in each round', async () => {
    const fixture = await world.fixture([{ name: 'draft', agent: 'Writer', humanInput: true, output: DRAFT }]);
    const { start, card, reject, jon } = fixture;
    const root = await start();
    await card('Approval needed');
    await measure(fixture, root.ts);
    await reject(await card('Approval needed'), 'Shorter, and leave out tests, docs and chores.');
    await card('Round 2');
    await jon.seesInThread(root, 'Changed since round 1');
    await measure(fixture, root.ts);
  });

  it('grows by at most three lines where it says which stages are complete, and whose approval is missing', async () => {
    const fixture = await world.fixture([{ name: 'draft', agent: 'Writer', humanInput: true, output: DRAFT }]);
    const { start, card, approve, maria, jon } = fixture;
    const root = await start();
    const shown = await card('Stage 1 of 3');
    await approve(shown);
    await maria.seesChanged(shown, 'Stage 2 of 3');
    await maria.click('Approve', { in: shown });
    await jon.seesChanged(shown, 'still needs somebody in this channel');
    await measure(fixture, root.ts, 3);
  });
});
