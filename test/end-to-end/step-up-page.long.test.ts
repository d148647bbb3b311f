// The whole way in a browser: from the card over the identity provider's page and back, also if the bot dies in between.
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { pageFolder } from '../../src/sandbox/slack-workspace/page-folder.ts';
import { freePort } from '../../src/setup/free-port.ts';
import { axeFindingsInBothSchemes, DESKTOP, openPage, PHONE } from '../sandbox/slack-workspace/page/open-page.ts';
import type { BotProcess } from '../support/bot-process.ts';
import { launchBrowser } from '../support/browser.ts';
import { type FollowedRun, followRun } from '../support/followed-run.ts';
import { startIdentityProvider, type TestIdentityProvider } from '../support/identity-provider.ts';
import { installedApp } from '../support/installed-app.ts';
import { startWorld, type World } from '../support/world.ts';

const { PICTURES } = process.env;
const MARIA = { id: 'UMARIA001', address: 'maria@sandbox.example' };

let provider: TestIdentityProvider;
let world: World;
let browser: Browser;
let bot: BotProcess;
const port = await freePort();

beforeAll(async () => {
  provider = await startIdentityProvider();
  const approval = { approvers: [MARIA.id], step_up: true };
  world = await startWorld({
    pageDir: pageFolder(),
    scopes: installedApp(['users:read.email']).scopes,
    crews: [
      { name: 'safe', settings: { channel: 'releases', approval } },
      { name: 'other', settings: { channel: 'releases' } },
    ],
    env: provider.env,
  });
  bot = await world.startBotProcess({ port });
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser.close();
  await world.stop();
  await provider.stop();
});

const start = (topic: string) => followRun(world, { crew: 'safe', topic, by: 'jon', channel: '#releases' });

/** Maria opens the thread of a run. */
const openThread = ({ root }: FollowedRun, device = DESKTOP) =>
  openPage(browser, `${world.slack.pageUrl}?as=${MARIA.id}#/${root.channel}?thread_ts=${root.ts}`, device);

async function picture(page: Page, name: string): Promise<void> {
  if (!PICTURES) return;
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await page.screenshot({ path: join(PICTURES, `${name}-${colorScheme}.png`) });
  }
  await page.emulateMedia({ colorScheme: 'light' });
}

/** Clicks *Approve* on the card, and then the button of the window; resolves to the page that this opens. */
async function clickApprove(page: Page, name: string): Promise<Page> {
  await page.locator('.thread').getByRole('button', { name: 'Approve', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Sign in to approve' });
  await dialog.getByText('Sign in with your company account').waitFor();
  await picture(page, `window-${name}`);
  expect(await axeFindingsInBothSchemes(page, '.dialog, dialog')).toEqual([]);
  const opened = page.context().waitForEvent('page');
  await dialog.getByRole('button', { name: 'Sign in and approve' }).click();
  return opened;
}

async function signIn(tab: Page): Promise<void> {
  await tab.getByLabel('Address').fill(MARIA.address);
  await tab.getByRole('button', { name: 'Sign in' }).click();
}

it.each([
  ['a desk', DESKTOP],
  ['a phone', PHONE],
] as const)('approves by a sign-in on %s', async (name, device) => {
  const run = await start(`tea on ${name}.`);
  const page = await openThread(run, device);
  const tab = await clickApprove(page, name);
  await signIn(tab);
  await tab.getByRole('heading', { name: 'Approved' }).waitFor();
  await tab.getByText(`You approved “safe · tea on ${name}.”. You can close this page.`).waitFor();
  expect(await axeFindingsInBothSchemes(tab)).toEqual([]);
  await picture(tab, `approved-${name}`);
  const dialog = page.getByRole('dialog', { name: 'Approved' });
  await dialog.getByText('You approved safe').waitFor();
  await picture(page, `back-${name}`);
  await dialog.getByRole('button', { name: 'Close', exact: true }).last().click();
  await run.shows('Maria Alvarez approved');
  expect(await run.told()).toEqual(['approved: Approved.']);
  await page.context().close();
});

it('approves although the bot dies between the click and the sign-in', async () => {
  const run = await start('oolong.');
  const page = await openThread(run);
  const tab = await clickApprove(page, 'again');
  await tab.getByLabel('Address').waitFor();
  await bot.kill();
  bot = await world.startBotProcess({ port });
  await signIn(tab);
  await tab.getByRole('heading', { name: 'Approved' }).waitFor();
  expect(await run.told()).toEqual(['approved: Approved.']);
  await page.context().close();
});

it('says in the language of the browser that a link no longer works', async () => {
  const context = await browser.newContext({ locale: 'de-DE' });
  const page = await context.newPage();
  await page.goto(`http://127.0.0.1:${port}/step-up/${'a'.repeat(43)}`);
  await page.getByRole('heading', { name: 'Dieser Link gilt nicht mehr' }).waitFor();
  expect(await page.locator('html').getAttribute('lang')).toBe('de');
  await picture(page, 'unknown-link');
  await context.close();
});
