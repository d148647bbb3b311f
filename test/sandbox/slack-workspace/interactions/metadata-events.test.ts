import { beforeEach, describe, expect, it } from 'vitest';
import { type JsonObject, objectAt } from '../../../../src/sandbox/slack-workspace/json.ts';
import { type AppSettings, DEFAULT_APP } from '../../../../src/sandbox/slack-workspace/runtime/installed-app.ts';
import type { WorkspaceOptions } from '../../../../src/sandbox/slack-workspace/workspace-options.ts';
import { sharedWorkspace, workspaceWithApp } from '../support/scripted-app.ts';

const EVENTS = ['message_metadata_posted', 'message_metadata_updated', 'message_metadata_deleted'];
const settings = (more: Partial<AppSettings> = {}): WorkspaceOptions => ({
  rateLimits: 'off',
  app: {
    events: EVENTS,
    scopes: [...DEFAULT_APP.scopes, 'metadata.message:read', 'chat:write.public'],
    metadataSubscriptions: [{ appId: DEFAULT_APP.appId, eventType: 'task_created' }],
    ...more,
  },
});

const playground = sharedWorkspace(settings());
beforeEach(() => {
  playground.app.received.length = 0;
});

const metadata = (id: string, event_type = 'task_created'): JsonObject => ({ event_type, event_payload: { id } });
const events = () => playground.app.received.map(({ payload }) => objectAt(payload, 'event') ?? {});
const post = async (args: JsonObject) =>
  (await playground.call('chat.postMessage', { channel: 'C0RELEASE2', text: 'x', ...args })).body;
const arrival = () => playground.slack.as('maria').waitFor('an event', () => events()[0]);

// https://docs.slack.dev/reference/events/message_metadata_posted
describe('metadata of a message', () => {
  it('is told of when it is posted, changed and deleted', async () => {
    const { ts = '' } = await post({ metadata: metadata('1') });
    const who = { app_id: 'A0SIGNOFF1', bot_id: 'B0SIGNOFF1', user_id: 'U0SIGNOFF1', team_id: 'T0SANDBOX1' };
    const where = { ...who, channel_id: 'C0RELEASE2', message_ts: ts };
    expect(await arrival()).toEqual({
      type: 'message_metadata_posted',
      ...where,
      metadata: metadata('1'),
      event_ts: ts,
    });
    playground.app.received.length = 0;
    await playground.call('chat.update', { channel: 'C0RELEASE2', ts, text: 'y', metadata: metadata('2') });
    expect(await arrival()).toEqual({
      type: 'message_metadata_updated',
      ...where,
      previous_metadata: metadata('1'),
      metadata: metadata('2'),
      event_ts: expect.any(String),
    });
    playground.app.received.length = 0;
    await playground.call('chat.delete', { channel: 'C0RELEASE2', ts });
    const gone = await arrival();
    expect(gone).toEqual({
      type: 'message_metadata_deleted',
      ...where,
      previous_metadata: metadata('2'),
      deleted_ts: gone.event_ts,
      event_ts: expect.any(String),
    });
  });

  it('is told of when it is taken away or added, not when it stays', async () => {
    const { ts = '' } = await post({ metadata: metadata('1') });
    await arrival();
    const update = (args: JsonObject) =>
      playground.call('chat.update', { channel: 'C0RELEASE2', ts, text: 'y', ...args });
    await update({});
    await update({ metadata: metadata('1') });
    await update({ metadata: {} });
    await update({ metadata: metadata('3') });
    await playground.slack.as('maria').waitFor('three events', () => events()[2]);
    expect(
      events()
        .map(({ type }) => type)
        .sort(),
    ).toEqual(['message_metadata_deleted', 'message_metadata_posted', 'message_metadata_posted']);
  });

  it('is told of by its app, whatever its type, where the manifest says so', async () => {
    const any = await workspaceWithApp(
      settings({ metadataSubscriptions: [{ appId: DEFAULT_APP.appId, eventType: '*' }] }),
    );
    await any.call('chat.postMessage', { channel: 'C0RELEASE2', text: 'x', metadata: metadata('1', 'task_closed') });
    await any.slack.as('maria').waitFor('an event', () => any.app.received[0]);
    await any.close();
  });

  // https://docs.slack.dev/messaging/message-metadata#defining
  const NOTHING = { event_type: '', event_payload: null };
  it.each<[string, string, JsonObject]>([
    ['its type has other characters', 'chat.postMessage', { metadata: metadata('1', 'task.created') }],
    ['slack-go sends none', 'chat.postMessage', { metadata: NOTHING }],
    ['slack-go sends none as text', 'chat.postMessage', { metadata: JSON.stringify(NOTHING) }],
    ['slack-go sends none', 'chat.update', { metadata: NOTHING }],
    ['slack-go sends none', 'chat.postEphemeral', { metadata: NOTHING, user: 'UMARIA001' }],
  ])('is ignored with a warning where %s (%s)', async (_, method, args) => {
    const { ts = '' } = await post({});
    const { body } = await playground.call(method, { channel: 'C0RELEASE2', text: 'x', ts, ...args });
    expect(body).toMatchObject({
      ok: true,
      warning: 'invalid_metadata_schema',
      response_metadata: { warnings: ['invalid_metadata_schema'] },
    });
    expect(playground.slack.messages().at(-1)).not.toHaveProperty('metadata');
  });

  it.each<[string, JsonObject]>([
    ['no object', { metadata: 'task_created' }],
    ['no type', { metadata: { event_payload: {} } }],
    ['no payload', { metadata: { event_type: 'task_created', event_payload: null } }],
  ])('is refused with %s', async (_, args) => {
    expect(await post(args)).toMatchObject({ ok: false, error: 'invalid_metadata_format' });
  });
});

it.each<[string, Partial<AppSettings>, JsonObject]>([
  ['the app isn’t subscribed to the event', { events: ['app_home_opened'] }, {}],
  ['it lacks the scope', { scopes: DEFAULT_APP.scopes }, {}],
  ['its manifest names another type', {}, { metadata: metadata('1', 'task_closed') }],
  ['its manifest names another app', { metadataSubscriptions: [{ appId: 'A0OTHER', eventType: 'task_created' }] }, {}],
  ['it isn’t in the channel', {}, { channel: 'C0RANDOM05' }],
])('metadata isn’t told of where %s', async (_, more, args) => {
  const other = await workspaceWithApp(settings({ events: [...EVENTS, 'app_home_opened'], ...more }));
  await other.call('chat.postMessage', { channel: 'C0RELEASE2', text: 'x', metadata: metadata('1'), ...args });
  const maria = other.slack.as('maria');
  await maria.openHome();
  const names = () => other.slack.calls().flatMap(({ direction, name }) => (direction === 'to-app' ? [name] : []));
  expect(await maria.waitFor('an event', () => (names().length > 0 ? names() : undefined))).toEqual([
    'app_home_opened',
  ]);
  await other.close();
});
