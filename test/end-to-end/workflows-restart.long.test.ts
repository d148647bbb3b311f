import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../../src/sandbox/slack-workspace/driver/queries.ts';
import { stringAt } from '../../src/sandbox/slack-workspace/json.ts';
import type { WorkflowRun } from '../../src/sandbox/slack-workspace/people-api.ts';
import { freePort } from '../../src/setup/free-port.ts';
import type { BotProcess } from '../support/bot-process.ts';
import type { Fixture } from '../support/fixture.ts';
import { startWorld, type World } from '../support/world.ts';

describe.concurrent('a workflow whose bot dies and is started again', () => {
  let world: World;
  let restarted: BotProcess;
  let starting: { fixture: Fixture; run: WorkflowRun };
  let waiting: { fixture: Fixture; run: WorkflowRun };
  let telling: { fixture: Fixture; run: WorkflowRun };

  const publish = async (fixture: Fixture) => {
    const steps = [
      { function: 'start_crew', inputs: { crew: fixture.crew, channel: fixture.channelId, inputs: 'topic: tea' } },
      { function: 'wait_for_run', inputs: { ref: '{{steps.1.ref}}' } },
    ];
    world.slack.buildWorkflow({ name: `Publish with ${fixture.crew}`, steps });
    return { fixture, run: await fixture.maria.startWorkflow(`Publish with ${fixture.crew}`) };
  };
  const completions = () => world.slack.calls().filter(({ name }) => name === 'functions.completeSuccess');

  beforeAll(async () => {
    world = await startWorld({ manifest: 'workflows', fixtures: 3 });
    const port = await freePort();
    const bot = await world.startBotProcess({ port });

    waiting = await publish(await world.fixture());
    await waiting.fixture.card();
    await waiting.fixture.maria.seesWorkflow(waiting.run, 2);

    // The event is acknowledged, but the crew can't be started yet.
    const late = await world.fixture();
    await late.addFault({ route: 'kickoff', respond: { status: 503, headers: { 'retry-after': '1' } }, times: 3 });
    starting = await publish(late);
    await late.asked('kickoff', 1);

    // Slack holds its answer to the completion of the step.
    world.slack.faults.add({ method: 'functions.completeSuccess', effect: { kind: 'silence', apply: false } });
    telling = await publish(await world.fixture());
    await telling.fixture.card();
    await eventually(
      async () => (world.slack.faults.waiting() > 0 ? true : undefined),
      async () => 'nothing was told to Slack',
    );

    await bot.kill();
    restarted = await world.startBotProcess({ port });
  });
  afterAll(() => world.stop());

  it('starts the crew that it had acknowledged, once, and goes on', async () => {
    const { fixture, run } = starting;
    const { steps } = await fixture.maria.seesWorkflow(run, 2);
    expect(stringAt({ ref: steps[0]?.outputs[0]?.value ?? '' }, 'ref')).toMatch(/^[a-z2-7]{26}$/);
    await fixture.approve(await fixture.card());
    await fixture.maria.seesWorkflow(run, 'completed');
    expect(await fixture.runs()).toHaveLength(1);
  });

  it('waits on for a decision, and goes on with the result', async () => {
    const { fixture, run } = waiting;
    await fixture.approve(await fixture.card());
    const { steps } = await fixture.maria.seesWorkflow(run, 'completed');
    expect(steps[1]?.outputs.map(({ value }) => value)).toEqual(['completed', 'Published: the article about tea.']);
  });

  it('isn’t told again what Slack may have taken as the bot died, and the log says so', async () => {
    const { fixture, run } = telling;
    await fixture.approve(await fixture.card());
    await fixture.maria.seesInThread(await fixture.root(), 'Finished.');
    await eventually(
      async () => restarted.printed().includes('calls were left unanswered') || undefined,
      async () => restarted.printed(),
    );
    const [step] = (await fixture.maria.snapshot()).workflowRuns;
    expect(step).toMatchObject({
      id: run.id,
      status: 'running',
      steps: [{ status: 'running' }, { status: 'waiting' }],
    });
    const link = (await fixture.root()).ts.replace('.', '');
    expect(completions().filter(({ request }) => JSON.stringify(request).includes(link))).toHaveLength(1);
  });
});
