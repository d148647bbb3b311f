import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { axeFindings } from '../../sandbox/slack-workspace/page/open-page.ts';
import { launchBrowser } from '../../support/browser.ts';
import { pageOf } from './report-page.ts';

let browser: Browser;
let folder: string;
let address: string;

beforeAll(async () => {
  browser = await launchBrowser();
  folder = await mkdtemp(join(tmpdir(), 'signoff-report-'));
  await writeFile(join(folder, 'report.html'), pageOf());
  address = pathToFileURL(join(folder, 'report.html')).href;
});
afterAll(async () => {
  await browser.close();
  await rm(folder, { recursive: true });
});

it.each([
  ['a desk', 1_280],
  ['a phone', 390],
])('The page of a report asks nothing of anybody, runs no script, and fits %s', async (_, width) => {
  const page = await browser.newPage({ viewport: { width, height: 844 } });
  const asked: string[] = [];
  const complaints: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  page.on('console', (message) => complaints.push(message.text()));
  page.on('dialog', (dialog) => complaints.push(dialog.message()));
  await page.goto(address);
  await page.click('summary');
  expect(asked).toEqual([address]);
  expect(complaints).toEqual([]);
  expect(await page.locator('script, img, link, iframe, [href], [src]').count()).toBe(0);
  expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBe(width);
  expect(await page.locator('svg:visible').count()).toBe(3);
  for (const svg of await page.locator('svg:visible').all())
    expect(await svg.getAttribute('aria-label')).toContain('the table below has the figures');
  expect(await axeFindings(page)).toEqual([]);
  await page.close();
});

it('The page of a report is printed with its plots and tables, on white, without what folds', async () => {
  const page = await browser.newPage();
  await page.goto(address);
  const pdf = await page.pdf({ format: 'A4' });
  expect(pdf.subarray(0, 5).toString()).toBe('%PDF-');
  expect(pdf.toString('latin1').match(/\/Type \/Page\b/g)?.length).toBeLessThanOrEqual(2);
  await page.emulateMedia({ media: 'print' });
  await page.setViewportSize({ width: 688, height: 1_000 });
  expect(await page.locator('svg:visible').count()).toBe(3);
  expect(await page.locator('table:visible').count()).toBe(3);
  expect(await page.locator('details:visible').count()).toBe(0);
  expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBe(688);
  await page.close();
});
