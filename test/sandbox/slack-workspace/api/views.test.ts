import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../src/sandbox/slack-workspace/json.ts';
import { input, modal, plain, section, textInput } from '../support/blocks.ts';
import { type Playground, workspaceWithApp } from '../support/scripted-app.ts';

let playground: Playground;
let clock = Date.now();
beforeEach(async () => {
  clock = Date.now();
  playground = await workspaceWithApp({
    now: () => clock,
    app: { shortcuts: [{ type: 'global', callbackId: 'open', name: 'Open', description: '' }] },
  });
});
afterEach(() => playground.close());

/** A fresh trigger of Maria's. */
async function trigger(): Promise<string> {
  await playground.slack.as('maria').globalShortcut('Open');
  return String(playground.app.received.at(-1)?.payload.trigger_id);
}

const api = async (method: string, args: JsonObject) => (await playground.call(method, args)).body;
const viewOf = (body: JsonObject) => body.view as JsonObject;

describe('a trigger', () => {
  // https://docs.slack.dev/interactivity/handling-user-interaction#modal_responses
  it('opens one modal', async () => {
    const trigger_id = await trigger();
    expect(await api('views.open', { trigger_id, view: modal([section('x')]) })).toMatchObject({ ok: true });
    expect((await api('views.open', { trigger_id, view: modal([section('x')]) })).error).toBe('exchanged_trigger_id');
  });

  it('lives three seconds', async () => {
    const trigger_id = await trigger();
    clock += 3001;
    expect((await api('views.open', { trigger_id, view: modal([section('x')]) })).error).toBe('expired_trigger_id');
  });

  it('can’t be made up', async () => {
    expect((await api('views.open', { trigger_id: '1.2.3', view: modal([]) })).error).toBe('invalid_trigger_id');
  });

  it('is not spent on a view that is refused', async () => {
    const trigger_id = await trigger();
    const refused = await api('views.open', { trigger_id, view: modal([section('')]) });
    expect(refused).toMatchObject({
      error: 'invalid_arguments',
      response_metadata: {
        messages: ['[ERROR] must be more than 0 characters [json-pointer:/view/blocks/0/text/text]'],
      },
    });
    expect(await api('views.open', { trigger_id, view: modal([]) })).toMatchObject({ ok: true });
  });
});

describe('views.update', () => {
  // https://docs.slack.dev/reference/methods/views.update
  it('refuses a hash that is out of date', async () => {
    const view = viewOf(await api('views.open', { trigger_id: await trigger(), view: modal([section('one')]) }));
    const first = { view_id: view.id ?? '', hash: view.hash ?? '', view: modal([section('two')]) };
    expect(await api('views.update', first)).toMatchObject({ ok: true });
    expect(await api('views.update', first)).toMatchObject({ error: 'hash_conflict' });
    await playground.slack.as('maria').seesModal('two');
  });

  it('finds views by external_id, which is unique', async () => {
    const mine = modal([section('one')], { external_id: 'mine' });
    await api('views.open', { trigger_id: await trigger(), view: mine });
    expect(
      await api('views.update', { external_id: 'mine', view: modal([section('two')], { external_id: 'mine' }) }),
    ).toMatchObject({ ok: true });
    const again = { trigger_id: await trigger(), view: mine };
    expect(await api('views.push', again)).toMatchObject({ error: 'duplicate_external_id' });
  });

  it('says not_found once the modal was closed, which breaks no rule', async () => {
    const view = viewOf(await api('views.open', { trigger_id: await trigger(), view: modal([section('one')]) }));
    await playground.slack.as('maria').closeModal();
    expect((await api('views.update', { view_id: view.id ?? '', view: modal([]) })).error).toBe('not_found');
    expect(playground.slack.calls().at(-1)).toMatchObject({ name: 'views.update', error: 'not_found', broken: [] });
  });

  it('keeps what was typed where block_id and action_id stay', async () => {
    // https://docs.slack.dev/surfaces/modals#updating_views
    const maria = playground.slack.as('maria');
    const view = viewOf(
      await api('views.open', { trigger_id: await trigger(), view: modal([input('why', textInput())]) }),
    );
    await maria.fill('why', 'because');
    const updated = await api('views.update', {
      view_id: view.id ?? '',
      view: modal([section('new'), input('why', textInput())]),
    });
    expect(updated).toMatchObject({ view: { state: { values: { why: { why: { value: 'because' } } } } } });
    const renamed = await api('views.update', { view_id: view.id ?? '', view: modal([input('what', textInput())]) });
    expect(renamed).toMatchObject({ view: { state: { values: { what: { what: { value: null } } } } } });
  });
});

describe('a stack of modals', () => {
  // https://docs.slack.dev/surfaces/modals#adding_views
  it('is at most three deep', async () => {
    const { app, slack } = playground;
    const maria = slack.as('maria');
    const pushing = (name: string) =>
      modal([
        { type: 'actions', elements: [{ type: 'button', text: plain('More'), action_id: 'more' }] },
        section(name),
      ]);
    await api('views.open', { trigger_id: await trigger(), view: pushing('one') });
    const outcomes: unknown[] = [];
    for (const name of ['two', 'three', 'four']) {
      await maria.click('More');
      const body = await api('views.push', {
        trigger_id: String(app.received.at(-1)?.payload.trigger_id),
        view: pushing(name),
      });
      outcomes.push(body.ok === true ? 'pushed' : body.error);
    }
    expect(outcomes).toEqual(['pushed', 'pushed', 'push_limit_reached']);
    await maria.seesModal('three');
    await maria.back();
    await maria.seesModal('two');
    await maria.closeModal();
    await maria.seesNoModal();
  });
});

describe('views.publish', () => {
  // https://docs.slack.dev/reference/methods/views.publish
  it('shows a home tab to one member', async () => {
    const view = { type: 'home', blocks: [section('Inbox')] };
    const body = await api('views.publish', { user_id: 'UMARIA001', view });
    expect(body).toMatchObject({ ok: true, view: { type: 'home' } });
    await playground.slack.as('maria').seesHome('Inbox');
    expect(await playground.slack.as('jon').home()).toBeUndefined();
    expect((await api('views.publish', { user_id: 'UMARIA001', view, hash: '1.old' })).error).toBe('hash_conflict');
    expect(await api('views.publish', { user_id: 'UNOBODY', view })).toMatchObject({ error: 'user_not_found' });
    expect((await api('views.publish', { user_id: 'UMARIA001', view: modal([]) })).error).toBe('invalid_arguments');
  });
});
