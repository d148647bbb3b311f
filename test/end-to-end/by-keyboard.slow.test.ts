import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { pageFolder } from '../../src/sandbox/slack-workspace/page-folder.ts';
import { openPage, untilFocused } from '../sandbox/slack-workspace/page/open-page.ts';
import { launchBrowser } from '../support/browser.ts';
import { type PolicyWorld, startPolicyWorld } from '../support/policy-world.ts';

let browser: Browser;
let world: PolicyWorld;
beforeAll(async () => {
  const launched = await launchBrowser();
  browser = launched;
  world = await startPolicyWorld({ pageDir: pageFolder(), crews: { letters: { approvers: ['UMARIA001'] } } });
});
afterAll(() => Promise.all([world.stop(), browser.close()]));

const openAsMaria = (hash: string) => openPage(browser, `${world.slack.pageUrl}?as=UMARIA001${hash}`);

/** Presses Tab until this has the focus. */
async function tabTo(target: Locator): Promise<void> {
  for (let presses = 0; presses < 40; presses += 1) {
    await target.page().keyboard.press('Tab');
    if (await target.evaluate((element) => element.matches(':focus'))) return;
  }
  throw new Error(`Tab does not reach ${target}`);
}

const button = (within: Page | Locator, name: string | RegExp) => within.getByRole('button', { name, exact: true });

it('rejects and approves by keyboard alone, from the list of channels to the decisions', async () => {
  const run = await world.run('letters', { by: 'jon' });
  const page = await openAsMaria('#/C0GENERAL1');
  const { keyboard } = page;
  await page.getByLabel('Message #general').waitFor();
  await keyboard.press('F6');
  await untilFocused(page.getByRole('link', { name: 'general' }));
  await tabTo(page.getByRole('link', { name: /releases/ }));
  await keyboard.press('Enter');
  await untilFocused(page.getByLabel('Message #releases'));
  await keyboard.press('ArrowUp');
  await keyboard.press('t');

  const thread = page.getByRole('complementary', { name: 'Thread' });
  const cards = thread.getByRole('article').filter({ has: page.getByRole('heading', { name: /^Approval needed/ }) });
  await untilFocused(page.getByLabel('Reply in thread'));
  await keyboard.press('ArrowUp');
  await untilFocused(cards);
  const first = page.locator(`.thread [data-ts="${run.card.ts}"]`);
  await tabTo(button(first, 'Reject…'));
  await keyboard.press('Enter');
  await untilFocused(page.getByLabel('What should change?'));
  await keyboard.type('Shorter, please.');
  await keyboard.press('Control+Enter');
  await first.getByText('rejected').waitFor();
  await untilFocused(first);

  await cards.waitFor();
  await keyboard.press('ArrowDown');
  await untilFocused(cards);
  const second = page.locator(`.thread [data-ts="${await cards.getAttribute('data-ts')}"]`);
  await tabTo(button(second, 'Approve'));
  await keyboard.press('Enter');
  await second.getByText('approved').waitFor();
  await untilFocused(second);
  expect(await run.told()).toEqual(['rejected: Shorter, please.', 'approved: Approved.']);
});

it('approves one request after the other in Home without leaving the keys', async () => {
  const runs = [await world.run('letters', { by: 'jon' }), await world.run('letters', { by: 'jon' })];
  const page = await openAsMaria('#/C0GENERAL1');
  const { keyboard } = page;
  await page.getByRole('link', { name: /Signoff/ }).focus();
  await keyboard.press('Enter');
  await untilFocused(page.getByRole('region', { name: 'Home tab' }));
  const approve = button(page, /^Approve (?!selected)/);
  await expect.poll(() => approve.count()).toBe(2);
  await tabTo(approve.first());
  await keyboard.press('Enter');
  await expect.poll(() => approve.count()).toBe(1);
  await untilFocused(approve);
  await keyboard.press('Enter');
  await expect.poll(() => approve.count()).toBe(0);
  for (const run of runs) expect(await run.told()).toEqual(['approved: Approved.']);
});
