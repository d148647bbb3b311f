import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { pageFolder } from '../../../../src/sandbox/slack-workspace/page-folder.ts';
import { launchBrowser } from '../../../support/browser.ts';
import { section } from '../support/blocks.ts';
import { sharedWorkspace } from '../support/scripted-app.ts';
import { axeFindingsInBothSchemes, createTabs, DESKTOP, PHONE, untilFocused } from './open-page.ts';

// One workspace: each story leaves nothing that another would see.
let browser: Browser;
let tabs: ReturnType<typeof createTabs>;
let watered: (said: string) => void;
const water = {
  id: 'water',
  label: 'Water the plants',
  press: () =>
    new Promise<string>((resolve) => {
      watered = resolve;
    }),
};
const playground = sharedWorkspace({ pageDir: pageFolder(), controls: [water] });
beforeAll(async () => {
  browser = await launchBrowser();
  tabs = createTabs(browser);
});
afterAll(() => browser.close());

const open = (as: string, device = DESKTOP) => tabs.open(`${playground.slack.pageUrl}?as=${as}#/C0RELEASE2`, device);

it('The page shows a message for one person alone until it is reloaded', async () => {
  const page = await open('UMARIA001');
  await playground.call('chat.postEphemeral', { channel: 'C0RELEASE2', user: 'UMARIA001', text: 'Between us' });
  await page.getByRole('article').filter({ hasText: 'Only visible to you' }).getByText('Between us').waitFor();
  const become = async (name: string) => {
    await page.getByRole('button', { name: /You are/ }).click();
    await page.getByRole('menuitemradio', { name }).click();
    await page.getByRole('button', { name: `You are ${name}` }).waitFor();
  };
  await become('Jon Bell');
  expect(await page.getByText('Between us').count()).toBe(0);
  await become('Maria Alvarez');
  await page.getByText('Between us').waitFor();
  await page.reload();
  await page.getByLabel('Message #releases').waitFor();
  expect(await page.getByText('Between us').count()).toBe(0);
});

it('The page shows the app’s Home tab, and where people write to the app', async () => {
  const page = await open('UMARIA001');
  await playground.call('views.publish', {
    user_id: 'UMARIA001',
    view: { type: 'home', blocks: [section('Nothing waits for you.')] },
  });
  await page.getByRole('navigation', { name: 'Channels' }).getByRole('link', { name: 'Signoff' }).click();
  await page.getByText('Nothing waits for you.').waitFor();
  await page.getByRole('link', { name: 'Messages' }).click();
  await page.getByLabel('Message Signoff').fill('Hello');
  await page.keyboard.press('Enter');
  await page.getByRole('article').getByText('Hello').waitFor();
});

it('The page has buttons for what can be tried around it, and lines on every page that say what happened', async () => {
  const [maria, jon] = [await open('UMARIA001'), await open('UJON00002', PHONE)];
  const bar = maria.getByRole('region', { name: 'Try it' });
  await maria.keyboard.press('F6');
  await untilFocused(maria.getByRole('button', { name: 'Water the plants' }));
  await maria.keyboard.press('Enter');
  for (const page of [maria, jon])
    await page.getByRole('button', { name: 'Water the plants' }).and(page.locator('[aria-busy="true"]')).waitFor();
  watered('Three plants were watered, and the cactus was not.');
  await bar
    .getByRole('status')
    .getByText(/^\d\d:\d\d:\d\d$/)
    .waitFor();
  for (const page of [maria, jon]) await page.getByText('Three plants were watered').waitFor();
  await untilFocused(maria.getByRole('button', { name: 'Water the plants' }));
  expect(await jon.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
  expect(await axeFindingsInBothSchemes(maria, '.control-bar')).toEqual([]);

  playground.slack.announce('It rains.');
  await bar.getByText('Three plants were watered').waitFor({ state: 'detached' });
  await bar.getByRole('button', { name: 'Dismiss' }).click();
  await bar.getByText('It rains.').waitFor({ state: 'detached' });
  await jon.getByText('It rains.').waitFor();
  await maria.keyboard.press('Shift+Tab');
  await bar.getByRole('button', { name: 'What happened' }).press('Enter');
  const lines = maria.getByRole('list', { name: 'What happened, newest first' }).getByRole('listitem');
  await lines.first().waitFor();
  expect((await lines.allInnerTexts()).map((line) => line.replace(/^[\d:]+\s+/, ''))).toEqual([
    'It rains.',
    'Three plants were watered, and the cactus was not.',
  ]);
  await maria.keyboard.press('Escape');
  await untilFocused(bar.getByRole('button', { name: 'What happened' }));
});
