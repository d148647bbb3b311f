import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createCredentials } from '../../src/crew/credentials.ts';
import { createLog } from '../../src/logging.ts';
import type { Script } from '../../src/sandbox/crew-service/sandbox-api/scripted-crew.ts';
import { modalText, visibleText } from '../../src/sandbox/slack-workspace/driver/visible-text.ts';
import type { Message } from '../../src/sandbox/slack-workspace/people-api.ts';
import { secretCrewAddress } from '../../src/tools/webhook/addresses.ts';
import { collectLog } from '../support/collected-log.ts';
import type { Fixture } from '../support/fixture.ts';
import { CREW_TOKEN, startWorld, TEST_SECRET, type World } from '../support/world.ts';

/** Crews that are deployed on CrewAI AMP, as the dialect `flows` mimics it. */
describe.concurrent('a deployed service', () => {
  let world: World;
  let origin: string;
  const logged = collectLog();

  beforeAll(async () => {
    world = await startWorld({ dialect: 'flows', platform: 'amp', fixtures: 8 });
    const log = createLog({ level: 'trace', readable: false, to: logged.to });
    origin = `http://127.0.0.1:${(await world.startBot({ log })).port}`;
  });
  afterAll(() => world.stop());

  /** Each task is told by another text, before and after somebody is asked. */
  const TASKS: Script = [
    { name: 'research', agent: 'Researcher', output: 'Three sources were read.', steps: 2 },
    { name: 'draft', agent: 'Writer', humanInput: true, output: '# Draft {{round}}\n\nAbout tea. {{feedback}}' },
    { name: 'check', agent: 'Checker', output: 'All is well.', steps: 1 },
    { name: 'publish', agent: 'Publisher', output: 'Published.' },
  ];

  /** How often the thread has a text below its root. */
  async function countsIn({ maria }: Fixture, root: Message, ...texts: string[]): Promise<number[]> {
    const shown = (await maria.thread(root)).map(visibleText);
    return texts.map((text) => shown.filter((each) => each.includes(text)).length);
  }

  async function given({ asked }: Fixture, kickoffs = 1) {
    const [kickoff] = (await asked('kickoff', kickoffs)).slice(-1);
    return JSON.parse(kickoff?.body ?? '{}');
  }

  it('asks at a secret address, streams until somebody is asked, and tells nothing twice', async ({ expect }) => {
    const fixture = await world.fixture(TASKS);
    await fixture.addFault({ webhook: 'events', effect: { duplicates: 2 }, times: 20 });
    await fixture.addFault({ webhook: 'crew', effect: { duplicates: 1 } });
    const root = await fixture.start();
    await fixture.reject(await fixture.card('Approval needed'), 'Mention oolong');
    await fixture.approve(await fixture.card('Round 2'));
    await fixture.maria.seesInThread(root, 'Finished.');

    const { humanInputWebhook, humanInputWebhookUrl, taskWebhookUrl, stepWebhookUrl, webhooks } = await given(fixture);
    expect([humanInputWebhook, taskWebhookUrl, stepWebhookUrl]).toEqual([undefined, undefined, undefined]);
    expect(humanInputWebhookUrl).toMatch(/\/webhooks\/executions\/\w{26}\/h0\.[\w-]{43}\/human-input$/);
    const sent = async (kind: string) => (await fixture.webhooks(kind)).map(({ body }) => JSON.parse(body));
    const streamed = async () =>
      (await sent('events')).flatMap(({ events }) => events.map(({ type }: { type: string }) => type));
    const wanted = webhooks.events.filter((type: string) => !/error|failed/.test(type));
    await expect.poll(async () => new Set(await streamed())).toEqual(new Set(wanted));
    expect((await sent('task')).map(({ name }) => name)).toEqual(['draft', 'check', 'publish']);
    // What was asked about is on its cards alone, which are folded once they are decided.
    expect(await countsIn(fixture, root, 'Three sources', 'About tea', 'All is well', 'Published.')).toEqual([
      1, 0, 1, 1,
    ]);
    await fixture.maria.click('Activity', { in: root });
    const steps = modalText(await fixture.maria.seesModal('Result of step 2'));
    expect(steps.match(/Result of step \d/g)?.sort()).toEqual([1, 1, 2].map((number) => `Result of step ${number}`));
    const run = await fixture.run('is completed', ({ status }) => status === 'completed');
    expect(run.reviews.map(({ approved, text }) => [approved, text])).toEqual([
      [false, 'Mention oolong'],
      [true, 'Approved.'],
    ]);
  });

  it('is given tokens that no log has, even where they don’t fit', async () => {
    const fixture = await world.fixture();
    await fixture.start();
    await fixture.card();
    const { humanInputWebhookUrl, webhooks } = await given(fixture);
    const post = (url: string, authorization?: string) =>
      fetch(url, { method: 'POST', headers: { ...(authorization && { authorization }) }, body: '{"strange":' });
    const bearer = `Bearer ${webhooks.authentication.token}`;
    const answers = [
      ...[await post(humanInputWebhookUrl), await post(humanInputWebhookUrl.replace('/h0.', '/h1.'))],
      ...[await post(webhooks.url, bearer), await post(webhooks.url, `${bearer}A`)],
    ];
    expect(answers.map(({ status }) => status)).toEqual([400, 401, 400, 401]);
    expect(logged.text()).toContain('refused a notification without valid credentials');
    expect(logged.text()).not.toMatch(/h\d+\.[\w-]{43}/);
  });

  it('takes no notes with approvals', async () => {
    const { start, card } = await world.fixture();
    await start();
    expect(visibleText(await card())).not.toContain('Approve with note');
  });

  it('tells of a run that failed early, without being asked for its status', async () => {
    const fixture = await world.fixture([{ name: 'research', fails: 'Out of tea.' }]);
    await fixture.addFault({ route: 'status', respond: { status: 500 }, times: 100 });
    const root = await fixture.start();
    await fixture.maria.seesChanged(root, 'Failed');
    await fixture.maria.seesInThread(root, 'Out of tea.');
    expect(await fixture.webhooks('crew')).toEqual([]);
  });

  it('tells of a run that fails after a decision', async () => {
    const fixture = await world.fixture([
      { name: 'draft', humanInput: true, output: 'Draft {{round}}' },
      { name: 'publish', fails: 'Nobody prints it.' },
    ]);
    const root = await fixture.start();
    await fixture.approve(await fixture.card());
    await fixture.maria.seesInThread(root, 'Nobody prints it.');
  });

  it('that proves its kickoff by the stream is believed', async () => {
    const fixture = await world.fixture(TASKS);
    await fixture.addFault({ route: 'kickoff', apply: true, respond: 'disconnect' });
    const root = await fixture.start();
    await fixture.approve(await fixture.card());
    await fixture.maria.seesInThread(root, 'Finished.');
    expect(await fixture.requests('kickoff')).toHaveLength(1);
  });

  it('that doesn’t know the stream or the plain address is started once, and told as the specification says', async () => {
    const fixture = await world.fixture(TASKS);
    const detail = ['webhooks', 'humanInputWebhookUrl'].map((name) => ({
      ...{ type: 'extra_forbidden', loc: ['body', name], msg: 'Extra inputs are not permitted' },
    }));
    await fixture.addFault({ route: 'kickoff', respond: { status: 422, body: { detail } } });
    const root = await fixture.start();
    await fixture.approve(await fixture.card());
    await fixture.maria.seesInThread(root, 'Finished.');
    const { webhooks, humanInputWebhookUrl, ...body } = await given(fixture, 2);
    expect([webhooks, humanInputWebhookUrl]).toEqual([undefined, undefined]);
    expect(body).toMatchObject({ humanInputWebhook: { authentication: {} }, taskWebhookUrl: expect.any(String) });
    expect(await fixture.webhooks('events')).toEqual([]);
    expect(await countsIn(fixture, root, 'Three sources', 'All is well')).toEqual([1, 1]);
  });

  it('asks for a run that was started elsewhere at the secret address of its crew', async () => {
    const fixture = await world.fixture();
    const humanInputWebhookUrl = secretCrewAddress(origin, fixture.crew, createCredentials([TEST_SECRET]));
    const { status } = await fetch(`${world.crews.baseUrlOf(fixture.crew)}/kickoff`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${CREW_TOKEN}` },
      body: JSON.stringify({ inputs: { topic: 'tea' }, humanInputWebhookUrl }),
    });
    expect(status).toBe(200);
    await fixture.approve(await fixture.card());
    await fixture.run('is completed', ({ status: state }) => state === 'completed');
  });
});
