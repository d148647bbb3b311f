import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { visibleText } from '../../src/sandbox/slack-workspace/driver/visible-text.ts';
import { startWorld, type World } from '../support/world.ts';

function worldOf(dialect: 'spec' | 'observed', webhookAuth: 'bearer' | 'basic' = 'bearer'): () => World {
  let world: World | undefined;
  beforeAll(async () => {
    world = await startWorld({ fixtures: 8, dialect, webhookAuth });
    await world.startBot();
  });
  afterAll(() => world?.stop());
  return () => {
    if (!world) throw new Error('the world has not begun');
    return world;
  };
}

const address = (end: string) => expect.stringMatching(new RegExp(`^http://127\\.0\\.0\\.1:\\d+/webhooks/.*/${end}$`));

/** What every resume repeats, since the service carries nothing over. */
const ADDRESSES = {
  humanInputWebhook: {
    url: address('human-input'),
    authentication: { strategy: 'bearer', token: expect.stringMatching(/^.{40,}$/) },
  },
  taskWebhookUrl: address('task'),
  stepWebhookUrl: address('step'),
  crewWebhookUrl: address('crew'),
  meta: { signoff_ref: expect.stringMatching(/^[a-z2-7]{26}$/) },
};

describe('a decision, in the dialect of the specification', () => {
  const world = worldOf('spec');

  it.concurrent('is one resume with all addresses again, and names execution and task', async () => {
    const { start, card, reject, approve, run, requests, maria } = await world().fixture();
    const root = await start();
    await reject(await card(), 'Shorter');
    const { executionId, taskId } = await run('asks again', ({ round, status }) => round === 2 && status === 'waiting');
    await approve(await card('Round 2'));
    await maria.seesInThread(root, 'Finished.');
    const [first, second, ...others] = await requests('resume');
    expect(others).toEqual([]);
    const facts = { execution_id: executionId, task_id: taskId };
    const rejected = { ...facts, human_feedback: 'Shorter', is_approve: false, ...ADDRESSES };
    expect(JSON.parse(first?.body ?? '')).toEqual(rejected);
    const approved = { ...facts, human_feedback: 'Approved.', is_approve: true, ...ADDRESSES };
    expect(JSON.parse(second?.body ?? '')).toEqual(approved);
    expect(first?.caller).toEqual({ type: 'organisation' });
    const [kickoff] = await requests('kickoff');
    expect(JSON.parse(kickoff?.body ?? '')).toEqual({ inputs: { topic: 'tea' }, ...ADDRESSES });
  });

  it.concurrent('is sent again by machine where the service says that nothing happened', async () => {
    const { start, card, jon, addFault, run, asked } = await world().fixture();
    await addFault({ route: 'resume', respond: { status: 503, headers: { 'retry-after': '1' } } });
    await addFault({ route: 'resume', skip: 1, respond: { status: 429, headers: { 'retry-after': '1' } } });
    await start();
    const request = await card();
    await jon.click('Approve', { in: request });
    await jon.seesChanged(request, 'The decision is saved');
    const done = await run('is completed', ({ status }) => status === 'completed');
    expect(done.reviews).toHaveLength(1);
    expect(await asked('resume', 3)).toHaveLength(3);
    await jon.seesChanged(request, 'Sent to the crew.');
  });

  it.concurrent('that is refused says so, and is sent again by a person', async () => {
    const { start, card, jon, maria, addFault, run, requests } = await world().fixture();
    await addFault({ route: 'resume', respond: { status: 401, body: { detail: 'Invalid token' } } });
    const root = await start();
    const request = await card();
    await jon.click('Approve', { in: request });
    const failed = visibleText(await jon.seesChanged(request, 'access token'));
    expect(failed).toMatch(/Jon the \w+ approved/);
    expect(await requests('resume')).toHaveLength(1);
    await expect(maria.click('Send again', { in: request })).rejects.toThrow();
    await maria.click('Send again', { in: request, confirm: 'Send again' });
    await maria.seesChanged(request, 'Sent to the crew.');
    expect((await run('is completed', ({ status }) => status === 'completed')).reviews).toHaveLength(1);
    expect(await requests('resume')).toHaveLength(2);
    await maria.seesInThread(root, 'Finished.');
  });

  it.concurrent('whose answer was lost is never sent twice by machine, and is proved by what the crew does next', async () => {
    const { start, card, approve, jon, maria, addFault, run, requests } = await world().fixture();
    await addFault({ route: 'resume', respond: { status: 502, body: 'Bad gateway' }, apply: true });
    const root = await start();
    const request = await card();
    await approve(request);
    await maria.seesInThread(root, 'Finished.');
    await jon.seesChanged(request, 'Sent to the crew.');
    expect((await run('is completed', ({ status }) => status === 'completed')).reviews).toHaveLength(1);
    expect(await requests('resume')).toHaveLength(1);
  });

  it.concurrent('is never sent to a run that has ended meanwhile', async () => {
    const { start, card, jon, maria, addFault, asked, requests, run } = await world().fixture();
    await addFault({ route: 'resume', respond: { status: 503, headers: { 'retry-after': '20' } }, times: 5 });
    const root = await start();
    const request = await card();
    await jon.click('Approve', { in: request });
    await asked('resume', 1);
    await maria.seesChanged(root, 'Decided, not sent yet');
    const { kickoffId } = await run('waits', ({ status }) => status === 'waiting');
    await tellThatItEnded(await addressesOf(requests), kickoffId);
    await maria.seesInThread(root, 'Finished.');
    const card2 = visibleText(await jon.seesChanged(request, 'ended'));
    expect(card2).not.toContain('[Send again]');
    expect(await requests('resume')).toHaveLength(1);
  });
});

describe('a decision, as deployed services take it', () => {
  const world = worldOf('observed', 'basic');

  it('is said again in camel case where the service asks for that, and from then on at once', async () => {
    const { start, setTasks, crew, card, reject, approve, run, requests, maria } = await world().fixture();
    const { sandbox } = world().crews;
    const work = `${crew}-works`;
    await setTasks([{ name: 'draft', humanInput: true, output: '# Draft {{round}}', hold: work }]);
    await sandbox.openGate(work);
    const root = await start();
    const { executionId, taskId } = await run('waits', ({ status }) => status === 'waiting');
    const first = await card();
    // While the crew does nothing yet, only its answer says that it was told.
    await sandbox.shutGate(work);
    await reject(first, 'Shorter');
    await maria.seesChanged(first, 'Sent to the crew.');
    await sandbox.openGate(work);
    await approve(await card('Round 2'));
    await maria.seesInThread(root, 'Finished.');
    const [snake, camel, second, ...others] = (await requests('resume')).map(({ body }) => JSON.parse(body));
    expect(others).toEqual([]);
    const authentication = { strategy: 'basic', username: expect.any(String), password: expect.any(String) };
    const webhooks = { ...ADDRESSES, humanInputWebhook: { ...ADDRESSES.humanInputWebhook, authentication } };
    const facts = { execution_id: executionId, task_id: taskId };
    expect(snake).toEqual({ ...facts, human_feedback: 'Shorter', is_approve: false, ...webhooks });
    const inCamel = { executionId, taskId: expect.any(String), ...webhooks };
    expect(camel).toEqual({ ...inCamel, humanFeedback: 'Shorter', isApprove: false });
    expect(second).toEqual({ ...inCamel, humanFeedback: 'Approved.', isApprove: true });
  });

  it('follows the run under its new ids to the end, even where every later notification is lost', async () => {
    const { start, card, approve, maria, addFault, requests, runs } = await world().fixture();
    const root = await start();
    const request = await card();
    for (const webhook of ['task', 'step', 'crew'] as const) await addFault({ webhook, effect: 'drop', times: 100 });
    await approve(request);
    await maria.seesInThread(root, 'Published: the article about tea.');
    const ids = (await runs()).map(({ kickoffId }) => kickoffId);
    expect(ids).toHaveLength(2);
    const polled = (await requests('status')).map(({ path }) => path.split('/').at(-1));
    expect(polled.at(-1)).toBe(ids[0]);
  });
});

type Requests = (route: string) => Promise<readonly { body: string }[]>;

async function addressesOf(requests: Requests): Promise<{ crewWebhookUrl: string }> {
  const [kickoff] = await requests('kickoff');
  return JSON.parse(kickoff?.body ?? '{}');
}

async function tellThatItEnded({ crewWebhookUrl }: { crewWebhookUrl: string }, kickoffId: string): Promise<void> {
  const body = JSON.stringify({ kickoff_id: kickoffId, result: 'Ended elsewhere.' });
  await fetch(crewWebhookUrl, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
}
