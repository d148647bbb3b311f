import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { pageFolder } from '../../src/sandbox/slack-workspace/page-folder.ts';
import { openPage } from '../sandbox/slack-workspace/page/open-page.ts';
import { launchBrowser } from '../support/browser.ts';
import { startWorld, type World } from '../support/world.ts';

let world: World;
let browser: Browser;
beforeAll(async () => {
  const launched = await launchBrowser();
  browser = launched;
  world = await startWorld({ fixtures: 1, inputs: ['topic'], pageDir: pageFolder() });
  await world.startBot();
});
afterAll(() => Promise.all([world.stop(), browser.close()]));

/** As long as the demo's notes, with as many headings. */
const NOTES = ['Features', 'Fixes', 'Docs', 'Tests']
  .map(
    (heading) =>
      `## ${heading}\n\n${'- A change that somebody made to the tea, with the reason for it (1a2b3c4)\n'.repeat(9)}`,
  )
  .join('\n');

/** A third of what it was when a decided card still showed its text and its feedback in full. */
const MOST_PX = 1_281;

it('a thread of two rounds with its five replies is read without much scrolling', async () => {
  const { start, card, reject, approve, jon, maria, channelId } = await world.fixture([
    { name: 'draft', agent: 'Writer', humanInput: true, output: `# Draft {{round}}\n\n${NOTES}` },
    { name: 'check', agent: 'Checker', output: 'All facts are in the sources, and all links work.' },
    { name: 'count', agent: 'Reader', output: 'Ten thousand people will read it, and most of them on a phone.' },
    { name: 'publish', agent: 'Publisher', output: 'Published: the article about tea.' },
  ]);
  const root = await start();
  await reject(await card('Round 1'), `Shorter. ${'Leave out tests, docs and chores. '.repeat(20)}`);
  const second = await card('Round 2');
  await approve(second);
  for (const said of ['All facts are', 'Ten thousand', 'is done, after']) await maria.seesInThread(root, said);
  await jon.seesChanged(root, 'Completed');
  await jon.seesChanged(second, 'Sent to the crew.');
  const page = await openPage(browser, `${world.slack.pageUrl}?as=${jon.id}#/${channelId}?thread_ts=${root.ts}`);
  const thread = page.getByRole('complementary', { name: 'Thread' });
  await expect.poll(() => thread.getByRole('article').count()).toBe(6);
  const heights = await thread
    .getByRole('article')
    .evaluateAll((all) => all.map((each) => each.getBoundingClientRect().height));
  expect(
    heights.reduce((sum, height) => sum + height, 0),
    heights.join(' + '),
  ).toBeLessThanOrEqual(MOST_PX);
});
