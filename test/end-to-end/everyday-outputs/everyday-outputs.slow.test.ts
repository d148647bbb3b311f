// How thirty everyday outputs look on their cards: what one reads of them without opening anything, and how high they are.
// With the table, and a picture of each card:
//   PICTURES=folder npm test -- --silent=false test/end-to-end/everyday-outputs
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { findPressable, mainIn, threadOf } from '../../../src/sandbox/slack-workspace/driver/find-in-snapshot.ts';
import { pageFolder } from '../../../src/sandbox/slack-workspace/page-folder.ts';
import type { Message } from '../../../src/sandbox/slack-workspace/people-api.ts';
import { DESKTOP, openPage, PHONE } from '../../sandbox/slack-workspace/page/open-page.ts';
import { launchBrowser } from '../../support/browser.ts';
import { startWorld, type World } from '../../support/world.ts';
import { lacks, measureCard } from './measure-card.ts';
import { EVERYDAY_OUTPUTS, type EverydayOutput } from './outputs.ts';

const { PICTURES } = process.env;
const CHANNEL = '#releases';

const LEAST_MATTERS = 28;
const MOST_PX_ON_A_DESK = 480;
/** A screen of a phone; a thread on a desk is hardly wider. */
const MOST_PX_OF_SCREEN = 844;

let world: World;
let browser: Browser;
beforeAll(async () => {
  const launched = await launchBrowser();
  browser = launched;
  const crews = EVERYDAY_OUTPUTS.map(({ name, task, agent, output, second }) => ({
    name,
    tasks: [{ name: task, agent, humanInput: true, outputs: second ? [output, second.output] : [output] }],
    settings: { channel: CHANNEL.slice(1) },
  }));
  world = await startWorld({ crews, pageDir: pageFolder() });
  await world.startBot();
});
afterAll(() => Promise.all([world.stop(), browser.close()]));

/** Where people meet a card. */
type Place = 'channel' | 'thread' | 'phone';

interface Row {
  output: string;
  round: 1 | 2;
  /** What somebody has to read and doesn't see, in one place or another. */
  missing: readonly string[];
  heightsPx: Record<Place, number>;
}

const TITLE =
  'At least 28 of 30 everyday outputs show what is decided on the card, and every second round shows what changed';

it(TITLE, async () => {
  const pages = await openPages();
  await Promise.all(
    EVERYDAY_OUTPUTS.map(({ name, topic }) => maria().command(CHANNEL, '/kickoff', `${name} topic="${topic}"`)),
  );
  const rows: Row[] = [];
  const cards = new Map<EverydayOutput, Message>();
  for (const output of EVERYDAY_OUTPUTS) {
    const card = await openCard(output);
    cards.set(output, card);
    rows.push(await measured(pages, card, { output, round: 1, words: output.matter }));
  }
  for (const [output, card] of cards) {
    if (output.second === undefined) continue;
    const { feedback, change } = output.second;
    await jon().click('Reject…', { in: card });
    await jon().fill('What should change?', feedback);
    await jon().submit();
    const again = await openCard(output, card);
    rows.push(await measured(pages, again, { output, round: 2, words: [...change.removed, ...change.added] }));
  }
  const report = table(rows);
  console.log(report);
  if (PICTURES) await writeFile(join(PICTURES, 'cards.md'), report);
  const silent = (round: 1 | 2) => rows.filter((row) => row.round === round && row.missing.length > 0);
  expect.soft(silent(1).length, 'outputs that don’t show what is decided').toBeLessThanOrEqual(30 - LEAST_MATTERS);
  expect.soft(silent(2).map(named), 'second rounds that don’t show what changed').toEqual([]);
  expect.soft(rows.filter(isTall).map(named), 'cards that are too high').toEqual([]);
  expect(rows).toHaveLength(40);
});

const maria = () => world.slack.as('maria');
const jon = () => world.slack.as('jon');

/** Of somebody who only looks on, so that no window covers the cards. */
async function openPages(): Promise<Record<Place, Page>> {
  const url = `${world.slack.pageUrl}?as=${world.slack.as('aiko').id}#/${await channelId()}`;
  // Higher than the devices: a card is as high as on them, and fits on its picture even where it is too high.
  const [desk, hand] = [1_280, 390].map((width) => ({ viewport: { width, height: 2_000 } }));
  const [channel, thread, phone] = await Promise.all([
    openPage(browser, url, { ...DESKTOP, ...desk }),
    openPage(browser, url, { ...DESKTOP, ...desk }),
    openPage(browser, url, { ...PHONE, ...hand }),
  ]);
  return { channel, thread, phone };
}

async function channelId(): Promise<string> {
  const { channels } = await jon().snapshot();
  return channels.find(({ name }) => `#${name}` === CHANNEL)?.id ?? '';
}

/** The card of the output, or the one after this. */
async function openCard({ name }: EverydayOutput, after?: Message): Promise<Message> {
  const isNew = ({ ts, broadcast, blocks }: Message) =>
    broadcast && ts > (after?.ts ?? '') && findPressable(blocks, 'Approve') !== undefined;
  return jon().waitFor(`a card of ${name}`, (seen) => {
    const root = mainIn(seen, CHANNEL).find(
      ({ broadcast, blocks }) => !broadcast && JSON.stringify(blocks).includes(name),
    );
    return root && threadOf(seen, root).find(isNew);
  });
}

async function measured(
  pages: Record<Place, Page>,
  card: Message,
  { output, round, words }: { output: EverydayOutput; round: 1 | 2; words: readonly string[] },
): Promise<Row> {
  await pages.thread.evaluate(`location.hash = '#/${card.channel}?thread_ts=${card.threadTs}'`);
  const measureIn = async (place: Place) => {
    const shown = pages[place].locator(`.${place === 'thread' ? place : 'main'} [data-ts="${card.ts}"]`);
    const measures = await measureCard(shown);
    if (PICTURES) await shown.screenshot({ path: join(PICTURES, `${output.name}-${round}-${place}.png`) });
    return measures;
  };
  const [channel, thread, phone] = await Promise.all([measureIn('channel'), measureIn('thread'), measureIn('phone')]);
  return {
    output: output.name,
    round,
    missing: words.filter((each) => [channel, thread, phone].some(({ text }) => lacks(text, each))),
    heightsPx: { channel: channel.heightPx, thread: thread.heightPx, phone: phone.heightPx },
  };
}

function isTall({ heightsPx: { channel, thread, phone } }: Row): boolean {
  return channel > MOST_PX_ON_A_DESK || Math.max(thread, phone) > MOST_PX_OF_SCREEN;
}

function named({ output, round, missing, heightsPx }: Row): string {
  return `${output}, round ${round}: ${Object.values(heightsPx).join(', ')} px, without ${missing.join(' | ') || 'nothing'}`;
}

function table(rows: readonly Row[]): string {
  const lines = rows.map(
    ({ output, round, missing, heightsPx: { channel, thread, phone } }) =>
      `| ${output} | ${round} | ${missing.length === 0 ? 'yes' : `no: ${missing.join(' … ')}`} | ${channel} | ${thread} | ${phone} |`,
  );
  const shown = (round: 1 | 2) => {
    const ofRound = rows.filter((row) => row.round === round);
    return `${ofRound.filter(({ missing }) => missing.length === 0).length} of ${ofRound.length}`;
  };
  return [
    `${shown(1)} outputs show what is decided, ${shown(2)} second rounds what changed; ${rows.filter(isTall).length} of ${rows.length} cards are too high.`,
    '',
    '| Output | Round | Shown? | px at 1,280 in the channel | in the thread | at 390 |',
    '|---|---:|---|---:|---:|---:|',
    ...lines,
    '',
  ].join('\n');
}
