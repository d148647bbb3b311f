import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type JsonObject, objectAt } from '../../../../src/sandbox/slack-workspace/json.ts';
import { DEFAULT_APP } from '../../../../src/sandbox/slack-workspace/runtime/installed-app.ts';
import { type Playground, workspaceWithApp } from '../support/scripted-app.ts';

const GENERAL = 'C0GENERAL1';
const ERRORS = 'https://docs.slack.dev/reference/methods/reactions.add#errors';

let playground: Playground;
let timestamp: string;
beforeAll(async () => {
  playground = await workspaceWithApp({
    rateLimits: 'off',
    app: {
      scopes: [...DEFAULT_APP.scopes, 'reactions:read', 'reactions:write', 'channels:history'],
      events: ['reaction_added', 'reaction_removed'],
    },
  });
  timestamp = (await playground.slack.as('maria').say('#general', 'Ship it?')).ts;
});
afterAll(() => playground.close());

const react = async (method: 'add' | 'remove', args: JsonObject): Promise<JsonObject> =>
  (await playground.call(`reactions.${method}`, { channel: GENERAL, timestamp, ...args })).body;

it('A reaction appears on the message, and goes again, and subscribers hear of both', async () => {
  const { slack, app, callForm } = playground;
  expect(await react('add', { name: 'eyes' })).toEqual({ ok: true });
  const maria = slack.as('maria');
  const message = await maria.sees('#general', 'Ship it?');
  expect(message.reactions).toEqual([{ name: 'eyes', userIds: ['U0SIGNOFF1'] }]);
  const { body } = await callForm('conversations.history', { channel: GENERAL, limit: '1' });
  expect(body.messages).toMatchObject([{ reactions: [{ name: 'eyes', users: ['U0SIGNOFF1'], count: 1 }] }]);
  expect(await react('add', { name: 'eyes' })).toEqual({ ok: false, error: 'already_reacted' });
  expect(await react('remove', { name: 'eyes' })).toEqual({ ok: true });
  expect(await react('remove', { name: 'eyes' })).toEqual({ ok: false, error: 'no_reaction' });
  expect((await maria.now(message))?.reactions).toEqual([]);
  const events = () => app.received.flatMap(({ payload }) => objectAt(payload, 'event') ?? []);
  await maria.waitFor('two events', () => events()[1]);
  expect(events()).toEqual(
    ['reaction_added', 'reaction_removed'].map((type) => ({
      type,
      user: 'U0SIGNOFF1',
      reaction: 'eyes',
      item: { type: 'message', channel: GENERAL, ts: timestamp },
      item_user: 'UMARIA001',
      event_ts: expect.any(String),
    })),
  );
});

it('Other reactions stay when one goes', async () => {
  const { slack } = playground;
  await react('add', { name: 'wave::skin-tone-3' });
  await react('add', { name: 'tada' });
  await react('remove', { name: 'tada' });
  const message = slack.messages().find(({ ts }) => ts === timestamp);
  expect(message?.reactions).toEqual([{ name: 'wave::skin-tone-3', users: ['U0SIGNOFF1'] }]);
});

describe('a reaction is refused', () => {
  it.each<[string, JsonObject]>([
    ['invalid_name', { name: 'no_such_emoji' }],
    ['invalid_name', { name: ':eyes:' }],
    ['invalid_name', { name: '' }],
    ['no_item_specified', { name: 'eyes', timestamp: '' }],
    ['bad_timestamp', { name: 'eyes', timestamp: 'now' }],
    ['message_not_found', { name: 'eyes', timestamp: '1.000001' }],
    ['channel_not_found', { name: 'eyes', channel: 'C0NOWHERE' }],
    ['not_in_channel', { name: 'eyes', channel: 'C0RANDOM05' }],
  ])(`with %s (${ERRORS}): %j`, async (error, args) => {
    expect(await react('add', args)).toEqual({ ok: false, error });
    expect(await react('remove', args)).toEqual({ ok: false, error });
  });

  it('without its scope', async () => {
    const other = await workspaceWithApp();
    const { body } = await other.call('reactions.add', { channel: GENERAL, timestamp, name: 'eyes' });
    expect(body).toMatchObject({ ok: false, error: 'missing_scope', needed: 'reactions:write' });
    await other.close();
  });
});
