// An approver's day on the page, counted: how many clicks and windows each of twenty decisions takes. A failure
// prints the table, as something takes another effort than is said here; else:
//   npm run test:long -- --silent=false test/end-to-end/twenty-decisions
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { USUAL_SETTINGS } from '../../src/core/inbox/person-settings.ts';
import type { Script } from '../../src/sandbox/crew-service/sandbox-api/scripted-crew.ts';
import { pageFolder } from '../../src/sandbox/slack-workspace/page-folder.ts';
import { openPage, tabTo, untilFocused } from '../sandbox/slack-workspace/page/open-page.ts';
import { launchBrowser } from '../support/browser.ts';
import type { FollowedRun } from '../support/followed-run.ts';
import { storeSettings } from '../support/person-settings.ts';
import { type PolicyWorld, startPolicyWorld } from '../support/policy-world.ts';

const MARIA = 'UMARIA001';
const LONG_TEXT: Script = [
  {
    name: 'report',
    humanInput: true,
    output: `# Report {{round}}\n\n${'One line of many about tea.\n\n'.repeat(120)}`,
  },
];

let world: PolicyWorld;
let browser: Browser;
let page: Page;
beforeAll(async () => {
  const launched = await launchBrowser();
  browser = launched;
  const approval = { approvers: [MARIA] };
  world = await startPolicyWorld({
    pageDir: pageFolder(),
    crews: { letters: approval, reports: approval, contracts: { approvers: ['@release-managers'], quorum: 2 } },
  });
  await world.crews.sandbox.setScript('reports', LONG_TEXT);
  await storeSettings(world.env(0).REDIS_URL ?? '', { [MARIA]: { ...USUAL_SETTINGS, tell: { kind: 'at-once' } } });
  page = await openPage(browser, `${world.slack.pageUrl}?as=${MARIA}#/C0GENERAL1`);
  await page.evaluate(COUNTING);
});
afterAll(() => Promise.all([world.stop(), browser.close()]));

/** What the browser sees: clicks of a mouse, and dialogs. A modal that is put on another takes the place of its dialog. */
const COUNTING = `
  window.counted = { clicks: 0, windows: 0 };
  addEventListener('click', ({ detail }) => { if (detail > 0) counted.clicks += 1; }, { capture: true });
  const { showModal } = HTMLDialogElement.prototype;
  HTMLDialogElement.prototype.showModal = function () { counted.windows += 1; showModal.call(this); };
`;

interface Effort {
  clicks: number;
  windows: number;
}

const day: Record<string, string | number>[] = [];

async function spent(): Promise<Effort> {
  const { clicks, windows } = await page.evaluate<Effort>('counted');
  const pushed = world.slack.calls().filter(({ name, outcome }) => name === 'views.push' && outcome === 'ok');
  return { clicks, windows: windows + pushed.length };
}

/** From when what there is to decide is before her until she sees that it is decided. */
async function decides(where: string, what: string, wanted: Effort, play: () => Promise<void>): Promise<void> {
  const before = await spent();
  await play();
  const after = await spent();
  const effort = { clicks: after.clicks - before.clicks, windows: after.windows - before.windows };
  day.push({ where, what, ...effort });
  expect(effort, `${what} in ${where}`).toEqual(wanted);
}

const APPROVE = { clicks: 1, windows: 0 };
/** Besides typing. */
const REJECT = { clicks: 2, windows: 1 };

const button = (within: Page | Locator, name: string) => within.getByRole('button', { name, exact: true });
const thread = () => page.getByRole('complementary', { name: 'Thread' });
const main = () => page.locator('.main');
const dialog = () => page.getByRole('dialog');
/** In Home, their names go on with what they are about. */
const approveButtons = (within: Locator) => within.getByRole('button', { name: /^Approve(?! selected)/ });
const waiting = (within: Locator, count: number) =>
  expect.poll(() => approveButtons(within).count(), { timeout: 30_000 }).toBe(count);

/** Goes where a link leads, in the page that counts. */
async function openThread({ root }: FollowedRun): Promise<void> {
  await page.evaluate(`location.hash = '#/${root.channel}?thread_ts=${root.ts}'`);
  await waiting(thread(), 1);
}

const start = (...crews: string[]) => Promise.all(crews.map((crew) => world.run(crew, { by: 'jon' })));

async function approve(within: Locator): Promise<void> {
  const count = await approveButtons(within).count();
  await approveButtons(within).first().click();
  await waiting(within, count - 1);
}

async function reject(within: Locator): Promise<void> {
  await within
    .getByRole('button', { name: /^Reject/ })
    .first()
    .click();
  await dialog().getByLabel('What should change?').fill('Shorter, please.');
  await button(dialog(), 'Reject').click();
  await dialog().waitFor({ state: 'detached' });
}

/** A click so soon after another request has taken the place of the one before is asked about. */
async function untilRead(): Promise<void> {
  const since = Date.now();
  await expect.poll(() => Date.now() - since).toBeGreaterThan(2_000);
}

it('decides on eight cards in their threads', async () => {
  const [first, contract, second, report, third, fourth, last] = await start(
    ...['letters', 'contracts', 'letters', 'reports', 'letters', 'letters', 'letters'],
  );
  if (!first || !contract || !second || !report || !third || !fourth || !last) return expect.fail();
  await openThread(first);
  await decides('a card', 'approve', APPROVE, () => approve(thread()));
  await openThread(contract);
  await decides('a card', 'approve as the first of two', APPROVE, async () => {
    await button(thread(), 'Approve').click();
    await thread().getByText('1 of 2 approved: Maria Alvarez').waitFor();
  });
  await world.slack.as('aiko').click('Approve', { in: contract.card });
  await openThread(second);
  await decides('a card', 'reject', REJECT, () => reject(thread()));
  await thread().getByText('Shorter, please.').last().waitFor();
  await waiting(thread(), 1);
  await decides('a card', 'approve the second round', APPROVE, () => approve(thread()));
  await openThread(report);
  await decides('a card', 'unfold the whole text, approve', { clicks: 2, windows: 0 }, async () => {
    await thread()
      .getByText(/^Whole text · /)
      .click();
    await approve(thread());
  });
  await page.keyboard.press('Escape');
  await openThread(third);
  await decides('a card', 'decline', { clicks: 3, windows: 2 }, async () => {
    await button(thread(), 'Reject…').click();
    await dialog().getByLabel('What should change?').fill('We don’t do this any more.');
    await button(dialog(), 'Decline…').click();
    await button(dialog(), 'Decline').click();
    await waiting(thread(), 0);
  });
  for (const run of [fourth, last]) {
    await openThread(run);
    await decides('a card', 'approve', APPROVE, () => approve(thread()));
  }
  expect(await second.told()).toEqual(['rejected: Shorter, please.', 'approved: Approved.']);
  expect(await third.toldSoFar()).toEqual([]);
  for (const run of [first, contract, report, fourth, last]) expect(await run.told()).toEqual(['approved: Approved.']);
});

// The first in Home: what that has shown before may be decided by now, and clicks on it change nothing.
it('approves one request after the other in Home without leaving the keys', async () => {
  const { keyboard } = page;
  await page.getByRole('link', { name: /Signoff/ }).click();
  await page.getByRole('link', { name: 'Home', exact: true }).click();
  await page.getByRole('region', { name: 'Home tab' }).waitFor();
  const runs = await start('letters', 'letters');
  await waiting(main(), 2);
  const approve = approveButtons(main());
  await tabTo(approve.first());
  await keyboard.press('Enter');
  await waiting(main(), 1);
  await untilFocused(approve);
  await keyboard.press('Enter');
  await waiting(main(), 0);
  for (const run of runs) expect(await run.told()).toEqual(['approved: Approved.']);
});

it('decides on eight requests in Home', async () => {
  const runs = await start('letters', 'letters', 'letters', 'reports', 'letters', 'letters', 'letters');
  await waiting(main(), 7);
  for (const _ of [1, 2]) await decides('Home', 'approve', APPROVE, () => approve(main()));
  await decides('Home', 'reject', REJECT, () => reject(main()));
  await main().getByText('Draft 2').waitFor();
  await waiting(main(), 5);
  await decides('Home', 'review, approve', { clicks: 2, windows: 1 }, async () => {
    await main()
      .getByRole('button', { name: /^Review/ })
      .first()
      .click();
    await button(dialog(), 'Approve').click();
    await waiting(main(), 4);
  });
  await decides('Home', 'approve the next in the same window', APPROVE, async () => {
    await untilRead();
    await button(dialog(), 'Approve').click();
    await waiting(main(), 3);
  });
  await page.keyboard.press('Escape');
  for (const _ of [1, 2, 3]) await decides('Home', 'approve', APPROVE, () => approve(main()));
  for (const run of runs) expect(await run.told()).toContain('approved: Approved.');
});

it('decides on four requests in direct messages', async () => {
  await page.getByRole('link', { name: 'Messages', exact: true }).click();
  await waiting(main(), 0);
  const runs = await start('letters', 'letters', 'letters');
  await waiting(main(), 3);
  await decides('a message', 'approve', APPROVE, () => approve(main()));
  await decides('a message', 'reject', REJECT, () => reject(main()));
  await main()
    .getByRole('article')
    .filter({ hasText: 'Round 2', has: button(page, 'Approve') })
    .waitFor();
  await waiting(main(), 2);
  for (const _ of [1, 2]) await decides('a message', 'approve', APPROVE, () => approve(main()));
  for (const run of runs) expect(await run.told()).toContain('approved: Approved.');
});

it('has decided twenty times', () => {
  console.table(day);
  expect(day).toHaveLength(20);
});
