import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { launchBrowser } from '../../../support/browser.ts';
import { axeFindingsInBothSchemes, createTabs, DESKTOP, PHONE, untilFocused } from './open-page.ts';
import { startTinyApp, type TinyApp } from './tiny-app.ts';

// One workspace: each story is told in a channel of its own, or leaves nothing that another would see.
let browser: Browser;
let tabs: ReturnType<typeof createTabs>;
let tiny: TinyApp;
let watered: (said: string) => void;
beforeAll(async () => {
  const water = {
    id: 'water',
    label: 'Water the plants',
    press: () =>
      new Promise<string>((resolve) => {
        watered = resolve;
      }),
  };
  [browser, tiny] = await Promise.all([launchBrowser(), startTinyApp([water])]);
  tabs = createTabs(browser);
});
afterAll(async () => {
  await browser.close();
  await tiny.close();
});

const CHANNELS = { general: 'C0GENERAL1', releases: 'C0RELEASE2' };
const SECOND_DESKTOP = { ...DESKTOP };
const open = (as: string, channel: keyof typeof CHANNELS, device = DESKTOP) =>
  tabs.open(`${tiny.slack.pageUrl}?as=${as}#/${CHANNELS[channel]}`, device);
const composer = (page: Page) => page.locator('.main .composer textarea');
const thread = (page: Page) => page.getByRole('complementary', { name: 'Thread' });

it('plays a command, a form and a decision in a thread by mouse, and others see it at once', async () => {
  const maria = await open('UMARIA001', 'general');
  const jon = await open('UJON00002', 'general', SECOND_DESKTOP);
  await composer(maria).click();
  await composer(maria).fill('/as');
  await maria.getByRole('option', { name: /\/ask/ }).click();
  await maria.getByRole('button', { name: 'Send' }).click();
  const form = maria.getByRole('dialog', { name: 'Ask for an approval' });
  await form.getByLabel('What is it about?').fill('ok');
  await form.getByRole('button', { name: 'Ask' }).click();
  await form.getByText('Say a little more.').waitFor();
  await form.getByLabel('What is it about?').fill('Release 2.4');
  await form.getByRole('button', { name: 'Ask' }).click();
  await form.waitFor({ state: 'detached' });

  await jon.getByText('asks: Release 2.4').first().waitFor();
  await jon.getByRole('link', { name: /1 reply/ }).click();
  await thread(jon).getByRole('button', { name: 'Approve' }).click();
  await thread(jon).getByText('✓ Approved by @Jon Bell').waitFor();
  await maria.getByRole('link', { name: /1 reply/ }).click();
  await thread(maria).getByText('✓ Approved by @Jon Bell').waitFor();
});

it('plays the same by keyboard alone, with a rejection and its feedback', async () => {
  const page = await open('UMARIA001', 'releases');
  const { keyboard } = page;
  await keyboard.press('/');
  await untilFocused(composer(page));
  await keyboard.type('as');
  await keyboard.press('Tab');
  await keyboard.press('Enter');
  await untilFocused(page.getByLabel('What is it about?'));
  await keyboard.type('Release 2.4');
  await keyboard.press('Enter');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await untilFocused(composer(page));

  await page.getByRole('link', { name: /1 reply/ }).waitFor();
  await keyboard.press('ArrowUp');
  await untilFocused(page.getByRole('article').last());
  await keyboard.press('t');
  await untilFocused(page.getByLabel('Reply in thread'));
  await keyboard.press('ArrowUp');
  await untilFocused(thread(page).getByRole('article').last());
  await keyboard.press('Tab');
  await untilFocused(page.getByRole('button', { name: 'Approve' }));
  await keyboard.press('Tab');
  await keyboard.press('Enter');
  await untilFocused(page.getByLabel('Feedback'));
  await keyboard.type('Too long');
  await keyboard.press('Control+Enter');
  await thread(page).getByText('✗ Rejected by @Maria Alvarez: Too long').waitFor();
  // The button is gone with the card: its message has the focus.
  await untilFocused(thread(page).getByRole('article').last());
});

it('shows what is for one person alone until the page is reloaded', async () => {
  const page = await open('UMARIA001', 'releases');
  const whisper = { channel: 'C0RELEASE2', user: 'UMARIA001', text: 'Between us' };
  const headers = { authorization: `Bearer ${tiny.slack.botToken}`, 'content-type': 'application/json' };
  await fetch(`${tiny.slack.apiUrl}chat.postEphemeral`, { method: 'POST', headers, body: JSON.stringify(whisper) });
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
  await composer(page).waitFor();
  expect(await page.getByText('Between us').count()).toBe(0);
});

it('shows the app’s Home tab, and where the app was written to', async () => {
  const page = await open('UMARIA001', 'releases');
  await page.getByRole('navigation', { name: 'Channels' }).getByRole('link', { name: 'Signoff' }).click();
  await page.getByText('Nothing waits for you.').waitFor();
  await page.getByRole('link', { name: 'Messages' }).click();
  await page.getByLabel('Message Signoff').fill('Hello');
  await page.keyboard.press('Enter');
  await page.getByRole('article').getByText('Hello').waitFor();
});

it('has buttons for what can be tried around it, and lines on every page that say what happened', async () => {
  const [maria, jon] = [await open('UMARIA001', 'general'), await open('UJON00002', 'general', PHONE)];
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

  tiny.slack.announce('It rains.');
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
