import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DEFAULT_APP } from '../../../../src/sandbox/slack-workspace/runtime/installed-app.ts';
import { readManifest } from '../../../../src/sandbox/slack-workspace/runtime/manifest.ts';
import { DEFAULT_SEED, withEveryKindOfPerson } from '../../../../src/sandbox/slack-workspace/state/seed.ts';
import { type Playground, workspaceWithApp } from '../support/scripted-app.ts';

type Args = Record<string, string>;

let playground: Playground;
/** An app that may read public channels, and nothing else. */
let bare: Playground;
beforeAll(async () => {
  const scopes = [...DEFAULT_APP.scopes, 'users:write', 'im:read', 'im:write'];
  playground = await workspaceWithApp({ seed: withEveryKindOfPerson(DEFAULT_SEED), app: { scopes } });
  bare = await workspaceWithApp({ app: { scopes: ['channels:read'], alwaysOnline: true } });
});
afterAll(async () => {
  await playground.close();
  await bare.close();
});

const read = async (method: string, args: Args = {}) => (await playground.callForm(method, args)).body;
const namesOf = (body: { channels?: unknown }) => (body.channels as { name?: string }[]).map(({ name }) => name);
const missing = (needed: string) => ({ ok: false, error: 'missing_scope', needed });
const GENERAL = ['general', 'releases', 'partners'];

describe('every answer and refusal of users.*', () => {
  // https://docs.slack.dev/reference/objects/user-object, https://github.com/brekkylab/backlot/issues/290,
  // https://github.com/dgurkaynak/slack-poker-planner/issues/20, and the page of each method.
  const ANSWERS: Record<string, [string, Args, object][]> = {
    'users.info': [
      [
        'the primary owner is an owner and an admin',
        { user: 'UMARIA001' },
        { user: { is_admin: true, is_owner: true, is_primary_owner: true } },
      ],
      [
        'an admin is not an owner',
        { user: 'UAIKO0003' },
        { user: { is_admin: true, is_owner: false, is_primary_owner: false } },
      ],
      ['a member is neither', { user: 'UJON00002' }, { user: { is_admin: false, is_owner: false, updated: 0 } }],
      [
        'people have confirmed their addresses',
        { user: 'UJON00002' },
        {
          user: { is_email_confirmed: true, who_can_share_contact_card: 'EVERYONE', tz_label: 'Eastern Standard Time' },
        },
      ],
      [
        'bots have none',
        { user: 'U0SIGNOFF1' },
        { user: { is_email_confirmed: false, profile: { bot_id: 'B0SIGNOFF1', always_active: false } } },
      ],
      [
        'a profile has a first and a last name',
        { user: 'UJON00002' },
        { user: { profile: { first_name: 'Jon', last_name: 'Bell', display_name: '' } } },
      ],
      ['nobody is called so', { user: 'UNOBODY' }, { error: 'user_not_found' }],
      ['a locale is for those who ask', { user: 'UJON00002', include_locale: 'true' }, { user: { locale: 'en-US' } }],
    ],
    'users.list': [
      ['a cursor must be one of ours', { cursor: 'x' }, { error: 'invalid_cursor' }],
      ['a limit of 0 is none', { limit: '0' }, { response_metadata: { next_cursor: '' } }],
    ],
    'users.getPresence': [
      ['others are only active or away', { user: 'UJON00002' }, { ok: true, presence: 'active' }],
      ['deactivated people are away', { user: 'UDORA0008' }, { ok: true, presence: 'away' }],
      ['nobody has no presence', { user: 'UNOBODY' }, { error: 'user_not_found' }],
      ['strangers show none', { user: 'USTRANGE6' }, { error: 'user_not_found' }],
      [
        'a bot without a connection is away',
        {},
        { presence: 'away', online: false, manual_away: false, connection_count: 0 },
      ],
    ],
    'users.setPresence': [['presence is auto or away', { presence: 'active' }, { error: 'invalid_presence' }]],
    'users.conversations': [
      ['public ones by default', {}, { ok: true, response_metadata: { next_cursor: '' } }],
      ['types must exist', { types: 'secret' }, { error: 'invalid_types' }],
      ['a limit must be sound', { limit: '-1' }, { error: 'invalid_limit' }],
      ['a cursor must be sound', { cursor: 'x' }, { error: 'invalid_cursor' }],
      ['nobody is in none', { user: 'UNOBODY' }, { error: 'user_not_found' }],
    ],
  };
  it.each(Object.entries(ANSWERS).flatMap(([method, rows]) => rows.map((row) => [method, ...row] as const)))(
    '%s: %s',
    async (method, _what, args, expected) => {
      expect(await read(method, args)).toMatchObject(expected);
    },
  );

  it.each<[string, Args, string]>([
    // https://docs.slack.dev/reference/scopes
    ['users.info', { user: 'UJON00002' }, 'users:read'],
    ['users.list', {}, 'users:read'],
    ['users.lookupByEmail', { email: 'jon@sandbox.example' }, 'users:read.email'],
    ['users.getPresence', {}, 'users:read'],
    ['users.setPresence', { presence: 'away' }, 'users:write'],
    ['users.conversations', { types: 'public_channel,private_channel' }, 'groups:read'],
    ['users.conversations', { types: 'im' }, 'im:read'],
    ['usergroups.users.list', { usergroup: 'SLEGAL002' }, 'usergroups:read'],
  ])('%s needs its scope', async (method, args, needed) => {
    expect((await bare.callForm(method, args)).body).toMatchObject(missing(needed));
  });
});

describe('users.conversations', () => {
  // https://docs.slack.dev/reference/methods/users.conversations
  it('lists where the bot is, by kind and page by page', async () => {
    expect(namesOf(await read('users.conversations'))).toEqual([...GENERAL, 'launch-2025']);
    expect(namesOf(await read('users.conversations', { exclude_archived: 'true' }))).toEqual(GENERAL);
    expect(namesOf(await read('users.conversations', { types: 'private_channel' }))).toEqual(['incidents']);
    const first = await read('users.conversations', { limit: '3' });
    const { next_cursor: cursor = '' } = first.response_metadata as { next_cursor?: string };
    expect(namesOf(await read('users.conversations', { limit: '3', cursor }))).toEqual(['launch-2025']);
    expect((first.channels as object[])[0]).not.toHaveProperty('is_member');
  });

  it('lists where a person is, of private channels only those that the bot is in', async () => {
    const types = 'public_channel,private_channel';
    expect(namesOf(await read('users.conversations', { user: 'UPRIYA004', types }))).toEqual([
      'general',
      'random',
      'launch-2025',
    ]);
    expect(namesOf(await read('users.conversations', { user: 'UJON00002', types }))).toContain('incidents');
  });

  it('lists direct messages, and says whose account is gone', async () => {
    await read('conversations.open', { users: 'UJON00002' });
    const direct = async () => (await read('users.conversations', { types: 'im' })).channels;
    expect(await direct()).toMatchObject([{ is_im: true, user: 'UJON00002', is_user_deleted: false }]);
    playground.slack.admin.deactivate('jon');
    expect(await direct()).toMatchObject([{ user: 'UJON00002', is_user_deleted: true }]);
    playground.slack.admin.reactivate('jon');
  });
});

describe('presence', () => {
  it('is set by the bot, unless its manifest says that it is always online', async () => {
    // https://docs.slack.dev/reference/methods/users.setPresence
    expect(await read('users.setPresence', { presence: 'away' })).toEqual({ ok: true });
    expect(await read('users.getPresence')).toMatchObject({ presence: 'away', manual_away: true });
    await read('users.setPresence', { presence: 'auto' });
    expect(await read('users.getPresence')).toMatchObject({ presence: 'away', manual_away: false });
    const online = await workspaceWithApp({ app: { alwaysOnline: true } });
    expect((await online.callForm('users.getPresence')).body).toMatchObject({ presence: 'active', online: true });
    await online.close();
  });

  it('is declared in the manifest', () => {
    // https://docs.slack.dev/reference/app-manifest#bot_user
    const isOnline = (bot: object) => {
      const manifest = { display_information: { name: 'A' }, features: { bot_user: { display_name: 'a', ...bot } } };
      return readManifest(JSON.stringify(manifest), { granted: [] }).alwaysOnline;
    };
    expect([{ always_online: true }, { always_online: false }, {}].map(isOnline)).toEqual([true, false, false]);
  });
});

describe('a profile', () => {
  it('has pictures that can be had', async () => {
    // https://docs.slack.dev/reference/methods/users.info: "Only the image_* fields are guaranteed to be included."
    const { user } = (await read('users.info', { user: 'UDORA0008' })) as { user: { profile: Record<string, string> } };
    for (const size of [24, 32, 48, 72, 192, 512]) {
      const picture = await fetch(user.profile[`image_${size}`] ?? '');
      const bytes = Buffer.from(await picture.arrayBuffer());
      expect([picture.headers.get('content-type'), bytes.readUInt32BE(16)]).toEqual(['image/png', size]);
    }
    expect((await fetch(`${playground.slack.pageUrl}avatars/UNOBODY_72.png`)).status).toBe(404);
  });
});
