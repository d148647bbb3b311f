import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Block, Snapshot } from '../../../../src/sandbox/slack-workspace/people-api.ts';
import { launchBrowser } from '../../../support/browser.ts';
import {
  axeFindings,
  axeFindingsInBothSchemes,
  chooseOption,
  createTabs,
  DESKTOP,
  openPage,
  PHONE,
  untilFocused,
} from './open-page.ts';
import * as sample from './sample-snapshot.ts';
import { type ScriptedWorkspace, startScriptedWorkspace } from './scripted-workspace.ts';

let browser: Browser;
let tabs: ReturnType<typeof createTabs>;
let workspace: ScriptedWorkspace;
beforeAll(async () => {
  [browser, workspace] = await Promise.all([launchBrowser(), startScriptedWorkspace(busy())]);
  tabs = createTabs(browser);
});
afterAll(() => Promise.all([browser.close(), workspace.close()]));
beforeEach(() => workspace.reset(busy()));
afterEach(() => tabs.closeOthers());

const busy = () => sample.snapshot({ messages: { C1: sample.busyMessages() } });

const open = (hash = '#/C1', device: BrowserContextOptions = DESKTOP) => tabs.open(workspace.url + hash, device);
const showModal = (...modals: Snapshot['modals']) => workspace.show((seen) => ({ ...seen, modals }));
const say = (seconds: number, text: string, more = {}) =>
  workspace.show((seen) => {
    const messages = [...(seen.messages.C1 ?? []), sample.message(seconds, { text, userId: 'UJON', ...more })];
    return { ...seen, messages: { ...seen.messages, C1: messages } };
  });
const article = (page: Page, name: string | RegExp) => page.locator('.main').getByRole('article', { name });
const isInView = async (element: Locator) => ((await element.boundingBox())?.y ?? Infinity) < 800;
const form = (more = {}) =>
  sample.openView({ title: 'Start', submitLabel: 'Start', blocks: sample.formBlocks(), ...more });

const plain = (text: string) => ({ type: 'plain_text', text });
const rich = (...elements: object[]) => ({ type: 'rich_text', elements: [{ type: 'rich_text_section', elements }] });

/** The texts of messages under the buttons of their toolbars. */
const COVERED_TEXT = `[...document.querySelectorAll('.message')].flatMap((message) => {
  const buttons = [...message.querySelectorAll('.toolbar .button')].map((button) => button.getBoundingClientRect());
  const texts = document.createTreeWalker(message.querySelector('.message-main'), NodeFilter.SHOW_TEXT);
  const covered = [];
  for (let text = texts.nextNode(); text; text = texts.nextNode()) {
    const range = document.createRange();
    range.selectNodeContents(text);
    const isUnder = (button) => [...range.getClientRects()].some((line) =>
      line.left < button.right && line.right > button.left && line.top < button.bottom && line.bottom > button.top);
    if (buttons.some(isUnder)) covered.push(text.data);
  }
  return covered;
})`;

/** What the keys have led to in the list of a select menu. */
async function markedOption(field: Locator): Promise<string> {
  const id = await field.getAttribute('aria-activedescendant');
  return field.page().locator(`[id="${id}"]`).innerText();
}

describe('a channel', () => {
  it('shows small that somebody has joined, with nothing of the app to do about it', async () => {
    const shortcut = { type: 'message', callbackId: 'look', name: 'Look at it', description: '' } as const;
    workspace.show((seen) => ({ ...seen, app: { ...seen.app, shortcuts: [shortcut] } }));
    say(300, '<@UJON> has joined the channel', { notice: true });
    const page = await open();
    const joined = page.locator('.main article').last();
    expect(await joined.locator('.channel-notice').innerText()).toBe('has joined the channel');
    expect(await page.evaluate("getComputedStyle(document.querySelector('.channel-notice')).fontSize")).toBe('13px');
    await joined.focus();
    await page.keyboard.press('m');
    await expect.poll(() => page.getByRole('menuitem').allInnerTexts()).toEqual(['Copy link']);
  });
});

describe('accessibility, as axe checks it in light and dark', () => {
  it('finds nothing in a channel with an open thread and wire drawer', async () => {
    workspace.wire(
      sample.wireEntry(1, {
        outcome: 'error',
        error: 'invalid_blocks',
        broken: [{ code: 'invalid_blocks', detail: 'too long', documentation: 'https://docs.slack.dev/' }],
      }),
    );
    const page = await open(`#/C1?thread_ts=${sample.tsAt(60)}`, DESKTOP);
    await page.getByRole('button', { name: /Wire/ }).click();
    await page.getByRole('button', { name: /chat.postMessage/ }).click();
    await page.getByRole('table').first().waitFor();
    expect(await axeFindingsInBothSchemes(page)).toEqual([]);
  });

  it('finds nothing in a modal with errors, nor in one of text alone that is scrolled by keyboard', async () => {
    const page = await open('#/C1', DESKTOP);
    showModal(form({ errors: { topic: 'This is needed.' }, problem: 'We had some trouble connecting.' }));
    await page.getByRole('dialog', { name: 'Start' }).waitFor();
    expect(await axeFindingsInBothSchemes(page, 'dialog')).toEqual([]);
    const blocks = Array.from({ length: 60 }, (_, index) => sample.section(`line-${index}`, `Line ${index}`));
    showModal(sample.openView({ title: 'Full text', blocks }));
    const content = page.getByRole('dialog', { name: 'Full text' }).getByRole('region', { name: 'Content' });
    await content.waitFor();
    expect(await axeFindingsInBothSchemes(page, 'dialog')).toEqual([]);
    await content.focus();
    await page.keyboard.press('End');
    await expect.poll(() => isInView(page.getByText('Line 59'))).toBe(true);
  });

  it('finds nothing in a list of commands, the menu of people and the help', async () => {
    const page = await open('#/C1', DESKTOP);
    await page.keyboard.type('/');
    await page.getByRole('option').first().waitFor();
    expect(await axeFindingsInBothSchemes(page, '.composer')).toEqual([]);
    await page.getByRole('button', { name: /You are/ }).click();
    expect(await axeFindingsInBothSchemes(page, '.menu:popover-open')).toEqual([]);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Keyboard shortcuts' }).click();
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    expect(await axeFindingsInBothSchemes(page, 'dialog')).toEqual([]);
  });
});

describe('a message', () => {
  it('shows what is escaped as text, and what is live as names', async () => {
    say(400, 'x', {
      blocks: [
        sample.section('s', '&lt;!channel&gt; <@UJON> <#C3> <!subteam^S1> :melting_face::no_such_one:'),
        {
          type: 'markdown',
          block_id: 'm',
          text: '<img src=x onerror=alert(1)> &lt;@UJON&gt; <!here> [x](javascript:alert(1)) :wave::skin-tone-3:',
        },
        sample.actions('b', { id: 'go', text: ':index_pointing_at_the_viewer: Go' }),
        { type: 'header', block_id: 'h', text: { type: 'plain_text', text: ':tada: <@UJON>' } },
        { type: 'section', block_id: 'p', text: { type: 'plain_text', text: '<!channel> *plain*' } },
      ],
    });
    const page = await open();
    const card = page.getByRole('article').last();
    await card.getByText('@here').waitFor();
    expect(await card.innerText()).toContain('<!channel> @Jon Bell #partners @release-managers 🫠:no_such_one:');
    expect(await card.innerText()).toContain('<img src=x onerror=alert(1)> <@UJON> @here x 👋🏼');
    await card.getByRole('img', { name: 'wave skin tone 3' }).waitFor();
    await card.getByRole('button', { name: 'index pointing at the viewer Go' }).getByText('🫵').waitFor();
    expect(await card.innerText()).toContain('<!channel> *plain*');
    await card.getByRole('heading', { name: '🎉 <@UJON>' }).waitFor();
    expect(await card.locator('img, a[href^="javascript"]').count()).toBe(0);
  });

  it('has headings of one size, columns as wide as their text, and feedback and icon buttons with names', async () => {
    const page = await open();
    const side = (text: string, accessibility_label: string) => ({
      text: plain(text),
      value: text,
      accessibility_label,
    });
    const feedback = {
      type: 'feedback_buttons',
      action_id: 'feedback',
      positive_button: side(':+1:', 'Good answer'),
      negative_button: side(':-1:', 'Bad answer'),
    };
    const bin = { type: 'icon_button', action_id: 'bin', icon: 'trash', text: plain('Delete answer') };
    const rows = [[{ type: 'raw_number', value: 7, text: 'seven of them' }]];
    say(90, 'x', {
      blocks: [
        { type: 'markdown', block_id: 'm', text: '# One\n\n## Two\n\n###### Six' },
        { type: 'table', block_id: 't', rows, column_settings: [{ align: 'right' }] },
        { type: 'context_actions', block_id: 'c', elements: [feedback, bin] },
      ],
    });
    const message = page.locator('.main').getByRole('article').filter({ hasText: 'seven of them' });
    await message.getByRole('heading', { name: 'Six' }).waitFor();
    // https://docs.slack.dev/reference/block-kit/blocks/markdown-block
    expect(await message.getByRole('heading').count()).toBe(3);
    const sizes = await page.evaluate(
      `[...document.querySelectorAll('.header-block')].slice(-3).map((one) => getComputedStyle(one).fontSize)`,
    );
    expect(sizes).toEqual(['18px', '18px', '18px']);
    const cell = message.locator('th');
    expect(await cell.getAttribute('style')).toBe('text-align: right; white-space: nowrap;');
    expect(await message.getByRole('group', { name: 'Feedback' }).getByRole('button').count()).toBe(2);
    await message.getByRole('button', { name: 'Bad answer' }).press('Enter');
    await message.getByRole('button', { name: 'Delete answer' }).press('Enter');
    const use = { type: 'use', place: { in: 'message' }, blockId: 'c' };
    await expect
      .poll(() => workspace.actions)
      .toMatchObject([
        { ...use, actionId: 'feedback', input: { kind: 'press', value: ':-1:' } },
        { ...use, actionId: 'bin', input: { kind: 'press' } },
      ]);
  });

  it('shows a plan whose tasks fold out, a container, and a data table that sorts and turns its pages', async () => {
    const task = (task_id: string, title: string, status: string, more = {}) => ({
      type: 'task_card',
      task_id,
      title,
      status,
      ...more,
    });
    const read = task('read', 'Read the commits', 'complete', {
      details: rich({ type: 'text', text: '312 commits' }),
      output: rich({ type: 'text', text: 'Nine areas' }),
      sources: [{ type: 'url', url: 'https://example.com/log', text: 'The log' }],
    });
    const cells = (area: string, commits: number) => [
      { type: 'raw_text', text: area },
      { type: 'raw_number', value: commits, text: `${commits}` },
    ];
    const header = ['Area', 'Commits'].map((text) => ({ type: 'raw_text', text }));
    const rows = [header, ...[30, 4, 200, 9, 71, 12, 5].map((commits, index) => cells(`area ${index}`, commits))];
    say(400, 'x', {
      blocks: [
        { type: 'plan', block_id: 'p', title: 'Release notes', tasks: [read, task('write', 'Write', 'in_progress')] },
        {
          type: 'container',
          block_id: 'c',
          title: plain('More'),
          is_collapsible: true,
          default_collapsed: true,
          child_blocks: [sample.section('inner', 'Folded away')],
        },
        { type: 'data_table', block_id: 't', caption: 'Commits by area', rows },
      ],
    });
    const page = await open();
    const card = page.getByRole('article').last();
    await card.getByText('Release notes').waitFor();
    expect(await card.locator('summary').first().innerText()).toBe('Release notes');
    await card.getByRole('img', { name: 'In progress' }).waitFor();
    expect(await card.getByRole('link', { name: 'The log' }).isVisible()).toBe(false);
    await card.getByText('Read the commits').press('Enter');
    await card.getByRole('link', { name: 'The log' }).waitFor();
    expect(await card.getByText('Folded away').isVisible()).toBe(false);
    await card.getByText('More', { exact: true }).click();
    await card.getByText('Folded away').waitFor();

    const table = card.getByRole('table', { name: 'Commits by area' });
    const commits = () => table.locator('td').allInnerTexts();
    expect(await commits()).toEqual(['30', '4', '200', '9', '71']);
    await table.getByRole('button', { name: 'Commits' }).press('Enter');
    expect(await commits()).toEqual(['4', '5', '9', '12', '30']);
    await table.getByRole('columnheader', { name: 'Commits' }).and(page.locator('[aria-sort="ascending"]')).waitFor();
    await card.getByRole('button', { name: 'Next page' }).press('Enter');
    await card.getByText('6–7 of 7').waitFor();
    expect(await commits()).toEqual(['71', '200']);
    await table.getByRole('button', { name: 'Commits' }).click();
    expect(await commits()).toEqual(['200', '71', '30', '12', '9']);
    await table.getByRole('rowheader', { name: 'area 2' }).waitFor();
    expect(await axeFindingsInBothSchemes(page, '.main')).toEqual([]);
  });

  it('keeps a container as its reader has left it, until an update gives it another id', async () => {
    const container = (block_id: string, child: string, default_collapsed = true) => ({
      type: 'container',
      block_id,
      title: plain('Whole text'),
      is_collapsible: true,
      default_collapsed,
      child_blocks: [sample.section(`${block_id}-1`, child)],
    });
    const update = (block: Block) =>
      workspace.show((seen) => {
        const [message = sample.message(0, {}), ...before] = (seen.messages.C1 ?? []).toReversed();
        const messages = [...before.toReversed(), { ...message, blocks: [block] }];
        return { ...seen, messages: { ...seen.messages, C1: messages } };
      });
    say(400, 'x', { blocks: [container('whole', 'As first posted')] });
    const page = await open();
    const message = page.getByRole('article').last();
    const head = message.locator('summary');
    await head.focus();
    expect(await message.getByText('As first posted').isVisible()).toBe(false);
    await page.keyboard.press('Enter');
    await message.getByText('As first posted').waitFor();
    update(container('whole', 'As updated'));
    await message.getByText('As updated').waitFor();
    await untilFocused(head);
    await page.keyboard.press('Space');
    await message.getByText('As updated').waitFor({ state: 'hidden' });
    update(container('whole', 'As updated again', false));
    await message.getByText('As updated again').waitFor({ state: 'attached' });
    expect(await message.getByText('As updated again').isVisible()).toBe(false);
    update(container('another', 'With another id', false));
    await message.getByText('With another id').waitFor();
  });

  it('has its dates in the language and by the clock of its reader', async () => {
    const at = Date.UTC(2026, 1, 3, 14, 5) / 1000;
    const date = `<!date^${at}^Fällig: {date_long}, {time}|then>`;
    const link = { type: 'date', timestamp: at, format: '{date_short}', fallback: 'then' };
    say(400, 'x', { blocks: [sample.section('s', date), { ...rich(link), block_id: 'r' }] });
    workspace.show((seen) => ({ ...seen, locale: 'de-DE', me: { ...seen.me, timeZone: 'Europe/Berlin' } }));
    const page = await open();
    const message = page.getByRole('article').last();
    await message.getByText('Fällig: Dienstag, 3. Februar 2026, 15:05').waitFor();
    await message.getByText('3. Feb. 2026').waitFor();
    expect(await message.locator('.message-head time').innerText()).toMatch(/^\d{1,2}:\d\d$/);
  });

  it('that is too long for its line wraps or scrolls on its own', async () => {
    const wide = `| ${'a | '.repeat(40)}\n|${'---|'.repeat(40)}\n| ${'bbbbbb | '.repeat(40)}`;
    const blocks = [sample.section('s', 'w'.repeat(3000)), { type: 'markdown', block_id: 'm', text: wide }];
    say(400, 'x', { blocks });
    say(401, `\u202E${'\uD800'} \`${'c'.repeat(500)}\``);
    const page = await open('#/C1', PHONE);
    await page.getByRole('article').last().getByText('c'.repeat(500)).waitFor();
    await page.getByRole('table').last().waitFor();
    expect(await page.evaluate<number>("document.querySelector('.main .list').scrollWidth")).toBeLessThanOrEqual(390);
  });

  it('folds the long text of a section behind “See more”, unless the app has it expanded', async () => {
    const long = `${'One sentence after the other. '.repeat(60)} <https://example.com/end|The end>`;
    const blocks = [sample.section('a', long), { ...sample.section('b', long), expand: true }];
    say(400, 'x', { blocks: [...blocks, sample.section('c', 'Short\ntext')] });
    const page = await open();
    const folded = page.locator('.fold').last();
    const height = async (element: Locator) => (await element.boundingBox())?.height ?? 0;
    expect(await page.getByRole('button', { name: /^See/ }).count()).toBe(1);
    const whole = await height(page.locator('.section').nth(-2));
    expect(await height(folded)).toBeLessThan(whole / 2);
    await page.getByRole('button', { name: 'See more', expanded: false }).click();
    expect(await height(folded)).toBe(whole);
    await page.getByRole('button', { name: 'See less', expanded: true }).click();
    expect(await height(folded)).toBeLessThan(whole / 2);
    await folded.getByRole('link', { name: 'The end' }).focus();
    await page.getByRole('button', { name: 'See less', expanded: true }).waitFor();
    expect(await height(folded)).toBe(whole);
  });

  it('shows fields side by side, and one under the other on a phone', async () => {
    const fields = ['Status', 'Owner', 'Since'].map(plain);
    say(400, 'x', { blocks: [{ type: 'section', block_id: 's', fields }] });
    const places = async (page: Page) => {
      const boxes = await page
        .locator('.fields > div')
        .evaluateAll((all) => all.map((one) => one.getBoundingClientRect()));
      return boxes.map(({ left, top }) => [
        boxes.findIndex((box) => box.left === left),
        boxes.findIndex((box) => box.top === top),
      ]);
    };
    expect(await places(await open())).toEqual([
      [0, 0],
      [1, 0],
      [0, 2],
    ]);
    expect(await places(await open('#/C1', PHONE))).toEqual([
      [0, 0],
      [0, 1],
      [0, 2],
    ]);
  });

  it('has actions that cover no text on a phone', async () => {
    say(331, 'A message by the same person, one that goes on and on up to the very end of its line, and beyond');
    say(332, 'And one more of these that follow closely and would do without a head of their own');
    say(333, 'By one with a long name', { username: 'Release manager of the whole organisation' });
    const page = await open('#/C1', PHONE);
    await page.getByRole('table').first().waitFor();
    expect(await page.locator('.toolbar:visible').count()).toBeGreaterThan(4);
    expect(await page.evaluate<string[]>(COVERED_TEXT)).toEqual([]);
    await page.locator('.list').evaluate((list) => list.scrollTo({ top: 0 }));
    await page.getByRole('button', { name: 'Jump to latest' }).waitFor();
    const [list, jump] = [page.locator('.list'), page.getByRole('button', { name: 'Jump to latest' })];
    const end = await list.boundingBox().then((box) => (box ? box.y + box.height : 0));
    expect((await jump.boundingBox())?.y).toBeGreaterThanOrEqual(end);
  });

  it('sent to channel and thread shows in both, and leads from one to the other', async () => {
    const page = await open();
    await page.getByText('replied to a thread:').getByRole('link').click();
    const thread = page.getByRole('complementary', { name: 'Thread' });
    await thread.getByText('Also sent to the channel').waitFor();
    expect(await thread.getByRole('article').count()).toBe(3);
  });

  it('offers the app’s shortcuts in its menu, and to dismiss it where it is only visible to me', async () => {
    const page = await open();
    await page.getByRole('button', { name: 'Dismiss' }).click();
    const dismissed = { type: 'dismiss', channel: 'C1', ts: sample.tsAt(330) };
    await expect.poll(() => workspace.actions).toEqual([dismissed]);
    await page.getByRole('article').first().hover();
    await page.getByRole('button', { name: 'Message actions' }).first().click();
    await page.getByRole('menuitem', { name: /Explain this card/ }).click();
    const ts = sample.tsAt(0);
    await expect
      .poll(() => workspace.actions)
      .toEqual([dismissed, { type: 'message-shortcut', callbackId: 'explain', channel: 'C1', ts }]);
  });

  it('keeps the ⚠ of a failed button beside it until its next use', async () => {
    workspace.answer = () => ({
      ok: false,
      problem: { code: 'app_timeout', text: 'This app took too long.', at: 'element' },
    });
    const page = await open();
    await page.getByRole('button', { name: 'Show activity' }).click();
    await page.getByRole('alert').getByText('This app took too long.').waitFor();
    workspace.answer = () => ({ ok: true });
    await page.getByRole('button', { name: 'Show activity' }).click();
    await page.getByText('This app took too long.').waitFor({ state: 'detached' });
    await expect.poll(() => workspace.actions).toHaveLength(2);
  });

  it('asks before a button with a confirm dialog is used, and gives the focus back', async () => {
    const confirm = {
      title: plain('Stop?'),
      text: plain('The crew goes on.'),
      confirm: plain('Stop'),
      deny: plain('Keep'),
    };
    const element = { type: 'button', action_id: 'halt', text: plain('Halt'), confirm };
    const blocks = [{ type: 'actions', block_id: 'a', elements: [element] }];
    say(400, 'x', { blocks, threadTs: sample.tsAt(60) });
    const page = await open(`#/C1?thread_ts=${sample.tsAt(60)}`);
    await page.getByRole('button', { name: 'Halt' }).click();
    await page.keyboard.press('Escape');
    expect(workspace.actions).toEqual([]);
    await untilFocused(page.getByRole('button', { name: 'Halt' }));
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Stop?' }).getByRole('button', { name: 'Stop' }).click();
    await expect.poll(() => workspace.actions).toMatchObject([{ type: 'use', actionId: 'halt', confirmed: true }]);
  });

  it('opens by its permalink, with its thread', async () => {
    const page = await open(`archives/C1/p${sample.tsAt(300).replace('.', '')}?thread_ts=${sample.tsAt(60)}&cid=C1`);
    await page.getByRole('complementary', { name: 'Thread' }).waitFor();
    await expect.poll(() => page.locator('.thread .highlighted').count()).toBe(1);
    expect(new URL(page.url()).pathname).toBe('/');
  });

  it('has its attachments below, with their colour, fields and buttons, and the reactions to it', async () => {
    const fields = [{ title: 'Status', value: '*Ready*', short: true }];
    const blocks = [sample.section('s', 'In a block'), sample.actions('a', { id: 'approve', text: 'Approve' })];
    say(400, 'With attachments', {
      reactions: [{ name: 'tada', userIds: ['UBOT', 'UMARIA'] }],
      attachments: [
        { id: 1, color: '#36a64f', title: 'Release 2.4', title_link: 'https://example.com/', text: 'Notes', fields },
        { id: 2, fallback: 'Second', blocks },
        { id: 3, fallback: 'Nothing but a summary' },
      ],
    });
    const page = await open();
    const [first, second] = [page.getByLabel('Attachment'), page.getByLabel('Second')];
    await first.getByRole('link', { name: 'Release 2.4' }).waitFor();
    expect((await first.innerText()).split(/\n+/)).toEqual(['Release 2.4', 'Notes', 'Status', 'Ready']);
    const colour = "getComputedStyle(document.querySelector('.attachment')).borderLeftColor";
    expect(await page.evaluate(colour)).toBe('rgb(54, 166, 79)');
    expect(await page.getByLabel('Nothing but a summary').innerText()).toBe('Nothing but a summary');
    await second.getByRole('button', { name: 'Approve' }).click();
    await expect.poll(() => workspace.actions.at(-1)).toMatchObject({ type: 'use', blockId: 'a' });
    const reactions = page.locator('.main article').last().getByRole('list', { name: 'Reactions' });
    expect(await reactions.innerText()).toMatch(/^🎉\s+2$/);
    expect(await reactions.getByRole('listitem').getAttribute('title')).toMatch(/, .+ reacted with :tada:$/);
    expect(await axeFindingsInBothSchemes(page, '.main')).toEqual([]);
  });

  it('has a file to download', async () => {
    const page = await open();
    const download = page.waitForEvent('download', { timeout: 120_000 });
    await page.getByRole('link', { name: 'Download draft.md' }).click();
    expect((await download).suggestedFilename()).toBe('draft.md');
  });
});

describe('while others go on', () => {
  it('keeps what is typed, the focus and the place of the reader, and leads to what is said to them alone or comes of their command', async () => {
    for (let index = 0; index < 30; index++) say(400 + index * 400, `Message ${index}`);
    const page = await open();
    await page.getByText('Message 29').waitFor();
    const field = page.getByLabel('Message #releases');
    const list = page.locator('.main .list');
    const shows = (text: string) => expect.poll(() => isInView(page.getByText(text, { exact: true }))).toBe(true);
    const readBack = async () => {
      await list.evaluate((element) => element.scrollTo({ top: 300 }));
      await page.getByRole('button', { name: 'Jump to latest' }).waitFor();
    };
    await field.fill('half a sent');
    await readBack();
    say(20_000, 'And one more');
    await page.getByText('And one more', { exact: true }).waitFor();
    expect(await list.evaluate((element) => element.scrollTop)).toBe(300);
    expect(await field.inputValue()).toBe('half a sent');
    await untilFocused(field);
    const jump = page.getByRole('button', { name: 'Jump to latest' });
    await jump.click();
    await jump.waitFor({ state: 'detached' });
    // The list grows in the moment in which it moves a little, and in the one in which the reader jumps to its end.
    const grow = "document.querySelector('.main [data-ts]:last-child').style.paddingBottom = '300px';";
    await page.evaluate(`{ document.querySelector('.main .list').scrollBy({ top: -10 }); ${grow} }`);
    say(20_400, 'The newest');
    await shows('The newest');
    await readBack();
    await page.evaluate(`{ document.querySelector('.main .to-end').click(); ${grow} }`);
    say(20_600, 'One after the jump');
    await shows('One after the jump');
    await readBack();
    say(20_800, 'Maria was faster', { ephemeral: true });
    await shows('Maria was faster');
    // What comes of one's own command may be said by another.
    await readBack();
    await field.fill('/kickoff release-notes');
    await page.keyboard.press('Enter');
    say(21_200, 'release-notes has started');
    await shows('release-notes has started');
  });

  it('reads new messages out, private ones as private, while a modal is open, too, and none again when it has closed', async () => {
    const page = await open();
    const announcer = page.locator('[data-announcer]');
    say(400, 'Done, <@UMARIA>');
    await expect.poll(() => announcer.innerText()).toBe('Jon Bell: Done, @Maria Alvarez');
    say(401, 'Too late', { ephemeral: true });
    await expect.poll(() => announcer.innerText()).toBe('Jon Bell, only visible to you: Too late');
    // A repeated text must be rendered anew, or screen readers would not announce it.
    const words = await announcer.locator('span').elementHandle();
    say(402, 'Too late', { ephemeral: true });
    await expect.poll(() => words?.evaluate((element) => element.isConnected)).toBe(false);
    expect(await announcer.innerText()).toBe('Jon Bell, only visible to you: Too late');
    showModal(form());
    await page.getByRole('dialog').waitFor();
    say(403, 'The second draft');
    await expect.poll(() => announcer.innerText()).toBe('Jon Bell: The second draft');
    expect(await page.getByRole('dialog').locator('[data-announcer]').count()).toBe(1);
    showModal();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await announcer.innerText()).toBe('');
  });

  it('says at the end of a thread what the app is doing there', async () => {
    const threadTs = sample.tsAt(60);
    const page = await open(`#/C1?thread_ts=${threadTs}`);
    const thread = page.getByRole('complementary', { name: 'Thread' });
    const status = { channel: 'C1', threadTs, text: 'is reading the commits…', loadingMessages: [] };
    workspace.show((seen) => ({ ...seen, statuses: [{ ...status, threadTs: sample.tsAt(0), text: 'no' }, status] }));
    await thread.getByRole('status').getByText('Signoff is reading the commits…').waitFor();
    workspace.show((seen) => ({ ...seen, statuses: [{ ...status, loadingMessages: ['Counting', 'Sorting'] }] }));
    await thread.getByText('Counting').waitFor();
    await thread.getByText('Sorting').waitFor();
    workspace.show((seen) => ({ ...seen, statuses: [] }));
    await thread.getByText('Sorting').waitFor({ state: 'detached' });
  });

  it('marks as read what is in view, and shows elsewhere what is not', async () => {
    const page = await open();
    await expect.poll(() => workspace.read).toEqual([sample.tsAt(300)]);
    await page.getByRole('link', { name: /^incidents\s?, private, 3 unread, 1 for you$/ }).waitFor();
    expect(await page.getByRole('link', { name: /partners/ }).getAttribute('data-unread')).toBe('true');
  });
});

describe('a modal', () => {
  let page: Page;
  beforeAll(async () => {
    page = await open();
  });
  // Nothing of a modal is left once it is closed, so the page needn't be loaded for each.
  beforeEach(async () => {
    workspace.show((seen) => seen);
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  });

  it('takes the focus, keeps it, and gives it back when Esc has closed it', async () => {
    workspace.answer = (action) => {
      if (action.type === 'use') showModal(form());
      if (action.type === 'close') showModal();
      return { ok: true };
    };
    await page.getByRole('button', { name: 'Show activity' }).click();
    await untilFocused(page.getByLabel('Topic'));
    await page.getByRole('dialog').getByRole('img', { name: 'Signoff' }).waitFor();
    for (let presses = 0; presses < 20; presses++) {
      await page.keyboard.press('Tab');
      expect(await page.locator('.app :focus').count()).toBe(0);
    }
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await untilFocused(page.getByRole('button', { name: 'Show activity' }));
  });

  it('sends everything that was filled in', async () => {
    showModal(form());
    await page.getByLabel('Topic').fill('Cats');
    await page.getByLabel('Feedback').fill('Two\nlines');
    await page.getByLabel('Number of items').fill('3');
    await chooseOption(page.getByLabel('Severity'), 'High');
    await page.getByLabel('Due').fill('2026-12-24');
    await page.getByRole('radio', { name: 'Low' }).check();
    await page.getByRole('checkbox', { name: 'High' }).check();
    await chooseOption(page.getByLabel('Reviewers'), 'Jon Bell');
    await page.getByLabel('Feedback').press('Control+Enter');
    const inputs = {
      topic: { value: { kind: 'text', value: 'Cats' } },
      feedback: { value: { kind: 'text', value: 'Two\nlines' } },
      count: { value: { kind: 'text', value: '3' } },
      severity: { value: { kind: 'options', values: ['high'] } },
      due: { value: { kind: 'moment', value: '2026-12-24' } },
      tone: { value: { kind: 'options', values: ['low'] } },
      extras: { value: { kind: 'options', values: ['high'] } },
      reviewers: { value: { kind: 'ids', ids: ['UJON'] } },
    };
    await expect.poll(() => workspace.actions).toEqual([{ type: 'submit', viewId: 'V1', inputs }]);
  });

  it('has select menus that are searched by keyboard', async () => {
    const options = (from: number) =>
      Array.from({ length: 50 }, (_, index) => ({
        text: plain(`City ${from + index}`),
        description: plain(':house: to house'),
        value: `c${from + index}`,
      }));
    const groups = [1, 51].map((from) => ({ label: plain(from === 1 ? 'North' : 'South'), options: options(from) }));
    const input = (id: string, text: string, element: object) =>
      ({ type: 'input', block_id: id, label: plain(text), element: { action_id: 'value', ...element } }) as Block;
    const many = { type: 'multi_users_select', max_selected_items: 2 };
    const blocks = [input('city', 'City', { type: 'static_select', option_groups: groups }), input('who', 'Who', many)];
    showModal(form({ blocks }));
    const city = page.getByRole('combobox', { name: 'City' });
    const { keyboard } = page;
    await untilFocused(city);
    expect(await page.getByRole('option').count()).toBe(0);
    await keyboard.press('ArrowDown');
    expect(await page.getByRole('group', { name: 'South' }).getByRole('option').count()).toBe(50);
    await keyboard.press('End');
    expect(await markedOption(city)).toBe('City 100\n🏠 to house');
    await keyboard.press('Home');
    await keyboard.press('ArrowDown');
    expect(await markedOption(city)).toBe('City 2\n🏠 to house');
    expect(await axeFindingsInBothSchemes(page, 'dialog')).toEqual([]);
    await keyboard.type('no such city');
    await page.getByRole('status').getByText('No results').waitFor();
    await keyboard.press('Escape');
    await page.getByRole('dialog', { name: 'Start' }).waitFor();
    expect(await city.inputValue()).toBe('');
    await keyboard.type('y 10');
    await page.getByRole('status').getByText('2 results').waitFor();
    await keyboard.press('ArrowDown');
    await keyboard.press('Enter');
    expect([await city.inputValue(), await city.getAttribute('aria-expanded')]).toEqual(['City 100', 'false']);
    await keyboard.press('Tab');
    await keyboard.press('Tab');
    const who = page.getByRole('combobox', { name: 'Who' });
    await untilFocused(who);
    await keyboard.type('jon');
    await keyboard.press('Enter');
    await keyboard.type('gina');
    await keyboard.press('Enter');
    expect(await who.getAttribute('placeholder')).toBe('Maximum reached');
    await page.getByRole('button', { name: 'Remove Jon Bell' }).click();
    await untilFocused(who);
    await keyboard.press('Control+Enter');
    const inputs = {
      city: { value: { kind: 'options', values: ['c100'] } },
      who: { value: { kind: 'ids', ids: ['UGINA'] } },
    };
    await expect.poll(() => workspace.actions).toEqual([{ type: 'submit', viewId: 'V1', inputs }]);
  });

  it('takes files by keyboard, gives each a button to remove it, and keeps the focus when there is room for no more', async () => {
    const element = { type: 'file_input', action_id: 'value', filetypes: ['log'], max_files: 2 };
    showModal(form({ blocks: [{ type: 'input', block_id: 'logs', label: plain('Logs'), element }] }));
    const field = page.getByLabel('Logs');
    await untilFocused(field);
    expect(await field.getAttribute('accept')).toBe('.log');
    const chooser = page.waitForEvent('filechooser');
    // Key presses reach Chromium another way, and overtook the order to report choosers.
    await untilFocused(field);
    await page.keyboard.press('Enter');
    const log = (name: string) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(name) });
    await (await chooser).setFiles([log('a.log'), log('b.log')]);
    await page.getByText('No more files can be added.').waitFor();
    await untilFocused(field);
    expect(await axeFindingsInBothSchemes(page, 'dialog')).toEqual([]);
    await page.getByRole('button', { name: 'Remove a.log' }).press('Enter');
    await untilFocused(field);
    await field.press('Control+Enter');
    const inputs = { logs: { value: { kind: 'files', files: [{ id: 'b.log', name: 'b.log' }] } } };
    await expect.poll(() => workspace.actions).toEqual([{ type: 'submit', viewId: 'V1', inputs }]);
  });

  it('puts the focus on the first field with an error, keeps what was typed when the app updates it, and forgets fields that went', async () => {
    showModal(form());
    await page.getByLabel('Topic').fill('Cats');
    workspace.answer = () => {
      showModal(form({ errors: { feedback: 'A rejection needs feedback.' } }));
      return { ok: true };
    };
    await page.keyboard.press('Enter');
    const field = page.getByLabel('Feedback');
    await untilFocused(field);
    const describedBy = await field.getAttribute('aria-describedby');
    const error = page.locator(`[id="${describedBy?.split(' ')[0]}"]`);
    expect(await error.innerText()).toContain('A rejection needs feedback.');
    await field.fill('Short');
    const [intro, topic] = sample.formBlocks();
    showModal(form({ hash: '2', blocks: [intro, topic].flatMap((block) => block ?? []) }));
    await field.waitFor({ state: 'detached' });
    expect(await page.getByLabel('Topic').inputValue()).toBe('Cats');
    showModal(form({ hash: '3' }));
    expect(await field.inputValue()).toBe('');
  });

  it('goes from a loading view to a form, whose buttons are inactive while it is sent, and lets what went wrong be dismissed', async () => {
    showModal(sample.openView({ title: 'Loading', blocks: [sample.section('s', 'Asking the crew…')] }));
    await page.getByText('Asking the crew…').waitFor();
    showModal(form({ hash: '2' }));
    await untilFocused(page.getByLabel('Topic'));
    const text = 'The workspace cannot be reached.';
    workspace.answer = () => ({ ok: false, problem: { code: 'workspace_unreachable', text, at: 'toast' } });
    await page.getByRole('button', { name: 'Start' }).click();
    await page.getByRole('alert').getByText(text).waitFor();
    await page.getByRole('alert').getByRole('button', { name: 'Dismiss' }).click({ timeout: 5_000 });
    await page.getByText(text).waitFor({ state: 'detached' });
    showModal(form({ hash: '3', isSubmitting: true }));
    await page.getByRole('button', { name: 'Start' }).and(page.locator('[aria-disabled="true"]')).waitFor();
    expect(await page.getByRole('button', { name: 'Cancel' }).isDisabled()).toBe(true);
  });

  it('on another lets only the upper one be used, and keeps what was typed below', async () => {
    showModal(form());
    await page.getByLabel('Topic').fill('Cats');
    showModal(form(), sample.openView({ id: 'V2', title: 'The whole text', closeLabel: 'Back' }));
    await page.getByRole('dialog', { name: 'The whole text' }).waitFor();
    expect(await page.getByLabel('Topic').isVisible()).toBe(false);
    await page.getByRole('button', { name: 'Back' }).click();
    await expect.poll(() => workspace.actions).toEqual([{ type: 'close', viewId: 'V2', extent: 'one' }]);
    showModal(form());
    await page.getByRole('dialog', { name: 'Start' }).waitFor();
    expect(await page.getByLabel('Topic').inputValue()).toBe('Cats');
  });
});

describe('the composer', () => {
  it('helps with commands and emoji by keyboard, says why a command failed, and keeps each draft', async () => {
    workspace.answer = () => ({
      ok: false,
      problem: { code: 'app_timeout', text: '/kickoff failed.', at: 'composer' },
    });
    const page = await open();
    const field = page.getByLabel('Message #releases');
    await page.keyboard.type('/ki');
    await page.getByRole('option', { name: /\/kickoff \[crew\] \[input=value …\]/ }).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    expect(await field.inputValue()).toBe('/kickoff-admin ');
    expect(await page.getByRole('option').count()).toBe(0);
    await page.getByText('Look after crews').waitFor();

    await field.fill('Done :melt');
    await page.getByRole('option', { name: '🫠 :melting_face:' }).click();
    expect(await field.inputValue()).toBe('Done :melting_face: ');

    await field.fill('/kickoff now');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').getByText('/kickoff failed.').waitFor();
    expect(await field.inputValue()).toBe('/kickoff now');

    await page.getByRole('link', { name: 'partners' }).click();
    expect(await page.getByLabel('Message #partners').inputValue()).toBe('');
    await page.goBack();
    expect(await field.inputValue()).toBe('/kickoff now');
  });
});

describe('the page', () => {
  it('fits a phone: nothing is wider than the screen, and every place can be reached', async () => {
    const page = await open('#/C1', PHONE);
    const width = () => page.evaluate<number>('document.documentElement.scrollWidth');
    expect(await width()).toBeLessThanOrEqual(390);
    expect(await axeFindings(page)).toEqual([]);
    const heights = await page
      .locator('.main .button:visible')
      .evaluateAll((all) => all.map((one) => one.clientHeight));
    expect(Math.min(...heights), 'for fingers').toBeGreaterThanOrEqual(38);
    await page.getByRole('button', { name: 'Channels' }).tap();
    await untilFocused(page.getByRole('link', { name: 'releases' }));
    await page.keyboard.press('Escape');
    await untilFocused(page.getByRole('button', { name: 'Channels' }));
    await page.getByRole('button', { name: 'Channels' }).tap();
    await page.getByRole('link', { name: /partners/ }).tap();
    await page.getByRole('heading', { name: 'partners' }).waitFor();
    await page.goBack();
    await page.getByRole('link', { name: /2 replies/ }).tap();
    await page.getByRole('heading', { name: 'Thread' }).waitFor();
    expect(await width()).toBeLessThanOrEqual(390);
    await page.getByRole('button', { name: 'Close thread' }).tap();
    await page.getByLabel('Message #releases').waitFor();
    await page.getByRole('button', { name: 'Channels' }).tap();
    await page.getByRole('button', { name: 'Wire' }).tap();
    await page.getByRole('button', { name: 'Close the wire drawer' }).tap();
    await untilFocused(page.getByRole('button', { name: 'Channels' }));
  });

  it('keeps the chosen colours', async () => {
    const page = await openPage(browser, `${workspace.url}#/C1`, { ...DESKTOP, colorScheme: 'light' });
    const background = () => page.evaluate<string>('getComputedStyle(document.documentElement).backgroundColor');
    const light = await background();
    await page.getByRole('button', { name: 'Theme: system' }).click();
    await page.getByRole('button', { name: 'Theme: light' }).click();
    await page.getByRole('button', { name: 'Theme: dark' }).waitFor();
    expect(await background()).not.toBe(light);
    await page.reload();
    await page.getByRole('button', { name: 'Theme: dark' }).waitFor();
    expect(await background()).not.toBe(light);
  });

  it('shows a text as it will stay: no Markdown that turns into headings a moment later; and asks no other host', async () => {
    const context = await browser.newContext(DESKTOP);
    const page = await context.newPage();
    const hosts = new Set<string>();
    page.on('request', (request) => hosts.add(new URL(request.url()).host));
    let release: (() => void) | undefined;
    await page.route(/markdown-.*\.js$/, (route) => {
      release = () => void route.continue();
    });
    await page.goto(`${workspace.url}#/C1`);
    await expect.poll(() => release).toBeDefined();
    await page.getByText('Opening the workspace…').waitFor();
    release?.();
    await page.getByRole('table').first().waitFor();
    expect([...hosts].filter((host) => host !== '' && host !== new URL(workspace.url).host)).toEqual([]);
  });

  it('can be walked with F6, Alt and the arrows', async () => {
    const page = await open('#/C1');
    // A table scrolls by keys of its own, and is not the place to begin.
    await page.locator('.main').getByRole('table').first().waitFor();
    await page.keyboard.press('F6');
    await untilFocused(page.getByRole('link', { name: 'releases' }));
    await page.keyboard.press('F6');
    await untilFocused(article(page, /^Signoff, /).last());
    await page.keyboard.press('Home');
    await untilFocused(article(page, /^Jon Bell, /));
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('t');
    await untilFocused(page.getByLabel('Reply in thread'));
    await page.keyboard.press('Escape');
    await page.getByRole('complementary', { name: 'Thread' }).waitFor({ state: 'detached' });
    await untilFocused(article(page, /^Signoff, /).first());
    await page.keyboard.press('Alt+ArrowDown');
    await page.getByRole('heading', { name: 'incidents' }).waitFor();
  });

  it('gives up on a connection that is never answered, and is back within seconds', async () => {
    const page = await open();
    await workspace.hangUp();
    workspace.show(() => sample.snapshot());
    await page.getByText('No messages in #releases yet.').waitFor({ timeout: 15_000 });
    await page.getByText('Can’t reach the workspace. Retrying…').waitFor({ state: 'detached' });
  });

  it('shows in the wire drawer what went wrong and which rule it broke', async () => {
    const broken = [
      { code: 'invalid_blocks', detail: 'blocks[3] is too long', documentation: 'https://docs.slack.dev/x' },
    ];
    workspace.wire(sample.wireEntry(1));
    const page = await open();
    workspace.wire(sample.wireEntry(2, { name: 'views.open', outcome: 'error', error: 'invalid_blocks', broken }));
    await page.getByRole('button', { name: /1 failed or broke a rule/ }).click();
    const drawer = page.getByRole('region', { name: 'Requests between the app and the workspace' });
    await drawer.getByText('blocks[3] is too long').waitFor();
    await drawer.getByLabel('Only problems').check();
    expect(await drawer.getByRole('button', { name: /from the app/ }).count()).toBe(1);
    await drawer.getByRole('button', { name: /views.open/ }).click();
    await drawer.getByRole('region', { name: 'Response' }).waitFor();
    await page.keyboard.press('Escape');
    await drawer.waitFor({ state: 'detached' });
    await untilFocused(page.getByRole('button', { name: /1 failed or broke a rule/ }));
  });
});

it('says that the help couldn’t be loaded, stays as it is, and shows it after a reload', async () => {
  const page = await openPage(browser, `${workspace.url}#/C1`);
  const help = page.getByRole('button', { name: 'Keyboard shortcuts' });
  await page.route('**/own-dialog*', (route) => route.abort());
  await help.click();
  const problem = page.getByRole('dialog', { name: 'This couldn’t be loaded' });
  await problem.getByRole('button', { name: 'Close' }).click();
  await problem.waitFor({ state: 'detached' });
  await page.unroute('**/own-dialog*');
  await help.click();
  await problem.getByRole('button', { name: 'Reload' }).click();
  await help.click();
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
});
