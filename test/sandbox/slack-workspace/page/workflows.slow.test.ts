import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type JsonObject, objectAt } from '../../../../src/sandbox/slack-workspace/json.ts';
import { pageFolder } from '../../../../src/sandbox/slack-workspace/page-folder.ts';
import type { AppFunction } from '../../../../src/sandbox/slack-workspace/runtime/installed-app.ts';
import type { Workflow } from '../../../../src/sandbox/slack-workspace/workflow.ts';
import { launchBrowser } from '../../../support/browser.ts';
import { type Playground, workspaceWithApp } from '../support/scripted-app.ts';
import {
  axeFindingsInBothSchemes,
  createTabs,
  DESKTOP,
  PHONE,
  repeatedNames,
  tabTo,
  untilFocused,
} from './open-page.ts';

const parameter = (name: string, type = 'string') => ({ name, type, title: name, description: '', isRequired: true });
const ASK: AppFunction = {
  callbackId: 'ask',
  title: 'Ask for approval',
  description: 'Asks a person',
  inputs: [parameter('what'), parameter('approver', 'slack#/types/user_id')],
  outputs: [parameter('decision'), parameter('by', 'slack#/types/user_id'), parameter('link')],
};
const PUBLISH: Workflow = {
  name: 'Publish',
  description: 'Asks before something goes out.',
  form: [
    { name: 'what', label: 'What goes out?', type: 'text' },
    { name: 'who', label: 'Who approves it?', type: 'person' },
  ],
  steps: [
    { function: 'ask', inputs: { what: '{{form.what}}', approver: '{{form.who}}' } },
    { function: 'ask', inputs: { what: 'Sure?', approver: '{{steps.1.by}}' } },
  ],
};
const NIGHTLY: Workflow = {
  name: 'Nightly',
  steps: [{ function: 'ask', inputs: { what: 'The nightly build', approver: '{{starter}}' } }],
};

let browser: Browser;
let tabs: ReturnType<typeof createTabs>;
let playground: Playground;
beforeAll(async () => {
  const options = {
    app: { functions: [ASK], events: ['function_executed'] },
    workflows: [PUBLISH, NIGHTLY],
    pageDir: pageFolder(),
  };
  [browser, playground] = await Promise.all([launchBrowser(), workspaceWithApp(options)]);
  tabs = createTabs(browser);
});
afterAll(() => Promise.all([browser.close(), playground.close()]));

const open = (device = DESKTOP) => tabs.open(`${playground.slack.pageUrl}?as=UMARIA001#/C0RELEASE2`, device);
const latestStep = (): JsonObject => objectAt(playground.app.received.at(-1)?.payload, 'event') ?? {};
const succeed = (outputs: JsonObject) =>
  playground.call('functions.completeSuccess', {
    function_execution_id: String(latestStep().function_execution_id),
    outputs,
  });

describe('the page of workflows', () => {
  it('starts one and follows it by keyboard alone, in words for screen readers', async () => {
    const page = await open();
    await page.getByRole('link', { name: 'Workflows' }).focus();
    await page.keyboard.press('Enter');
    await untilFocused(page.getByRole('region', { name: 'Workflows' }));
    expect(await page.title()).toMatch(/^Workflows · Maria Alvarez/);
    await tabTo(page.getByRole('button', { name: 'Run Publish' }));
    await page.keyboard.press('Enter');
    const form = page.getByRole('dialog', { name: 'Publish' });
    await untilFocused(form.getByLabel('What goes out?'));
    await page.keyboard.press('Control+Enter');
    await form.getByText('Please complete this required field.').first().waitFor();
    await page.keyboard.type('The notes');
    await page.keyboard.press('Tab');
    await page.keyboard.type('Jon');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Control+Enter');
    await form.waitFor({ state: 'detached' });
    await untilFocused(page.getByRole('button', { name: 'Run Publish' }));
    const run = page.getByRole('list', { name: 'Your runs, newest first' }).getByRole('listitem').first();
    await run.getByRole('status').getByText('Running, step 1 of 2').waitFor();
    expect(latestStep().inputs).toEqual({ what: 'The notes', approver: 'UJON00002' });
    await succeed({ decision: 'approved', by: 'UAIKO0003', link: `${playground.slack.pageUrl}archives/C0RELEASE2` });
    await run.getByRole('status').getByText('Running, step 2 of 2').waitFor();
    const steps = run.getByRole('list', { name: 'Steps of Publish' }).getByRole('listitem');
    expect(await steps.first().locator('dd').allInnerTexts()).toEqual([
      'approved',
      'Aiko Tanaka',
      `${playground.slack.pageUrl}archives/C0RELEASE2`,
    ]);
    await succeed({ decision: 'approved', by: 'UAIKO0003', link: 'none' });
    await run.getByRole('status').getByText('Done').waitFor();
    expect(await repeatedNames(page.getByRole('main'))).toEqual([]);
    await steps.first().getByRole('link').click();
    await page.getByRole('heading', { name: 'releases' }).waitFor();
  });

  it('cancels a run once that is confirmed, and says why one has failed, on a phone, too', async () => {
    const page = await open(PHONE);
    await page.getByRole('button', { name: 'Channels' }).tap();
    await page.getByRole('link', { name: 'Workflows' }).tap();
    await page.getByRole('button', { name: 'Run Nightly' }).tap();
    const run = page.getByRole('list', { name: 'Your runs, newest first' }).getByRole('listitem').first();
    await run.getByRole('button', { name: 'Cancel Nightly…' }).tap();
    await run.getByRole('button', { name: 'Keep it running' }).tap();
    await run.getByRole('button', { name: 'Cancel Nightly…' }).tap();
    expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
    expect(await axeFindingsInBothSchemes(page)).toEqual([]);
    await run.getByRole('button', { name: 'Cancel Nightly', exact: true }).tap();
    await run.getByRole('status').getByText('Cancelled').waitFor();
    expect((await succeed({ decision: 'approved', by: 'UAIKO0003', link: 'none' })).body).toMatchObject({
      error: 'execution_not_in_running_state',
    });
    await page.getByRole('button', { name: 'Run Nightly' }).tap();
    await run.getByRole('status').getByText('Running').waitFor();
    await playground.call('functions.completeError', {
      function_execution_id: String(latestStep().function_execution_id),
      error: 'Nobody may approve <this>.',
    });
    await run.getByRole('alert').getByText('Nobody may approve <this>.').waitFor();
    await run.getByRole('status').getByText('Failed').waitFor();
    await page.getByRole('button', { name: 'Run Publish' }).tap();
    await page.getByRole('dialog', { name: 'Publish' }).waitFor();
    expect(await axeFindingsInBothSchemes(page, 'dialog')).toEqual([]);
  });
});
