import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { diffLines } from 'diff';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { readManifest } from '../../src/sandbox/slack-workspace/runtime/manifest.ts';
import { events as heard } from '../../src/slack/app/events.ts';
import { shortcuts as handled } from '../../src/slack/app/listeners.ts';
import { steps } from '../../src/slack/features/workflow/listeners.ts';
import { METADATA_EVENT } from '../../src/slack/messages/posting.ts';
import { memberOf, sourceFilesIn } from '../support/source-files.ts';

const CHECKOUT = resolve(fileURLToPath(new URL('../..', import.meta.url)));
const textOf = (path: string) => readFileSync(resolve(CHECKOUT, path), 'utf8');
const TEXT = textOf('manifest.yml');
const WITH_STEPS = textOf('deploy/manifest-workflows.yml');

const address = z.url({ protocol: /^https$/ });
const scope = z.string().regex(/^[a-z.]+(:[a-z.]+)*$/);

const PARAMETERS = z.record(
  z.string().regex(/^\w{1,255}$/),
  z.strictObject({
    type: z.enum(['string', 'slack#/types/channel_id', 'slack#/types/user_id']),
    title: z.string().min(1).max(255),
    description: z.string().min(1).max(1000),
    is_required: z.boolean(),
  }),
);

/** The fields we use, with the limits of https://docs.slack.dev/reference/app-manifest. */
const MANIFEST = z.strictObject({
  display_information: z.strictObject({
    name: z.string().min(1).max(35),
    description: z.string().max(140),
    long_description: z.string().min(174).max(4000),
    background_color: z.string().regex(/^#([0-9a-f]{3}){1,2}$/),
  }),
  features: z.strictObject({
    bot_user: z.strictObject({
      display_name: z.string().regex(/^[a-z0-9._-]{1,80}$/),
      always_online: z.boolean(),
    }),
    app_home: z.strictObject({
      home_tab_enabled: z.boolean(),
      messages_tab_enabled: z.boolean(),
      messages_tab_read_only_enabled: z.boolean(),
    }),
    slash_commands: z
      .array(
        z.strictObject({
          command: z.string().regex(/^\/[a-z_-]{1,31}$/),
          description: z.string().max(2000),
          usage_hint: z.string().max(1000),
          should_escape: z.boolean(),
          url: address.optional(),
        }),
      )
      .max(50),
    shortcuts: z
      .array(
        z.strictObject({
          name: z.string().min(1).max(24),
          type: z.enum(['global', 'message']),
          callback_id: z.string().min(1).max(255),
          description: z.string().min(1).max(150),
        }),
      )
      .max(10),
  }),
  functions: z
    .record(
      z.string().regex(/^\w{1,100}$/),
      z.strictObject({
        title: z.string().min(1).max(255),
        description: z.string().min(1).max(1000),
        input_parameters: PARAMETERS,
        output_parameters: PARAMETERS,
      }),
    )
    .optional(),
  oauth_config: z.strictObject({
    scopes: z.strictObject({ bot: z.array(scope).max(255), bot_optional: z.array(scope).max(255) }),
  }),
  settings: z.strictObject({
    event_subscriptions: z.strictObject({
      request_url: address.optional(),
      bot_events: z.array(z.string()).max(100),
      metadata_subscriptions: z.array(z.strictObject({ app_id: z.string(), event_type: z.string() })).max(20),
    }),
    interactivity: z.strictObject({ is_enabled: z.boolean(), request_url: address.optional() }),
    socket_mode_enabled: z.boolean(),
    org_deploy_enabled: z.boolean(),
    function_runtime: z.literal('remote').optional(),
    token_rotation_enabled: z.boolean(),
  }),
});

/** The manifest as its comments say to edit it for HTTP mode. */
function forHttpMode(text: string): string {
  return text.replace(/# (.*) # HTTP mode$/gm, '$1').replace('socket_mode_enabled: true', 'socket_mode_enabled: false');
}

const manifest = MANIFEST.parse(parse(TEXT));
const withSteps = MANIFEST.parse(parse(WITH_STEPS));
const { bot, bot_optional: optional } = manifest.oauth_config.scopes;
const { bot_events: events } = manifest.settings.event_subscriptions;

/** The scopes of each method that the bot calls, by https://docs.slack.dev/reference/methods */
const SCOPES: Record<string, string[]> = {
  'auth.test': [],
  'chat.delete': ['chat:write'],
  'chat.postEphemeral': ['chat:write'],
  'chat.postMessage': ['chat:write'],
  'chat.update': ['chat:write'],
  'conversations.info': ['channels:read', 'groups:read'],
  'conversations.list': ['channels:read', 'groups:read'],
  'conversations.members': ['channels:read', 'groups:read'],
  filesUploadV2: ['files:write'],
  'functions.completeError': [],
  'functions.completeSuccess': [],
  'usergroups.list': ['usergroups:read'],
  'usergroups.users.list': ['usergroups:read'],
  'users.conversations': ['channels:read', 'groups:read'],
  'users.info': ['users:read'],
  'users.list': ['users:read'],
  'users.lookupByEmail': ['users:read.email'],
  'views.open': [],
  'views.publish': [],
  'views.push': [],
  'views.update': [],
};

/** The scopes that aren't for a method. */
const BESIDE_METHODS = ['commands', 'chat:write.public', 'metadata.message:read'];

const source = sourceFilesIn(CHECKOUT, 'src').filter(({ path }) => /^src\/(slack|tools|app)\//.test(path));

/** The Web API methods that production code calls, found by calls like `client.chat.update(…)`. */
function methodsCalled(): string[] {
  const families = new Set(Object.keys(SCOPES).map((method) => method.split('.')[0]));
  const called = source
    .flatMap(({ nodes }) => nodes)
    .filter(({ type }) => type === 'CallExpression')
    .flatMap(({ callee }) => (isMember(callee) ? [{ ...memberOf(callee), family: familyOf(callee) }] : []))
    .flatMap(({ object = '', property = '', family }) => {
      if (property === 'filesUploadV2') return [property];
      return families.has(object) ? [`${family}${object}.${property}`] : [];
    });
  return [...new Set(called)].sort();
}

/** Of methods with three parts, such as usergroups.users.list. */
function familyOf({ object }: Member): string {
  return isMember(object) && memberOf(object).object === 'usergroups' ? 'usergroups.' : '';
}

type Member = Parameters<typeof memberOf>[0];

function isMember(node: unknown): node is Member {
  return typeof node === 'object' && node !== null && 'type' in node && node.type === 'MemberExpression';
}

describe('the manifest of the Slack app', () => {
  it('asks for the scopes of what the bot calls, and no others', () => {
    expect(methodsCalled()).toEqual(Object.keys(SCOPES).sort());
    const needed = new Set([...Object.values(SCOPES).flat(), ...BESIDE_METHODS]);
    expect([...bot].sort()).toEqual([...needed].sort());
  });

  it('makes the scopes optional that the bot can do without', () => {
    const forSomePolicies = ['usergroups:read', 'users:read.email'];
    expect([...optional].sort()).toEqual(['chat:write.public', ...forSomePolicies].sort());
    expect(bot).toEqual(expect.arrayContaining(optional));
  });

  it('has the command, the shortcuts and the Home tab', () => {
    const { slash_commands: commands, shortcuts, app_home: home } = manifest.features;
    expect(commands.map(({ command }) => command)).toEqual(['/kickoff']);
    expect(shortcuts.map(({ type, callback_id, name }) => [type, callback_id, name])).toEqual([
      ['global', 'start_crew', 'Start a crew'],
      ['message', 'use_as_feedback', 'Use as feedback'],
      ['message', 'start_crew_with_message', 'Start a crew with it'],
    ]);
    expect(shortcuts.map(({ callback_id }) => callback_id).sort()).toEqual(Object.keys(handled).sort());
    expect(manifest.settings.interactivity.is_enabled).toBe(true);
    expect(home.home_tab_enabled).toBe(true);
  });

  it('subscribes to the events that the app listens to, and no others', () => {
    expect([...events].sort()).toEqual(Object.keys(heard).sort());
    // Who creates the app doesn't know its id yet.
    const ofOurs = [{ app_id: '*', event_type: METADATA_EVENT }];
    expect(manifest.settings.event_subscriptions.metadata_subscriptions).toEqual(ofOurs);
  });

  it('has a row in the documentation for each scope and event', () => {
    const page = textOf('docs/slack-app.md');
    const [, section = ''] = page.split('\n## Scopes and events of the Slack app\n');
    const [tables = ''] = section.split('\n## ');
    const rows = [...tables.matchAll(/^\| `([^`]+)`(, optional)? \|/gm)].map(([, name, isOptional]) => [
      name,
      isOptional !== undefined,
    ]);
    const scopes = bot.map((each) => [each, optional.includes(each)]);
    const heard = withSteps.settings.event_subscriptions.bot_events.map((each) => [each, false]);
    expect(rows.sort()).toEqual([...scopes, ...heard].sort());
  });

  it('lets the bot write to people directly, but not people to the bot, which wouldn’t answer', () => {
    const { app_home: home } = manifest.features;
    expect(home).toMatchObject({ messages_tab_enabled: true, messages_tab_read_only_enabled: true });
  });

  it.each([TEXT, WITH_STEPS])('creates an app for Socket Mode in one paste', (text) => {
    expect(MANIFEST.parse(parse(text)).settings.socket_mode_enabled).toBe(true);
    expect(text.replace(/^\s*#.*$/gm, '')).not.toContain('http');
  });

  it.each([TEXT, WITH_STEPS])('has the three addresses for HTTP mode commented out', (text) => {
    const http = MANIFEST.parse(parse(forHttpMode(text)));
    const url = 'https://signoff.example.com/slack/events';
    expect(http.settings.interactivity.request_url).toBe(url);
    expect(http.settings.event_subscriptions.request_url).toBe(url);
    expect(http.features.slash_commands.map((command) => command.url)).toEqual([url]);
    expect(http.settings.socket_mode_enabled).toBe(false);
  });

  it('is what the local workspace installs', () => {
    const app = readManifest(TEXT, { granted: [] });
    expect(app.scopes).toEqual(bot.filter((each) => !optional.includes(each)));
    expect(readManifest(TEXT, { granted: optional }).scopes).toEqual(bot);
    expect(app).toMatchObject({ homeTab: true, messagesTab: 'read-only', events });
    expect(app.shortcuts[0]).toMatchObject({ type: 'global', callbackId: 'start_crew', name: 'Start a crew' });
    const tooLong = TEXT.replace('name: Use as feedback', 'name: Use as feedback for a crew');
    expect(() => readManifest(tooLong, { granted: [] })).toThrow(/24/);
  });
});

describe('the manifest with steps for workflows', () => {
  it('has the steps that the app takes, with the event that tells of them, and is otherwise the same', () => {
    const { functions, settings, ...rest } = withSteps;
    const { event_subscriptions, function_runtime, ...otherSettings } = settings;
    expect(Object.keys(functions ?? {}).sort()).toEqual(Object.keys(steps).sort());
    expect(function_runtime).toBe('remote');
    expect(event_subscriptions.bot_events).toContain('function_executed');
    const bot_events = event_subscriptions.bot_events.filter((event) => event !== 'function_executed');
    const without = { ...otherSettings, event_subscriptions: { ...event_subscriptions, bot_events } };
    expect({ ...rest, settings: without }).toEqual(manifest);
  });

  it('has every line and comment of the other one', () => {
    expect(diffLines(TEXT, WITH_STEPS).filter(({ removed }) => removed)).toEqual([]);
  });

  // https://docs.slack.dev/workflows/workflow-steps
  it('is taken by Slack, which refuses functions without the event', () => {
    expect(readManifest(WITH_STEPS, { granted: 'all' }).functions).toHaveLength(Object.keys(steps).length);
    const unheard = WITH_STEPS.replace(/^ +- function_executed.*\n/m, '');
    expect(() => readManifest(unheard, { granted: 'all' })).toThrow('function_executed');
    expect(readManifest(TEXT, { granted: 'all' }).functions).toEqual([]);
  });
});
