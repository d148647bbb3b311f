import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../src/sandbox/slack-workspace/json.ts';
import { actions, button, input, modal, option, plainAnswered, section, textInput } from '../support/blocks.ts';
import { sharedWorkspace } from '../support/scripted-app.ts';

const playground = sharedWorkspace({ rateLimits: 'off', ackLimitMs: 5_000 });

const maria = () => playground.slack.as('maria');
const received = () => playground.app.received.at(-1)?.payload ?? {};
const action = () => (received().actions as JsonObject[])[0];
const viewOf = (body: JsonObject) => body.view as JsonObject;

async function publish(blocks: JsonObject[], more: JsonObject = {}): Promise<JsonObject> {
  const view = { type: 'home', blocks, private_metadata: '{"page":1}' };
  return (await playground.call('views.publish', { user_id: 'UMARIA001', view, ...more })).body;
}

const items = (...names: string[]) =>
  names.map((name) =>
    section(name, {
      block_id: name,
      accessory: { type: 'checkboxes', action_id: 'tick', options: [option(`Select ${name}`, 's')] },
    }),
  );

describe('the Home tab', () => {
  it('tells the app which view a click came from, without a channel', async () => {
    await publish([section('Inbox'), actions(button('Refresh'))]);
    await maria().click('Refresh', { in: 'home' });
    expect(received()).toMatchObject({
      type: 'block_actions',
      container: { type: 'view', view_id: expect.stringMatching(/^V/) },
      view: { type: 'home', private_metadata: '{"page":1}', hash: expect.any(String), state: { values: {} } },
      trigger_id: expect.any(String),
    });
    expect(received()).not.toHaveProperty('channel');
    expect(received()).not.toHaveProperty('response_url');
  });

  it('takes every element that Slack allows there, and tells the app at once', async () => {
    const menu = { type: 'static_select', action_id: 'crew', options: [option('All', 'all'), option('Docs', 'docs')] };
    const publicOnes = { include: ['public'], exclude_external_shared_channels: true };
    await publish([
      section('Crew', { accessory: menu }),
      section('Channel', { accessory: { type: 'conversations_select', action_id: 'where', filter: publicOnes } }),
      section('Stand-in', { accessory: { type: 'users_select', action_id: 'who' } }),
      section('Daily at', { accessory: { type: 'timepicker', action_id: 'at', timezone: 'Europe/Madrid' } }),
      section('Until', { accessory: { type: 'datepicker', action_id: 'until' } }),
      input('Search', textInput(), { dispatch_action: true }),
    ]);
    await maria().choose('Crew', 'Docs', { in: 'home' });
    expect(action()).toMatchObject({ type: 'static_select', selected_option: { value: 'docs' } });
    await maria().choose('Channel', '#releases', { in: 'home' });
    expect(action()).toMatchObject({ type: 'conversations_select', selected_conversation: 'C0RELEASE2' });
    await maria().choose('Stand-in', '@jon', { in: 'home' });
    expect(action()).toMatchObject({ type: 'users_select', selected_user: 'UJON00002' });
    await maria().choose('Daily at', '08:30', { in: 'home' });
    expect(action()).toMatchObject({ type: 'timepicker', selected_time: '08:30', timezone: 'Europe/Madrid' });
    await maria().choose('Until', '2026-12-24', { in: 'home' });
    expect(action()).toMatchObject({ type: 'datepicker', selected_date: '2026-12-24' });
    await maria().fill('Search', 'tea', { in: 'home' });
    expect(action()).toMatchObject({ type: 'plain_text_input', value: 'tea' });
    expect(await maria().chosen('Stand-in', { in: 'home' })).toEqual(['Jon Bell']);
    for (const hidden of ['#incidents', '#partners', '#launch-2025', 'Signoff'])
      await expect(maria().choose('Channel', hidden, { in: 'home' })).rejects.toThrow('can’t be chosen');
  });

  it('keeps ticks when it is published again, where block_id and action_id stay the same', async () => {
    // https://docs.slack.dev/surfaces/modals#updating_views
    await publish(items('one', 'two', 'three'));
    await maria().tick('Select one', { in: 'home' });
    await maria().tick('Select three', { in: 'home' });
    await maria().tick('Select two', { in: 'home' });
    await maria().untick('Select three', { in: 'home' });
    const again = viewOf(await publish([...items('three', 'one'), ...items('four')]));
    const values = (again.state as JsonObject).values as JsonObject;
    const ticked = {
      tick: { type: 'checkboxes', selected_options: [{ text: plainAnswered('Select one'), value: 's' }] },
    };
    expect(values.one).toEqual(ticked);
    expect(values).toMatchObject({
      three: { tick: { selected_options: [] } },
      four: { tick: { selected_options: [] } },
    });
    expect(values).not.toHaveProperty('two');
    const back = viewOf(await publish(items('two')));
    expect(back).toMatchObject({ state: { values: { two: { tick: { selected_options: [] } } } } });
  });

  it('is found by the element after a text, where several have the same label', async () => {
    const item = (name: string) => [section(name), { ...actions(button('Review', { value: name })), block_id: name }];
    await publish([...item('Tea'), ...item('Coffee')]);
    await maria().click('Review', { in: 'home', from: 'Coffee' });
    expect(action()).toMatchObject({ value: 'Coffee' });
  });

  it('is in the event once it was published', async () => {
    // https://docs.slack.dev/reference/events/app_home_opened
    const jon = playground.slack.as('jon');
    const opened = (count: number) =>
      jon.waitFor('events', () =>
        playground.app.received
          .map(({ payload }) => payload.event as JsonObject | undefined)
          .filter((event) => event?.type === 'app_home_opened')
          .at(count - 1),
      );
    await jon.openHome();
    expect(await opened(1)).toMatchObject({ user: 'UJON00002', tab: 'home' });
    expect(await opened(1)).not.toHaveProperty('view');
    await publish([section('Of Jon')], { user_id: 'UJON00002' });
    await jon.openHome();
    expect(await opened(2)).toMatchObject({ tab: 'home', view: { type: 'home', private_metadata: '{"page":1}' } });
    await jon.openMessages();
    expect(await opened(3)).toMatchObject({ tab: 'messages' });
    expect(await opened(3)).not.toHaveProperty('view');
  });

  it('opens a modal, but none on top of itself', async () => {
    await publish([actions(button('Settings'))]);
    await maria().click('Settings', { in: 'home' });
    const trigger_id = String(received().trigger_id);
    const pushed = await playground.call('views.push', { trigger_id, view: modal([section('x')]) });
    expect(pushed.body).toMatchObject({ error: 'not_found' });
    await maria().click('Settings', { in: 'home' });
    const opened = { trigger_id: String(received().trigger_id), view: modal([section('Settings')]) };
    expect((await playground.call('views.open', opened)).body).toMatchObject({ ok: true });
    await maria().closeModal();
  });
});

describe('a menu of conversations in a modal', () => {
  const where = (more: JsonObject = {}) =>
    modal([input('Where', { type: 'conversations_select', default_to_current_conversation: true, ...more })]);
  const opened = async (channel: string, view: JsonObject) => {
    await maria().command(channel, '/kickoff');
    const { body } = await playground.call('views.open', { trigger_id: String(received().trigger_id), view });
    return ((viewOf(body).state as JsonObject).values as JsonObject).Where;
  };
  const holds = (id: string | null) => ({ Where: { type: 'conversations_select', selected_conversation: id } });

  it('holds the conversation that it was opened in, unless another one is named or it isn’t offered', async () => {
    // https://docs.slack.dev/reference/block-kit/block-elements/select-menu-element#conversations_select
    expect(await opened('#releases', where())).toEqual(holds('C0RELEASE2'));
    expect(await opened('#releases', where({ initial_conversation: 'C0GENERAL1' }))).toEqual(holds('C0GENERAL1'));
    expect(await opened('#incidents', where({ filter: { include: ['public'] } }))).toEqual(holds(null));
    await maria().closeModal();
  });
});
