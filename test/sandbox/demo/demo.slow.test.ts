import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { launchBrowser } from '../../support/browser.ts';
import { type GitRepository, makeRepository } from '../crew-service/crews/git-repository.ts';
import { chooseOption, openPage, seriousFindings, untilFocused } from '../slack-workspace/page/open-page.ts';
import { cardwallHistory } from './cardwall-history.ts';
import { type Demo, publishedIn, startDemo } from './demo-process.ts';

// The README's picture of a card comes from the first of these runs:
//   CARD_PICTURE=.github/images/approval-card.png npx vitest run --config test/vitest.config.ts \
//     test/sandbox/demo/demo.slow.test.ts -t mouse
const PICTURE = process.env.CARD_PICTURE;

let browser: Browser;
let repository: GitRepository;
let folder: string;
let demo: Demo;
beforeAll(async () => {
  [browser, repository, folder] = await Promise.all([
    launchBrowser(),
    makeRepository(cardwallHistory(), { name: 'cardwall' }),
    mkdtemp(join(tmpdir(), 'signoff-demo-')),
  ]);
  demo = await startDemo({ folder });
});
afterEach(() => Promise.all(browser.contexts().map((context) => context.close())));
afterAll(async () => {
  await demo.stop();
  await browser.close();
  await repository.remove();
  await rm(folder, { recursive: true });
});

/** Each run has a channel of its own, so that its messages are easily told from the others'. */
const open = (channel = '') => openPage(browser, `${demo.pageUrl}${channel && `#/${channel}`}`);
const dialog = (page: Page, name: string | RegExp) => page.getByRole('dialog', { name, exact: true });
const thread = (page: Page) => page.getByRole('complementary', { name: 'Thread' });
const button = (within: Page | Locator, name: string) => within.getByRole('button', { name, exact: true });
/** The message with this heading. */
const message = (within: Locator, heading: string) =>
  within.getByRole('article').filter({ has: within.page().getByRole('heading', { name: heading, exact: true }) });
const inChannel = (page: Page, heading: string) => message(page.locator('.main'), heading);
/** The first message with these words: that of a run has no heading. */
const saying = (within: Locator, words: string) => within.getByRole('article').filter({ hasText: words }).first();
const inChannelSaying = (page: Page, words: string) => saying(page.locator('.main'), words);
const inThreadSaying = (page: Page, words: string) => saying(thread(page), words);
const inThread = (page: Page, heading: string) => message(thread(page), heading);
/** The card that says so, which has no heading any more. */
const decided = (page: Page, verdict: string) => thread(page).getByRole('article').filter({ hasText: verdict });

/** An entry of the menu at the end of a card's buttons. */
async function choose(card: Locator, entry: string): Promise<void> {
  await button(card, 'More actions').click();
  await card.page().getByRole('menuitem', { name: entry }).click();
}

/** On a slow machine a crew takes longer to start than its form may wait, and a window says so. */
async function untilStarted(form: Locator): Promise<void> {
  await form.waitFor({ state: 'hidden' });
  const starting = dialog(form.page(), /^(Starting…|Started)$/);
  if (await starting.isVisible()) await form.page().keyboard.press('Escape');
  await starting.waitFor({ state: 'hidden' });
}

async function become(page: Page, person: string): Promise<void> {
  await page.getByRole('button', { name: /You are/ }).click();
  await page.getByRole('menuitemradio', { name: new RegExp(person) }).click();
  await page.getByRole('button', { name: new RegExp(`You are ${person}`) }).waitFor();
}

/** A screenshot of the page as opened now, in a new window. */
async function takePicture(of: (page: Page) => Locator): Promise<void> {
  if (!PICTURE) return;
  const page = await openPage(browser, demo.pageUrl, {
    viewport: { width: 900, height: 1_000 },
    deviceScaleFactor: 2,
  });
  await of(page).screenshot({ path: PICTURE });
  await page.context().close();
}

async function published(): Promise<string[]> {
  const files = (await readdir(publishedIn(folder))).filter((name) => name.startsWith('cardwall-'));
  return Promise.all(files.map((name) => readFile(join(publishedIn(folder), name), 'utf8')));
}

it('plays the main job by mouse: a form, a draft, a rejection, an approval, two people who publish, and the file', async () => {
  const page = await open();
  await page.getByText('Type /kickoff below').waitFor();
  await page.getByRole('link', { name: 'general' }).click();
  await page.getByRole('link', { name: 'releases' }).click();
  await page.getByLabel('Message #releases').click();
  await page.getByLabel('Message #releases').fill('/kick');
  await page.getByRole('option', { name: /\/kickoff/ }).click();
  await button(page, 'Send').click();
  const form = dialog(page, 'Start a crew');
  await form.getByLabel('Repository').fill(repository.folder);
  await form.getByLabel('Since').fill('v2.3');
  await button(form, 'Start').click();
  await untilStarted(form);

  const first = inChannel(page, 'Approval needed · release-notes');
  await first.getByText('Not shown').waitFor();
  await button(first, 'Read full text').click();
  await dialog(page, 'Full text').getByText('cover a password that was just changed').waitFor();
  expect(await seriousFindings(page)).toEqual([]);
  await button(dialog(page, 'Full text'), 'Close').click();
  await inChannelSaying(page, 'release-notes: Waiting for approval').getByRole('link', { name: /repl/ }).click();
  await button(inThread(page, 'Approval needed · release-notes'), 'Request changes…').click();
  const feedback = dialog(page, 'Request changes');
  await feedback.getByLabel('What should be better?').fill('Make it shorter, and leave out tests, docs and chores');
  await button(feedback, 'Request changes').click();

  await decided(page, 'Maria Alvarez requested changes to').getByText('Sent to the crew.').waitFor();
  const second = inThread(page, 'Approval needed: draft · release-notes');
  await second.getByText('requested changes to round 1').waitFor();
  await second.getByRole('heading', { name: 'Features' }).waitFor();
  expect(await second.getByRole('heading', { name: /Docs|Tests|Chores/ }).count()).toBe(0);
  await inThreadSaying(page, 'release-notes: Waiting for approval').waitFor();
  await second.getByText('Docs, Tests and Chores removed').waitFor();
  await button(second, 'Compare').click();
  await dialog(page, 'What changed').getByText('round 1 → round 2').waitFor();
  await dialog(page, 'What changed').locator('s').first().waitFor();
  await button(dialog(page, 'What changed'), 'Close').last().click();
  await button(second, 'Approve').click();
  await decided(page, 'approved draft').getByText('Sent to the crew.').waitFor();

  await inThread(page, 'Approval needed: publish · release-notes').waitFor();
  await button(inThread(page, 'Approval needed: publish · release-notes'), 'Approve').click();
  await inThread(page, 'Approval needed: publish · release-notes').getByText('1 so far: Maria Alvarez').waitFor();
  await takePicture((fresh) => inChannel(fresh, 'Approval needed: publish · release-notes'));
  await become(page, 'Aiko Tanaka');
  await choose(inThread(page, 'Approval needed: publish · release-notes'), 'Approve with note…');
  await dialog(page, 'Approve with note').getByLabel('Note for the crew').fill('Thank you, this reads well.');
  await button(dialog(page, 'Approve with note'), 'Preview').click();
  await dialog(page, 'Approve with note').getByText('gets exactly this').waitFor();
  await dialog(page, 'Approve with note').getByRole('code').getByText('Thank you, this reads well.').waitFor();
  await button(dialog(page, 'Approve with note'), 'Approve').click();
  await button(decided(page, 'approved publish'), 'Undo').waitFor();

  await inThreadSaying(page, 'release-notes: Completed').waitFor();
  const result = thread(page).getByRole('article').last();
  await result.getByText('is done, after').waitFor();
  await result.getByText('find cards by label and by author').first().waitFor();
  const [notes] = await published();
  expect(notes).toContain('# Release notes: cardwall');
  expect(notes).toContain('## Features');
  expect(notes).not.toContain('## Tests');
});

/** Presses Tab until this has the focus. */
async function tabTo(target: Locator): Promise<void> {
  const { keyboard } = target.page();
  for (let presses = 0; presses < 40; presses += 1) {
    await keyboard.press('Tab');
    if (await target.evaluate((element) => element.matches(':focus'))) return;
  }
  throw new Error(`Tab does not reach ${target}`);
}

/** From the composer of the channel or thread up to its last message, and from there to a button of it. */
async function pressIn(card: Locator, composer: Locator, name: string): Promise<void> {
  const { keyboard } = card.page();
  await untilFocused(composer);
  await keyboard.press('ArrowUp');
  await untilFocused(card);
  await tabTo(button(card, name));
  await keyboard.press('Enter');
}

it('plays the main job by keyboard alone', async () => {
  const page = await open('C0GENERAL1');
  const { keyboard } = page;
  await keyboard.press('/');
  await keyboard.type('kick');
  await keyboard.press('Tab');
  await keyboard.press('Enter');
  const form = dialog(page, 'Start a crew');
  await untilFocused(form.getByLabel('Crew'));
  for (const [label, text] of [
    ['Repository', repository.folder],
    ['Since', 'v2.3'],
  ] as const) {
    await tabTo(form.getByLabel(label));
    await keyboard.press('Control+A');
    await keyboard.type(text);
  }
  await keyboard.press('Enter');
  await untilStarted(form);

  const channelComposer = page.getByLabel('Message #general');
  await inChannel(page, 'Approval needed · release-notes').waitFor();
  await untilFocused(channelComposer);
  await keyboard.press('ArrowUp');
  await keyboard.press('t');
  const composer = page.getByLabel('Reply in thread');
  const card = inThread(page, 'Approval needed · release-notes');
  await pressIn(card, composer, 'Request changes…');
  await untilFocused(page.getByLabel('What should be better?'));
  await keyboard.type('Group by author');
  await keyboard.press('Control+Enter');
  const second = inThread(page, 'Approval needed: draft · release-notes');
  await second.getByRole('heading', { name: 'Ben Okafor' }).waitFor();
  await tabTo(composer);
  await pressIn(second, composer, 'Approve');
  await decided(page, 'approved draft').waitFor();
  const last = inThread(page, 'Approval needed: publish · release-notes');
  await last.waitFor();
  await tabTo(composer);
  await pressIn(last, composer, 'Approve');
  await last.getByText('1 so far: Maria Alvarez').waitFor();
  await tabTo(page.getByRole('button', { name: /You are/ }));
  await keyboard.press('Enter');
  await keyboard.press('ArrowDown');
  await keyboard.press('ArrowDown');
  await keyboard.press('Enter');
  await page.getByRole('button', { name: /You are Aiko Tanaka/ }).waitFor();
  await last.getByText('1 so far: Maria Alvarez').waitFor();
  for (const _ of ['channels', 'the channel', 'the thread']) await keyboard.press('F6');
  await tabTo(composer);
  await pressIn(last, composer, 'Approve');
  await button(decided(page, 'approved publish'), 'Undo').waitFor();
  await inThreadSaying(page, 'release-notes: Completed').waitFor();
  await thread(page).getByRole('article').last().getByText('is done, after').waitFor();
  expect((await published()).filter((notes) => notes.includes('## Emi Sato'))).toHaveLength(1);
});

it('asks for an incident’s facts by their kinds, and says whom it takes to approve the report', async () => {
  const page = await open('C0RELEASE2');
  await page.getByLabel('Message #releases').fill('/kickoff');
  await page.getByLabel('Message #releases').press('Enter');
  const form = dialog(page, 'Start a crew');
  await chooseOption(form.getByLabel('Crew'), 'incident-report');
  await chooseOption(form.getByLabel('Severity'), 'sev1');
  await form.getByLabel('Started on').fill('2026-10-07');
  await form.getByLabel('Customers affected').fill('many');
  await button(form, 'Start').click();
  await form.getByText('Please enter a number.').waitFor();
  await form.getByLabel('Customers affected').fill('412');
  await button(form, 'Start').click();
  const card = inChannel(page, 'Approval needed · incident-report');
  await card.getByRole('heading', { name: 'Incident report: SEV1, 2026-10-07' }).waitFor();
  await card.getByText('412 customers').waitFor();
  await untilStarted(form);
  await button(card, 'Approve').click();
  const refused = dialog(page, 'No change was made');
  await refused
    .getByText('You started this run, so somebody else has to decide. Who can decide: @release-managers.')
    .waitFor();
  expect(await seriousFindings(page)).toEqual([]);
  await button(refused, 'Ask them').click();
  await button(dialog(page, 'Asked'), 'Close').click();
  await button(refused, 'Close').click();
  await become(page, 'Gina Rossi');
  await button(card, 'Approve').click();
  await refused.getByText('You’re a guest in this workspace, and guests can’t decide this.').waitFor();
  await button(refused, 'Close').click();
  await become(page, 'Aiko Tanaka');
  await choose(card, 'Who can decide?');
  await dialog(page, 'Who can decide?').getByText('You can decide this').waitFor();
  expect(await seriousFindings(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await choose(card, 'Hand over…');
  await untilFocused(dialog(page, 'Hand over').getByLabel('Who should decide?'));
  expect(await seriousFindings(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await button(card, 'Request changes…').click();
  await dialog(page, 'Request changes').getByLabel('What should be better?').fill('shorter');
  await button(dialog(page, 'Request changes'), 'Request changes').click();
  const next = inChannel(page, 'Approval needed: report · incident-report');
  await button(next, 'Approve').click();
  await button(dialog(page, /^Approve after \d seconds?\?$/), 'Approve').click();
  await inChannelSaying(page, 'incident-report: Completed').waitFor();
});

it('makes the edits that people send', async () => {
  const page = await open('C0GENERAL1');
  await page.getByLabel('Message #general').fill('/kickoff release-notes');
  await page.getByLabel('Message #general').press('Enter');
  const form = dialog(page, 'Start a crew');
  await form.getByLabel('Repository').fill(repository.folder);
  await form.getByLabel('Since').fill('v2.3');
  await button(form, 'Start').click();
  await untilStarted(form);
  const card = inChannel(page, 'Approval needed · release-notes');
  await button(card, 'Edit…').click();
  const edit = dialog(page, 'Edit');
  const text = edit.getByLabel('Text');
  await text.fill((await text.inputValue()).replace('Release notes: cardwall', 'Cardwall 2.4'));
  await button(edit, 'Preview').click();
  const preview = dialog(page, 'Your edits');
  await preview.getByText('exactly this is sent').waitFor();
  expect(await seriousFindings(page)).toEqual([]);
  await button(preview, 'Request changes').click();
  const second = inChannel(page, 'Approval needed: draft · release-notes');
  await second.getByText('1 of 1 edit made').waitFor();
  await second.getByRole('heading', { name: 'Cardwall 2.4' }).waitFor();
  await button(second, 'Approve').click();
});

it('resumes after a restart with its thread, its open card and its crew', async () => {
  const page = await open('C0INCIDNT3');
  await page.getByLabel('Message #incidents').fill('/kickoff release-notes');
  await page.getByLabel('Message #incidents').press('Enter');
  const form = dialog(page, 'Start a crew');
  // A checkout that is no repository offers none.
  if ((await form.getByLabel('Repository').inputValue()) === '') {
    await form.getByLabel('Repository').fill(repository.folder);
    await form.getByLabel('Since').fill('v2.3');
  }
  await button(form, 'Start').click();
  await untilStarted(form);
  await inChannel(page, 'Approval needed · release-notes')
    .getByRole('heading', { name: /Release notes:/ })
    .waitFor();

  await demo.stop();
  await page.getByText('Can’t reach the workspace').waitFor();
  demo = await startDemo({ folder, port: demo.port });
  await page.getByText('Can’t reach the workspace').waitFor({ state: 'detached' });
  await inChannelSaying(page, 'release-notes: Waiting for approval').getByRole('link', { name: /repl/ }).click();
  await button(inThread(page, 'Approval needed · release-notes'), 'Approve').click();
  await decided(page, 'approved this result').getByText('Sent to the crew.').waitFor();
  await inThread(page, 'Approval needed: publish · release-notes').waitFor();
});
