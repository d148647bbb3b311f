import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { ManifestError, readManifest } from '../../../../src/sandbox/slack-workspace/runtime/manifest.ts';
import { EVENT_TYPES } from '../../../../src/sandbox/slack-workspace/runtime/manifest-schema.ts';
import { CHECKOUT } from '../../../../src/setup/commands.mjs';

type Manifest = { [section: string]: unknown };

const named = { display_information: { name: 'Tea' } };
const read = (manifest: Manifest) => readManifest(JSON.stringify(manifest), { granted: 'all' });

function problemsOf(manifest: string | Manifest): readonly unknown[] {
  try {
    readManifest(typeof manifest === 'string' ? manifest : JSON.stringify(manifest), { granted: 'all' });
    return [];
  } catch (error) {
    if (error instanceof ManifestError) return error.problems.map(({ pointer, message }) => `${pointer} ${message}`);
    throw error;
  }
}

const FUNCTION = {
  title: 'Make tea',
  description: 'Makes tea',
  input_parameters: { kind: { type: 'string', is_required: true } },
  output_parameters: {},
};
const command = { command: '/tea', description: 'Makes tea' };
const shortcut = { name: 'Tea', type: 'global', callback_id: 'tea', description: 'Makes tea' };
const hearsOfSteps = { socket_mode_enabled: true, event_subscriptions: { bot_events: ['function_executed'] } };
const scopesOfEvents = [
  ['app_mention', 'app_mentions:read'],
  ['message.channels', 'channels:history'],
  ['message.groups', 'groups:history'],
  ['message.im', 'im:history'],
  ['message.mpim', 'mpim:history'],
  ['message_metadata_deleted', 'metadata.message:read'],
  ['message_metadata_posted', 'metadata.message:read'],
  ['message_metadata_updated', 'metadata.message:read'],
] as const;
const subscribedTo = (events: readonly string[], bot: readonly string[]): Manifest => ({
  ...named,
  oauth_config: { scopes: { bot } },
  settings: { socket_mode_enabled: true, event_subscriptions: { bot_events: events } },
});
const metadataOf = (count: number) => ({
  metadata_subscriptions: Array.from({ length: count }, (_, i) => ({ app_id: '*', event_type: `tea_${i}` })),
});
const ten = Array.from({ length: 10 }, () => shortcut);

describe('a manifest', () => {
  // https://docs.slack.dev/reference/app-manifest, https://github.com/slackapi/manifest-schema
  it('needs only a name; what it leaves out is off', () => {
    const off = { homeTab: false, isOrgReady: false, messagesTab: 'off', alwaysOnline: false, interactivity: 'off' };
    const none = { commands: [], shortcuts: [], functions: [], metadataSubscriptions: [], events: [], scopes: [] };
    const delivery = { mode: 'http', requestUrl: undefined, urls: {} };
    expect(read(named)).toEqual({ name: 'Tea', handle: 'tea', ...off, ...none, delivery });
  });

  it('may be JSON or YAML, and have what this workspace has no use for', () => {
    const manifest = {
      _metadata: { major_version: 2 },
      ...named,
      features: {
        bot_user: { display_name: 'Tea Bot', always_online: true },
        app_home: { home_tab_enabled: true, messages_tab_enabled: true },
        slash_commands: [{ ...command, url: 'https://tea.example/command', should_escape: true }],
        shortcuts: ten,
        assistant_view: { assistant_description: 'Tea' },
        unfurl_domains: ['tea.example'],
      },
      oauth_config: { scopes: { bot: ['commands'] } },
      settings: { socket_mode_enabled: true, interactivity: { is_enabled: true }, org_deploy_enabled: true },
    };
    expect(readManifest(stringify(manifest), { granted: [] })).toEqual(read(manifest));
    expect(read(manifest)).toMatchObject({
      handle: 'tea_bot',
      alwaysOnline: true,
      homeTab: true,
      messagesTab: 'on',
      commands: [{ command: '/tea', usageHint: '', shouldEscape: true, url: 'https://tea.example/command' }],
      interactivity: 'on',
      delivery: { mode: 'socket' },
    });
  });

  // https://docs.slack.dev/workflows/workflow-steps, https://docs.slack.dev/reference/app-manifest
  it('declares functions, and the metadata to hear of', () => {
    const settings = {
      socket_mode_enabled: true,
      org_deploy_enabled: true,
      function_runtime: 'remote',
      event_subscriptions: {
        bot_events: ['function_executed'],
        metadata_subscriptions: [{ app_id: '*', event_type: 'tea_made' }],
      },
    };
    expect(read({ ...named, functions: { make: FUNCTION }, settings })).toMatchObject({
      functions: [
        {
          callbackId: 'make',
          title: 'Make tea',
          inputs: [{ name: 'kind', type: 'string', title: 'kind', description: '', isRequired: true }],
          outputs: [],
        },
      ],
      metadataSubscriptions: [{ appId: '*', eventType: 'tea_made' }],
    });
  });

  it.each<[string, Manifest, string]>([
    ['has no name', {}, '/display_information '],
    ['has a long name', { display_information: { name: 'x'.repeat(36) } }, '/display_information/name '],
    ['has a short long description', { display_information: { name: 'Tea', long_description: 'x' } }, 'long_desc'],
    ['has an unknown field', { ...named, setings: {} }, '/setings there is no such field in a manifest'],
    ['has eleven shortcuts', { ...named, features: { shortcuts: [...ten, shortcut] } }, '/features/shortcuts '],
    ['names no command', { ...named, features: { slash_commands: [{ ...command, command: 'tea' }] } }, '/0/command '],
    ['has no web address', { ...named, features: { slash_commands: [{ ...command, url: 'tea' }] } }, 'http:// or'],
    ['has text for a flag', { ...named, settings: { socket_mode_enabled: 'yes' } }, '/settings/socket_mode_enabled '],
    [
      'subscribes to what no app can subscribe to',
      { ...named, settings: { socket_mode_enabled: true, event_subscriptions: { bot_events: ['presence_change'] } } },
      '/settings/event_subscriptions/bot_events/0 invalid event type: presence_change',
    ],
    [
      'has an optional scope that it doesn’t ask for',
      { ...named, oauth_config: { scopes: { bot: ['chat:write'], bot_optional: ['users:read'] } } },
      '/oauth_config/scopes/bot_optional/0 users:read must also be listed in oauth_config.scopes.bot',
    ],
    [
      'has functions, but doesn’t run them',
      { ...named, functions: { make: FUNCTION }, settings: { ...hearsOfSteps, org_deploy_enabled: true } },
      '/settings/function_runtime must be remote for an app with functions',
    ],
    [
      'has functions, but isn’t ready for organisations',
      { ...named, functions: { make: FUNCTION }, settings: { ...hearsOfSteps, function_runtime: 'remote' } },
      '/settings/org_deploy_enabled must be true for an app with functions',
    ],
    [
      'has functions, but doesn’t subscribe to the event that tells of them',
      { ...named, functions: { make: FUNCTION }, settings: { org_deploy_enabled: true, function_runtime: 'remote' } },
      '/settings/event_subscriptions/bot_events must list function_executed for an app with functions',
    ],
    [
      'has a command without the scope for commands',
      { ...named, features: { slash_commands: [command] } },
      '/features/slash_commands Slash Commands requires `commands` bot scope',
    ],
    ...scopesOfEvents.map(([event, scope]): [string, Manifest, string] => [
      `subscribes to ${event} without ${scope}`,
      subscribedTo([event], ['chat:write']),
      `/settings/event_subscriptions/bot_events/0 ${event} requires \`${scope}\` bot scope`,
    ]),
    [
      'has 21 metadata subscriptions',
      { ...named, settings: { socket_mode_enabled: true, event_subscriptions: metadataOf(21) } },
      '/settings/event_subscriptions/metadata_subscriptions An app has at most 20 metadata subscriptions.',
    ],
    [
      'has a function without outputs',
      { ...named, functions: { make: { ...FUNCTION, output_parameters: undefined } } },
      '/functions/make/output_parameters ',
    ],
    [
      'subscribes to metadata of no type',
      { ...named, settings: { event_subscriptions: { metadata_subscriptions: [{ app_id: '*' }] } } },
      '/settings/event_subscriptions/metadata_subscriptions/0/event_type ',
    ],
    [
      'subscribes to all metadata of all apps',
      { ...named, settings: { event_subscriptions: { metadata_subscriptions: [{ app_id: '*', event_type: '*' }] } } },
      '/settings/event_subscriptions/metadata_subscriptions/0 not both can be *',
    ],
  ])('is refused where it %s', (_, manifest, problem) => {
    expect(problemsOf(manifest)).toEqual([expect.stringContaining(problem)]);
  });

  it('is taken with the scopes of its events, and with twenty metadata subscriptions', () => {
    const manifest = subscribedTo(
      scopesOfEvents.map(([event]) => event),
      scopesOfEvents.map(([, scope]) => scope),
    );
    expect(problemsOf(manifest)).toEqual([]);
    const twenty = { socket_mode_enabled: true, event_subscriptions: metadataOf(20) };
    expect(problemsOf({ ...named, settings: twenty })).toEqual([]);
  });

  it('is refused where nothing says how the app is reached', () => {
    // https://docs.slack.dev/reference/methods/apps.manifest.validate
    const settings = { event_subscriptions: { bot_events: ['app_home_opened'] }, interactivity: { is_enabled: true } };
    const manifest = { ...named, settings };
    expect(problemsOf(manifest)).toEqual([
      '/settings/event_subscriptions Event Subscription requires either Request URL or Socket Mode Enabled',
      '/settings/interactivity Interactivity requires a Request URL',
    ]);
    expect(problemsOf({ ...named, settings: { ...settings, socket_mode_enabled: true } })).toEqual([]);
    expect(readManifest(stringify(manifest), { granted: 'all', reachedBy: 'elsewhere' }).interactivity).toBe('on');
  });

  it('is refused where it can’t be read', () => {
    expect(problemsOf('name: "Tea')).toEqual([expect.stringContaining('Missing closing')]);
    expect(problemsOf('')).toHaveLength(1);
  });
});

it('knows every event in the types of Slack’s packages', () => {
  const types = readFileSync(join(CHECKOUT, 'node_modules/@slack/web-api/dist/types/request/manifest.d.ts'), 'utf8');
  const [, events = ''] = /type ManifestEvent = (.*);/.exec(types) ?? [];
  const listed = [...events.matchAll(/'([^']+)'/g)].map(([, event]) => event ?? '');
  expect(listed.length).toBeGreaterThan(90);
  expect(listed.filter((event) => !EVENT_TYPES.has(event))).toEqual(['url_verification']);
});
