import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { visibleText } from '../../src/sandbox/slack-workspace/driver/visible-text.ts';
import { startWorld, type World } from '../support/world.ts';

describe.concurrent('A poll of the status', () => {
  let world: World;

  beforeAll(async () => {
    world = await startWorld({ fixtures: 6 });
    await world.startBot();
  });
  afterAll(() => world.stop());

  /** A fixture whose crew's notifications are lost, except requests for human input. */
  async function unheard() {
    const fixture = await world.fixture();
    for (const webhook of ['task', 'step', 'crew'] as const)
      await fixture.addFault({ webhook, effect: 'drop', times: 1_000 });
    return fixture;
  }

  it('finds the result of a run whose notifications were lost', async () => {
    const { start, card, approve, maria, asked, requests, run } = await unheard();
    const root = await start();
    await approve(await card());
    await maria.seesInThread(root, 'Published: the article about tea.');
    await maria.seesChanged(root, 'Completed');
    const { kickoffId } = await run('is completed', ({ status }) => status === 'completed');
    expect((await asked('status', 1)).at(-1)?.path).toContain(kickoffId);

    // A run that has ended is asked no more: the others go on being asked meanwhile.
    const after = (await requests('status')).length;
    const other = await unheard();
    await world.crews.sandbox.shutGate(`${other.crew}-works`);
    await other.setTasks([{ name: 'work', output: 'Done.', hold: `${other.crew}-works` }]);
    await other.start();
    await other.asked('status', 2);
    expect((await requests('status')).length).toBe(after);
    await world.crews.sandbox.openGate(`${other.crew}-works`);
  });

  it('finds that a run has failed, which no notification tells', async () => {
    const { start, setTasks, maria, webhooks } = await unheard();
    await setTasks([{ name: 'only', output: '', fails: 'The model is not available' }]);
    const root = await start();
    const failure = await maria.seesInThread(root, 'The model is not available');
    expect(failure.notifies).toEqual([maria.id]);
    expect(await webhooks('crew')).toEqual([]);
  });

  it('says in the root what stands in its way, and catches up', async () => {
    const { start, setTasks, maria, addFault, crew } = await unheard();
    const gate = `${crew}-works`;
    await world.crews.sandbox.shutGate(gate);
    await setTasks([{ name: 'work', output: 'Done after all.', hold: gate }]);
    // The root changes every two seconds at most: the first poll's trouble alone would hardly be shown that long.
    await addFault({ route: 'status', respond: { status: 401, body: { detail: 'Invalid token' } }, times: 2 });
    await addFault({ route: 'status', skip: 2, respond: { status: 502, body: 'Bad gateway' } });
    await addFault({ route: 'status', skip: 3, respond: 'disconnect' });
    const root = await start();
    await maria.seesChanged(root, 'no longer accepts Signoff’s access token');
    expect(visibleText(await maria.seesChanged(root, 'answers with an error'))).not.toContain('can’t be reached');
    await maria.seesChanged(root, 'can’t be reached right now');
    await world.crews.sandbox.openGate(gate);
    await maria.seesInThread(root, 'Done after all.');
    expect(visibleText(await maria.seesChanged(root, 'Completed'))).not.toContain('can’t be reached');
  });
});

describe.concurrent('a request for human input that never came', () => {
  let world: World;

  beforeAll(async () => {
    world = await startWorld({ fixtures: 1, dialect: 'spec' });
    await world.startBot();
  });
  afterAll(() => world.stop());

  it('is said to be missing once the crew has said more than once that it waits', async () => {
    const { start, maria, addFault } = await world.fixture();
    await addFault({ webhook: 'human-input', effect: 'drop' });
    const root = await start();
    await maria.seesChanged(root, 'its request didn’t reach Signoff');
    await maria.seesChanged(root, 'Waiting for approval');
  });
});
