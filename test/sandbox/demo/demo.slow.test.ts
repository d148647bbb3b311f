import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createRemoteClient } from '../../../src/sandbox/slack-workspace/driver/client.ts';
import { createPerson, type Person } from '../../../src/sandbox/slack-workspace/driver/person.ts';
import { visibleText } from '../../../src/sandbox/slack-workspace/driver/visible-text.ts';
import type { LiveUpdate, Message } from '../../../src/sandbox/slack-workspace/people-api.ts';
import { launchBrowser } from '../../support/browser.ts';
import { openPage, tabTo, untilFocused } from '../slack-workspace/page/open-page.ts';
import { type Demo, publishedIn, startDemo } from './demo-process.ts';

// The README's picture of a card comes from the first of these runs:
//   CARD_PICTURE=.github/images/approval-card.png npx vitest run --config test/vitest.config.ts \
//     test/sandbox/demo/demo.slow.test.ts -t keyboard
const PICTURE = process.env.CARD_PICTURE;

let browser: Browser;
let folder: string;
let demo: Demo;
let maria: Person;
let jon: Person;
let aiko: Person;
beforeAll(async () => {
  [browser, folder] = await Promise.all([launchBrowser(), mkdtemp(join(tmpdir(), 'signoff-demo-'))]);
  demo = await startDemo({ folder });
  const client = patientClient(demo.pageUrl);
  maria = createPerson(client, 'UMARIA001');
  jon = createPerson(client, 'UJON00002');
  aiko = createPerson(client, 'UAIKO0003');
});
afterAll(async () => {
  await demo.stop();
  await browser.close();
  await rm(folder, { recursive: true });
});

it('The demo’s terminal says where to go, what to try first and how to stop, in ten lines', () => {
  const lines = demo.said().trim().split('\n');
  expect(lines.length).toBeLessThanOrEqual(10);
  for (const told of [`http://localhost:${demo.port}`, 'Type /kickoff in #releases', 'docs/demo.md', 'Ctrl-C', folder])
    expect(demo.said()).toContain(told);
});

/** Looks a few times a second: crews take seconds, and each look costs the demo a whole snapshot. */
function patientClient(pageUrl: string): ReturnType<typeof createRemoteClient> {
  const client = createRemoteClient(pageUrl);
  return {
    ...client,
    async snapshot(as) {
      await pause(250);
      return client.snapshot(as);
    },
  };
}

/** Starts a crew in a channel without a form. Resolves to the message that heads its thread. */
async function started(who: Person, channel: string, words: string): Promise<Message> {
  const before = (await who.channel(channel)).map(({ ts }) => ts);
  await who.command(channel, '/kickoff', words);
  return who.waitFor(`a run in ${channel}`, ({ channels, messages }) => {
    const { id = '' } = channels.find(({ name }) => name === channel) ?? {};
    return messages[id]?.find(({ ts, text }) => !before.includes(ts) && text.includes('Started by'));
  });
}

const notesSince = (since: string) => `release-notes repository=${join(folder, 'cardwall')} since=${since}`;
const card = (who: Person, root: Message, task = '') => who.seesInThread(root, new RegExp(`^Approval needed${task}`));

/** The lines above the pages. */
async function notices(): Promise<string[]> {
  const stop = new AbortController();
  const response = await fetch(new URL('/api/live?as=UMARIA001', demo.pageUrl), { signal: stop.signal });
  let text = '';
  for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += chunk;
    const updates = text.split('\n\n').slice(0, -1);
    for (const update of updates.map((each): LiveUpdate => JSON.parse(each.slice('data: '.length)))) {
      if (update.type !== 'controls') continue;
      stop.abort();
      return update.bar.notices.map((notice) => notice.text);
    }
  }
  throw new Error('The page was told nothing.');
}

/** Presses a button above the page. Resolves to what it says then. */
async function press(id: string): Promise<string> {
  const before = (await notices()).length;
  await fetch(new URL(`/api/controls?id=${id}`, demo.pageUrl), { method: 'POST' });
  await expect.poll(async () => (await notices()).length, { timeout: 60_000, interval: 500 }).toBeGreaterThan(before);
  return (await notices()).at(-1) ?? '';
}

const dialog = (page: Page, name: string | RegExp) => page.getByRole('dialog', { name, exact: true });
const thread = (page: Page) => page.getByRole('complementary', { name: 'Thread' });
const button = (within: Page | Locator, name: string) => within.getByRole('button', { name, exact: true });
const message = (within: Locator, heading: string) =>
  within.getByRole('article').filter({ has: within.page().getByRole('heading', { name: heading, exact: true }) });
const inChannel = (page: Page, heading: string) => message(page.locator('.main'), heading);
const inThread = (page: Page, heading: string) => message(thread(page), heading);
/** The card that says so, which has no heading any more. */
const decided = (page: Page, verdict: string) => thread(page).getByRole('article').filter({ hasText: verdict });

/** From the composer of the channel or thread up to its last message, and from there to a button of it. */
async function pressIn(card: Locator, composer: Locator, name: string): Promise<void> {
  const { keyboard } = card.page();
  await untilFocused(composer);
  await keyboard.press('ArrowUp');
  await untilFocused(card);
  await tabTo(button(card, name));
  await keyboard.press('Enter');
}

/** A screenshot of the card as a new window shows it. */
async function takePicture(channel: string, heading: string): Promise<void> {
  if (!PICTURE) return;
  const page = await openPage(browser, `${demo.pageUrl}#/${channel}`, {
    viewport: { width: 900, height: 1_000 },
    deviceScaleFactor: 2,
  });
  await inChannel(page, heading).screenshot({ path: PICTURE });
  await page.context().close();
}

it('The demo plays the main job by keyboard alone, from a form that is filled in', async () => {
  const page = await openPage(browser, `${demo.pageUrl}#/C0GENERAL1`);
  const { keyboard } = page;
  await keyboard.press('/');
  await keyboard.type('kick');
  await keyboard.press('Tab');
  await keyboard.press('Enter');
  const form = dialog(page, 'Start a crew');
  await untilFocused(form.getByLabel('Crew'));
  await tabTo(form.getByLabel('Since'));
  await keyboard.press('Enter');
  // On a slow machine a crew takes longer to start than its form may wait, and a window says so.
  await form.waitFor({ state: 'hidden' });
  const starting = dialog(page, /^(Starting…|Started)$/);
  if (await starting.isVisible()) await keyboard.press('Escape');
  await starting.waitFor({ state: 'hidden' });

  const channelComposer = page.getByLabel('Message #general');
  await inChannel(page, 'Approval needed').waitFor();
  await untilFocused(channelComposer);
  await keyboard.press('ArrowUp');
  await keyboard.press('t');
  const composer = page.getByLabel('Reply in thread');
  const card = inThread(page, 'Approval needed');
  await pressIn(card, composer, 'Reject…');
  await untilFocused(page.getByLabel('What should change?'));
  await keyboard.type('Leave out technical details');
  await keyboard.press('Control+Enter');
  const second = inThread(page, 'Approval needed: draft');
  await second.waitFor();
  expect(await second.innerText()).toContain('− 20 changes since v2.3… 5 fixed, 1 faster, 9 under the hood.');
  await tabTo(composer);
  await pressIn(second, composer, 'Approve');
  await untilFocused(decided(page, 'approved “draft”'));
  const last = inThread(page, 'Approval needed: publish');
  await last.waitFor();
  await tabTo(composer);
  await pressIn(last, composer, 'Approve');
  await last.getByText('1 of 2 approved: Maria Alvarez').waitFor();
  await takePicture('C0GENERAL1', 'Approval needed: publish');
  await tabTo(page.getByRole('button', { name: /You are/ }));
  await keyboard.press('Enter');
  await keyboard.press('ArrowDown');
  await keyboard.press('ArrowDown');
  await keyboard.press('Enter');
  await page.getByRole('button', { name: /You are Aiko Tanaka/ }).waitFor();
  await last.getByText('1 of 2 approved: Maria Alvarez').waitFor();
  for (const _ of ['channels', 'the channel', 'the thread']) await keyboard.press('F6');
  await tabTo(composer);
  await pressIn(last, composer, 'Approve');
  await button(decided(page, 'approved “publish”'), 'Undo').waitFor();
  await page.context().close();
});

it('The demo loses nothing while its parts are killed and all of it is restarted', async () => {
  const page = await openPage(browser, `${demo.pageUrl}#/C0RELEASE2`);
  const root = await started(jon, 'releases', notesSince('v2.3'));
  expect(await press('kill-crew-service')).toMatch(/^The crew service was killed\. It was back after \d+\.\d s\.$/);
  const draft = await card(maria, root);
  expect(visibleText(draft)).toMatch(
    /# Release notes: cardwall\n\n\*\*20 changes\*\*[\s\S]*## Breaking[\s\S]*Whole text · \d+ words · \d more paragraphs/,
  );
  await maria.click('Approve', { in: draft });
  const publish = await card(maria, root, ': publish');
  await maria.click('Approve', { in: publish });
  expect(await press('kill-bot')).toMatch(/^The bot was killed\. It was back after \d+\.\d s\./);
  await maria.seesChanged(publish, '1 of 2 approved: Maria Alvarez');
  expect(await press('kill-redis')).toMatch(/^Redis was killed\. It was back after \d+\.\d s\.$/);
  await page.getByText('Redis was killed.').waitFor();
  await aiko.click('Approve', { in: publish });
  await maria.seesChanged(publish, 'Undo');

  await demo.stop();
  await page.getByText('Can’t reach the workspace').waitFor();
  demo = await startDemo({ folder, port: demo.port });
  await page.getByText('Can’t reach the workspace').waitFor({ state: 'detached' });
  expect(await press('fill-inbox')).toContain('5 more requests wait');
  await maria.openHome();
  await maria.seesHome(/[5-9] requests are waiting for you/);
  await maria.seesChanged(root, 'release-notes: Completed');
  const files = await readdir(publishedIn(folder));
  const published = await Promise.all(files.map((name) => readFile(join(publishedIn(folder), name), 'utf8')));
  expect(published).toContainEqual(expect.stringMatching(/^# Release notes: cardwall\n[\s\S]*## What’s new/));
  await page.context().close();
});
