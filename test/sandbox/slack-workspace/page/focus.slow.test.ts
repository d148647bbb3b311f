// Where the focus is after each action, for who works by keyboard or listens to a screen reader.
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Block, Message, Snapshot } from '../../../../src/sandbox/slack-workspace/people-api.ts';
import type { PersonAction } from '../../../../src/sandbox/slack-workspace/person-actions.ts';
import { launchBrowser } from '../../../support/browser.ts';
import { createTabs, DESKTOP, PHONE, untilFocused } from './open-page.ts';
import * as sample from './sample-snapshot.ts';
import { type ScriptedWorkspace, startScriptedWorkspace } from './scripted-workspace.ts';

let browser: Browser;
let tabs: ReturnType<typeof createTabs>;
let workspace: ScriptedWorkspace;
beforeAll(async () => {
  [browser, workspace] = await Promise.all([launchBrowser(), startScriptedWorkspace(sample.snapshot())]);
  tabs = createTabs(browser);
});
afterAll(() => Promise.all([browser.close(), workspace.close()]));
beforeEach(() => workspace.reset(sample.snapshot({ messages: { C1: [card(OPEN)] } })));

const open = (hash = '#/C1', device = DESKTOP) => tabs.open(workspace.url + hash, device);
const button = (within: Page | Locator, name: string) => within.getByRole('button', { name, exact: true });

const card = (blocks: Block[], text = 'Approval needed'): Message =>
  sample.message(60, { userId: 'UBOT', text, blocks });
const buttons = (id: string, ...names: string[]) =>
  sample.actions(id, ...names.map((text) => ({ id: text.toLowerCase(), text })));
const OPEN = [sample.section('what', 'Approval needed'), buttons('choices', 'Approve', 'Reject…')];
const DECIDED = [sample.section('by', 'Maria Alvarez approved'), buttons('undo', 'Undo')];
const showCard = (blocks: Block[], text?: string) =>
  workspace.show((seen) => ({ ...seen, messages: { C1: [card(blocks, text)] } }));
const showModals = (...modals: Snapshot['modals']) => workspace.show((seen) => ({ ...seen, modals }));

/** From now on, the app answers so what is pressed or sent, and everything else as before: it may still be on its way. */
function whenUsed(isSo: (action: PersonAction) => boolean, then: () => void): void {
  const before = workspace.answer;
  workspace.answer = (action) => {
    if (!isSo(action)) return before(action);
    then();
    return { ok: true };
  };
}
const presses = (id: string) => (action: PersonAction) => action.type === 'use' && action.actionId === id;
const submits = ({ type }: PersonAction) => type === 'submit';
const closes = ({ type }: PersonAction) => type === 'close';

describe('on a card', () => {
  it('stays on it once it is decided, and on the button after a first vote', async () => {
    const page = await open();
    const approve = button(page, 'Approve');
    whenUsed(presses('approve'), () => showCard([sample.section('votes', '1 of 2: Maria'), ...OPEN]));
    await approve.press('Enter');
    await page.getByText('1 of 2: Maria').waitFor();
    await untilFocused(approve);
    whenUsed(presses('approve'), () => showCard(DECIDED, 'Approved: draft'));
    await approve.press('Enter');
    await untilFocused(page.getByRole('article'));
    await page.getByRole('status').getByText('Signoff: Approved: draft').waitFor();
    await page.keyboard.press('Tab');
    await untilFocused(button(page, 'Undo'));
  });

  it('finds the button again that the app has replaced by one of the same name', async () => {
    const page = await open();
    whenUsed(presses('approve'), () => showCard([buttons('others', 'Approve', 'Reject…', 'Withdraw my vote')]));
    await button(page, 'Approve').press('Enter');
    await button(page, 'Withdraw my vote').waitFor();
    await untilFocused(button(page, 'Approve'));
  });

  it('comes back from a modal that was closed to the button that opened it', async () => {
    const page = await open();
    whenUsed(presses('reject…'), () => showModals(sample.openView({ title: 'Reject' })));
    await button(page, 'Reject…').press('Enter');
    await page.getByRole('dialog', { name: 'Reject' }).waitFor();
    whenUsed(closes, () => showModals());
    await page.keyboard.press('Escape');
    await untilFocused(button(page, 'Reject…'));
  });

  it('comes back from a modal that was submitted, though the button goes a moment later', async () => {
    const page = await open();
    const view = sample.openView({ title: 'Reject', submitLabel: 'Reject', blocks: sample.formBlocks() });
    whenUsed(presses('reject…'), () => showModals(view));
    await button(page, 'Reject…').press('Enter');
    await untilFocused(page.getByLabel('Topic'));
    whenUsed(submits, () => showModals());
    await page.keyboard.press('Control+Enter');
    await untilFocused(button(page, 'Reject…'));
    showCard(DECIDED);
    await untilFocused(page.getByRole('article'));
  });

  it('goes to the field for messages when a private answer is dismissed', async () => {
    workspace.reset(
      sample.snapshot({ messages: { C1: [sample.message(60, { text: 'You can decide this.', ephemeral: true })] } }),
    );
    const page = await open();
    whenUsed(
      ({ type }) => type === 'dismiss',
      () => workspace.show((seen) => ({ ...seen, messages: {} })),
    );
    await button(page, 'Dismiss').press('Enter');
    await untilFocused(page.getByLabel('Message #releases'));
  });
});

describe('in Home', () => {
  const row = (name: string, version: number) => [
    sample.section(`${name} ${version}`, name),
    buttons(`${name} buttons ${version}`, `Approve ${name}`, `Review ${name}`, `Open ${name}`, 'More'),
  ];
  const showHome = (version: number, waiting: string[], decided: string[] = []) =>
    workspace.show((seen) => ({
      ...seen,
      home: {
        ...{ id: 'V0', hash: `${version}`, inputs: {} },
        blocks: [
          ...waiting.flatMap((name) => row(name, version)),
          ...decided.map((name) => buttons(`decided ${name}`, `Open ${name}`)),
        ],
      },
    }));

  it('goes on with the next request once one is decided', async () => {
    showHome(1, ['tea', 'coffee', 'cocoa']);
    const page = await open('#/home');
    whenUsed(presses('approve coffee'), () => showHome(2, ['tea', 'cocoa'], ['coffee']));
    await button(page, 'Approve coffee').press('Enter');
    await untilFocused(button(page, 'Approve cocoa'));
    whenUsed(presses('approve cocoa'), () => showHome(3, ['tea']));
    await page.keyboard.press('Enter');
    await untilFocused(page.getByRole('region', { name: 'Home tab' }));
  });

  it('goes on with the next request when the window has closed in which one was decided', async () => {
    showHome(1, ['tea', 'coffee']);
    const page = await open('#/home');
    const view = sample.openView({ title: 'Review', blocks: [buttons('decide', 'Approve')] });
    whenUsed(presses('review tea'), () => showModals(view));
    await button(page, 'Review tea').press('Enter');
    whenUsed(presses('approve'), () => {
      showHome(2, ['coffee'], ['tea']);
      showModals();
    });
    await button(page.getByRole('dialog'), 'Approve').press('Enter');
    await untilFocused(button(page, 'Approve coffee'));
  });
});

describe('in a modal', () => {
  const page1 = [buttons('decide', 'Approve'), sample.section('1', 'Page 1 of 2'), buttons('turn', 'Next')];
  const page2 = [buttons('decide', 'Approve'), sample.section('2', 'Page 2 of 2'), buttons('turn', 'Previous')];
  const review = (more = {}) => sample.openView({ title: 'Review', blocks: page1, ...more });

  it('begins anew where a page begins, and what is new is announced', async () => {
    const page = await open();
    showModals(review());
    whenUsed(presses('next'), () => showModals(review({ hash: '2', blocks: page2 })));
    await button(page, 'Next').press('Enter');
    const title = page.getByRole('heading', { name: 'Review' });
    await untilFocused(title);
    expect(await title.getAttribute('aria-description')).toBe('Page 2 of 2');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await untilFocused(button(page, 'Approve'));
  });

  it('stays where it is when the app changes the view by itself', async () => {
    const page = await open();
    showModals(review());
    await button(page, 'Next').focus();
    showModals(review({ hash: '2', blocks: [sample.section('new', 'Jon has voted'), ...page1] }));
    await page.getByText('Jon has voted').first().waitFor();
    await untilFocused(button(page, 'Next'));
  });

  it('stays where somebody has gone on to, however long after a button was pressed that changed nothing', async () => {
    const page = await open();
    showModals(review());
    const approve = button(page.getByRole('dialog'), 'Approve');
    await button(page, 'Next').press('Enter');
    await approve.focus();
    showModals(review({ hash: '2', blocks: [sample.section('new', 'Jon has voted'), ...page1] }));
    await page.getByText('Jon has voted').first().waitFor();
    await untilFocused(approve);
  });

  it('comes back to the button of the view below once the upper one is closed', async () => {
    const page = await open();
    const edit = sample.openView({ id: 'V2', title: 'Edit', blocks: sample.formBlocks() });
    showModals(review());
    whenUsed(presses('next'), () => showModals(review(), edit));
    await button(page, 'Next').press('Enter');
    await untilFocused(page.getByLabel('Topic'));
    whenUsed(closes, () => showModals(review()));
    await page.keyboard.press('Escape');
    await untilFocused(button(page, 'Next'));
  });
});

describe('elsewhere', () => {
  it('is in the field for messages after one was sent by its button', async () => {
    const page = await open();
    await page.getByLabel('Message #releases').fill('Morning!');
    await button(page, 'Send').press('Enter');
    await untilFocused(page.getByLabel('Message #releases'));
  });

  it('goes to the field for messages of another channel, and to what Home shows', async () => {
    const page = await open();
    await page.getByRole('link', { name: 'incidents' }).press('Enter');
    await untilFocused(page.getByLabel('Message #incidents'));
    await page.keyboard.press('Alt+ArrowDown');
    await untilFocused(page.getByLabel('Message #partners'));
    await page.getByRole('link', { name: 'Signoff' }).press('Enter');
    await untilFocused(page.getByRole('region', { name: 'Home tab' }));
  });

  it('goes to the messages of another channel on a phone, where a field would open the keyboard', async () => {
    const page = await open('#/C2', PHONE);
    await button(page, 'Channels').tap();
    await page.getByRole('link', { name: 'releases' }).tap();
    await untilFocused(page.getByRole('article'));
  });

  it('stays on the menu of people after another person was chosen', async () => {
    const page = await open();
    await page.getByRole('button', { name: /You are Maria Alvarez/ }).press('Enter');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    workspace.show((seen) => ({ ...seen, me: sample.member('UJON', 'Jon Bell') }));
    await untilFocused(page.getByRole('button', { name: /You are Jon Bell/ }));
  });
});
