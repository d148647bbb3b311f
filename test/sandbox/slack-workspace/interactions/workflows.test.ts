import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type JsonObject, objectAt } from '../../../../src/sandbox/slack-workspace/json.ts';
import type { AppFunction } from '../../../../src/sandbox/slack-workspace/runtime/installed-app.ts';
import type { Workflow } from '../../../../src/sandbox/slack-workspace/workflow.ts';
import { type Playground, workspaceWithApp } from '../support/scripted-app.ts';

const parameter = (name: string, type = 'string', isRequired = true) => ({
  ...{ name, type, title: name, description: '', isRequired },
});
const START: AppFunction = {
  callbackId: 'start',
  title: 'Start a crew',
  description: 'Starts one',
  inputs: [
    parameter('crew'),
    parameter('channel', 'slack#/types/channel_id'),
    parameter('by', 'slack#/types/user_id'),
    parameter('tries', 'number', false),
  ],
  outputs: [parameter('ref'), parameter('hours', 'number', false)],
};
const WAIT: AppFunction = {
  callbackId: 'wait',
  title: 'Wait for a run',
  description: 'Waits for one',
  inputs: [parameter('ref'), parameter('note', 'string', false), parameter('hours', 'number', false)],
  outputs: [parameter('state')],
};
const START_INPUTS = {
  ...{ crew: 'notes on {{form.topic}}', channel: '{{form.where}}', by: '{{starter}}', tries: '{{form.tries}}' },
};
const RELEASE: Workflow = {
  name: 'Release',
  form: [
    { name: 'topic', label: 'Topic', type: 'text' },
    { name: 'where', label: 'Channel', type: 'channel' },
    { name: 'tries', label: 'Tries', type: 'number', isOptional: true },
  ],
  steps: [
    { function: 'start', inputs: START_INPUTS },
    { function: 'wait', inputs: { ref: '{{steps.1.ref}}', note: 'Waits for {{steps.1.ref}} ({{form.topic}})' } },
  ],
};

let playground: Playground;
const app = { functions: [START, WAIT], events: ['function_executed'] };
beforeEach(async () => {
  playground = await workspaceWithApp({ app, admin: true, workflows: [RELEASE] });
});
afterEach(() => playground.close());

const maria = () => playground.slack.as('maria');
const startedByMaria = (form: { [label: string]: string } = { Topic: 'tea', Channel: '#releases' }) =>
  maria().startWorkflow('Release', form);
/** The steps that the app was told of, oldest first. */
const steps = (): JsonObject[] =>
  playground.app.received
    .map(({ payload }) => objectAt(payload, 'event') ?? {})
    .filter(({ type }) => type === 'function_executed');
const stepAt = (index: number) => maria().waitFor(`step ${index + 1}`, () => steps()[index]);
const idOf = (step: JsonObject) => String(step.function_execution_id);
const succeed = async (step: JsonObject, outputs: JsonObject) =>
  (await playground.call('functions.completeSuccess', { function_execution_id: idOf(step), outputs })).body;
const fail = async (step: JsonObject, error: string) =>
  (await playground.call('functions.completeError', { function_execution_id: idOf(step), error })).body;

describe('a workflow', () => {
  it('comes to each step with what its form, its starter and the steps before have said', async () => {
    const run = await startedByMaria({ Topic: 'tea', Channel: '#releases', Tries: '3' });
    expect(run).toMatchObject({ name: 'Release', status: 'running' });
    const first = await stepAt(0);
    expect(first).toMatchObject({
      function: { callback_id: 'start' },
      inputs: { crew: 'notes on tea', channel: 'C0RELEASE2', by: 'UMARIA001', tries: 3 },
      workflow_execution_id: run.id,
    });
    expect(await succeed(first, { ref: 'r1', hours: 2 })).toEqual({ ok: true });
    const second = await stepAt(1);
    expect(second).toMatchObject({
      function: { callback_id: 'wait' },
      inputs: { ref: 'r1', note: 'Waits for r1 (tea)' },
      workflow_execution_id: run.id,
    });
    expect((await maria().seesWorkflow(run, 2)).steps).toEqual([
      {
        title: 'Start a crew',
        status: 'completed',
        outputs: [
          { name: 'ref', title: 'ref', type: 'string', value: 'r1' },
          { name: 'hours', title: 'hours', type: 'number', value: 2 },
        ],
      },
      { title: 'Wait for a run', status: 'running', outputs: [] },
    ]);
    await succeed(second, { state: 'completed' });
    await maria().seesWorkflow(run, 'completed');
    expect(steps()).toHaveLength(2);
  });

  it('stays at a step whose outputs aren’t what the manifest says', async () => {
    const run = await startedByMaria();
    const first = await stepAt(0);
    expect(await succeed(first, { ref: 7 })).toMatchObject({ error: 'parameter_validation_failed' });
    await maria().seesWorkflow(run, 1);
    expect(await succeed(first, { ref: 'r1' })).toEqual({ ok: true });
    await maria().seesWorkflow(run, 2);
  });

  it('ends at a step that fails, and shows why to whoever started it', async () => {
    const run = await startedByMaria();
    await fail(await stepAt(0), 'There is no crew “notes on tea”.');
    expect(await maria().seesWorkflow(run, 'failed')).toMatchObject({
      error: 'There is no crew “notes on tea”.',
      steps: [{ status: 'failed' }, { status: 'waiting' }],
    });
    expect(await succeed(await stepAt(0), { ref: 'r1' })).toMatchObject({ error: 'execution_not_in_running_state' });
    expect((await playground.slack.as('jon').snapshot()).workflowRuns).toEqual([]);
  });

  it('fails at a step that it has not enough for, of which the app isn’t told', async () => {
    const inputs = { crew: 'x', channel: '{{form.where}}', by: '{{starter}}' };
    playground.slack.buildWorkflow({
      name: 'Release',
      form: [{ name: 'where', label: 'Channel', type: 'channel', isOptional: true }],
      steps: [{ function: 'start', inputs }],
    });
    const run = await maria().startWorkflow('Release');
    expect(run).toMatchObject({ status: 'failed', error: 'Start a crew can’t begin: channel is required.' });
    expect(steps()).toEqual([]);
  });

  // https://docs.slack.dev/reference/events has no event of it.
  it('can be cancelled by whoever started it; the app finds out when it completes the step', async () => {
    const run = await startedByMaria();
    const first = await stepAt(0);
    await expect(playground.slack.as('jon').cancelWorkflow(run)).rejects.toThrow('This workflow has ended already.');
    await maria().cancelWorkflow(run);
    expect(await maria().seesWorkflow(run, 'cancelled')).toMatchObject({
      steps: [{ status: 'cancelled' }, { status: 'waiting' }],
    });
    expect(await succeed(first, { ref: 'r1' })).toMatchObject({ error: 'execution_not_in_running_state' });
    expect(await fail(first, 'Too late.')).toMatchObject({ error: 'execution_not_in_running_state' });
    const { body } = await playground.call('auth.test', {}, String(first.bot_access_token));
    expect(body).toMatchObject({ error: 'token_expired' });
    await expect(maria().cancelWorkflow(run)).rejects.toThrow('This workflow has ended already.');
    expect(playground.app.received).toHaveLength(1);
  });

  it('isn’t started with a form that Slack would refuse', async () => {
    await expect(startedByMaria({ Topic: 'tea' })).rejects.toMatchObject({
      problem: { at: 'inputs', errors: { where: 'Please complete this required field.' } },
    });
    await expect(startedByMaria({ Topic: 'tea', Channel: '#releases', Tries: 'many' })).rejects.toMatchObject({
      problem: { errors: { tries: 'Please enter a number.' } },
    });
    await expect(playground.slack.as('jon').startWorkflow('Release', { Channel: '#leadership' })).rejects.toThrow(
      '#leadership can’t be chosen in this workspace',
    );
    expect((await maria().snapshot()).workflowRuns).toEqual([]);
  });

  it('isn’t offered to people of other organisations', async () => {
    expect((await playground.slack.as('sam').snapshot()).workflows).toEqual([]);
    const act = { type: 'start-workflow', name: 'Release', inputs: {} };
    const answer = await fetch(`${playground.slack.pageUrl}api/act?as=USTRANGE6`, {
      method: 'POST',
      body: JSON.stringify(act),
    });
    expect(await answer.json()).toMatchObject({ ok: false, problem: { code: 'not_visible' } });
  });

  it('goes on after a restart of the workspace', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'slack-workspace-'));
    const stateFile = join(folder, 'workspace.json');
    await playground.close();
    playground = await workspaceWithApp({ app, workflows: [RELEASE], stateFile });
    const run = await startedByMaria();
    const first = await stepAt(0);
    await playground.close();
    playground = await workspaceWithApp({ app, stateFile });
    expect(await succeed(first, { ref: 'r1' })).toEqual({ ok: true });
    await succeed(await stepAt(0), { state: 'completed' });
    await maria().seesWorkflow(run, 'completed');
    expect((await maria().snapshot()).workflows).toMatchObject([{ name: 'Release' }]);
    await rm(folder, { recursive: true });
  });
});

describe('a workflow that Workflow Builder wouldn’t publish', () => {
  const refused: [string, Workflow['steps'], string][] = [
    ['has a step of nobody', [{ function: 'other' }], 'Release: step 1: the app has no function other'],
    ['lacks what a step needs', [{ function: 'wait' }], 'Release: step 1: ref is required'],
    [
      'names what comes later',
      [{ function: 'wait', inputs: { ref: '{{steps.1.state}}' } }],
      'Release: step 1: nothing is called {{steps.1.state}}',
    ],
    [
      'names what a step doesn’t put out',
      [
        { function: 'wait', inputs: { ref: 'x' } },
        { function: 'wait', inputs: { ref: '{{steps.1.ref}}' } },
      ],
      'Release: step 2: nothing is called {{steps.1.ref}}',
    ],
    [
      'gives what a step doesn’t take',
      [{ function: 'wait', inputs: { ref: 'x', why: '{{starter}}', how: 1 } }],
      'Release: step 1: why is not a parameter of the function; step 1: how is not a parameter of the function',
    ],
    [
      'gives another type',
      [{ function: 'wait', inputs: { ref: 1 } }],
      'Release: step 1: ref must be of the type string',
    ],
  ];
  it.each(refused)('%s', async (_, ofSteps, message) => {
    expect(() => playground.slack.buildWorkflow({ name: 'Release', steps: ofSteps })).toThrow(message);
  });

  it('is refused over HTTP, too, where another is taken', async () => {
    const post = (workflow: object) =>
      fetch(`${playground.slack.pageUrl}_sandbox/workflows`, { method: 'POST', body: JSON.stringify(workflow) });
    const refusal = await post({ name: 'Wait', steps: [], extra: 1 });
    expect([refusal.status, await refusal.text()]).toEqual([400, expect.stringContaining('/steps: ')]);
    expect((await post({ name: 'Wait', steps: [{ function: 'wait', inputs: { ref: 'x' } }] })).status).toBe(200);
    await maria().startWorkflow('Wait');
    expect(await stepAt(0)).toMatchObject({ inputs: { ref: 'x' } });
  });
});
