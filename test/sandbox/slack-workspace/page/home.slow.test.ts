import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../src/sandbox/slack-workspace/json.ts';
import { pageFolder } from '../../../../src/sandbox/slack-workspace/page-folder.ts';
import { launchBrowser } from '../../../support/browser.ts';
import { installedApp } from '../../../support/installed-app.ts';
import { actions, button, input, mrkdwn, option, section, textInput } from '../support/blocks.ts';
import { type Playground, workspaceWithApp } from '../support/scripted-app.ts';
import {
  axeFindings,
  axeFindingsInBothSchemes,
  chooseOption,
  createTabs,
  DESKTOP,
  PHONE,
  untilFocused,
} from './open-page.ts';

let browser: Browser;
let tabs: ReturnType<typeof createTabs>;
let playground: Playground;
beforeAll(async () => {
  const app = { ...installedApp(), delivery: { mode: 'http', requestUrl: undefined } } as const;
  const launched = await launchBrowser();
  browser = launched;
  tabs = createTabs(browser);
  playground = await workspaceWithApp({ pageDir: pageFolder(), app, rateLimits: 'off', ackLimitMs: 10_000 });
});
afterAll(() => Promise.all([browser.close(), playground.close()]));
beforeEach(() => {
  playground.app.received.length = 0;
});

const open = (hash: string, device: BrowserContextOptions = DESKTOP) =>
  tabs.open(`${playground.slack.pageUrl}?as=UMARIA001${hash}`, device);
const publish = (blocks: JsonObject[]) =>
  playground.call('views.publish', { user_id: 'UMARIA001', view: { type: 'home', blocks } });
const clicks = () => playground.app.received.filter(({ payload }) => payload.type === 'block_actions');
const actionOf = (index: number) => (clicks().at(index)?.payload.actions as JsonObject[] | undefined)?.[0];

const tick = (name: string) => ({ type: 'checkboxes', action_id: 'tick', options: [option(`Select ${name}`, 's')] });
const crews = {
  type: 'static_select',
  action_id: 'crew',
  options: [option('All crews', 'all'), option('Docs', 'docs')],
};
const item = (name: string) => [
  section(`*${name}* asks <@UJON00002>`, { block_id: name, accessory: tick(name) }),
  { type: 'context', elements: [mrkdwn('round 2 · <#C0RELEASE2> · 3 hours')] },
  {
    ...actions(button('Review'), { type: 'overflow', action_id: 'more', options: [option('Open thread')] }),
    block_id: `do ${name}`,
  },
  { type: 'divider' },
];
const SETTINGS = [
  section('Tell me daily at', { accessory: { type: 'timepicker', action_id: 'at', timezone: 'Europe/Madrid' } }),
  section('Away until', { accessory: { type: 'datepicker', action_id: 'until' } }),
  section('Stand-in', { accessory: { type: 'users_select', action_id: 'who' } }),
  section('Channel', { accessory: { type: 'conversations_select', action_id: 'where' } }),
  input('Search', textInput(), { dispatch_action: true }),
];
const EVERYTHING = [
  { type: 'header', text: { type: 'plain_text', text: 'Waiting for you' } },
  section('Crew', { accessory: crews }),
  ...item('Tea'),
  ...item('Coffee'),
  ...SETTINGS,
];

const points = (...values: number[]) => values.map((value, index) => ({ label: ['Mon', 'Tue'][index] ?? '', value }));
const CHART = {
  type: 'data_visualization',
  title: 'Decisions',
  chart: {
    type: 'bar',
    series: [
      { name: 'Approved', data: points(3, 5) },
      { name: 'Changes', data: points(1, 2) },
    ],
    axis_config: { categories: ['Mon', 'Tue'], x_label: 'Day', y_label: 'Decisions' },
  },
};
const pie = {
  type: 'pie',
  segments: [
    { label: 'First round', value: 3 },
    { label: 'Later', value: 1 },
  ],
};
const PIE = { type: 'data_visualization', title: 'Rounds', chart: pie };
const postCharts = () =>
  playground.call('chat.postMessage', { channel: 'C0RELEASE2', text: 'Decisions', blocks: [CHART, PIE] });

const widest = (page: Page) => page.evaluate<number>('document.scrollingElement.scrollWidth');

describe('Home, the app’s messages and charts', () => {
  it('leave axe nothing to find, in light and dark', async () => {
    await publish(EVERYTHING);
    await playground.call('chat.postMessage', { channel: 'UMARIA001', text: 'Told only to you' });
    await postCharts();
    const page = await open('#/home');
    await page.getByRole('checkbox', { name: 'Select Coffee' }).waitFor();
    expect(await axeFindingsInBothSchemes(page, '.main')).toEqual([]);
    await page.getByRole('link', { name: 'Messages' }).click();
    await page.getByText('Sending messages to this app has been turned off.').waitFor();
    expect(await axeFindingsInBothSchemes(page, '.main')).toEqual([]);
    await page.goto(`${playground.slack.pageUrl}?as=UMARIA001#/C0RELEASE2`);
    await page.getByText('Show the numbers').first().click();
    await page.getByRole('rowheader', { name: 'Tue' }).waitFor();
    expect(await axeFindingsInBothSchemes(page, '.main')).toEqual([]);
  });

  it('fit a phone', async () => {
    await publish(EVERYTHING);
    await postCharts();
    const page = await open('#/home', PHONE);
    await page.getByRole('checkbox', { name: 'Select Coffee' }).waitFor();
    expect(await widest(page)).toBeLessThanOrEqual(390);
    await page.goto(`${playground.slack.pageUrl}?as=UMARIA001#/C0RELEASE2`);
    await page.getByText('Show the numbers').first().click();
    await page.getByRole('rowheader', { name: 'Tue' }).first().waitFor();
    expect(await widest(page)).toBeLessThanOrEqual(390);
  });
});

describe('the Home tab', () => {
  it('is used by keyboard alone, and tells the app once of what is typed', async () => {
    await publish(EVERYTHING);
    const page = await open('#/home');
    const box = page.getByRole('group', { name: 'Coffee asks @Jon Bell' }).getByRole('checkbox');
    await box.focus();
    await page.keyboard.press('Space');
    await expect.poll(() => actionOf(0)).toMatchObject({ action_id: 'tick', selected_options: [{ value: 's' }] });
    await publish([section('Now with news'), ...EVERYTHING]);
    await page.getByText('Now with news').waitFor();
    await untilFocused(box);
    expect(await box.isChecked()).toBe(true);
    const at = page.getByLabel('Tell me daily at');
    await at.focus();
    await page.keyboard.type('0830AM');
    await page.keyboard.press('Tab');
    await expect.poll(() => actionOf(1)).toMatchObject({ action_id: 'at', selected_time: '08:30' });
    await page.getByLabel('Away until').focus();
    await page.keyboard.type('12242026');
    await page.keyboard.press('Enter');
    await expect.poll(() => actionOf(2)).toMatchObject({ action_id: 'until', selected_date: '2026-12-24' });
    await chooseOption(page.getByLabel('Stand-in'), 'Jon Bell');
    await expect.poll(() => actionOf(3)).toMatchObject({ action_id: 'who', selected_user: 'UJON00002' });
    await page.getByLabel('Search').fill('tea');
    await page.keyboard.press('Enter');
    await expect.poll(() => actionOf(4)).toMatchObject({ action_id: 'Search', value: 'tea' });
    expect(clicks()).toHaveLength(5);
  });

  it('offers the shortcuts that the manifest declares', async () => {
    const page = await open('#/home');
    await page.getByRole('button', { name: 'Shortcuts', exact: true }).click();
    const items = page.getByRole('menuitem').filter({ visible: true });
    await items.first().waitFor();
    expect(await items.allInnerTexts()).toEqual([expect.stringMatching(/^Start a crew\s+Choose a crew/)]);
    await page.getByRole('menuitem', { name: 'Start a crew' }).filter({ visible: true }).click();
    await expect
      .poll(() => playground.app.received.at(-1)?.payload)
      .toMatchObject({ type: 'shortcut', callback_id: 'start_crew' });
  });
});

describe('a direct message from the app', () => {
  it('is unread until it is seen, has buttons that work there, and can become one line', async () => {
    const page = await open('#/C0RELEASE2');
    const blocks = [section('Please decide'), actions(button('Approve'))];
    const { body } = await playground.call('chat.postMessage', { channel: 'UMARIA001', text: 'A request', blocks });
    await page.getByRole('link', { name: /Signoff.*1 unread, 1 for you/ }).click();
    await page.getByRole('button', { name: 'Approve' }).click();
    await expect
      .poll(() => clicks().at(-1)?.payload)
      .toMatchObject({
        channel: { id: body.channel, name: 'directmessage' },
        container: { channel_id: body.channel, message_ts: body.ts },
      });
    const place = { channel: body.channel ?? '', ts: body.ts ?? '' };
    await playground.call('chat.update', { ...place, text: 'Jon approved', blocks: [] });
    const message = page.getByRole('article').getByText('Jon approved');
    await message.waitFor();
    await playground.call('chat.delete', place);
    await message.waitFor({ state: 'detached' });
    await playground.call('chat.postMessage', { channel: 'UAIKO0003', text: 'For Aiko' });
    await page.getByRole('button', { name: /You are/ }).click();
    await page.getByRole('menuitemradio', { name: /Aiko Tanaka.*1 unread direct message/ }).waitFor();
  });
});

describe('a person', () => {
  it('changes their time zone and leaves a group, by keyboard', async () => {
    const page = await open('#/home');
    const profile = async () => {
      await page.getByRole('button', { name: /You are/ }).click();
      await page.getByRole('menuitem', { name: /Profile/ }).click();
      return page.getByRole('dialog', { name: 'Maria Alvarez' });
    };
    const dialog = await profile();
    await dialog.getByLabel('Time zone').selectOption('Asia/Tokyo');
    await dialog.getByRole('checkbox', { name: /@release-managers/ }).focus();
    await page.keyboard.press('Space');
    const user = async () => (await playground.callForm('users.info', { user: 'UMARIA001' })).body.user;
    await expect.poll(user).toMatchObject({ tz: 'Asia/Tokyo', tz_offset: 32_400 });
    const members = async () =>
      (await playground.callForm('usergroups.users.list', { usergroup: 'SRELEASE1' })).body.users;
    await expect.poll(members).toEqual(['UAIKO0003']);
    expect(await axeFindings(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: /You are Maria Alvarez active Release manager · Primary owner$/ }).waitFor();
    await (await profile()).getByRole('checkbox', { name: /@release-managers/ }).click();
    await expect.poll(members).toEqual(['UAIKO0003', 'UMARIA001']);
  });

  it('can be there with others side by side, each in a page of their own', async () => {
    const page = await open('#/C0RELEASE2');
    await page.getByRole('button', { name: /You are/ }).click();
    await page.getByRole('menuitem', { name: /Side by side/ }).click();
    await page.getByRole('checkbox', { name: /Jon Bell/ }).check();
    await page.getByRole('checkbox', { name: /Aiko Tanaka/ }).check();
    await page.getByRole('button', { name: 'Show' }).click();
    const as = (name: string) => page.frameLocator(`iframe[title="As ${name}"]`);
    const composer = as('Jon Bell').getByRole('textbox', { name: 'Message #releases' });
    await composer.fill('Can you see me?');
    await composer.press('Enter');
    await as('Maria Alvarez').getByText('Can you see me?', { exact: true }).waitFor();
    await as('Aiko Tanaka').getByText('Can you see me?', { exact: true }).waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await page.getByRole('button', { name: 'Close Jon Bell' }).click();
    await page.getByRole('button', { name: 'Close Aiko Tanaka' }).click();
    await page.getByRole('button', { name: /You are Maria Alvarez/ }).waitFor();
    await page.getByText('Can you see me?', { exact: true }).waitFor();
  });
});
