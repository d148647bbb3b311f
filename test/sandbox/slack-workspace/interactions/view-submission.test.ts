import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../src/sandbox/slack-workspace/json.ts';
import { input, modal, option, plain, section, textInput } from '../support/blocks.ts';
import { type Playground, type Reply, workspaceWithApp } from '../support/scripted-app.ts';

let playground: Playground;
beforeEach(async () => {
  playground = await workspaceWithApp({ ackLimitMs: 1_500 });
});
afterEach(() => playground.close());

const received = () => playground.app.received.at(-1)?.payload ?? {};

/** Maria, with this modal open before her; the app replies to its submission with `reply`. */
async function mariaBefore(view: JsonObject, reply: Reply = {}) {
  const maria = playground.slack.as('maria');
  await maria.command('#general', '/kickoff');
  const { body } = await playground.call('views.open', { trigger_id: String(received().trigger_id), view });
  expect(body).toMatchObject({ ok: true });
  playground.app.reply = () => reply;
  return maria;
}

const WHOLE = { type: 'number_input', is_decimal_allowed: false };

describe('a submission', () => {
  // https://docs.slack.dev/reference/interaction-payloads/view-interactions-payload
  it('carries the view, what was typed, and no channel', async () => {
    const choices = { type: 'static_select', options: [option('High', 'h')] };
    const maria = await mariaBefore(
      modal([input('why', textInput()), input('how', choices), input('many', WHOLE, { optional: true })], {
        callback_id: 'feedback',
        private_metadata: 'ref-1',
        external_id: 'ext-1',
      }),
    );
    await maria.fill('why', 'because');
    await maria.choose('how', 'High');
    await maria.submit();
    await maria.seesNoModal();
    expect(received()).toMatchObject({
      type: 'view_submission',
      user: { id: 'UMARIA001', team_id: 'T0SANDBOX1' },
      team: { id: 'T0SANDBOX1', domain: 'sandbox' },
      trigger_id: expect.any(String),
      response_urls: [],
      view: {
        type: 'modal',
        callback_id: 'feedback',
        private_metadata: 'ref-1',
        external_id: 'ext-1',
        app_installed_team_id: 'T0SANDBOX1',
        bot_id: 'B0SIGNOFF1',
        hash: expect.any(String),
        previous_view_id: null,
        state: {
          values: {
            why: { why: { type: 'plain_text_input', value: 'because' } },
            how: { how: { type: 'static_select', selected_option: { value: 'h' } } },
            many: { many: { type: 'number_input', value: null } },
          },
        },
      },
    });
  });

  // https://docs.slack.dev/surfaces/modals#handling_submissions
  it.each([
    ['a required input is empty', textInput(), '', 'Please complete this required field.'],
    ['a required input is blank', textInput(), '   ', 'Please complete this required field.'],
    ['text is too short', textInput({ min_length: 3 }), 'ab', 'Please enter at least 3 characters.'],
    ['text is too long', textInput({ max_length: 3 }), 'abcd', 'Please enter no more than 3 characters.'],
    ['a number is none', { type: 'number_input', is_decimal_allowed: true }, 'many', 'Please enter a number.'],
    ['a number isn’t whole', WHOLE, '1.5', 'Please enter a whole number.'],
    ['a number is too small', { ...WHOLE, min_value: '2' }, '1', 'Please enter a number of at least 2.'],
    ['an address is none', { type: 'email_text_input' }, 'maria', 'Please enter a valid email address.'],
    ['a link is none', { type: 'url_text_input' }, 'example', 'Please enter a valid URL.'],
  ])('never leaves the client while %s', async (_, element, text, says) => {
    const maria = await mariaBefore(modal([input('it', element)]));
    const before = playground.app.received.length;
    await maria.fill('it', text);
    await expect(maria.submit()).rejects.toMatchObject({
      problem: { code: 'invalid_input', at: 'inputs', errors: { it: says } },
    });
    await maria.seesModal(says);
    expect(playground.app.received).toHaveLength(before);
  });

  it.each<[string, Reply, string]>([
    ['is late', { delayMs: 2_000 }, 'app_timeout'],
    ['answers with an error', { status: 500 }, 'app_error'],
    ['is gone', { breaks: true }, 'app_unreachable'],
    ['answers with something else', { body: 'thanks' }, 'app_error'],
    ['names no known response_action', { body: { response_action: 'celebrate' } }, 'app_error'],
    ['updates with a wrong view', { body: { response_action: 'update', view: modal([section('')]) } }, 'app_error'],
    ['names other blocks than inputs', { body: { response_action: 'errors', errors: { no: 'x' } } }, 'app_error'],
  ])('keeps the modal open and says so when the app %s', async (_, reply, code) => {
    const maria = await mariaBefore(modal([section('Send it?')]), reply);
    await expect(maria.submit()).rejects.toMatchObject({ problem: { code, at: 'modal' } });
    await maria.seesModal('We had some trouble connecting. Try again?');
    playground.app.reply = () => ({});
    await maria.submit();
    await maria.seesNoModal();
  });
});

describe('the app’s answer to a submission', () => {
  // https://docs.slack.dev/surfaces/modals#response_actions
  it('puts errors under inputs', async () => {
    const answer = { response_action: 'errors', errors: { why: 'Say more.' } };
    const maria = await mariaBefore(modal([input('why', textInput())]), { body: answer });
    await maria.fill('why', 'x');
    await expect(maria.submit()).rejects.toMatchObject({
      problem: { code: 'app_refused', errors: { why: 'Say more.' } },
    });
    expect((await maria.modal())?.errors).toEqual({ why: 'Say more.' });
  });

  it('updates the view, pushes another, or clears all', async () => {
    const updated = modal([section('Second')], { title: plain('Updated') });
    const maria = await mariaBefore(modal([section('First')]), { body: { response_action: 'update', view: updated } });
    await maria.submit();
    await maria.seesModal('Updated');
    playground.app.reply = () => ({ body: { response_action: 'push', view: modal([section('Third')]) } });
    await maria.submit();
    expect((await maria.snapshot()).modals.map(({ title }) => title)).toEqual(['Updated', 'A modal']);
    playground.app.reply = () => ({ body: { response_action: 'clear' } });
    await maria.submit();
    await maria.seesNoModal();
  });

  it('closes only the view on top, unless that has clear_on_close', async () => {
    const maria = await mariaBefore(modal([section('First')]), {
      body: { response_action: 'push', view: modal([section('Second')]) },
    });
    await maria.submit();
    playground.app.reply = () => ({});
    await maria.submit();
    await maria.seesModal('First');
  });
});

describe('closing', () => {
  // https://docs.slack.dev/surfaces/modals#handling_closures
  it('is told to apps that asked, with is_cleared for the whole stack', async () => {
    const asked = modal([section('x')], { notify_on_close: true, private_metadata: 'ref' });
    const maria = await mariaBefore(asked, { body: { response_action: 'push', view: asked } });
    await maria.submit();
    playground.app.reply = () => ({});
    await maria.back();
    await maria.seesModal('x');
    await maria.closeModal();
    await maria.waitFor('the app to hear of both', () => closings().length === 2 || undefined);
    expect(closings()).toMatchObject([
      { is_cleared: false, view: { private_metadata: 'ref' } },
      { is_cleared: true, view: { private_metadata: 'ref' } },
    ]);
  });

  it('is not told otherwise', async () => {
    const maria = await mariaBefore(modal([section('x')]));
    await maria.closeModal();
    await maria.command('#general', '/kickoff');
    expect(closings()).toEqual([]);
  });

  const closings = () =>
    playground.app.received.map(({ payload }) => payload).filter((payload) => payload.type === 'view_closed');
});

it('opens no second submission while the first is on its way', async () => {
  const maria = await mariaBefore(modal([section('x')]), { delayMs: 100 });
  const [first, second] = await Promise.allSettled([maria.submit(), maria.submit()]);
  expect(first?.status).toBe('fulfilled');
  expect(second?.status).toBe('rejected');
});
