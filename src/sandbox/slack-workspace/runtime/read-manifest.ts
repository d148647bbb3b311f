import { parse } from 'yaml';
import { checkManifest, ManifestError, type ReachedBy } from './check-manifest.ts';
import type { AppSettings } from './installed-app.ts';
import type { Manifest } from './manifest-schema.ts';

/** What a manifest says about an app. */
type DeclaredApp = Pick<
  AppSettings,
  | 'name'
  | 'handle'
  | 'alwaysOnline'
  | 'commands'
  | 'shortcuts'
  | 'events'
  | 'homeTab'
  | 'messagesTab'
  | 'scopes'
  | 'interactivity'
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
  const { display_information, features, oauth_config, settings } = checkManifest(parsed(manifest), reachedBy);
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
    homeTab: features.app_home?.home_tab_enabled ?? false,
    messagesTab: messagesTabOf(features),
    scopes: bot.filter((scope) => granted === 'all' || granted.includes(scope) || !bot_optional.includes(scope)),
    interactivity: settings.interactivity?.is_enabled ? 'on' : 'off',
    delivery: deliveryOf(settings),
  };
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

/** With Socket Mode, request URLs wait until it is turned off. https://docs.slack.dev/apis/events-api/using-socket-mode */
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
