import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { USUAL_SETTINGS } from '../../src/core/inbox/person-settings.ts';
import { pageFolder } from '../../src/sandbox/slack-workspace/page-folder.ts';
import { axeFindings, chooseOption, openPage, PHONE } from '../sandbox/slack-workspace/page/open-page.ts';
import { launchBrowser } from '../support/browser.ts';
import { storeSettings } from '../support/person-settings.ts';
import { type PolicyWorld, startPolicyWorld } from '../support/policy-world.ts';

const CREWS = ['letters', 'talks', 'guides', 'notices', 'posters'];

let world: PolicyWorld;
let browser: Browser;
beforeAll(async () => {
  const launched = await launchBrowser();
  browser = launched;
  const approval = { approvers: ['@release-managers'] };
  world = await startPolicyWorld({
    pageDir: pageFolder(),
    crews: {
      ...Object.fromEntries(CREWS.map((crew) => [crew, approval])),
      secrets: { approvers: ['@editors'] },
      calls: { approvers: ['UMARIA001', 'UAIKO0003'] },
      errands: { approvers: ['UMARIA001'], delegation: 'anyone' },
      reports: { approvers: ['UJON00002'] },
      alarms: { approvers: ['UMARIA001', 'UAIKO0003'] },
    },
    groups: { editors: ['aiko'] },
    bot: { lookEveryMs: 200 },
  });
});
afterEach(() => Promise.all(browser.contexts().map((context) => context.close())));
afterAll(() => Promise.all([world.stop(), browser.close()]));

const as = (handle: string) => world.slack.as(handle);
const button = (within: Page | Locator, name: string) => within.getByRole('button', { name, exact: true });
const dialog = (page: Page, name: string) => page.getByRole('dialog', { name, exact: true });

/** The Home tab of a person, in a browser of their own. A start that took long has left its window open. */
async function home(handle: string, options = {}): Promise<Page> {
  if ((await as(handle).snapshot()).modals.length > 0) await as(handle).closeModal();
  return openPage(browser, `${world.slack.pageUrl}?as=${as(handle).id}#/home`, options);
}

describe('an approver with five requests', () => {
  it('approves the ticked ones at once, but for one that somebody else has decided meanwhile', async () => {
    const runs = await Promise.all(CREWS.map((crew) => world.run(crew, { by: 'jon' })));
    const maria = await home('maria');
    await maria.getByText('5 requests are waiting for you').waitFor();
    expect(await axeFindings(maria)).toEqual([]);
    await button(maria, 'Select all on this page').click();
    await maria.getByText('5 selected').waitFor();
    await button(maria, 'Approve selected…').click();
    const asked = maria.getByRole('dialog');
    await button(asked, 'Approve 5').waitFor();
    for (const crew of CREWS) expect(await asked.innerText()).toContain(crew);
    expect(await asked.getByText('About tea.').count()).toBeGreaterThanOrEqual(5);
    const [first] = runs;
    await as('aiko').click('Approve', { in: first?.card ?? expect.fail() });
    await first?.shows('Sent to the crew.');
    await button(asked, 'Approve 5').click();
    await asked.getByText('Aiko Tanaka').first().waitFor();
    expect(await axeFindings(maria)).toEqual([]);
    for (const run of runs) expect(await run.told()).toEqual(['approved: Approved.']);
    await maria.keyboard.press('Escape');
    await maria.getByText('Nothing is waiting for you').first().waitFor();
    await maria.getByText('Approved by Aiko Tanaka after').waitFor();
    expect(await maria.getByText('Approved by Maria Alvarez after').count()).toBe(4);
  });
});

/** Chooses how a person is told, in the settings of their Home. */
async function chooses(page: Page, tell: string): Promise<void> {
  await button(page, 'Settings…').click();
  await dialog(page, 'Your settings').getByRole('radio', { name: tell, exact: true }).check();
  await button(dialog(page, 'Your settings'), 'Save').click();
  await page.getByRole('dialog').getByText('Saved.').waitFor();
  await page.keyboard.press('Escape');
}

/** The conversation of a person with the app. */
async function messages(page: Page): Promise<Locator> {
  await page.getByRole('link', { name: 'Messages', exact: true }).click();
  return page.locator('.main');
}

describe('who is told at once', () => {
  it('decides in the direct message, which settles the card in the channel and all other copies', async () => {
    const [maria, aiko] = await Promise.all([home('maria', PHONE), home('aiko', { colorScheme: 'dark' })]);
    await chooses(maria, 'Immediately');
    await chooses(aiko, 'Immediately');
    // The other process may know older settings for some seconds.
    await world.restart();
    const run = await world.run('calls', { by: 'jon' });
    const [toMaria, toAiko] = await Promise.all([messages(maria), messages(aiko)]);
    await button(toMaria, 'Approve').waitFor();
    expect(await axeFindings(aiko)).toEqual([]);
    await button(toAiko, 'Approve').click();
    expect(await run.shows('Sent to the crew.')).toContain('Aiko Tanaka approved');
    await toMaria.getByText('Aiko Tanaka approved').waitFor();
    expect(await button(toMaria, 'Approve').count()).toBe(0);
    expect(await run.told()).toEqual(['approved: Approved.']);
  });
});

describe('who is away', () => {
  it('has a stand-in, who decides what is theirs to decide until they are back', async () => {
    const run = await world.run('errands', { by: 'aiko' });
    const [maria, jon] = await Promise.all([home('maria'), home('jon')]);
    await jon.getByText('Nothing is waiting for you').first().waitFor();
    await button(maria, 'Settings…').click();
    const settings = dialog(maria, 'Your settings');
    await settings.getByLabel('Away until').fill(tomorrow());
    await chooseOption(settings.getByLabel('Stand-in'), 'Jon Bell');
    await button(settings, 'Save').click();
    await maria.getByRole('dialog').getByText('Jon Bell can decide these now, too').waitFor();
    await run.shows('Maria Alvarez is away');
    await jon.getByText('1 request is waiting for you').waitFor();
    await jon.getByRole('button', { name: /^Review leaf no\. \d+/ }).click();
    await button(jon.getByRole('dialog'), 'Approve').click();
    expect(await run.shows('Sent to the crew.')).toContain('Jon Bell (for Maria Alvarez) approved');
    const next = await world.run('errands', { by: 'aiko' });
    await next.shows('Maria Alvarez is away');
    await maria.keyboard.press('Escape');
    await button(maria, 'Settings…').click();
    await button(maria.getByRole('dialog'), 'I’m back').click();
    await maria.getByText('Welcome back').waitFor();
    await as('jon').click('Approve', { in: next.card });
    await as('jon').seesModal('Maria Alvarez');
    await as('jon').closeModal();
    expect(await next.toldSoFar()).toEqual([]);
  });
});

describe('who has left a group', () => {
  it('no longer finds in Home what the group decides', async () => {
    await world.run('secrets', { by: 'jon' });
    const before = await home('aiko');
    await before.getByRole('checkbox', { name: /^Select leaf no\. \d+/ }).waitFor();
    await world.setGroup('editors', ['maria']);
    const after = await home('aiko');
    await after.getByText('Nothing is waiting for you').first().waitFor();
    expect(await after.getByText('secrets').count()).toBe(0);
  });
});

/** A time zone in which it is this hour of the day now. */
function zoneAt(hour: number): string {
  const ahead = ((hour - new Date().getUTCHours() + 36) % 24) - 12;
  // The signs of these names are the other way round.
  return ahead === 0 ? 'Etc/GMT' : `Etc/GMT${ahead > 0 ? '-' : '+'}${Math.abs(ahead)}`;
}

describe('whose quiet hours go over midnight', () => {
  it('is told nothing in them, and is told again once their time zone has changed', async () => {
    world.slack.admin.changeTimeZone('aiko', zoneAt(0));
    await world.restart();
    const aiko = await home('aiko');
    await button(aiko, 'Settings…').click();
    const settings = dialog(aiko, 'Your settings');
    await settings.getByRole('radio', { name: 'Immediately', exact: true }).check();
    await settings.getByLabel('Quiet hours from').fill('22:00');
    await settings.getByLabel('Quiet hours to').fill('07:00');
    await settings.getByText(`Times are in ${zoneAt(0)}`).waitFor();
    await button(settings, 'Save').click();
    await aiko.getByRole('dialog').getByText('quiet from 22:00 to 07:00').waitFor();
    await aiko.keyboard.press('Escape');
    await world.restart();
    const quiet = await world.run('alarms', { by: 'jon' });
    await as('maria').sees('Signoff', 'alarms');
    await as('maria').click('Approve', { in: quiet.card });
    expect(await quiet.told()).toEqual(['approved: Approved.']);
    world.slack.admin.changeTimeZone('aiko', zoneAt(12));
    // What Slack says of people is kept for a minute at most, and no process keeps it over a restart.
    await world.restart();
    await world.run('alarms', { by: 'jon' });
    const alarms = (await messages(aiko)).getByRole('article').filter({ hasText: 'alarms' });
    await button(alarms, 'Approve').waitFor();
    expect(await alarms.count()).toBe(1);
  });
});

describe('who wants a digest', () => {
  it('gets one of what waits, and reviews it from there', async () => {
    const run = await world.run('reports', { by: 'maria' });
    await storeSettings(world.env(0).REDIS_URL ?? '', {
      [as('jon').id]: { ...USUAL_SETTINGS, tell: { kind: 'hourly', since: 0 } },
    });
    await as('jon').sees('Signoff', '1 request is waiting for you');
    const jon = await home('jon');
    const told = await messages(jon);
    await told.getByText('1 request is waiting for you').waitFor();
    expect(await axeFindings(jon)).toEqual([]);
    await told.getByRole('button', { name: /^Review leaf no\. \d+/ }).click();
    await jon.getByRole('dialog').getByText('About tea.').waitFor();
    expect(await axeFindings(jon)).toEqual([]);
    await button(jon.getByRole('dialog'), 'Approve').click();
    expect(await run.told()).toEqual(['approved: Approved.']);
  });
});

function tomorrow(): string {
  return new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
}
