import { App, LogLevel } from '@slack/bolt';
import { afterEach, describe, expect, it } from 'vitest';
import { ackLimitOf } from '../../../../src/sandbox/slack-workspace/delivery/transport.ts';
import { type JsonObject, objectAt } from '../../../../src/sandbox/slack-workspace/json.ts';
import { type AppFunction, DEFAULT_APP } from '../../../../src/sandbox/slack-workspace/runtime/installed-app.ts';
import type { WorkspaceOptions } from '../../../../src/sandbox/slack-workspace/workspace-options.ts';
import { freePort } from '../../../../src/setup/free-port.ts';
import { actions, button } from '../support/blocks.ts';
import { workspaceWithApp } from '../support/scripted-app.ts';

const parameter = (name: string, type: string) => ({ name, type, title: name, description: '', isRequired: true });
const APPROVE: AppFunction = {
  callbackId: 'approve',
  title: 'Ask for approval',
  description: 'Asks a person',
  inputs: [parameter('what', 'string'), { ...parameter('approver', 'slack#/types/user_id'), isRequired: false }],
  outputs: [parameter('approved', 'boolean')],
};

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

type StepOptions = Pick<WorkspaceOptions, 'ackLimitMs' | 'eventRetriesMs'> & { events?: string[] };

let nowMs = Date.now();
async function playgroundWithStep({ events = ['function_executed'], ...options }: StepOptions = {}) {
  const app = { functions: [APPROVE], events, scopes: [...DEFAULT_APP.scopes] };
  const playground = await workspaceWithApp({ app, admin: true, now: () => nowMs, ...options });
  closing.push(() => playground.close());
  const { slack } = playground;
  /** Runs the step; the event as the app gets it. */
  const run = async (inputs: JsonObject = { what: 'notes' }) => {
    const begun = slack.runFunction('approve', inputs);
    const event = await slack
      .as('maria')
      .waitFor('the event', () =>
        playground.app.received
          .map(({ payload }) => objectAt(payload, 'event') ?? {})
          .find((found) => found.function_execution_id === begun.executionId),
      );
    return { ...begun, event, token: String(event.bot_access_token) };
  };
  const complete = async (function_execution_id: string, outputs: JsonObject, token?: string) =>
    (await playground.call('functions.completeSuccess', { function_execution_id, outputs }, token)).body;
  return { ...playground, run, complete };
}

describe('a custom step', () => {
  // https://docs.slack.dev/reference/events/function_executed
  it('comes as an event with its parameters, inputs and a token, and ends once', async () => {
    const { run, complete } = await playgroundWithStep();
    const { executionId, ended, event, token } = await run();
    const what = { type: 'string', name: 'what', description: '', title: 'what', is_required: true };
    expect(event).toEqual({
      type: 'function_executed',
      function: {
        id: expect.stringMatching(/^Fn/),
        callback_id: 'approve',
        title: 'Ask for approval',
        description: 'Asks a person',
        type: 'app',
        input_parameters: [what, expect.objectContaining({ name: 'approver', is_required: false })],
        output_parameters: [expect.objectContaining({ name: 'approved', type: 'boolean' })],
        app_id: 'A0SIGNOFF1',
        date_created: expect.any(Number),
        date_updated: expect.any(Number),
        date_deleted: 0,
      },
      inputs: { what: 'notes' },
      function_execution_id: executionId,
      workflow_execution_id: expect.stringMatching(/^Wx/),
      event_ts: expect.any(String),
      bot_access_token: expect.stringMatching(/^xwfp-/),
    });
    expect(await complete(executionId, { approved: 'yes' }, token)).toMatchObject({
      error: 'parameter_validation_failed',
      response_metadata: { messages: ['[ERROR] approved must be of the type boolean'] },
    });
    expect(await complete(executionId, {}, token)).toMatchObject({ error: 'parameter_validation_failed' });
    expect((await complete(executionId, { approved: true, why: 'x' }, token)).error).toBe(
      'parameter_validation_failed',
    );
    expect(await complete('Fx0', { approved: true }, token)).toMatchObject({ error: 'function_execution_not_found' });
    expect(await complete(executionId, { approved: true }, token)).toEqual({ ok: true });
    expect(await ended).toEqual({ status: 'completed', outputs: { approved: true } });
    expect(await complete(executionId, { approved: true })).toMatchObject({ error: 'execution_not_in_running_state' });
  });

  it('has a token until it ends, and for 15 minutes at most, after which the bot’s own completes it', async () => {
    const { run, call, complete } = await playgroundWithStep();
    const { executionId, token } = await run();
    const post = async () => (await call('chat.postMessage', { channel: 'C0RELEASE2', text: 'x' }, token)).body;
    expect(await post()).toMatchObject({ ok: true });
    nowMs += 15 * 60_000 + 1;
    expect(await post()).toMatchObject({ error: 'token_expired' });
    expect(await complete(executionId, { approved: false })).toEqual({ ok: true });
    const other = await run();
    await complete(other.executionId, { approved: true });
    expect((await call('auth.test', {}, other.token)).body).toMatchObject({ error: 'token_expired' });
  });

  // https://github.com/slackapi/deno-slack-runtime/issues/64
  const failed = { status: 'failed', error: 'Function failed to execute: event_dispatch_failed' };

  it('fails, and the app isn’t told, where the app doesn’t subscribe to the event', async () => {
    const { slack, app } = await playgroundWithStep({ events: [] });
    expect(await slack.runFunction('approve', { what: 'notes' }).ended).toEqual(failed);
    expect(app.received).toEqual([]);
  });

  // https://github.com/slackapi/bolt-js/issues/2288
  it('fails where its event isn’t acknowledged in time, and can’t be completed any more', async () => {
    const { slack, app, run, call, complete } = await playgroundWithStep({ ackLimitMs: 200, eventRetriesMs: [] });
    app.reply = () => ({ delayMs: 600 });
    const { executionId, ended, token } = await run();
    expect(await ended).toEqual(failed);
    expect(await complete(executionId, { approved: true })).toMatchObject({ error: 'execution_not_in_running_state' });
    expect((await call('auth.test', {}, token)).body).toMatchObject({ error: 'token_expired' });
    app.reply = () => ({});
    expect(await complete((await run()).executionId, { approved: true })).toEqual({ ok: true });
    expect(slack.calls().some(({ outcome }) => outcome === 'timeout')).toBe(true);
  });

  it('may be acknowledged within five seconds, later than anything else', () => {
    const delivery = { kind: 'events_api', payload: {}, acceptsResponse: false } as const;
    const limits = ['function_executed', 'app_mention'].map((name) => ackLimitOf({ ...delivery, name }));
    expect(limits).toEqual([5_000, 3_000]);
  });

  it('fails once no retry has reached the app either', async () => {
    const { slack, app } = await playgroundWithStep({ eventRetriesMs: [0, 0] });
    app.reply = () => ({ status: 503 });
    expect(await slack.runFunction('approve', { what: 'notes' }).ended).toEqual(failed);
    expect(app.received).toHaveLength(3);
  });

  it('has completed, however late the app acknowledges its event after that', async () => {
    const { slack, app, complete } = await playgroundWithStep({ ackLimitMs: 200, eventRetriesMs: [] });
    app.reply = async ({ payload }) => {
      await complete(String(objectAt(payload, 'event')?.function_execution_id), { approved: true });
      return { delayMs: 600 };
    };
    const { executionId } = slack.runFunction('approve', { what: 'notes' });
    await slack.as('maria').waitFor('the timeout', () => slack.calls().find(({ outcome }) => outcome === 'timeout'));
    const found = await fetch(`${slack.pageUrl}_sandbox/functions/${executionId}`);
    expect(await found.json()).toMatchObject({ end: { status: 'completed' } });
  });

  it('is known to a click on what was posted for it', async () => {
    const { run, slack, app, call, complete } = await playgroundWithStep();
    const { executionId, token } = await run();
    const blocks = [actions(button('Approve'))];
    await call('chat.postMessage', { channel: 'C0RELEASE2', text: 'x', blocks }, token);
    const maria = slack.as('maria');
    const card = await maria.sees('#releases', '[Approve]');
    await maria.click('Approve', { in: card });
    const clicked = app.received.at(-1)?.payload ?? {};
    expect(clicked).toMatchObject({
      function_data: { execution_id: executionId, function: { callback_id: 'approve' }, inputs: { what: 'notes' } },
      interactivity: { interactor: { id: maria.id }, interactivity_pointer: expect.any(String) },
    });
    expect(await complete(executionId, { approved: true }, String(clicked.bot_access_token))).toEqual({ ok: true });
    expect(JSON.stringify(slack.calls())).not.toContain('xwfp-');
    await maria.click('Approve', { in: card });
    expect(app.received.at(-1)?.payload).not.toHaveProperty('function_data');
  });

  it('isn’t run with other inputs, or if there is none of this name', async () => {
    const { slack } = await playgroundWithStep();
    expect(() => slack.runFunction('approve')).toThrow('approve: what is required');
    expect(() => slack.runFunction('approve', { what: 1 })).toThrow('what must be of the type string');
    expect(() => slack.runFunction('approve', { what: 'x', how: 'y' })).toThrow('how is not a parameter');
    expect(() => slack.runFunction('other')).toThrow('the app has no function other');
  });

  it('can be run from another process', async () => {
    const { slack, call } = await playgroundWithStep();
    const ask = (path: string, init?: RequestInit) => fetch(`${slack.pageUrl}_sandbox/functions/${path}`, init);
    const begun = await ask('approve', { method: 'POST', body: '{"what":"notes"}' });
    const { executionId } = (await begun.json()) as { executionId: string };
    expect(await (await ask(executionId)).json()).toEqual({});
    await call('functions.completeError', { function_execution_id: executionId, error: 'no' });
    expect(await (await ask(executionId)).json()).toEqual({ end: { status: 'failed', error: 'no' } });
    expect((await ask('approve', { method: 'POST', body: '{}' })).status).toBe(400);
  });

  // https://docs.slack.dev/tools/bolt-js/concepts/custom-steps
  it('is a function of an unmodified Bolt app, which completes it or fails', async () => {
    const { slack } = await playgroundWithStep();
    const app = new App({
      token: slack.botToken,
      signingSecret: slack.signingSecret,
      clientOptions: { slackApiUrl: slack.apiUrl },
      logLevel: LogLevel.ERROR,
    });
    app.function('approve', async ({ inputs, complete, fail, client }) => {
      if (inputs.what === 'nothing') return void (await fail({ error: 'nothing to approve' }));
      await client.chat.postMessage({ channel: 'C0RELEASE2', text: `May we have ${inputs.what}?` });
      await complete({ outputs: { approved: true } });
    });
    const port = await freePort();
    await app.start(port);
    closing.push(() => app.stop());
    slack.installAt(`http://127.0.0.1:${port}/slack/events`);
    expect(await slack.runFunction('approve', { what: 'tea' }).ended).toEqual({
      status: 'completed',
      outputs: { approved: true },
    });
    await slack.as('maria').sees('#releases', 'May we have tea?');
    expect(await slack.runFunction('approve', { what: 'nothing' }).ended).toEqual({
      status: 'failed',
      error: 'nothing to approve',
    });
  });
});
