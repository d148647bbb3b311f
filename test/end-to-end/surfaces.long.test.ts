// Every surface on which people meet Signoff, as a browser shows it: what axe finds there, and whether names tell controls apart.
// With pictures of each, light and dark:
//   PICTURES=folder npm run test:long -- test/end-to-end/surfaces
import { join } from 'node:path';
import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { USUAL_SETTINGS } from '../../src/core/inbox/person-settings.ts';
import type { Script } from '../../src/sandbox/crew-service/sandbox-api/scripted-crew.ts';
import { pageFolder } from '../../src/sandbox/slack-workspace/page-folder.ts';
import type { Message } from '../../src/sandbox/slack-workspace/people-api.ts';
import {
  axeFindings,
  axeFindingsInBothSchemes,
  createTabs,
  DESKTOP,
  PHONE,
  repeatedNames,
} from '../sandbox/slack-workspace/page/open-page.ts';
import { askingProgram } from '../support/asks.ts';
import { launchBrowser } from '../support/browser.ts';
import type { FollowedRun } from '../support/followed-run.ts';
import { storeSettings } from '../support/person-settings.ts';
import { type PolicyWorld, startPolicyWorld } from '../support/policy-world.ts';

const { PICTURES } = process.env;

const SECTIONS = ['Fixes', 'Breaking changes', 'Thanks'].map(
  (title) =>
    `## {{round}}. ${title}\n\n${'- A change that somebody made to the tea, with the reason for it\n'.repeat(40)}`,
);
const NOTES: Script = [
  { name: 'research', agent: 'Researcher', output: 'Three sources were read.', steps: 2 },
  {
    name: 'draft',
    agent: 'Writer',
    humanInput: true,
    output: `# Notes, round {{round}}\n\n| What | How many |\n|---|---|\n| Fixes | 40 |\n\n${SECTIONS.join('\n')}`,
  },
  { name: 'publish', agent: 'Publisher', output: 'Published: the article about tea.' },
];

const PRICES = {
  approvers: ['UMARIA001'],
  when: [
    {
      if: "inputs.topic.startsWith('leaf') && round < 9",
      stages: [
        { name: 'Peer', approvers: ['UAIKO0003'] },
        { name: 'Release', approvers: ['UMARIA001'], all_of: ['UMARIA001', 'UPRIYA004'] },
      ],
    },
  ],
};

let browser: Browser;
let tabs: ReturnType<typeof createTabs>;
let world: PolicyWorld;
/** What programs have asked, open and decided. */
let asked: Record<'open' | 'decided', Message>;
let runs: Record<'open' | 'again' | 'voted' | 'decided' | 'declined' | 'staged', FollowedRun>;
beforeAll(async () => {
  const launched = await launchBrowser();
  browser = launched;
  tabs = createTabs(browser);
  const templates = [
    { name: 'Shorter', text: 'Please make it half as long.' },
    { name: 'Sources', text: 'Please name the sources.' },
  ];
  world = await startPolicyWorld({
    pageDir: pageFolder(),
    crews: {
      notes: { approvers: ['UMARIA001'], templates },
      contracts: { approvers: ['@release-managers'], quorum: 2 },
      letters: { approvers: ['UJON00002'] },
      prices: PRICES,
      deploys: { approvers: ['UPRIYA004'], approving: ['ship it', 'ship it later'] },
    },
    more: { prices: { inputs: { topic: { type: 'text' } } } },
  });
  await world.crews.sandbox.setScript('notes', NOTES);
  await storeSettings(world.env(0).REDIS_URL ?? '', { UMARIA001: { ...USUAL_SETTINGS, tell: { kind: 'at-once' } } });
  const start = (crew: string, by = 'jon') => world.run(crew, { by });
  const [open, again, voted, decided, declined, staged] = await Promise.all([
    start('notes'),
    start('notes'),
    start('contracts'),
    start('contracts'),
    start('notes'),
    start('prices'),
  ]);
  for (const crew of ['notes', 'notes', 'notes', 'contracts', 'contracts', 'contracts', 'notes']) await start(crew);
  await start('notes', 'maria');
  const maria = world.slack.as('maria');
  await maria.click('Reject…', { in: again.card });
  await maria.fill('What should change?', 'Shorter, please.\n\nAnd name the sources.');
  await maria.submit();
  await maria.click('Approve', { in: voted.card });
  await maria.click('Approve', { in: decided.card });
  await world.slack.as('aiko').click('Approve', { in: decided.card });
  await maria.click('Reject…', { in: declined.card });
  await maria.fill('What should change?', 'We don’t do this any more.');
  await maria.click('Decline…', { in: 'modal' });
  await maria.seesModal('Declining is final');
  await maria.submit();
  await world.slack.as('aiko').click('Approve', { in: staged.card });
  await staged.shows('Stage 2 of 2');
  await maria.click('Approve', { in: staged.card });
  await staged.shows('still needs Priya Nair');
  await Promise.all([decided.told(), declined.shows('declined'), maria.seesInThread(again.root, 'Round 2')]);
  runs = { open, again, voted, decided, declined, staged };
  asked = { open: await asks('Deploy 1.4'), decided: await asks('Deploy 1.3') };
  const priya = world.slack.as('priya');
  await priya.click('ship it', { in: asked.decided });
  await priya.seesChanged(asked.decided, 'chose “ship it”');
});
afterAll(() => Promise.all([world.stop(), browser.close()]));

async function asks(title: string): Promise<Message> {
  const text =
    'All **green** since Monday.\n\n| Check | Result |\n|---|---|\n| Tests | passed |\n| Canary | 0.02 % errors |';
  const program = askingProgram(() => world.ports[0] ?? 0, 'deploys');
  await program.ask({ title, text, outcomes: ['ship it', 'ship it later', 'hold'] });
  return world.slack.as('priya').sees('#releases', new RegExp(`(HumanRequest|Answer) needed: ${title}`));
}

const button = (within: Page | Locator, name: string | RegExp) => within.getByRole('button', { name, exact: true });
const article = (page: Page, { ts }: Message) => page.locator(`.thread [data-ts="${ts}"]`);
const atMessage = ({ channel, ts, threadTs = ts }: Message) => `#/${channel}?thread_ts=${threadTs}`;
const atThread = ({ root }: FollowedRun) => atMessage(root);

/** What the page or a window shows, and how one gets there. */
type Surface = { at: () => string; as?: string; shows: 'page' | 'dialog'; open?: (page: Page) => Promise<void> };

const inChannel = (at: () => string): Surface => ({ at, shows: 'page' });

const inCard = (run: () => FollowedRun, name: string | RegExp): Surface => ({
  at: () => atThread(run()),
  shows: 'dialog',
  open: async (page) => {
    await button(page.locator('.thread').getByRole('article').last(), name).click();
  },
});

/** From the ⋯ menu of a card or run. */
const inMenu = (run: () => FollowedRun, of: () => Message, entry: string): Surface => ({
  at: () => atThread(run()),
  shows: 'dialog',
  open: async (page) => {
    await button(article(page, of()), 'More actions').click();
    await page.getByRole('menuitem', { name: entry, exact: true }).filter({ visible: true }).click();
  },
});

const inMessages = (as: string): Surface => ({
  at: () => '#/home',
  as,
  shows: 'page',
  open: async (page) => page.getByRole('link', { name: 'Messages', exact: true }).click(),
});

async function give(page: Page, words: string): Promise<void> {
  await page.getByLabel('Message #releases').fill(`/kickoff ${words}`);
  await page.getByLabel('Message #releases').press('Enter');
}

/** Answered in the channel. */
const command = (words: string): Surface => ({
  at: () => '#/C0RELEASE2',
  shows: 'page',
  open: async (page) => {
    const answers = page.locator('.main .ephemeral');
    const before = await answers.count();
    await give(page, words);
    await expect.poll(() => answers.count()).toBe(before + 1);
  },
});

/** What is opened in Home. */
const inHome = (open: (page: Page) => Promise<void>, as?: string): Surface => ({
  at: () => '#/home',
  ...(as && { as }),
  shows: 'dialog',
  open,
});

const press = (name: string | RegExp) => (page: Page) => button(page, name).first().click();

async function approveSelected(page: Page): Promise<void> {
  const all = button(page, 'Select all on this page');
  if (await all.isVisible()) await all.click();
  await all.waitFor({ state: 'detached' });
  await button(page, /^Approve \d+ selected…/).click();
}

const SURFACES: Record<string, Surface> = {
  'a channel': inChannel(() => '#/C0RELEASE2'),
  'an open card': inChannel(() => atThread(runs.open)),
  'a decided card': inChannel(() => atThread(runs.decided)),
  'a declined card': inChannel(() => atThread(runs.declined)),
  'a direct message': inMessages('UMARIA001'),
  Home: { at: () => '#/home', shows: 'page' },
  Review: inHome(press(/^Review/)),
  'Review of a second round': {
    ...inCard(() => runs.again, 'Compare'),
    open: async (page) => {
      await button(page.locator('.thread').getByRole('article').last(), 'Compare').click();
      await button(page.getByRole('dialog'), 'Whole text').click();
    },
  },
  Compare: inCard(() => runs.again, 'Compare'),
  Edit: inCard(() => runs.open, 'Edit…'),
  Reject: inCard(() => runs.open, 'Reject…'),
  'Who can decide?': inMenu(
    () => runs.open,
    () => runs.open.card,
    'Who can decide?',
  ),
  History: inMenu(
    () => runs.decided,
    () => runs.decided.root,
    'History',
  ),
  'a card in stages': inChannel(() => atThread(runs.staged)),
  'Who can decide? in stages': inMenu(
    () => runs.staged,
    () => runs.staged.card,
    'Who can decide?',
  ),
  'History in stages': inMenu(
    () => runs.staged,
    () => runs.staged.root,
    'History',
  ),
  'what a program asks': { at: () => atMessage(asked.open), as: 'UPRIYA004', shows: 'page' },
  'what a program asked': inChannel(() => atMessage(asked.decided)),
  'an outcome with a reason': {
    at: () => atMessage(asked.open),
    as: 'UPRIYA004',
    shows: 'dialog',
    open: (page) => button(article(page, asked.open), 'hold…').click(),
  },
  'Approve selected': inHome(approveSelected),
  'what was approved together': inHome(async (page) => {
    await Promise.all(['letters', 'letters'].map((crew) => world.run(crew)));
    await page.getByText('2 requests are waiting for you').waitFor();
    await approveSelected(page);
    await button(page, 'Approve 2').click();
    await page.getByRole('dialog').getByText('continues.').last().waitFor();
  }, 'UJON00002'),
  Settings: inHome(press('Settings…')),
  'the form of a crew': { at: () => '#/C0RELEASE2', shows: 'dialog', open: (page) => give(page, 'notes') },
  status: command('status'),
  'a second round': inChannel(() => atThread(runs.again)),
  'a first vote': inChannel(() => atThread(runs.voted)),
  'Approve with note': inMenu(
    () => runs.open,
    () => runs.open.card,
    'Approve with note…',
  ),
  'Add an approver': inMenu(
    () => runs.open,
    () => runs.open.card,
    'Add an approver…',
  ),
  'Search in Home': inHome(press('Search…')),
  help: command('help'),
  'who can decide, by command': command('who'),
  'who can decide for a crew with conditions': command('who prices'),
};

const EACH = Object.entries(SURFACES);

describe.each([
  ['a desktop', DESKTOP, axeFindingsInBothSchemes],
  // Colours don't depend on the width.
  ['a phone', PHONE, axeFindings],
] as const)('on %s', (device, options: BrowserContextOptions, findings) => {
  afterEach(async () => {
    for (const person of ['maria', 'jon', 'priya'].map(world.slack.as))
      if ((await person.snapshot()).modals.length > 0) await person.closeModal();
  });

  it.each(EACH)('%s leaves nothing to find', async (name, { at, as = 'UMARIA001', shows, open }) => {
    const page = await tabs.open(`${world.slack.pageUrl}?as=${as}${at()}`, options);
    await page.locator(':is(.message, .home)').filter({ visible: true }).first().waitFor();
    await open?.(page);
    if (shows === 'dialog') await page.getByRole('dialog').waitFor();
    expect(await findings(page, shows === 'dialog' ? 'dialog' : 'body')).toEqual([]);
    for (const each of await page.locator(shows === 'dialog' ? 'dialog' : ':is(.message, .home)').all())
      expect(await repeatedNames(each)).toEqual([]);
    if (PICTURES) await takePictures(page, join(PICTURES, `${device} ${name}`.replaceAll(/\W+/g, '-')));
  });
});

async function takePictures(page: Page, path: string): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await page.screenshot({ path: `${path}-${colorScheme}.png` });
  }
}
