import type { Browser, BrowserContextOptions } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { pageFolder } from '../../../../src/sandbox/slack-workspace/page-folder.ts';
import type { Block, Snapshot } from '../../../../src/sandbox/slack-workspace/people-api.ts';
import { launchBrowser } from '../../../support/browser.ts';
import { type Playground, workspaceWithApp } from '../support/scripted-app.ts';
import { axeFindings, axeFindingsInBothSchemes, createTabs, DESKTOP, PHONE, untilFocused } from './open-page.ts';
import * as sample from './sample-snapshot.ts';
import { type ScriptedWorkspace, startScriptedWorkspace } from './scripted-workspace.ts';

let browser: Browser;
let tabs: ReturnType<typeof createTabs>;
let workspace: ScriptedWorkspace;
beforeAll(async () => {
  [browser, workspace] = await Promise.all([launchBrowser(), startScriptedWorkspace(company())]);
  tabs = createTabs(browser);
});
afterAll(() => Promise.all([browser.close(), workspace.close()]));
beforeEach(() => workspace.reset(company()));

/** The small workspace with people of every kind, and a group that is mentioned. */
function company(): Snapshot {
  const base = sample.snapshot();
  const members = [
    ...base.members,
    sample.member('ULUCA', 'Luca Bianchi', { title: 'Translator', kind: 'channel-guest' }),
    sample.member('UNORTH', 'Maria Alvarez', { title: 'Consultant', kind: 'stranger', organisation: 'Northwind' }),
    sample.member('UDORA', 'Dora Lindqvist', { isDeactivated: true }),
  ];
  const groups = [
    { id: 'S1', handle: 'release-managers', name: 'Release managers', memberIds: ['UMARIA', 'UJON'] },
    { id: 'S2', handle: 'leads', name: 'Leads', memberIds: ['UMARIA'] },
    { id: 'S3', handle: 'old', name: 'Old', memberIds: ['UMARIA'], disabledAt: 1 },
  ];
  const said = sample.message(0, {
    userId: 'UNORTH',
    text: 'Who of <!subteam^S1> can, <@UNORTH>? <!subteam^S3> is gone.',
  });
  return { ...base, members, groups, messages: { C1: [said] } };
}

const handOver: Block = {
  type: 'input',
  block_id: 'to',
  label: { type: 'plain_text', text: 'Hand over to' },
  element: { type: 'users_select', action_id: 'value', placeholder: { type: 'plain_text', text: 'Choose a person' } },
};
const showHandOver = () =>
  workspace.show((seen) => ({
    ...seen,
    modals: [sample.openView({ title: 'Hand over', submitLabel: 'Hand over', blocks: [handOver] })],
  }));

const open = (device: BrowserContextOptions = DESKTOP) => tabs.open(`${workspace.url}#/C1`, device);

describe('the menu of people', () => {
  it('says what each person is, and in which groups', async () => {
    const page = await open();
    const button = page.getByRole('button', { name: /You are Maria Alvarez/ });
    await button.getByText('Release manager · in @release-managers and @leads').waitFor();
    await button.click();
    await page.getByRole('menu', { name: 'Switch person' }).waitFor();
    expect(await page.getByRole('menuitemradio').allInnerTexts()).toEqual([
      'Maria Alvarez\nRelease manager · in @release-managers and @leads',
      'Jon Bell\nin @release-managers',
      'Gina Rossi\nGuest',
      'Luca Bianchi\nTranslator · Guest in one channel',
      'Maria Alvarez\nConsultant · Northwind (another organisation)',
    ]);
  });

  it('fits a phone', async () => {
    const page = await open(PHONE);
    await page.getByRole('button', { name: 'Channels' }).tap();
    await page.getByRole('button', { name: /You are Maria Alvarez/ }).tap();
    const box = await page.getByRole('menu', { name: 'Switch person' }).boundingBox();
    expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(390);
    expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
    await page.getByRole('menuitemradio', { name: /Northwind/ }).tap();
  });
});

describe('a group', () => {
  it('says who is in it where it is mentioned, and while it is typed', async () => {
    const page = await open();
    const message = page.getByRole('article').last();
    expect(await message.getByText('@release-managers').getAttribute('title')).toBe('Maria Alvarez, Jon Bell');
    expect(await message.getByText('@old').getAttribute('title')).toBe('This group is disabled.');
    const person = message.getByText('@Maria Alvarez');
    expect(await person.getAttribute('title')).toBe('Consultant · Northwind (another organisation)');
    await message.getByText('Northwind', { exact: true }).waitFor();
    await page.getByLabel('Message #releases').fill('Ask @release');
    await page.getByRole('option', { name: /group: Maria Alvarez, Jon Bell/ }).waitFor();
    await page.getByLabel('Message #releases').fill('Ask @old');
    await page.getByRole('option').waitFor({ state: 'detached' });
  });
});

describe('a select of people in a modal', () => {
  it('tells namesakes apart, and leaves out who is gone', async () => {
    const page = await open(PHONE);
    showHandOver();
    await page.getByRole('combobox', { name: 'Hand over to' }).tap();
    const options = page.getByRole('listbox', { name: 'Options' }).getByRole('option');
    await options.first().waitFor();
    const names = await options.allInnerTexts();
    expect(names).toContain('Maria Alvarez');
    expect(names).toContain('Maria Alvarez (Northwind)');
    expect(names).not.toContain('Dora Lindqvist');
    expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
  });
});

describe('people and groups', () => {
  let real: Playground;
  beforeAll(async () => {
    real = await workspaceWithApp({ pageDir: pageFolder() });
  });
  afterAll(() => real.close());

  const openAs = async (person: string, options = DESKTOP) => {
    const page = await tabs.open(`${real.slack.pageUrl}?as=${person}#/C0RELEASE2`, options);
    if (options === PHONE) await page.getByRole('button', { name: 'Channels' }).tap();
    await page.getByRole('button', { name: /You are/ }).click();
    await page.getByRole('menuitem', { name: /People and groups/ }).click();
    const dialog = page.getByRole('dialog', { name: 'People and groups' });
    await dialog.waitFor();
    return { page, dialog, row: (text: string) => dialog.getByRole('listitem').filter({ hasText: text }) };
  };

  it('are changed by an admin, by keyboard alone', async () => {
    const { page, dialog, row } = await openAs('UMARIA001');
    await dialog.getByLabel('Account of Jon Bell').selectOption('Admin');
    await row('@jon').getByText('Engineer · Admin').waitFor();
    await dialog.getByRole('status').getByText('Saved.').waitFor();
    await dialog.getByRole('button', { name: 'Deactivate Priya Nair…' }).focus();
    await page.keyboard.press('Enter');
    await untilFocused(dialog.getByRole('button', { name: 'Deactivate Priya Nair', exact: true }));
    await page.keyboard.press('Enter');
    await dialog.getByRole('button', { name: 'Reactivate Priya Nair' }).waitFor();
    await dialog.getByRole('tab', { name: 'People' }).focus();
    await page.keyboard.press('ArrowRight');
    await untilFocused(dialog.getByRole('tab', { name: 'User groups' }));
    await row('@legal').getByText('Nobody is in this group.').waitFor();
    const form = dialog.getByRole('form', { name: 'Create a group' });
    await form.getByLabel('Name').fill('Leads');
    await form.getByLabel('Handle').fill('legal');
    await form.getByLabel('Aiko Tanaka').check();
    await form.getByLabel('Handle').press('Enter');
    await dialog.getByRole('alert').getByText('@legal is taken by a person, a channel or a group.').waitFor();
    await form.getByLabel('Handle').fill('leads');
    await form.getByLabel('Handle').press('Enter');
    await row('@leads').getByText('Aiko Tanaka').first().waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    const { body } = await real.callForm('usergroups.list', { include_users: 'true' });
    expect(body.usergroups).toContainEqual(expect.objectContaining({ handle: 'leads', users: ['UAIKO0003'] }));
  });

  it('are only shown to members, who are told why they can’t change them', async () => {
    const { page, dialog } = await openAs('UJON00002');
    real.slack.admin.changeRole('jon', 'member');
    await dialog.getByText('Only admins and owners can change people and user groups.').waitFor();
    expect(await dialog.getByRole('button', { name: /Deactivate/ }).count()).toBe(0);
    await dialog.getByRole('tab', { name: 'Channels' }).click();
    await dialog.locator('summary', { hasText: 'Members of #releases' }).click();
    await dialog.getByRole('group', { name: 'Members of #releases' }).getByLabel('Gina Rossi').click();
    await dialog.getByRole('alert').getByText('Only admins and owners of this workspace can do that.').waitFor();
    expect(await axeFindings(page)).toEqual([]);
  });

  it('fit a phone, and leave a deactivated person nothing to do', async () => {
    const { page, dialog } = await openAs('UAIKO0003', PHONE);
    for (const tab of ['People', 'User groups', 'Channels']) {
      await dialog.getByRole('tab', { name: tab }).tap();
      expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
      expect(await dialog.evaluate((shown) => shown.scrollWidth <= shown.clientWidth)).toBe(true);
      expect(await axeFindingsInBothSchemes(page, 'dialog')).toEqual([]);
    }
    await dialog.getByRole('button', { name: 'Close' }).tap();
    real.slack.admin.deactivate('aiko');
    await page.getByText('This account has been deactivated. Choose another person in the menu.').waitFor();
  });

  it('show who is away, in words for screen readers, too', async () => {
    const page = await tabs.open(`${real.slack.pageUrl}?as=UJON00002#/C0RELEASE2`);
    await page.getByRole('button', { name: /You are Jon Bell active/ }).click();
    await page.getByRole('menuitem', { name: /Profile/ }).click();
    await page.getByLabel('Set yourself as away').click();
    await page.getByRole('checkbox', { name: /away/, checked: true }).waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
    await page.getByRole('button', { name: /You are Jon Bell away/ }).click();
    await page.getByRole('menuitemradio', { name: /Jon Bell.*away/ }).waitFor();
  });
});
