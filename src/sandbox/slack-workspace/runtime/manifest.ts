// The app that Slack makes of a manifest, or why it would refuse it.

import { parse } from 'yaml';
import type { z } from 'zod';
import type { AppFunction, AppSettings, FunctionParameter } from './installed-app.ts';
import { EVENT_TYPES, MANIFEST, type Manifest, type Parameters, SCOPE_OF_EVENT } from './manifest-schema.ts';

/** The facts of a manifest about an app. */
type DeclaredApp = Pick<
  AppSettings,
  | 'name'
  | 'handle'
  | 'alwaysOnline'
  | 'commands'
  | 'shortcuts'
  | 'events'
  | 'functions'
  | 'homeTab'
  | 'messagesTab'
  | 'metadataSubscriptions'
  | 'scopes'
  | 'interactivity'
  | 'isOrgReady'
  | 'delivery'
>;

type Reading = {
  /** Which of the optional scopes were granted at installation. */
  granted: readonly string[] | 'all';
  reachedBy?: ReachedBy;
};

/**
 * The app that Slack makes of a manifest, in YAML or JSON. A setting that is left out is off.
 * Throws `ManifestError` where Slack would refuse the manifest.
 */
export function readManifest(manifest: string, { granted, reachedBy = 'manifest' }: Reading): DeclaredApp {
  const declared = checkManifest(parsed(manifest), reachedBy);
  const { display_information, features, oauth_config, settings } = declared;
  const { bot = [], bot_optional = [] } = oauth_config.scopes;
  const { name } = display_information;
  return {
    name,
    handle: handleOf(features.bot_user?.display_name ?? name),
    alwaysOnline: features.bot_user?.always_online ?? false,
    commands: (features.slash_commands ?? []).map(({ command, description, usage_hint, should_escape, url }) => ({
      command,
      description,
      usageHint: usage_hint ?? '',
      shouldEscape: should_escape ?? false,
      ...(url !== undefined && { url }),
    })),
    shortcuts: (features.shortcuts ?? []).map(({ callback_id, ...shown }) => ({ ...shown, callbackId: callback_id })),
    events: settings.event_subscriptions?.bot_events ?? [],
    metadataSubscriptions: (settings.event_subscriptions?.metadata_subscriptions ?? []).map(
      ({ app_id, event_type }) => ({ appId: app_id, eventType: event_type }),
    ),
    functions: functionsOf(declared),
    homeTab: features.app_home?.home_tab_enabled ?? false,
    messagesTab: messagesTabOf(features),
    scopes: bot.filter((scope) => granted === 'all' || granted.includes(scope) || !bot_optional.includes(scope)),
    interactivity: settings.interactivity?.is_enabled ? 'on' : 'off',
    isOrgReady: settings.org_deploy_enabled ?? false,
    delivery: deliveryOf(settings),
  };
}

function functionsOf({ functions = {} }: Manifest): AppFunction[] {
  return Object.entries(functions).map(([callbackId, { title, description, input_parameters, output_parameters }]) => ({
    callbackId,
    title,
    description,
    inputs: parametersOf(input_parameters),
    outputs: parametersOf(output_parameters),
  }));
}

function parametersOf(parameters: Parameters): FunctionParameter[] {
  return Object.entries(parameters).map(([name, { type, title = name, description = '', is_required = false }]) => ({
    name,
    type,
    title,
    description,
    isRequired: is_required,
  }));
}

/** JSON is YAML, too. */
function parsed(manifest: string): unknown {
  try {
    return parse(manifest);
  } catch (error) {
    throw new ManifestError([{ pointer: '', message: error instanceof Error ? error.message : String(error) }]);
  }
}

/** A name that can be typed after `@`. */
function handleOf(displayName: string): string {
  return displayName.toLowerCase().replace(/[^a-z0-9._-]+/g, '_');
}

function messagesTabOf({ app_home: home }: Manifest['features']): AppSettings['messagesTab'] {
  if (home?.messages_tab_enabled !== true) return 'off';
  return home.messages_tab_read_only_enabled ? 'read-only' : 'on';
}

/** Returns how the app is reached. Request URLs wait while Socket Mode is on. https://docs.slack.dev/apis/events-api/using-socket-mode */
function deliveryOf(settings: Manifest['settings']): AppSettings['delivery'] {
  if (settings.socket_mode_enabled) return { mode: 'socket' };
  const events = settings.event_subscriptions?.request_url;
  const interactivity = settings.interactivity?.request_url;
  return {
    mode: 'http',
    requestUrl: undefined,
    urls: { ...(events !== undefined && { events }), ...(interactivity !== undefined && { interactivity }) },
  };
}

/** The place of an error in a manifest, as a JSON pointer, and its reason. */
type ManifestProblem = { pointer: string; message: string };

/** A manifest that Slack would refuse, with every reason. */
export class ManifestError extends Error {
  readonly problems: readonly ManifestProblem[];

  constructor(problems: readonly ManifestProblem[]) {
    const lines = problems.map(({ pointer, message }) => `  ${pointer || '/'}: ${message}`);
    super(['Slack would refuse this manifest:', ...lines].join('\n'));
    this.problems = problems;
  }
}

/** The manifest says how the app is reached, or else the start of the workspace. */
type ReachedBy = 'manifest' | 'elsewhere';

/** Throws `ManifestError` where Slack would answer `invalid_manifest`. https://docs.slack.dev/reference/methods/apps.manifest.validate */
function checkManifest(manifest: unknown, reachedBy: ReachedBy): Manifest {
  const parsed = MANIFEST.safeParse(manifest);
  if (!parsed.success) throw new ManifestError(parsed.error.issues.flatMap(problemsOf));
  const { data } = parsed;
  const problems = [
    ...(reachedBy === 'manifest' ? unreachable(data) : []),
    ...unknownEvents(data),
    ...missingScopes(data),
    ...unlistedOptionalScopes(data),
    ...unreadyForFunctions(data),
  ];
  if (problems.length > 0) throw new ManifestError(problems);
  return data;
}

function problemsOf(issue: z.core.$ZodIssue): ManifestProblem[] {
  const pointer = issue.path.map((part) => `/${String(part)}`).join('');
  if (issue.code !== 'unrecognized_keys') return [{ pointer, message: issue.message }];
  return issue.keys.map((key) => ({ pointer: `${pointer}/${key}`, message: 'there is no such field in a manifest' }));
}

/** In the words of https://docs.slack.dev/reference/methods/apps.manifest.validate */
function unreachable({ settings }: Manifest): ManifestProblem[] {
  if (settings.socket_mode_enabled === true) return [];
  const { event_subscriptions: events, interactivity } = settings;
  const problems: ManifestProblem[] = [];
  if (events && events.request_url === undefined)
    problems.push({
      pointer: '/settings/event_subscriptions',
      message: 'Event Subscription requires either Request URL or Socket Mode Enabled',
    });
  if (interactivity?.is_enabled && interactivity.request_url === undefined)
    problems.push({ pointer: '/settings/interactivity', message: 'Interactivity requires a Request URL' });
  return problems;
}

/** In the words of https://github.com/gugu91/pinet/pull/358 */
function unknownEvents({ settings }: Manifest): ManifestProblem[] {
  return (settings.event_subscriptions?.bot_events ?? []).flatMap((event, index) =>
    EVENT_TYPES.has(event)
      ? []
      : [{ pointer: `/settings/event_subscriptions/bot_events/${index}`, message: `invalid event type: ${event}` }],
  );
}

/**
 * Slack's `requires_commands_bot_scope`, with its words and pointer (https://github.com/derive-to/derive/pull/558), and the
 * same for events.
 */
function missingScopes({ features, oauth_config, settings }: Manifest): ManifestProblem[] {
  const { bot = [] } = oauth_config.scopes;
  const events = (settings.event_subscriptions?.bot_events ?? []).flatMap((event, index) => {
    const scope = isScoped(event) ? SCOPE_OF_EVENT[event] : undefined;
    const pointer = `/settings/event_subscriptions/bot_events/${index}`;
    return scope === undefined || bot.includes(scope)
      ? []
      : [{ pointer, message: `${event} requires \`${scope}\` bot scope` }];
  });
  if (features.slash_commands === undefined || bot.includes('commands')) return events;
  return [{ pointer: '/features/slash_commands', message: 'Slash Commands requires `commands` bot scope' }, ...events];
}

function isScoped(event: string): event is keyof typeof SCOPE_OF_EVENT {
  return Object.hasOwn(SCOPE_OF_EVENT, event);
}

/**
 * “Your app must be organization-ready”, its steps run where it does (https://docs.slack.dev/workflows/workflow-steps,
 * https://github.com/slack-samples/bolt-python-custom-step-template/pull/23), and it subscribes to the event that tells of them, “to
 * avoid manifest validation errors” (https://github.com/slack-samples/bolt-python-custom-step-template/pull/24).
 */
function unreadyForFunctions({ functions = {}, settings }: Manifest): ManifestProblem[] {
  if (Object.keys(functions).length === 0) return [];
  const { event_subscriptions, function_runtime, org_deploy_enabled } = settings;
  return [
    ...(event_subscriptions?.bot_events?.includes('function_executed')
      ? []
      : [
          {
            pointer: '/settings/event_subscriptions/bot_events',
            message: 'must list function_executed for an app with functions',
          },
        ]),
    ...(function_runtime === 'remote'
      ? []
      : [{ pointer: '/settings/function_runtime', message: 'must be remote for an app with functions' }]),
    ...(org_deploy_enabled === true
      ? []
      : [{ pointer: '/settings/org_deploy_enabled', message: 'must be true for an app with functions' }]),
  ];
}

/** https://docs.slack.dev/reference/app-manifest#oauth */
function unlistedOptionalScopes({ oauth_config }: Manifest): ManifestProblem[] {
  const { bot = [], bot_optional = [] } = oauth_config.scopes;
  return bot_optional.flatMap((scope, index) =>
    bot.includes(scope)
      ? []
      : [
          {
            pointer: `/oauth_config/scopes/bot_optional/${index}`,
            message: `${scope} must also be listed in oauth_config.scopes.bot`,
          },
        ],
  );
}
