import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../src/sandbox/slack-workspace/json.ts';
import {
  actions,
  button,
  input,
  modal,
  mrkdwn,
  option,
  plain,
  plainAnswered,
  section,
  textInput,
} from '../support/blocks.ts';
import { type Playground, workspaceWithApp } from '../support/scripted-app.ts';

let playground: Playground;
beforeEach(async () => {
  playground = await workspaceWithApp({ ackLimitMs: 1_500, rateLimits: 'off' });
});
afterEach(() => playground.close());

async function card(blocks: JsonObject[], channel = 'C0GENERAL1') {
  const { body } = await playground.call('chat.postMessage', {
    channel,
    text: 'card',
    blocks: [section('card'), ...blocks],
  });
  expect(body).toMatchObject({ ok: true });
  return playground.slack.as('maria').sees(channel, 'card');
}
const received = () => playground.app.received.at(-1)?.payload ?? {};

describe('a click in a message', () => {
  // https://docs.slack.dev/reference/interaction-payloads/block_actions-payload
  it('tells the app who clicked what, where, in which message', async () => {
    const message = await card([actions(button('Approve', { value: 'ref-1', style: 'primary' }))]);
    await playground.slack.as('jon').click('Approve', { in: message });
    expect(received()).toMatchObject({
      type: 'block_actions',
      team: { id: 'T0SANDBOX1', domain: 'sandbox' },
      user: { id: 'UJON00002', username: 'jon', name: 'jon', team_id: 'T0SANDBOX1' },
      api_app_id: 'A0SIGNOFF1',
      enterprise: null,
      is_enterprise_install: false,
      container: { type: 'message', message_ts: message.ts, channel_id: 'C0GENERAL1', is_ephemeral: false },
      channel: { id: 'C0GENERAL1', name: 'general' },
      message: { type: 'message', ts: message.ts, text: 'card', bot_id: 'B0SIGNOFF1' },
      trigger_id: expect.any(String),
      response_url: expect.stringMatching(/^http/),
      actions: [
        {
          type: 'button',
          action_id: 'approve',
          block_id: 'actions',
          value: 'ref-1',
          style: 'primary',
          text: plain('Approve'),
          action_ts: expect.stringMatching(/^\d+\.\d{6}$/),
        },
      ],
    });
  });

  it('on a feedback or icon button tells which one', async () => {
    // https://docs.slack.dev/tools/bolt-js/reference/interfaces/FeedbackButtonsAction
    const side = (text: string) => ({ text: plain(text), value: text.toLowerCase() });
    const sides = { positive_button: side('Good'), negative_button: side('Bad') };
    const feedback = { type: 'feedback_buttons', action_id: 'fb', ...sides };
    const bin = (action_id: string, only: string) => ({
      ...{ type: 'icon_button', action_id, icon: 'trash', text: plain(`Delete ${action_id}`), value: '7' },
      visible_to_user_ids: [only],
    });
    const elements = [feedback, bin('mine', 'UMARIA001'), bin('yours', 'UJON00002')];
    const message = await card([
      { type: 'context_actions', elements },
      { type: 'context_actions', elements: [bin('last', 'UJON00002')] },
    ]);
    const maria = playground.slack.as('maria');
    await maria.click('Bad', { in: message });
    const pressed = { type: 'feedback_buttons', action_id: 'fb', text: plainAnswered('Bad'), value: 'bad' };
    const [block_id, action_ts] = [expect.any(String), expect.any(String)];
    expect(received().actions).toEqual([{ ...pressed, block_id, action_ts }]);
    await maria.click('Delete mine', { in: message });
    expect(received().actions).toMatchObject([
      { type: 'icon_button', icon: 'trash', value: '7', text: plain('Delete mine') },
    ]);
    expect(message.blocks.slice(1)).toMatchObject([{ elements: [{ action_id: 'fb' }, { action_id: 'mine' }] }]);
    const place = { in: 'message', channel: message.channel, ts: message.ts } as const;
    const block = String(message.blocks[1]?.block_id);
    const press = async (actionId: string, value?: string) => {
      const body = JSON.stringify({ type: 'use', place, blockId: block, actionId, input: { kind: 'press', value } });
      const act = `${playground.slack.pageUrl}api/act?as=UMARIA001`;
      return (await fetch(act, { method: 'POST', body })).json();
    };
    expect(await press('yours')).toMatchObject({ problem: { code: 'not_visible' } });
    expect(await press('fb', 'great')).toMatchObject({ problem: { code: 'invalid_input' } });
    expect(await press('mine', 'great')).toMatchObject({ problem: { code: 'invalid_input' } });
  });

  it('can come from anyone who sees the message, even from another organisation', async () => {
    // https://docs.slack.dev/apis/slack-connect
    const message = await card([actions(button('Approve'))], 'C0PARTNER4');
    await playground.slack.as('sam').click('Approve', { in: message });
    expect(received()).toMatchObject({ user: { team_id: 'T0NORTHWND' }, team: { id: 'T0SANDBOX1' } });
    const private_ = await card([actions(button('Approve'))], 'C0INCIDNT3');
    await expect(playground.slack.as('priya').click('Approve', { in: private_, withinMs: 50 })).rejects.toThrow(
      'timed out waiting',
    );
  });

  it.each([
    ['is late', { delayMs: 2_000 }, 'app_timeout'],
    ['answers with an error', { status: 500 }, 'app_error'],
    ['is gone', { breaks: true }, 'app_unreachable'],
  ])('shows a warning on the button when the app %s', async (_, reply, code) => {
    const message = await card([actions(button('Approve'))]);
    playground.app.reply = () => reply;
    await expect(playground.slack.as('maria').click('Approve', { in: message })).rejects.toMatchObject({
      problem: { code, at: 'element' },
    });
  });

  it('asks for confirmation where the button says so', async () => {
    // https://docs.slack.dev/reference/block-kit/composition-objects/confirmation-dialog-object
    const confirm = { title: plain('Sure?'), text: plain('Really?'), confirm: plain('Yes'), deny: plain('No') };
    const message = await card([actions(button('Delete', { confirm }))]);
    const maria = playground.slack.as('maria');
    await expect(maria.click('Delete', { in: message })).rejects.toMatchObject({
      problem: { code: 'needs_confirmation' },
    });
    expect(playground.app.received).toEqual([]);
    await maria.click('Delete', { in: message, confirm: 'Yes' });
    expect(playground.app.received).toHaveLength(1);
  });

  it('is impossible on what isn’t there any more', async () => {
    const message = await card([actions(button('Approve'))]);
    await playground.call('chat.update', { channel: message.channel, ts: message.ts, text: 'closed' });
    const click = playground.slack.as('maria').click('Approve', { in: message, withinMs: 50 });
    await expect(click).rejects.toThrow(/timed out waiting for a button labelled “Approve”[\s\S]*closed/);
  });

  it('in an ephemeral message tells no message, but can replace and delete it', async () => {
    const { slack, call } = playground;
    const maria = slack.as('maria');
    await call('chat.postEphemeral', {
      channel: 'C0GENERAL1',
      user: 'UMARIA001',
      text: 'x',
      blocks: [section('psst'), actions(button('Ok'))],
    });
    await maria.click('Ok', { in: await maria.seesPrivately('#general', 'psst') });
    expect(received()).toMatchObject({ container: { is_ephemeral: true } });
    expect(received()).not.toHaveProperty('message');
    const respond = (body: object) =>
      fetch(String(received().response_url), { method: 'POST', body: JSON.stringify(body) });
    await respond({ text: 'a new message' });
    expect(slack.calls().at(-1)?.broken[0]?.code).toBe('replace_original_unsaid');
    await respond({ replace_original: true, text: 'noted' });
    await maria.seesPrivately('#general', 'noted');
    await respond({ delete_original: true });
    expect(slack.calls().at(-1)?.broken).toEqual([]);
    expect((await maria.privately('#general')).map(({ text }) => text)).toEqual(['a new message']);
  });
});

describe('the other elements of a message', () => {
  it('tell what was chosen', async () => {
    const many = [option('Red', 'r'), option('Green', 'g')];
    const message = await card([
      {
        type: 'section',
        text: mrkdwn('Colour'),
        accessory: { type: 'static_select', action_id: 'one', options: many },
      },
      { type: 'section', text: mrkdwn('Colours'), accessory: { type: 'checkboxes', action_id: 'some', options: many } },
      { type: 'section', text: mrkdwn('Who'), accessory: { type: 'users_select', action_id: 'who' } },
      { type: 'section', text: mrkdwn('Day'), accessory: { type: 'datepicker', action_id: 'day' } },
      { type: 'section', text: mrkdwn('More'), accessory: { type: 'overflow', action_id: 'more', options: many } },
    ]);
    const maria = playground.slack.as('maria');
    const chosen = async (act: Promise<void>, told: object) => {
      await act;
      expect((received().actions as JsonObject[])[0]).toMatchObject(told);
    };
    await chosen(maria.choose('Colour', 'Green', { in: message }), { selected_option: { value: 'g' } });
    const both = { selected_options: [{ value: 'r' }, { value: 'g' }] };
    await chosen(maria.choose('Colours', ['Red', 'Green'], { in: message }), both);
    await chosen(maria.choose('Who', 'Jon Bell', { in: message }), { selected_user: 'UJON00002' });
    await chosen(maria.choose('Day', '2026-12-24', { in: message }), { selected_date: '2026-12-24' });
    await chosen(maria.click('Red', { in: message }), { type: 'overflow', selected_option: { value: 'r' } });
    expect(Object.values((received().state as JsonObject).values ?? {})).toContainEqual({
      who: { type: 'users_select', selected_user: 'UJON00002' },
    });
    await playground.slack.as('jon').choose('Colour', 'Red', { in: message });
    expect(JSON.stringify(received().state)).not.toContain('UJON00002');
    await expect(maria.choose('Colour', 'Blue', { in: message })).rejects.toThrow('options: Red, Green');
  });
});

describe('a click in a modal', () => {
  it('carries what is typed so far, and the view', async () => {
    await playground.slack.as('maria').command('#general', '/kickoff');
    const view = modal([
      input('why', textInput()),
      input('live', textInput(), { dispatch_action: true }),
      actions(button('Preview')),
    ]);
    await playground.call('views.open', { trigger_id: String(received().trigger_id), view });
    const maria = playground.slack.as('maria');
    await maria.fill('why', 'because');
    expect(received()).not.toHaveProperty('actions');
    await maria.fill('live', 'now');
    expect(received()).toMatchObject({ actions: [{ type: 'plain_text_input', value: 'now' }] });
    await maria.click('Preview');
    expect(received()).toMatchObject({
      container: { type: 'view', view_id: expect.stringMatching(/^V/) },
      view: { app_installed_team_id: 'T0SANDBOX1', state: { values: { why: { why: { value: 'because' } } } } },
    });
    expect(received()).not.toHaveProperty('channel');
    expect(received()).not.toHaveProperty('response_url');
  });
});
