import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { objectAt, stringAt } from '../../src/sandbox/slack-workspace/json.ts';
import type { WorkflowRun } from '../../src/sandbox/slack-workspace/people-api.ts';
import type { Workflow } from '../../src/sandbox/slack-workspace/workflow.ts';
import type { Fixture } from '../support/fixture.ts';
import { askSlackServer } from '../support/slack-server.ts';
import { stopTracking } from '../support/stop-tracking.ts';
import { startWorld, type World } from '../support/world.ts';

/** Starts the crew that is named in its form, and waits for the run. */
const PUBLISH: Workflow = {
  name: 'Publish',
  form: [
    { name: 'crew', label: 'Crew', type: 'text' },
    { name: 'channel', label: 'Channel', type: 'channel' },
    { name: 'inputs', label: 'Inputs', type: 'long-text', isOptional: true },
    { name: 'starter', label: 'Starter', type: 'person', isOptional: true },
  ],
  steps: [
    {
      function: 'start_crew',
      inputs: {
        crew: '{{form.crew}}',
        channel: '{{form.channel}}',
        inputs: '{{form.inputs}}',
        started_by: '{{form.starter}}',
      },
    },
    { function: 'wait_for_run', inputs: { ref: '{{steps.1.ref}}' } },
  ],
};

const WAIT: Workflow = {
  name: 'Wait',
  form: [{ name: 'ref', label: 'Reference', type: 'text' }],
  steps: [{ function: 'wait_for_run', inputs: { ref: '{{form.ref}}' } }],
};

const STRICT = { name: 'strict', settings: { channel: 'releases', starters: ['@release-managers'] } };
const OPEN = { name: 'open', settings: { ...STRICT.settings, workflows: true } };
const OWN = { name: 'own', settings: { channel: 'releases', require_user_token: true } };
const RULES = { name: 'rules', deployed: false, settings: { channel: 'releases' } };
const FOUR_EYES = { name: 'four-eyes', settings: { channel: 'releases', approval: { self_approval: false } } };

describe('a workflow of Slack', () => {
  let world: World;
  let port: number;
  beforeAll(async () => {
    world = await startWorld({ manifest: 'workflows', fixtures: 15, crews: [STRICT, OPEN, OWN, RULES, FOUR_EYES] });
    ({ port } = await world.startBot());
    for (const workflow of [PUBLISH, WAIT]) world.slack.buildWorkflow(workflow);
  });
  afterAll(() => world.stop());

  const publish = ({ crew, channel, maria }: Fixture, form: Record<string, string> = {}) =>
    maria.startWorkflow('Publish', { Crew: crew, Channel: channel, Inputs: 'topic: tea', ...form });
  const outputsOf = (run: WorkflowRun, step: number) =>
    Object.fromEntries((run.steps[step - 1]?.outputs ?? []).map(({ name, value }) => [name, String(value)]));
  const stepsTold = (fixture: Fixture) =>
    world.slack.calls().filter(({ name, request }) => {
      const event = objectAt(request, 'event');
      return name === 'function_executed' && stringAt(objectAt(event, 'inputs'), 'crew') === fixture.crew;
    });

  it('starts a crew, waits while people decide, and alone goes on with the result of a private channel', async () => {
    const fixture = await world.fixture();
    const { maria } = fixture;
    const run = await publish(fixture, { Starter: maria.id });
    const card = await fixture.card();
    const root = await fixture.root();
    const { ref, link } = outputsOf(await maria.seesWorkflow(run, 2), 1);
    expect(link).toBe(`${world.slack.pageUrl}archives/${fixture.channelId}/p${root.ts.replace('.', '')}`);
    expect(ref).toMatch(/^[a-z2-7]{26}$/);
    await fixture.approve(card);
    expect(outputsOf(await maria.seesWorkflow(run, 'completed'), 2)).toEqual({
      state: 'completed',
      result: 'Published: the article about tea.',
    });
    await maria.seesChanged(root, `Started by ${(await maria.snapshot()).me.realName}`);
    const other = await maria.startWorkflow('Wait', { Reference: ref ?? '' });
    expect((await maria.seesWorkflow(other, 'failed')).error).toContain('only the workflow that started it');
  });

  it('is told again only what Slack certainly hasn’t taken', async () => {
    const completions = () => world.slack.calls().filter(({ name }) => name === 'functions.completeSuccess');
    const before = completions().length;
    const busy = await world.fixture();
    const fault = { method: 'functions.completeSuccess' };
    world.slack.faults.add({ ...fault, effect: { kind: 'rate-limited', retryAfterSeconds: 1 } });
    const run = await publish(busy);
    await busy.maria.seesWorkflow(run, 2);
    expect(completions().length - before).toBe(2);
    const unsure = await world.fixture();
    world.slack.faults.add({ ...fault, effect: { kind: 'error', error: 'internal_error' } });
    const left = await publish(unsure);
    await unsure.approve(await unsure.card());
    await unsure.maria.seesInThread(await unsure.root(), 'Finished.');
    await unsure.maria.seesChanged(await unsure.root(), 'Slack didn’t confirm that a workflow goes on.');
    expect(completions().length - before).toBe(3);
    expect((await unsure.maria.snapshot()).workflowRuns).toMatchObject([{ id: left.id, status: 'running' }]);
  });

  it('is said in the thread to wait in vain where Slack refuses that its step is done', async () => {
    const refuse = (method: string) =>
      world.slack.faults.add({ method, effect: { kind: 'error', error: 'access_denied' } });
    const sentence = 'Slack refused to let a workflow go on';
    const started = await world.fixture();
    refuse('functions.completeSuccess');
    await publish(started);
    await started.maria.seesChanged(await started.root(), sentence);
    const failing = await world.fixture();
    await failing.addFault({ route: 'kickoff', respond: { status: 402, body: { error: 'no credits' } } });
    refuse('functions.completeError');
    await publish(failing);
    await failing.maria.sees(failing.channel, sentence);
  });

  it('is said to whom it names as its starter to wait in vain where nothing was started and Slack refuses that, too', async () => {
    const { maria, channel } = await world.fixture();
    world.slack.faults.add({ method: 'functions.completeError', effect: { kind: 'error', error: 'access_denied' } });
    await maria.startWorkflow('Publish', { Crew: 'none', Channel: channel, Inputs: '', Starter: maria.id });
    const said = await maria.seesPrivately(channel, 'Slack didn’t pass that on to the workflow');
    expect(JSON.stringify(said)).toContain('there is no crew called “none”');
  });

  it('starts one crew, however often Slack tells of the step', async () => {
    const fixture = await world.fixture();
    const run = await publish(fixture);
    await fixture.maria.seesWorkflow(run, 2);
    const told = stepsTold(fixture);
    expect(told).toHaveLength(1);
    for (const times of [1, 2]) {
      expect(await world.slack.redeliver('function_executed'), String(times)).toMatchObject({ ok: true });
    }
    await fixture.card();
    expect(await fixture.runs()).toHaveLength(1);
    await fixture.maria.seesChanged(await fixture.root(), 'Started by a workflow');
  });

  it('has started what it has started, though Slack tells of the step again where the bot can’t post any more', async () => {
    const fixture = await world.fixture();
    const run = await publish(fixture);
    const card = await fixture.card();
    await fixture.maria.seesWorkflow(run, 2);
    const [told] = stepsTold(fixture);
    world.slack.admin.archiveChannel(fixture.channel.slice(1));
    const body = JSON.stringify(told?.request);
    const secret = world.slack.signingSecret;
    expect((await askSlackServer({ port, secret, body, contentType: 'application/json' })).status).toBe(200);
    world.slack.admin.unarchiveChannel(fixture.channel.slice(1));
    await fixture.approve(card);
    await fixture.maria.seesWorkflow(run, 'completed');
    const errors = world.slack.calls().filter(({ name }) => name === 'functions.completeError');
    expect(JSON.stringify(errors)).not.toContain('can’t post in that channel');
  });

  it('says in plain words why a crew wasn’t started', async () => {
    const fixture = await world.fixture();
    const { maria, crew } = fixture;
    const why = async (form: Record<string, string>) =>
      (await maria.seesWorkflow(await publish(fixture, form), 'failed')).error;
    expect(await why({ Crew: 'editoral <!channel>' })).toContain('there is no crew called “editoral ‹!channel›”');
    expect(await why({ Inputs: 'tpoic: tea' })).toBe(
      `Nothing was started: the inputs begin with “tpoic: tea”, which isn’t an input of ${crew}. Write each on a line of its own, as in “topic: tea”. ${crew} takes “topic”.`,
    );
    expect(await why({ Inputs: '' })).toBe(
      `${crew} can’t start without “topic”. Fill in what is missing and start it again.`,
    );
    expect(await why({ Crew: 'rules' })).toContain('rules only lends its rules to programs and workflows');
    expect(await why({ Inputs: 'topic: tea\nTopic = coffee' })).toContain('have “topic” more than once');
    expect(await fixture.runs()).toEqual([]);
    await fixture.addFault({ route: 'kickoff', respond: { status: 402, body: { error: 'no credits' } } });
    expect(await why({})).toContain(`${crew} can’t start`);
    const messages = await maria.channel(fixture.channel);
    expect(messages).toEqual([]);
  });

  it('takes values over several lines, as people type them into a form', async () => {
    const fixture = await world.fixture();
    await publish(fixture, { Inputs: 'topic: tea,\nwith milk: or without' });
    await fixture.card();
    const [kickoff] = await fixture.requests('kickoff');
    expect(JSON.parse(String(kickoff?.body))).toMatchObject({ inputs: { topic: 'tea,\nwith milk: or without' } });
  });

  it('can’t start a crew in anybody’s name where it matters who starts it, unless the operator allows that', async () => {
    const maria = world.slack.as('maria');
    const jon = world.slack.as('jon');
    const start = (person: typeof maria, crew: string, starter?: string) =>
      person.startWorkflow('Publish', {
        Crew: crew,
        Channel: '#releases',
        Inputs: 'topic: tea',
        ...(starter !== undefined && { Starter: starter }),
      });
    const why = async (...args: Parameters<typeof start>) =>
      (await args[0].seesWorkflow(await start(...args), 'failed')).error;
    const matters = 'it matters who starts';
    expect(await why(maria, 'strict', maria.id)).toContain(matters);
    expect(await why(maria, 'four-eyes', jon.id)).toContain(matters);
    expect(await why(maria, 'own', maria.id)).toContain('needs the personal token of the person who starts it');
    expect(await why(jon, 'open')).toContain('has to say who started it');
    expect(await why(jon, 'open', jon.id)).toContain('isn’t allowed to start open');
    await jon.seesWorkflow(await start(jon, 'open', maria.id), 2);
  });

  it('says that there is no run where nobody has started one by that reference', async () => {
    const { maria } = await world.fixture();
    const run = await maria.startWorkflow('Wait', { Reference: 'no-such-run' });
    expect((await maria.seesWorkflow(run, 'failed')).error).toContain('Signoff knows no run “no-such-run”.');
  });

  it('tells how a run ends that fails, is declined, or that nobody tracks any more', async () => {
    const failing = await world.fixture([{ name: 'draft', fails: 'No paper.' }]);
    const failed = await publish(failing);
    expect(outputsOf(await failing.maria.seesWorkflow(failed, 'completed'), 2)).toMatchObject({ state: 'failed' });
    const stopped = await world.fixture();
    const waiting = await publish(stopped);
    await stopped.card();
    await stopTracking(stopped.jon, await stopped.root());
    expect(outputsOf(await stopped.maria.seesWorkflow(waiting, 'completed'), 2)).toMatchObject({ state: 'untracked' });
    const declined = await world.fixture();
    const closing = await publish(declined);
    await declined.jon.click('Reject…', { in: await declined.card() });
    await declined.jon.fill('What should change?', 'Not for <!channel>');
    await declined.jon.click('Decline…', { in: 'modal' });
    await declined.jon.seesModal('Declining is final');
    await declined.jon.submit();
    expect(outputsOf(await declined.maria.seesWorkflow(closing, 'completed'), 2)).toEqual({
      state: 'declined',
      result: 'Declined: Not for ‹!channel>',
    });
  });

  it('is left alone once somebody has cancelled it, and the run goes on', async () => {
    const fixture = await world.fixture();
    const { maria } = fixture;
    const run = await publish(fixture);
    const card = await fixture.card();
    await maria.seesWorkflow(run, 2);
    await maria.cancelWorkflow(run);
    await fixture.approve(card);
    await maria.seesInThread(await fixture.root(), 'Finished.');
    const over = 'execution_not_in_running_state';
    await maria.waitFor('the refusal', () => world.slack.calls().find(({ error }) => error === over));
    expect((await maria.snapshot()).workflowRuns).toMatchObject([{ status: 'cancelled' }]);
  });
});
