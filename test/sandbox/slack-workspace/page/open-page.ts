import axe, { type AxeResults, type RunOptions } from 'axe-core';
import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core';

export const DESKTOP: BrowserContextOptions = { viewport: { width: 1280, height: 800 } };
export const PHONE: BrowserContextOptions = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };

/** Opens the page as a browser of its own would; the caller closes its context. */
export async function openPage(browser: Browser, url: string, options: BrowserContextOptions = DESKTOP): Promise<Page> {
  const context = await browser.newContext({ reducedMotion: 'reduce', ...options });
  const page = await context.newPage();
  await page.goto(url);
  await page.locator('.app').waitFor();
  return page;
}

/**
 * Opens one page after the other in one tab for each device, at a third of the cost of a browser's first page. Nothing that
 * the page before has stored is left.
 */
export function createTabs(browser: Browser): {
  open(url: string, device?: BrowserContextOptions): Promise<Page>;
  closeOthers(): Promise<void>;
} {
  const tabs = new Map<BrowserContextOptions, Page>();
  return {
    async open(url, device = DESKTOP) {
      const tab = tabs.get(device);
      if (!tab) {
        const first = await openPage(browser, url, device);
        tabs.set(device, first);
        return first;
      }
      await tab.evaluate('localStorage.clear(); sessionStorage.clear();');
      // From another place of the same origin, so that the page loads in the process that it has.
      if (new URL(url).origin === new URL(tab.url()).origin)
        await tab.evaluate(`history.replaceState(null, '', '/blank')`);
      await tab.goto(url);
      await tab.locator('.app').waitFor();
      return tab;
    },
    async closeOthers() {
      const ours = new Set([...tabs.values()].map((tab) => tab.context()));
      await Promise.all(
        browser
          .contexts()
          .filter((context) => !ours.has(context))
          .map((context) => context.close()),
      );
    },
  };
}

/** What axe finds in a part of the page, each in a line. See https://github.com/dequelabs/axe-core */
export function axeFindings(page: Page, part = 'body'): Promise<string[]> {
  return findings(page, part, {});
}

/** The rules that look at colours. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block'];

/** What axe finds in light, and whatever of it depends on colours in dark, too. */
export async function axeFindingsInBothSchemes(page: Page, part = 'body'): Promise<string[]> {
  await page.emulateMedia({ colorScheme: 'light' });
  const light = await axeFindings(page, part);
  await page.emulateMedia({ colorScheme: 'dark' });
  const dark = await findings(page, part, { runOnly: COLOUR_RULES });
  await page.emulateMedia({ colorScheme: 'light' });
  return [...light, ...dark.map((finding) => `${finding} (dark)`)];
}

async function findings(page: Page, part: string, options: RunOptions): Promise<string[]> {
  if (!(await page.evaluate<boolean>("'axe' in window"))) await page.evaluate(axe.source);
  const wanted = JSON.stringify({ resultTypes: ['violations'], ...options });
  const { violations } = await page.evaluate<AxeResults>(`axe.run(${JSON.stringify(part)}, ${wanted})`);
  return violations.map(({ id, impact, nodes }) => `${impact} ${id}: ${nodes.map(({ html }) => html).join(' ')}`);
}

const CONTROL = /^\s*- (?:button|checkbox|radio|textbox|combobox|slider|spinbutton) "((?:[^"\\]|\\.)*)"/gm;

/**
 * Accessible names that several controls of a part of the page have, so that who hears them can't tell them apart. Slack names all
 * menus alike: https://docs.slack.dev/reference/block-kit/block-elements/overflow-menu-element
 */
export async function repeatedNames(part: Locator): Promise<string[]> {
  const names = Array.from((await part.ariaSnapshot()).matchAll(CONTROL), ([control]) => control.trim());
  return names.filter((name, index) => names.indexOf(name) !== index && !name.endsWith('"More actions"'));
}

/** Resolves once this element has the focus; rejects when it takes too long. */
export async function untilFocused(element: Locator): Promise<void> {
  await element.and(element.page().locator(':focus')).waitFor();
}

/** Presses Tab until this has the focus. */
export async function tabTo(target: Locator): Promise<void> {
  for (let presses = 0; presses < 40; presses += 1) {
    await target.page().keyboard.press('Tab');
    if (await target.evaluate((element) => element.matches(':focus'))) return;
  }
  throw new Error(`Tab does not reach ${target}`);
}

/** Chooses from a select menu of the app, whose list is searchable, by the text of the option above its description. */
export async function chooseOption(field: Locator, option: string): Promise<void> {
  const page = field.page();
  await field.click();
  await page
    .getByRole('option')
    .filter({ has: page.getByText(option, { exact: true }) })
    .click();
}
